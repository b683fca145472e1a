import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';

type Import = <T>(specifier: string) => Promise<T>;
const nativeImport: Import = require('./nativeImport.cjs');

const SERVER = pathToFileURL(path.join(process.cwd(), 'server', 'main.ts')).href;

/** Loads the server's modules as the ES modules they are; Umi would turn them into CommonJS. */
async function loader(): Promise<Import> {
  const { register } = await nativeImport<typeof import('tsx/esm/api')>('tsx/esm/api');
  const tsx = register({ namespace: 'dev' });
  return (module) => tsx.import(module, SERVER);
}

async function buildServer(): Promise<FastifyInstance> {
  const load = await loader();
  const { buildApp } = await load<typeof import('../server/api/app')>('./api/app.ts');
  const { openDatabase } = await load<typeof import('../server/base/db/connection/openDatabase')>(
    './base/db/connection/openDatabase.ts',
  );
  const { createMarkets } = await load<typeof import('../server/market/markets')>('./market/markets.ts');
  const { createTrading } = await load<typeof import('../server/start/trading')>('./start/trading.ts');
  const { DEMO_USERS, settleDemoUsers } =
    await load<typeof import('../server/start/demo/demoUsers')>('./start/demo/demoUsers.ts');
  const { simulatedKeyCheck } = await load<typeof import('../server/market/simulated/keyCheck')>(
    './market/simulated/keyCheck.ts',
  );
  const { newMasterKey } = await load<typeof import('../server/base/secret/sealing')>('./base/secret/sealing.ts');
  const { Vault } = await load<typeof import('../server/base/secret/vault')>('./base/secret/vault.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'hedge-console-dev-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const db = await openDatabase({ kind: 'folder', path: folder });
  const clock = Date.now;
  await settleDemoUsers(db, clock, true);
  const markets = createMarkets({ db, clock });
  const vault = new Vault({ masters: [newMasterKey()] });
  const keyCheck = simulatedKeyCheck(clock);
  const trading = createTrading({ db, clock, markets, vault, keyCheck, shared: false, story: true });
  const app = await buildApp({
    db,
    clock,
    markets,
    ...trading.deps,
    vault,
    keyCheck,
    config: {
      environment: { demo: true, simulated: true, trading: 'paper', followed: [], accounts: [...DEMO_USERS] },
      allowedHosts: [],
      trustedProxy: [],
      version: 'dev',
      logLevel: 'warn',
    },
  });
  const begin = trading.attach(app);
  await app.ready();
  begin();
  return app;
}

// Umi reads this file again on every change; the server and its data stay.
const kept = globalThis as { devServer?: Promise<FastifyInstance> };
const server = (): Promise<FastifyInstance> => {
  kept.devServer ??= buildServer();
  return kept.devServer;
};

// It boots while the console is compiled: its first call would otherwise outlast the console's patience.
// A boot that fails is told by every call.
server().catch(() => {});

/** A request of the dev server: its body was read and parsed before it comes here. */
interface DevRequest extends IncomingMessage {
  originalUrl: string;
  headers: IncomingHttpHeaders;
  body?: unknown;
}

type Method = 'POST' | 'PUT' | 'DELETE';

async function read(request: DevRequest, response: ServerResponse): Promise<void> {
  (await server()).routing(request, response);
}

async function write(request: DevRequest, response: ServerResponse): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': _encoding, ...headers } = request.headers;
  const answer = await (await server()).inject({
    method: request.method as Method,
    url: request.originalUrl,
    headers,
    remoteAddress: request.socket.remoteAddress,
    ...(Number(length ?? 0) > 0 ? { payload: JSON.stringify(request.body) } : {}),
  });
  response.writeHead(answer.statusCode, answer.headers as Record<string, string | string[]>);
  response.end(answer.rawPayload);
}

/** One backend, not two: `max dev` is answered by the server itself, on a database that goes with it. */
export default {
  'GET /api/(.*)': read,
  'POST /api/(.*)': write,
  'PUT /api/(.*)': write,
  'DELETE /api/(.*)': write,
};
