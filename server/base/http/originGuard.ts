import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from './refusal';

const READING = new Set(['GET', 'HEAD']);
/** What a browser says of a request of our own page, and of an address that its user typed. */
const OWN_SITES = new Set(['same-origin', 'none']);

/** Scheme, host and port as a browser writes them: without the scheme's own port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function isOurs(origin: string, { protocol, host }: FastifyRequest): boolean {
  return origin === originOf(`${protocol}://${host}`);
}

/** Whether the request comes from our own page, or from a script that carries no cookie of a browser. */
function comesFromUs(request: FastifyRequest): boolean {
  const { origin, cookie, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined) return isOurs(origin, request);
  if (site !== undefined) return site === 'same-origin';
  return cookie === undefined;
}

/** Whether another page asks. Of a stream of its own a browser may say nothing: then it is not told to be foreign. */
function comesFromElsewhere(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !isOurs(origin, request)) return true;
  return site !== undefined && !OWN_SITES.has(String(site));
}

/**
 * Refuses every write that another site's page could have sent with our visitor's cookies, and every
 * stream that it opens with them: it could not read one, but would take a place of the few that a user has.
 */
export function guardOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const streams = request.routeOptions.config.endpoint?.streams === true;
    const passes = READING.has(request.method) ? !(streams && comesFromElsewhere(request)) : comesFromUs(request);
    if (!passes) throw forbidden('请求来源不是本站，已拒绝');
  });
}
