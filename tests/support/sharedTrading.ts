import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Static, TSchema } from 'typebox';
import { type LiveExchange, liveSource } from '#contract/candle';
import type { BodyOf, Endpoint, QueryOf } from '#contract/endpoint';
import { DEFAULT_SETTINGS, type HedgeSettings, hedgeConfig } from '#contract/kinds/hedge/config';
import { venueAccount } from '#contract/venueAccount';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { callServer } from './callServer';
import { postgresDatabase } from './postgresDatabase';
import { ServerFleet } from './serverFleet';
import { signedInUser } from './signedInUser';
import { waitFor } from './waitFor';
import { WriteLog } from './writeLog';

/** Nothing closes by itself. */
const SETTINGS: HedgeSettings = {
  ...DEFAULT_SETTINGS,
  legNotional: 500,
  stopLoss: null,
  takeProfit: null,
  rebalance: null,
  dailyLossLimit: null,
  slippageCap: 50,
};

/** An exchange that both servers follow, and that the user's desk trades at. */
interface FollowedAt {
  exchange: LiveExchange;
  url: string;
}

/** Two servers on one PostgreSQL database, with one user whose book the first of them trades. */
export async function sharedTrading(followed?: FollowedAt) {
  const database = await postgresDatabase();
  const db = await openDatabase({ kind: 'url', url: database.url });
  const log = await WriteLog.open(database.url);
  const fleet = new ServerFleet(database.url, followed ? envOf(followed) : {});
  const trader = await signedInUser(db, 'shared');
  const a = await fleet.start('a');

  /** Calls one of the two as the user. @throws what was answered when it is no success. */
  const callOn =
    (url: string) =>
    async <D extends TSchema, E extends Endpoint>(
      endpoint: E & { data: D },
      input: { query?: Partial<QueryOf<E>>; body?: BodyOf<E>; key?: string } = {},
    ): Promise<Static<D>> => {
      const { body } = await callServer<D, E>(url, trader.cookie, endpoint, input);
      if (body.code !== 200) throw new Error(`${endpoint.path} was answered ${JSON.stringify(body)}`);
      return body.data;
    };

  const close = async () => {
    // A process that was stopped hears of no other signal.
    for (const member of fleet.living) member.server.child.kill('SIGCONT');
    await Promise.all(fleet.living.map((member) => fleet.kill(member)));
    await log.close();
    await db.close();
    await database.drop();
  };
  const source = followed ? liveSource(followed.exchange) : SETTINGS.source;
  const begin = async () => {
    if (followed) {
      const body = { name: '实时', venue: liveSource(followed.exchange), amount: 100_000 };
      const key = randomUUID();
      await waitFor('the first account is there, and another one opens', 60_000, () =>
        callOn(a.server.url)(venueAccount.open, { body, key }).then(
          () => true,
          () => false,
        ),
      );
    }
    await callOn(a.server.url)(hedgeConfig.create, { body: { ...SETTINGS, source } });
    await waitFor('the first server holds the book', 60_000, () => log.holders.get(trader.userId) === a.name);
    return fleet.start('b');
  };
  const b = await begin().catch(async (error) => {
    await close();
    throw error;
  });
  return {
    db,
    log,
    trader,
    source,
    url: database.url,
    /** Another server in the place of one that was killed. */
    again: (slot: string) => fleet.start(slot),
    /** What those that live, or were not ended by us, have said. */
    said: () => fleet.living.map(({ name, server }) => `${name} ${server.child.exitCode} ${server.stderr()}`),
    /** A server that does not trade the user's book. */
    beside: () => {
      const { server } = fleet.living.find(({ name }) => name !== log.holders.get(trader.userId))!;
      return { call: callOn(server.url) };
    },
    /** Ends one at once and without a word. */
    kill: (name: string) => fleet.kill(fleet.named(name)!),
    a: { ...a, call: callOn(a.server.url) },
    b: { ...b, call: callOn(b.server.url) },
    hedges: () => db.select().from(hedge).where(eq(hedge.userId, trader.userId)).orderBy(hedge.createdAt),
    close,
  };
}

const envOf = ({ exchange, url }: FollowedAt): Record<string, string> => ({
  EXCHANGES: exchange,
  [`EXCHANGE_URL_${exchange.toUpperCase()}`]: url,
});
