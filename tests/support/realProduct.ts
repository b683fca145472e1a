import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { apiKey, hasPassphrase } from '#contract/apiKey';
import { LIVE_EXCHANGES, liveSource, type OrderExchange } from '#contract/candle';
import { keyUnanswered } from '#contract/codes';
import type { Endpoint } from '#contract/endpoint';
import type { Envelope } from '#contract/envelope';
import { venueAccount } from '#contract/venueAccount';
import type { Database } from '#server/base/db/client';
import { secondFactor } from '#server/base/db/schema';
import { newMasterKey } from '#server/base/secret/sealing';
import { Vault } from '#server/base/secret/vault';
import { readConfig } from '#server/start/config';
import { buildProduct } from '#server/start/product';
import { ORIGIN } from './app';
import { atEnd } from './atEnd';
import { badLineTo, onlyAt } from './badLine';
import { clockFrom, QUIET_START } from './clockFrom';
import { fundedCustomer } from './fundedCustomer';
import { sessionOf, signedInUser } from './signedInUser';

/** Where a test trades for real that does not say where. */
export const REAL_VENUE = liveSource('binance');

/** Real trading as the environment asks for it. */
export const REAL = {
  ...{ TRADING: 'live', DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/d', EXCHANGES: 'binance', DEMO: '0' },
  ...{ SIMULATED: '0', LOG_LEVEL: 'silent' },
};

/** A stand-in with one customer who has money in both wallets and a key, behind a line that lists these symbols alone. */
async function realPlace(clock: () => number, symbols: readonly string[], name: OrderExchange) {
  const { standIn, exchange, customer } = await fundedCustomer(clock, name);
  const line = await badLineTo(standIn.url, onlyAt[name](...symbols));
  atEnd(() => line.close());
  const words = {
    key: `real-key-${name}-0001`,
    secret: `real-secret-${name}-0001`,
    passphrase: hasPassphrase(name) ? 'real-words' : '',
  };
  const key = exchange.keys.add({ ...words, account: 'owner' });
  key.addresses = ['127.0.0.1'];
  return { name, exchange, customer, line, key };
}

export type RealPlace = Awaited<ReturnType<typeof realPlace>>;

/** Such a stand-in of each of these exchanges, and products that send real orders there. */
export async function realPlaces(db: Database, symbols: readonly string[], names: readonly OrderExchange[]) {
  let ahead = 0;
  const running = clockFrom(QUIET_START);
  const clock = () => running() + ahead;
  const places = await Promise.all(names.map((name) => realPlace(clock, symbols, name)));
  const vault = new Vault({ masters: [newMasterKey()] });
  const followed = {
    EXCHANGES: names.join(),
    ...Object.fromEntries(places.map(({ name, line }) => [`EXCHANGE_URL_${name.toUpperCase()}`, line.url])),
  };

  /** A server that trades once it listens. */
  async function product(environment: Record<string, string> = {}): Promise<FastifyInstance> {
    const config = readConfig({ ...REAL, ...followed, ...environment });
    const app = await buildProduct({ config, clock, db, vault });
    atEnd(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app;
  }
  const wait = (ms: number) => {
    ahead += ms;
  };
  return { clock, wait, places, product, vault };
}

/** The same of one exchange. */
export async function realWorld(db: Database, symbols: readonly string[], name: OrderExchange = 'binance') {
  const { places, ...world } = await realPlaces(db, symbols, [name]);
  return { ...world, ...places[0]! };
}

const SILENT = /连接不上交易所|交易所没有回答/;

/** What is answered in the end: on a machine that does much else an exchange may be silent for too long. */
export async function heard<A extends { code: number; message: string }>(ask: () => Promise<A>): Promise<A> {
  for (let left = 30; ; left -= 1) {
    const answer = await ask();
    const isSilent = answer.code === keyUnanswered.code || SILENT.test(answer.message);
    if (!isSilent || left === 0) return answer;
    await sleep(1_000);
  }
}

interface Stored {
  key: string;
  secret: string;
  /** Where the exchange asks for one. */
  passphrase?: string;
  name?: string;
  /** Default: the one that the user trades at. */
  at?: OrderExchange;
}

/** Calls of who has a session. */
export const callsOf =
  (app: FastifyInstance, cookie: () => string) =>
  async <D extends TSchema, E extends Endpoint>(
    { method, path }: E & { data: D },
    { query, body }: { query?: Record<string, string>; body?: object } = {},
  ): Promise<Envelope<Static<D>>> => {
    const headers = { host: 'localhost:8000', origin: ORIGIN, cookie: cookie(), 'idempotency-key': randomUUID() };
    const asked = { ...(query && { query }), ...(body && { payload: body }) };
    return (await app.inject({ method, url: path, headers, ...asked })).json();
  };

/** Somebody with a session that was proved just now, and his calls. */
export async function realUser(
  app: FastifyInstance,
  db: Database,
  clock: () => number,
  name: string,
  exchange: OrderExchange = 'binance',
) {
  const { userId } = await signedInUser(db, name, 'master');
  let cookie = await sessionOf(db, userId, clock());
  const call = callsOf(app, () => cookie);
  return {
    ...{ userId, call },
    /** Has a second factor from now on, or none. */
    async factor(isOn: boolean): Promise<void> {
      const enabledAt = isOn ? clock() : null;
      const row = { userId, enabledAt, startedAt: clock() };
      await db.insert(secondFactor).values(row).onConflictDoUpdate({ target: secondFactor.userId, set: { enabledAt } });
    },
    /** Who proved it a day ago, or just now. */
    async proved(ago = 0): Promise<void> {
      cookie = await sessionOf(db, userId, clock() - ago);
    },
    /** Stores the key by the console's own call. */
    async storeKey({
      key,
      secret,
      passphrase,
      name: called = `${name} 的密钥`,
      at = exchange,
    }: Stored): Promise<string> {
      const body = { exchange: at, name: called, key, secret, ...(passphrase && { passphrase }) };
      const answer = await heard(() => call(apiKey.create, { body }));
      if (answer.code !== 200) throw new Error(answer.message);
      return answer.data.id;
    },
    /** Opens a real account by a key of theirs. */
    openReal: (apiKeyId: string, at = exchange) =>
      heard(() =>
        call(venueAccount.openLive, { body: { name: `${LIVE_EXCHANGES[at]}实盘`, venue: liveSource(at), apiKeyId } }),
      ),
  };
}

/** Calls as that user. */
export type RealCall = Awaited<ReturnType<typeof realUser>>['call'];
