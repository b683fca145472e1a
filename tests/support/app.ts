import { hash } from '@node-rs/argon2';
import type { LightMyRequestResponse } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { SIMULATED } from '#contract/candle';
import * as REFUSALS from '#contract/codes';
import type { BodyOf, Endpoint, QueryOf } from '#contract/endpoint';
import type { Envelope } from '#contract/envelope';
import { security } from '#contract/security';
import { buildApp } from '../../server/api/app';
import type { AppConfig, Deps } from '../../server/api/deps';
import type { Database } from '../../server/base/db/client';
import { createUser } from '../../server/base/db/users/user';
import { Jobs } from '../../server/base/jobs/jobs';
import { newMasterKey } from '../../server/base/secret/sealing';
import { Vault } from '../../server/base/secret/vault';
import type { Desk } from '../../server/engine/desk';
import { PairModels } from '../../server/engine/pairModel';
import type { Markets } from '../../server/market/exchange';
import { createPaperVenue } from '../../server/market/paper/paperVenue';
import { simulatedKeyCheck } from '../../server/market/simulated/keyCheck';
import { DEMO_USERS, settleDemoUsers } from '../../server/start/demo/demoUsers';
import { atEnd } from './atEnd';
import { testDatabase } from './testDatabase';

export type Who = 'master' | 'editor' | 'trader' | 'visitor';

export interface Answer<T = unknown> {
  status: number;
  body: Envelope<T>;
  headers: LightMyRequestResponse['headers'];
  raw: LightMyRequestResponse;
}

interface Input<E> {
  query?: Partial<QueryOf<E>> | Record<string, unknown>;
  body?: BodyOf<E> | Record<string, unknown>;
  headers?: Record<string, string>;
}

interface Options extends Partial<Omit<Deps, 'config'>> {
  config?: Partial<AppConfig>;
}

/** Noon of a working day; advanced by hand. */
export const START = Date.UTC(2026, 0, 15, 12);
export const ORIGIN = 'http://localhost:8000';

/** An engine that takes nothing up. */
export const IDLE_DESK: Desk = { wake: async () => {} };

export const NO_MARKETS: Markets = {
  home: SIMULATED,
  list: async () => [],
  get: async () => undefined,
  traded: () => [],
};

/** The name and value of the cookie that an answer sets; undefined when it sets none. */
export function cookieOf(response: LightMyRequestResponse): string | undefined {
  const [line] = [response.headers['set-cookie'] ?? []].flat();
  return line?.split(';')[0];
}

/** A hash says what it costs to check: everybody knows these passwords, so they need not take a core's time. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

async function makeDemoUsers(db: Database, createdAt: number): Promise<void> {
  for (const { name, password, role } of DEMO_USERS) {
    await createUser(db, { name, role, passwordHash: await hash(password, CHEAP), createdAt });
  }
}

/**
 * The whole server in memory with the three demo accounts and a clock that does not move.
 * Give `db` to build a second server on the database of a first.
 */
export async function testApp(options: Options = {}) {
  let now = START;
  const db: Database = options.db ?? (await testDatabase());
  const clock = options.clock ?? (() => now);
  await makeDemoUsers(db, clock());
  await settleDemoUsers(db, clock, true);
  const config: AppConfig = {
    environment: { demo: true, simulated: true, trading: 'paper', followed: [], accounts: [...DEMO_USERS] },
    allowedHosts: [],
    trustedProxy: [],
    version: '9.9.9',
    logLevel: 'silent',
    ...options.config,
  };
  const markets = options.markets ?? NO_MARKETS;
  const venue = options.venue ?? createPaperVenue({ db, clock, markets });
  const keys = { vault: options.vault ?? new Vault({ masters: [newMasterKey()] }), keyCheck: simulatedKeyCheck(clock) };
  const trading = { desk: options.desk ?? IDLE_DESK, venue, pairModels: options.pairModels ?? new PairModels() };
  const jobs = options.jobs ?? new Jobs(db);
  const app = await buildApp({ ...keys, ...options, jobs, ...trading, markets, db, clock, config });
  await app.ready();
  const cookies = new Map<Who, string>();

  /** Signs in and answers the cookie. */
  async function signIn(username: string, password: string): Promise<string> {
    const response = await app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { host: 'localhost:8000', origin: ORIGIN },
      payload: { username, password },
    });
    const cookie = cookieOf(response);
    if (cookie === undefined) throw new Error(`${username} could not sign in: ${response.body}`);
    return cookie;
  }

  async function cookieFor(who: Who): Promise<string | undefined> {
    if (who === 'visitor') return undefined;
    const cookie = cookies.get(who) ?? (await signIn(who, `demo-${who}`));
    cookies.set(who, cookie);
    return cookie;
  }

  /** Calls endpoints as somebody, the way the console does: same origin, JSON, session cookie, and a fresh proof where it is asked for. */
  function as(who: Who) {
    return async <D extends TSchema, E extends Endpoint>(
      endpoint: E & { data: D },
      { query, body, headers }: Input<E> = {},
    ): Promise<Answer<Static<D>>> => {
      const cookie = await cookieFor(who);
      const base = { host: 'localhost:8000', origin: ORIGIN, ...(cookie ? { cookie } : {}) };
      const ask = () =>
        app.inject({
          method: endpoint.method,
          url: endpoint.path,
          headers: { ...base, ...headers },
          ...(query ? { query: textOf(query) } : {}),
          ...(body ? { payload: body } : {}),
        });
      let response = await ask();
      if (cookie !== undefined && response.json().code === REFUSALS.freshNeeded.code) {
        const { method, path } = security.prove;
        await app.inject({ method, url: path, headers: base, payload: { password: `demo-${who}` } });
        response = await ask();
      }
      return { status: response.statusCode, body: response.json(), headers: response.headers, raw: response };
    };
  }

  return {
    app,
    db,
    venue,
    vault: keys.vault,
    jobs,
    as,
    signIn,
    /** Has everybody sign in anew with their next call: who was away for long is signed out. */
    signInAnew: () => cookies.clear(),
    now: () => clock(),
    /** Lets time pass. */
    advance: (ms: number) => {
      now += ms;
    },
    /** Closes the server, and the database unless it was given. */
    close: async () => {
      await app.close();
      if (options.db === undefined) await db.close();
    },
  };
}

/** A server for all tests of the file that asks for it as it is loaded. */
export async function fileApp(options?: Options) {
  const server = await testApp(options);
  atEnd(() => server.close());
  return server;
}

function textOf(query: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
