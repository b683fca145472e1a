import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
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

/** A name that may be of a host of the public internet. @throws AddressRefused */
export function refuseLocalName(host: string): void {
  if (isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host)) throw new AddressRefused('不是公网地址');
}

/** What may be an address of a webhook at all. @throws AddressRefused */
export function readWebhookUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AddressRefused('不是完整的地址');
  const url = new URL(text);
  // Signed is not secret: over plain http everybody on the way would read the account's figures.
  if (url.protocol !== 'https:') throw new AddressRefused('必须以 https:// 开头');
  if (url.username !== '' || url.password !== '') throw new AddressRefused('地址中不能有用户名或密码');
  refuseLocalName(hostOf(url));
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

/** What a host has answered. */
export interface PostAnswer {
  /** Of HTTP. */
  status: number;
  /** What it says, as far as it was to be read. */
  text: string;
}

/**
 * Sends a body. @param most bytes of the answer that are read; without it the status alone.
 * @throws AddressRefused, or the error of the network
 */
export type PublicPost = (
  url: URL,
  body: string,
  headers: Record<string, string>,
  most?: number,
) => Promise<PostAnswer>;

/** The addresses of a host, all of which must be allowed. @throws AddressRefused */
export async function addressesOf(
  host: string,
  { resolve, isAllowed }: { resolve: Resolve; isAllowed: (address: string) => boolean },
): Promise<{ address: string; family: number }[]> {
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (found.length === 0) throw new AddressRefused('域名没有地址');
  if (!found.every(({ address }) => isAllowed(address))) throw new AddressRefused('域名指向非公网地址');
  return found;
}

/** All addresses that this machine finds for a name. */
export const resolvePublic: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Posts to the public internet alone. The name is resolved once, every address it has must be public, and the connection
 * goes to those very addresses, so that a name cannot mean another host the second time. A redirect is an answer, not
 * followed.
 */
export function createPublicPost({
  resolve = resolvePublic,
  request = httpsRequest,
  isAllowed = isPublicAddress,
}: PublicPostOptions = {}): PublicPost {
  return async (url, body, headers, most = 0) => {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const addresses = await Promise.race([addressesOf(hostOf(url), { resolve, isAllowed }), aborted(signal)]);
    return send(url, { body, headers, most }, addresses, signal);
  };

  function send(
    url: URL,
    { body, headers, most }: { body: string; headers: Record<string, string>; most: number },
    addresses: { address: string; family: number }[],
    signal: AbortSignal,
  ): Promise<PostAnswer> {
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
        beginningOf(answer, most).then((text) => done({ status: answer.statusCode ?? 0, text }), fail);
      });
      sending.on('error', fail);
      sending.end(body);
    });
  }
}

/** The rest of it is not waited for. */
async function beginningOf(answer: IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  if (most > 0)
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= most) break;
    }
  answer.destroy();
  return Buffer.concat(parts).subarray(0, most).toString('utf8');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
}
