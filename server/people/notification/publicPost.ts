import { lookup } from 'node:dns/promises';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of a host name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** Why nothing is sent to an address, for its owner. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}

/** The whole of a delivery, name resolution included, ms. */
const WITHIN_MS = 5_000;
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public internet: no loopback, private, link-local, shared, multicast, mapped or otherwise special one. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.parse(address);
  if (read.range() !== 'unicast') return false;
  return !(read instanceof ipaddr.IPv6) || read.match(GLOBAL_IPV6);
}

/** What may be an address of a webhook at all. @throws AddressRefused */
export function readWebhookUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AddressRefused('不是完整的地址');
  const url = new URL(text);
  // Signed is not secret: over plain http everybody on the way would read the account's figures.
  if (url.protocol !== 'https:') throw new AddressRefused('必须以 https:// 开头');
  if (url.username !== '' || url.password !== '') throw new AddressRefused('地址中不能有用户名或密码');
  if (isIP(hostOf(url)) === 0 ? isLocalName(hostOf(url)) : !isPublicAddress(hostOf(url))) {
    throw new AddressRefused('不是公网地址');
  }
  url.hash = '';
  return url;
}

/** Names that can only be of this machine or of the network around it; what any other means is known when it is asked for. */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/;
const isLocalName = (host: string): boolean => LOCAL_NAME.test(host.replace(/\.$/, ''));

/** A literal IPv6 address without its brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

interface PublicPostOptions {
  resolve?: Resolve;
  /** Makes the request; over TLS unless told. */
  request?: typeof httpsRequest;
  isAllowed?: (address: string) => boolean;
}

/** Sends a body. @returns the HTTP status. @throws AddressRefused, or the error of the network */
export type PublicPost = (url: URL, body: string, headers: Record<string, string>) => Promise<number>;

/**
 * Posts to the public internet alone. The name is resolved once, every address it has must be public, and the connection
 * goes to those very addresses, so that a name cannot mean another host the second time. A redirect is an answer, not
 * followed; of the answer only the status is read.
 */
export function createPublicPost({
  resolve = (host) => lookup(host, { all: true, verbatim: true }),
  request = httpsRequest,
  isAllowed = isPublicAddress,
}: PublicPostOptions = {}): PublicPost {
  return async (url, body, headers) => {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const addresses = await Promise.race([addressesOf(url), aborted(signal)]);
    return send(url, body, headers, addresses, signal);
  };

  async function addressesOf(url: URL): Promise<{ address: string; family: number }[]> {
    const host = hostOf(url);
    const family = isIP(host);
    const found = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (found.length === 0) throw new AddressRefused('域名没有地址');
    if (!found.every(({ address }) => isAllowed(address))) throw new AddressRefused('域名指向非公网地址');
    return found;
  }

  function send(
    url: URL,
    body: string,
    headers: Record<string, string>,
    addresses: { address: string; family: number }[],
    signal: AbortSignal,
  ): Promise<number> {
    const [first] = addresses;
    const checked: LookupFunction = (_host, options, done) => {
      if (options.all) done(null, addresses);
      else done(null, first!.address, first!.family);
    };
    const options: RequestOptions = {
      method: 'POST',
      // A kept connection would be one that was checked some time ago.
      agent: false,
      lookup: checked,
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    };
    return new Promise((done, fail) => {
      const sending = request(url, options, (answer) => {
        done(answer.statusCode ?? 0);
        answer.destroy();
      });
      sending.on('error', fail);
      sending.end(body);
    });
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
}
