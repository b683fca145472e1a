import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isApiCall, networkOf } from './apiCall';
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

type Counted = { current: number; ttl: number };

const CALLERS_KEPT = 5_000;

/** Calls by caller within a time of their own from the first one on; one that nothing came of can be given back. */
class CallCounts {
  readonly #calls = new LRUCache<string, { current: number; since: number }>({ max: CALLERS_KEPT });

  incr(key: string, told: (error: Error | null, counted: Counted) => void, timeWindow: number): void {
    const now = Date.now();
    const known = this.#calls.get(key);
    const counted = known && now < known.since + timeWindow ? known : { current: 0, since: now };
    counted.current += 1;
    this.#calls.set(key, counted);
    told(null, { current: counted.current, ttl: counted.since + timeWindow - now });
  }

  giveBack(key: string): void {
    const counted = this.#calls.get(key);
    if (counted && counted.current > 0) counted.current -= 1;
  }

  child(): this {
    return this;
  }
}
