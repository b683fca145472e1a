import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { accessOf } from '#contract/access';
import { inTime } from '../base/http/inTime';
import { forbidden, unauthenticated } from '../base/http/refusal';
import type { PaperVenue } from '../market/venue';

/** Where Prometheus reads; its answer is text of its own, so no endpoint of the contract serves it. */
export const METRICS_PATH = '/api/metrics';
/** What no route serves has one label together: addresses that somebody makes up must not fill the memory. */
const NO_ROUTE = 'none';
const MS = 1_000;
/** How often the event loop is woken to see how late it comes. */
const WATCH_MS = 10;
/** How long the database is waited for. */
const PATIENCE_MS = 1_000;

/** What the server says of itself to those who watch it. Times are told in ms and kept in seconds. */
export interface Metrics {
  registry: Registry;
  /** A tick of the engine is over. */
  tick(ms: number): void;
  /** A look at a book has failed. */
  failed(): void;
  /** A venue has answered a call, or failed to. */
  venue(call: string, ok: boolean, ms: number): void;
  request(labels: { method: string; route: string; status: number }, ms: number): void;
}

/** Counts from now on, in a registry of its own: several servers of one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    ...{ name: 'http_request_duration_seconds', help: '请求用时，按路由与状态', registers },
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
  });
  const ticks = new Histogram({
    ...{ name: 'engine_tick_duration_seconds', help: '引擎每轮用时', registers },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
  });
  const failures = new Counter({ name: 'book_looks_failed_total', help: '处理失败的账户轮次', registers });
  const venues = new Histogram({
    ...{ name: 'venue_call_duration_seconds', help: '交易所下单与撤单的用时', registers },
    labelNames: ['call', 'ok'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5],
  });
  return {
    registry,
    tick: (ms) => ticks.observe(ms / MS),
    failed: () => failures.inc(),
    venue: (call, ok, ms) => venues.observe({ call, ok: String(ok) }, ms / MS),
    request: (labels, ms) => requests.observe(labels, ms / MS),
  };
}

/** The venue, whose orders are timed from now on. */
export function timedVenue<V extends PaperVenue>(venue: V, { venue: observe }: Pick<Metrics, 'venue'>): V {
  const timed =
    <A extends unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const began = performance.now();
      let ok = false;
      try {
        const answer = await call.apply(venue, given);
        ok = true;
        return answer;
      } finally {
        observe(name, ok, performance.now() - began);
      }
    };
  return Object.assign(venue, { submit: timed('submit', venue.submit), cancel: timed('cancel', venue.cancel) });
}

interface Served {
  metrics: Metrics;
  /** How many live streams are open. */
  streams: () => number;
  /** How many books fail, of all processes. */
  failingBooks: () => Promise<number>;
  /** Lets whoever says it read; null where only masters may. */
  token: string | null;
}

/** Counts every request of the app, and serves what was counted to masters and to who knows the token. */
export function serveMetrics(app: FastifyInstance, { metrics, streams, failingBooks, token }: Served): void {
  const { registry } = metrics;
  new Gauge({
    ...{ name: 'stream_readers', help: '打开的实时连接', registers: [registry] },
    collect() {
      this.set(streams());
    },
  });
  new Gauge({
    ...{ name: 'books_failing', help: '连续处理失败的账户，所有进程合计', registers: [registry] },
    async collect() {
      // A database that does not answer takes nothing else from who reads.
      this.set(await inTime(failingBooks(), PATIENCE_MS, Number.NaN));
    },
  });
  // Event loop, memory and processor of this process, of who serves, once somebody reads: to watch the loop is to wake it
  // a hundred times a second.
  let isWatched = false;
  const watch = async () => {
    if (isWatched || !app.server.listening) return;
    isWatched = true;
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: WATCH_MS });
    // How late the loop is has figures from the second wake on.
    await pause(3 * WATCH_MS);
  };
  app.addHook('onResponse', async ({ method, routeOptions: { url, config } }, { statusCode, elapsedTime }) => {
    if (config.endpoint?.streams) return;
    metrics.request({ method, route: url ?? NO_ROUTE, status: statusCode }, elapsedTime);
  });
  app.addHook('onClose', async () => registry.clear());
  app.get(METRICS_PATH, { schema: { hide: true }, onRequest: readersOnly(token) }, async (_request, reply) => {
    await watch();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** @throws 401 for whom nobody knows, 403 for users who are no masters. */
function readersOnly(token: string | null) {
  const expected = token === null ? null : digest(`Bearer ${token}`);
  return async ({ headers, user }: FastifyRequest): Promise<void> => {
    const { authorization } = headers;
    if (expected !== null && authorization !== undefined && timingSafeEqual(digest(authorization), expected)) return;
    if (accessOf(user?.role).isMaster) return;
    throw user === null ? unauthenticated() : forbidden();
  };
}
