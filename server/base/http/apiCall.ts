import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * What attempts of one caller are counted under: the address, or for IPv6 its /64, because whoever
 * has one such address has all of them.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  if (!(read instanceof ipaddr.IPv6)) return read.toString();
  const groups = read.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** The router passes over a scheme and host before the path, and ends the path at `?` or `#`. */
const TARGET = /^(?:[a-z][a-z0-9+.-]*:\/\/([^/?#]*))?([^?#]*)/i;

/** Which host a request's target names, if any, and its path as it is written there, escapes included. */
export function requestTarget({ url }: Pick<FastifyRequest, 'url'>): { host: string | undefined; path: string } {
  const [, host, path] = TARGET.exec(url) ?? [];
  return { host, path: path || '/' };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Whether a request is for the API. The route that was matched says so: one address can be spelt in many
 * ways. Only what no route of the API serves is told by its path.
 */
export function isApiCall(request: FastifyRequest): boolean {
  const pattern = request.routeOptions.url;
  const address = pattern === undefined || pattern === '/*' ? decoded(requestTarget(request).path) : pattern;
  return /^\/api(\/|$)/.test(address);
}
