import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { liveSource, type OrderExchange } from '#contract/candle';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { strategies as api } from '#contract/strategies';
import type { Database } from '#server/base/db/client';
import { answered, PERPETUAL, payRate } from './realCarry';
import { realPlaces, realUser } from './realProduct';

/** What the perpetual pays every eight hours where it is bought, and where it is sold. */
const RATES = { long: -0.002, short: 0.003 };

/** A difference of rates that is worth it between two stand-ins, and the owner of a real account at each. */
export async function realRates(db: Database, [long, short]: readonly [OrderExchange, OrderExchange]) {
  const world = await realPlaces(db, [PERPETUAL!], [long, short]);
  const [bought, sold] = world.places as [(typeof world.places)[0], (typeof world.places)[0]];
  const sources = { long: liveSource(long), short: liveSource(short) };
  await payRate(db, bought.exchange, sources.long, RATES.long);
  await payRate(db, sold.exchange, sources.short, RATES.short);
  const params = {
    ...{ ...DEFAULT_CEX_RATE, ...sources, coins: ['BTC'], legNotional: 2_000, entryApr: 0, exitApr: null },
    ...{ minHoldingHours: 0, stopLoss: null, dailyLossLimit: null, maxHoldingHours: null, slippageCap: 100 },
  };

  let app = await world.product();
  const callTo: typeof app.inject = ((...given: Parameters<typeof app.inject>) => app.inject(...given)) as never;
  const owner = await realUser({ inject: callTo } as FastifyInstance, db, world.clock, 'owner', long);
  const { call } = owner;
  const dealsOf = async (id: string) => (await call(api.deals, { query: { id } })).data.list;
  return {
    ...{ ...world, bought, sold, sources, params, owner, dealsOf },
    /** Opens both accounts, as a server that knows all prices finds them. */
    async open(LIVE_MAX_NOTIONAL = '5000'): Promise<void> {
      await owner.factor(true);
      for (const { name, key } of world.places) {
        const opened = await owner.openReal(await owner.storeKey({ ...key, name: `${name} 的密钥`, at: name }), name);
        if (opened.code !== 200) throw new Error(opened.message);
      }
      await app.close();
      app = await world.product({ LIVE_MAX_NOTIONAL });
      await answered('prices', async () => {
        const { code, data } = await call(api.preview, { body: { kind: 'cexRate', mode: 'live', params } });
        return code === 200 && data.targets.every(({ block }) => block === null || block === 'overCap');
      });
    },
    made: () =>
      call(api.create, {
        body: { kind: 'cexRate', name: randomUUID().slice(0, 8), mode: 'live', params, typed: PERPETUAL! },
      }),
    /** Starts it with its only target. */
    async start(id: string) {
      const open = (await call(api.list)).data.list.find((row) => row.id === id)!.targets.map((target) => target.id);
      return call(api.start, { body: { id, open, typed: PERPETUAL! } });
    },
    /** Waits for the state of its newest deal. */
    until: (id: string, state: string) =>
      answered(`it is ${state}`, async () => (await dealsOf(id))[0]?.state === state),
    close: async (id: string) => call(api.closeDeal, { body: { id: (await dealsOf(id))[0]!.id } }),
    stop: (id: string) => call(api.stop, { body: { id, flatten: true } }),
  };
}
