import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { Queries } from '#server/base/db/client';
import { createStrategy, startStrategy } from '#server/desk/strategy/strategyIntents';
import { audit } from '#server/engine/audit';
import { targetsOf } from '#server/engine/preview';
import { INSTRUMENT_KINDS } from '#server/market/exchange';
import { addBook } from '../support/bookRows';
import { openAt } from '../support/openAt';
import { benchDatabase } from './benchDatabase';
import { benchDesk, share } from './benchDesk';
import type { Figure } from './figure';

const USERS = 20;
/** Of each kind, a user. */
const EACH = 5;
const TICKS = 200;
const WARM = 60;
const BUDGET_MS = 500;

interface Coin {
  base: string;
  symbol: string;
  future: string;
  price: number;
}

type Every = { [K in StrategyKind]?: ParamsOf<K> };

/** What lets each kind hold something of a coin soon. */
const paramsOf = ({ base, symbol, future, price }: Coin): Every => {
  const open = { legNotional: 500, slippageCap: 500, dailyLossLimit: null, stopLoss: null };
  return {
    fundingRate: { ...DEFAULT_FUNDING, ...open, coins: [base], entryApr: -1, roundStep: 1, slices: 1 },
    spread: { ...DEFAULT_SPREAD, ...open, near: `${symbol}_SPOT`, far: future, entryApr: -1, roundStep: 1 },
    cexRate: { ...DEFAULT_CEX_RATE, ...open, coins: [base], entryApr: -1 },
    okx: { ...DEFAULT_OKX, coins: [base], legNotional: 500, stockNotional: 1000, dailyLossLimit: null },
    grid: {
      ...DEFAULT_GRID,
      ...open,
      symbol,
      ...{ lower: price * 0.8, upper: price * 1.25, cells: 20, legNotional: 2000, maxOrders: 10 },
    },
  };
};

/** Tick time of one engine that runs 100 strategies of each kind together, and whether the books agree afterwards. */
export async function strategyFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const desk = benchDesk(db);
  const market = (await desk.markets.get('simulated'))!;
  const listed = await market.instruments(INSTRUMENT_KINDS);
  const tickers = new Map((await market.tickers()).map((ticker) => [ticker.symbol, ticker]));
  const coins = listed.flatMap(({ kind, base, symbol }): Coin[] => {
    const future = listed.find((one) => one.base === base && one.kind === 'future')?.symbol;
    return kind === 'perpetual' && future ? [{ base, symbol, future, price: tickers.get(symbol)!.price }] : [];
  });
  for (let i = 0; i < USERS; i += 1) {
    const name = `bench-kinds-${i}`;
    const userId = await desk.addUser(name);
    await addBook(db, userId);
    await desk.venue.open(userId, '1000000');
    await openAt(db, desk.venue, { userId, at: 'simulated-okx', amount: 1_000_000 });
    const asker = { user: { id: userId, name }, now: desk.clock() };
    for (let s = 0; s < EACH; s += 1) {
      const all = paramsOf(coins[(i * EACH + s) % coins.length]!);
      for (const [kind, params] of Object.entries(all) as [StrategyKind, ParamsOf<StrategyKind>][]) {
        const { legs: targets } = await targetsOf(desk.markets, kind, params);
        await db.transaction(async (tx) => {
          const queries = tx as unknown as Queries;
          const { id } = await createStrategy(queries, asker, kind, { name: `${kind} ${s}`, params, targets });
          await startStrategy(queries, asker, id);
        });
      }
    }
  }
  const first = await desk.run(1);
  await desk.run(WARM);
  const took = await desk.run(TICKS);
  const { findings, deals } = await audit(db, desk.venue);
  await desk.engine.stop();
  await db.close();
  const name = `strategies.${USERS * EACH}ofEach`;
  const p99 = share(took, 0.99);
  return [
    { name: `${name}.firstTick`, value: share(first, 1), unit: 'ms' },
    { name: `${name}.tick.p50`, value: share(took, 0.5), unit: 'ms' },
    { name: `${name}.tick.p99`, value: p99, unit: 'ms', ratio: p99 / BUDGET_MS },
    { name: `${name}.deals`, value: deals, unit: 'deals' },
    { name: `${name}.auditFindings`, value: findings.length, unit: 'findings' },
    { name: `${name}.troubles`, value: desk.troubles.length, unit: 'errors' },
  ];
}
