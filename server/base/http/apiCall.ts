import type { FastifyRequest } from 'fastify';
import { requestTarget } from './requestTarget';

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
