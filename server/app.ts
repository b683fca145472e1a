import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { endpoints } from '#contract/index';
import type { Environment } from '#contract/service';
import type { Database } from './db/client';
import { documentation } from './documentation';
import type { Clock, Markets } from './exchange/exchange';
import { answerErrors } from './failure';
import { backtestRoutes } from './routes/backtest';
import { compileValidator } from './validation';

/** What the app is told by its environment; `config.ts` reads it, tests write it. */
export interface AppConfig {
  environment: Environment;
  /** Host names beside the loopback ones that the `Host` header may carry. */
  allowedHosts: string[];
  /** Addresses of proxies whose `X-Forwarded-*` headers are believed. */
  trustedProxy: string[];
  version: string;
  logLevel: 'silent' | 'info' | 'warn' | 'error';
}

/** Everything the routes stand on. */
export interface Deps {
  db: Database;
  clock: Clock;
  markets: Markets;
  config: AppConfig;
  /** Folder of the built console; without it only the API is served. */
  console?: string;
}

/** Builds the server without listening; the caller closes it. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = Fastify({
    logger: deps.config.logLevel === 'silent' ? false : { level: deps.config.logLevel },
    trustProxy: deps.config.trustedProxy.length > 0 ? deps.config.trustedProxy : false,
    // A slow body must not hold a connection for ever.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 500 },
  });
  app.addHook('onRoute', refuseWithoutRight);
  app.setValidatorCompiler(compileValidator);
  app.decorateRequest('user', null);
  answerErrors(app);
  await documentation(app);
  backtestRoutes(app, deps);
  app.addHook('onReady', async () => refuseUnserved(app));
  return app;
}

/** The document's own pages: the only API addresses that stand in no row of the contract. */
const DOCUMENT = /^\/api\/(docs|openapi\.json)/;

/** Boot fails on an API route that no endpoint, and so no right, stands behind. */
function refuseWithoutRight({ url, config }: RouteOptions): void {
  if (!url.startsWith('/api') || DOCUMENT.test(url)) return;
  if (config?.endpoint === undefined) throw new Error(`${url} has no endpoint in the contract and so no right`);
}

/** Boot fails when an endpoint of the contract has no route. */
function refuseUnserved(app: FastifyInstance): void {
  const missing = endpoints.filter(({ method, path }) => !app.hasRoute({ method, url: path }));
  if (missing.length > 0) throw new Error(`No route serves ${missing.map((e) => `${e.method} ${e.path}`).join(', ')}`);
}
