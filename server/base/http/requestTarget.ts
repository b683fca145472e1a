import type { FastifyRequest } from 'fastify';

/** The router passes over a scheme and host before the path, and ends the path at `?` or `#`. */
const TARGET = /^(?:[a-z][a-z0-9+.-]*:\/\/([^/?#]*))?([^?#]*)/i;

/** Which host a request's target names, if any, and its path as it is written there, escapes included. */
export function requestTarget({ url }: Pick<FastifyRequest, 'url'>): { host: string | undefined; path: string } {
  const [, host, path] = TARGET.exec(url) ?? [];
  return { host, path: path || '/' };
}
