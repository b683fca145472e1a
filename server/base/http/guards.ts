import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isApiCall, requestTarget } from './apiCall';
import { forbidden, Refusal } from './refusal';

const YEAR_SECONDS = 365 * 24 * 3600;

/** What a browser may do with our answers: our own origin only, no inline script, in nobody's frame. */
export async function securityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // antd writes its styles into <style> elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    // Told below, where the request's protocol is known.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    if (isApiCall(request)) reply.header('Cache-Control', 'no-store');
  });
}

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

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Name or bracketed address, and a port; nothing that a URL parser could read in two ways. */
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:/@?#\\[\]]+)(?::\d{1,5})?$/i;

/**
 * Answers only under names that are ours: a page of another site that points its own name at this
 * machine (DNS rebinding) gets nothing.
 */
export function guardHost(app: FastifyInstance, allowedHosts: string[]): void {
  const allowed = new Set([...LOOPBACK, ...allowedHosts.map((name) => name.toLowerCase())]);
  const isOurs = (host = '') => {
    const name = HOST.exec(host)?.[1];
    return name !== undefined && allowed.has(name.toLowerCase());
  };
  app.addHook('onRequest', async (request) => {
    // A target may name a host itself, as a proxy's does.
    const { host: named = request.host } = requestTarget(request);
    if (!isOurs(request.host) || !isOurs(named)) {
      throw new Refusal(421, 421, '本服务不以这个主机名提供，请检查地址或 ALLOWED_HOSTS 设置');
    }
  });
}
