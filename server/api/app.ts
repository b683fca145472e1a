import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { endpoints } from '#contract/index';
import { venuesOf } from '#contract/service';
import { failingBooks } from '../base/db/books/bookProgress';
import { auditWrites } from '../base/http/auditTrail';
import { serveConsole } from '../base/http/console';
import { documentation } from '../base/http/documentation';
import { boundExpensiveReads, putSmallCallsFirst } from '../base/http/expensiveReads';
import { answerClientError, answerErrors, answerFrameworkError, answerNotFound } from '../base/http/failure';
import { guardHost, guardOrigin, securityHeaders } from '../base/http/guards';
import { acceptJsonOnly, compileSerializer } from '../base/http/jsonBody';
import { logOptions } from '../base/http/log';
import { limitRate } from '../base/http/requestRate';
import { compileValidator } from '../base/http/validation';
import { LedgerTallies } from '../desk/account/ledgerTallies';
import { OpeningActs } from '../desk/openingActs';
import { kindRoutes } from '../kinds/kinds';
import { proveReal, refuseWithoutFactor } from '../people/auth/fresh';
import { refuseWhileViewing, sessions } from '../people/auth/session';
import type { Deps } from './deps';
import { createMetrics, METRICS_PATH, serveMetrics } from './metrics';
import { accountRoutes, venueAccountRoutes } from './routes/account';
import { apiKeyRoutes } from './routes/apiKey';
import { backtestRoutes } from './routes/backtest';
import { evaluateRoutes } from './routes/evaluate';
import { flattenRoutes } from './routes/flatten';
import { marketRoutes, pairRoutes, scanPastRoutes } from './routes/market';
import { notificationRoutes } from './routes/notification';
import { orderRoutes } from './routes/order';
import { searchRoutes } from './routes/search';
import { secondFactorRoutes } from './routes/secondFactor';
import { jobRoutes, serviceRoutes } from './routes/service';
import { securityRoutes, sessionRoutes } from './routes/session';
import { statisticRoutes } from './routes/statistic';
import { strategyRoutes } from './routes/strategies';
import { strategyOverviewRoutes } from './routes/strategyOverview';
import { streamRoutes } from './routes/stream';
import { symbolRoutes } from './routes/symbol';
import { savedViewRoutes, starRoutes, userRoutes } from './routes/user';
import { auditRoutes, userAdminRoutes } from './routes/userAdmin';
import { createStreamHub } from './stream/streamHub';

/** Builds the server without listening; the caller closes it. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps;
  const { requestMs = 30_000 } = config;
  const app = Fastify({
    logger: logOptions(config.logLevel, deps.log),
    trustProxy: config.trustedProxy.length > 0 ? config.trustedProxy : false,
    // Callers quote it, so it must not come again after a restart; and nobody outside may choose it.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Slow headers or a slow body must not hold a connection for ever. An answer that streams is not concerned.
    requestTimeout: requestMs,
    // Node looks for late requests every half a minute unless told, and lets headers take a minute.
    http: { headersTimeout: requestMs, connectionsCheckingInterval: requestMs / 30 },
    connectionTimeout: 60_000,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
  });
  app.addHook('onRoute', refuseWithoutRight);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.decorateRequest('user', null);
  boundExpensiveReads(app);
  putSmallCallsFirst(app);
  answerErrors(app, deps.db);
  acceptJsonOnly(app);
  // Hooks run in this order: what a request may not do is settled before anybody looks at what it wants.
  await securityHeaders(app);
  guardHost(app, config.allowedHosts);
  await sessions(app, deps);
  await limitRate(app);
  auditWrites(app, deps);
  guardOrigin(app);
  refuseWhileViewing(app);
  refuseWithoutFactor(app);
  await documentation(app);
  registerRoutes(app, deps);
  if (deps.console === undefined) app.setNotFoundHandler(answerNotFound);
  else await serveConsole(app, deps.console, venuesOf(config.environment));
  app.addHook('onReady', async () => refuseUnserved(app));
  return app;
}

function registerRoutes(app: FastifyInstance, given: Deps): void {
  const deps: Deps = given.real ? { ...given, realProof: (call) => proveReal(given.db, call) } : given;
  serviceRoutes(app, deps);
  sessionRoutes(app, deps);
  userRoutes(app, deps);
  secondFactorRoutes(app, deps);
  securityRoutes(app, deps);
  const opens = new OpeningActs(deps);
  userAdminRoutes(app, deps, opens);
  auditRoutes(app, deps);
  jobRoutes(app, deps);
  apiKeyRoutes(app, deps);
  marketRoutes(app, deps);
  scanPastRoutes(app, deps);
  evaluateRoutes(app, deps);
  pairRoutes(app, deps);
  symbolRoutes(app, deps);
  backtestRoutes(app, deps);
  const tallies = new LedgerTallies(deps.db);
  accountRoutes(app, { ...deps, tallies }, opens);
  venueAccountRoutes(app, { ...deps, tallies }, opens);
  opens.routes(app);
  flattenRoutes(app, deps, opens);
  orderRoutes(app, deps, opens);
  strategyRoutes(app, deps, opens);
  strategyOverviewRoutes(app, deps, opens);
  kindRoutes(app, { ...deps, opens, tallies });
  statisticRoutes(app, deps);
  const hub = deps.hub ?? createStreamHub({ clock: deps.clock });
  const { metrics = createMetrics(), config } = deps;
  const token = config.metricsToken ?? null;
  serveMetrics(app, { metrics, streams: () => hub.size, failingBooks: () => failingBooks(deps.db), token });
  streamRoutes(app, deps, hub);
  notificationRoutes(app, deps, deps.stream ?? hub);
  savedViewRoutes(app, deps);
  starRoutes(app, deps);
  searchRoutes(app, deps);
}

/** The document's own pages, and what Prometheus reads: the only API addresses without a row in the contract. */
const DOCUMENT = /^\/api\/(docs|openapi\.json)/;

/** Boot fails on an API route that has no endpoint, and so no right. */
function refuseWithoutRight({ url, config }: RouteOptions): void {
  if (!url.startsWith('/api') || DOCUMENT.test(url) || url === METRICS_PATH) return;
  if (config?.endpoint === undefined) throw new Error(`${url} has no endpoint in the contract and so no right`);
}

/** Boot fails when an endpoint of the contract has no route. */
function refuseUnserved(app: FastifyInstance): void {
  const missing = endpoints.filter(({ method, path }) => !app.hasRoute({ method, url: path }));
  if (missing.length > 0) throw new Error(`No route serves ${missing.map((e) => `${e.method} ${e.path}`).join(', ')}`);
}
