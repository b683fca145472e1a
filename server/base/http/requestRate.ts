import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isApiCall } from './apiCall';
import { CallCounts } from './callCounts';
import { networkOf } from './network';
import { tooMany } from './refusal';

/** Requests a minute to the API. A busy console with every panel refreshing makes about 200. */
const VISITOR = 600;
const SIGNED_IN = 1200;
/** Only a refusal says anything, by `Retry-After`. */
const QUIET = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };

/** Limits how often one user, or one visitor's address, may call the API. Stands behind the session hook. */
export async function limitRate(app: FastifyInstance): Promise<void> {
  const counts = new CallCounts();
  const counted = new WeakMap<FastifyRequest, string>();
  await app.register(rateLimit, {
    global: false,
    store: function shared() {
      return counts;
    } as unknown as FastifyRateLimitStoreCtor,
    addHeaders: QUIET,
    addHeadersOnExceeding: QUIET,
  });
  app.addHook(
    'onRequest',
    app.rateLimit({
      timeWindow: 60_000,
      max: (request) => (request.user ? SIGNED_IN : VISITOR),
      keyGenerator: (request) => {
        const { viewer, user, ip } = request;
        // Who looks on as another uses up the own share.
        const who = viewer ?? user;
        const key = who ? `user ${who.id}` : `address ${networkOf(ip)}`;
        counted.set(request, key);
        return key;
      },
      allowList: (request) => !isApiCall(request),
      errorResponseBuilder: (_request, { ttl }) => tooMany(ttl / 1000),
    }),
  );
  // What a full disk refused may be asked again as often.
  app.addHook('onSend', async (request) => {
    const key = request.isUnstored ? counted.get(request) : undefined;
    if (key !== undefined) counts.giveBack(key);
  });
}
