import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from '../refusal';

const READING = new Set(['GET', 'HEAD']);

/** Scheme, host and port as a browser writes them: without the scheme's own port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** Whether the request comes from our own page, or from a script that carries no cookie of a browser. */
function comesFromUs({ headers, protocol, host }: FastifyRequest): boolean {
  const origin = headers.origin;
  if (origin !== undefined) {
    const ours = originOf(`${protocol}://${host}`);
    return ours !== null && origin === ours;
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.cookie === undefined;
}

/** Refuses every write that another site's page could have sent with our visitor's cookies. */
export function guardWrites(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (READING.has(request.method) || comesFromUs(request)) return;
    throw forbidden('请求来源不是本站，已拒绝');
  });
}
