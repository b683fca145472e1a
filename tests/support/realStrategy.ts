import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { liveSource, type OrderExchange } from '#contract/candle';
import { hedge } from '#contract/kinds/hedge/desk';
import { strategies as api } from '#contract/strategies';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import { venueAccount } from '#contract/venueAccount';
import { journalEvents } from '#server/base/db/accounts/liveJournal';
import type { Database } from '#server/base/db/client';
import { cashAt, cashOf } from './journalCash';
import { answered } from './realCarry';
import { type RealPlace, realPlaces, realUser } from './realProduct';

interface Wanted<K extends StrategyKind> {
  kind: K;
  at: readonly OrderExchange[];
  /** What is listed there; the first is what a person types. */
  symbols: readonly [string, ...string[]];
  params: ParamsOf<K>;
  /** It is of one deal, confirmed by its ticket; of two coins for a kind that names none. */
  single?: true | { long: string; short: string };
  /** The most that each account may hold, USDT. */
  cap?: number;
}

/** Stand-ins that trade a strategy of a kind for real, and its owner, who has an account at each of them. */
export async function realStrategy<K extends StrategyKind>(
  db: Database,
  { kind, at, symbols, params, single, cap = 5_000 }: Wanted<K>,
) {
  const world = await realPlaces(db, symbols, at);
  const [typed] = symbols;
  let app = await world.product();
  const callTo: typeof app.inject = ((...given: Parameters<typeof app.inject>) => app.inject(...given)) as never;
  const owner = await realUser({ inject: callTo } as FastifyInstance, db, world.clock, 'owner', at[0]!);
  const { call } = owner;
  const dealsOf = async (id: string) => (await call(api.deals, { query: { id } })).data.list;
  const pair = typeof single === 'object' ? single : null;
  const preview = () =>
    pair === null
      ? call(api.preview, { body: { kind, mode: 'live', params: params as object } })
      : call(hedge.singlePreview, { body: { mode: 'live', params: params as ParamsOf<'hedge'>, ...pair } });
  /** Opens one deal by its ticket, a percent from its limits. */
  async function once(over: { typed?: string; params?: object } = {}) {
    const [row] = (await preview()).data.targets;
    const [long, short] = row!.ticket!.legs.map(({ limitPrice }) => limitPrice!);
    const worst = { long: long! * 1.01, short: short! * 0.99 };
    const confirmed = { mode: 'live' as const, typed, worst, accepts: row!.warnings ?? [] };
    const name = randomUUID().slice(0, 8);
    return pair === null
      ? call(api.single, { body: { kind, name, params: params as object, ...confirmed, ...over } })
      : call(hedge.single, {
          body: { params: params as ParamsOf<'hedge'>, ...pair, ...confirmed, ...(over as object) },
        });
  }

  /** Another server in its place, once it knows all prices. @param between what happens while none is there */
  async function restart(between?: () => Promise<unknown>): Promise<void> {
    await app.close();
    await between?.();
    app = await world.product({ LIVE_MAX_NOTIONAL: String(cap) });
    await answered('prices', async () => {
      const { code, data } = await preview();
      return code === 200 && data.targets.every(({ block }) => block === null || block === 'overCap');
    });
  }

  /** Why it opens nothing, and how its deals stand. */
  async function standOf(id: string): Promise<string> {
    const { state, targets } = (await call(api.list)).data.list.find((row) => row.id === id)!;
    const deals = (await dealsOf(id)).map((deal) => `${deal.state} ${deal.frozen ?? ''}`);
    return [state, ...targets.map(({ block }) => `${block}`), ...deals].join(', ');
  }

  const accountAt = async ({ name }: RealPlace) =>
    (await call(venueAccount.list)).data.list.find(({ mode, venue }) => mode === 'live' && venue === liveSource(name))!;

  return {
    ...{ ...world, owner, dealsOf, preview, once, restart },
    /** Opens its accounts. */
    async open(): Promise<void> {
      await owner.factor(true);
      for (const { name, key } of world.places) {
        const opened = await owner.openReal(await owner.storeKey({ ...key, name: `${name} 的密钥`, at: name }), name);
        if (opened.code !== 200) throw new Error(opened.message);
      }
      await restart();
    },
    /** Makes one and starts it with all of its targets; of one deal that is opened. */
    async started(): Promise<string> {
      await owner.proved();
      if (single !== undefined) {
        await answered('a ticket', async () => {
          const { code, data } = await preview();
          return code === 200 && data.targets.every(({ block }) => block === null);
        });
        const { code, message, data } = await once();
        if (code !== 200) throw new Error(message);
        return data.id;
      }
      const body = { kind, name: randomUUID().slice(0, 8), mode: 'live' as const, params: params as object, typed };
      const made = await call(api.create, { body });
      if (made.code !== 200) throw new Error(made.message);
      const { id } = made.data;
      const open = (await call(api.list)).data.list.find((row) => row.id === id)!.targets.map((target) => target.id);
      const { code, message } = await call(api.start, { body: { id, open, typed } });
      if (code !== 200) throw new Error(message);
      return id;
    },
    standOf,
    /** Whether it was of one deal that was not begun. */
    isGivenUp: async (id: string) => {
      const { single: own } = (await call(api.list)).data.list.find((row) => row.id === id)!;
      return own !== undefined && own.refused !== null;
    },
    /** Waits for the state of its newest deal. */
    until: (id: string, state: string) =>
      answered(`it is ${state}`, async () => (await dealsOf(id))[0]?.state === state),
    close: async (id: string) => call(api.closeDeal, { body: { id: (await dealsOf(id))[0]!.id } }),
    /**
     * Takes it down. @returns what is left at its exchanges then, and in what the books of its accounts are not the
     * exchange's own, to the last digit
     */
    async end(id: string): Promise<string[]> {
      const { code, message } = await call(api.stop, { body: { id, flatten: true } });
      const found = code === 200 ? [] : [message];
      const isOver = async () =>
        (await call(api.list)).data.list.find((row) => row.id === id)!.state === 'stopped' &&
        (await dealsOf(id)).every(({ state }) => ['closed', 'failed'].includes(state));
      await answered('it is stopped', isOver).catch(async () => found.push(await standOf(id)));
      for (const place of world.places) {
        const { id: account } = await accountAt(place);
        const { name, customer } = place;
        const booked = async () => cashOf(await journalEvents(db, account, 0));
        await answered('the same', async () => (await booked()) === cashAt(customer)).catch(async () =>
          found.push(`${name}: ${await booked()} in the books, ${cashAt(customer)} there`),
        );
        for (const [symbol, { quantity }] of customer.positions) found.push(`${name}: ${quantity} ${symbol} is left`);
        for (const { clientId, state } of customer.orders.values())
          if (state === 'new' || state === 'partly') found.push(`${name}: ${clientId} rests`);
      }
      return found;
    },
  };
}
