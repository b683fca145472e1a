import { DAY_MS, HOUR_MS } from '#contract/duration';
import {
  type AttributionBy,
  type AttributionRow,
  COMPARED_HEDGES,
  type ComparedHedge,
  type Comparison,
  type HedgeFigures,
  type HoldingBucket,
  type Statistic,
  type StatisticQuery,
} from '#contract/statistic';
import type { StrategyMode } from '#contract/strategy';
import { accountById, accountsOf } from '../../base/db/accounts/venueAccount';
import type { Queries } from '../../base/db/client';
import { isId } from '../../base/db/hedges/hedge';
import {
  bookedLegs,
  type ComparableHedge,
  comparableHedges,
  deskStrategies,
  type EndedFilter,
  type EndedHedge,
  type EndedLeg,
  filledHedges,
  midnightPoints,
  type OpenedAccount,
  openedAccounts,
  runningCount,
  tradedPairs,
  transferCount,
} from '../../base/db/strategies/statistic';
import { monthlyReturns } from '../../base/maths/calendar';
import { type LegScale, liveGap, totalGap } from '../../base/maths/liveGap';
import { FEWEST_TRADES, tradeStatistics } from '../../base/maths/performance';
import { mean } from '../../base/maths/statistics';
import { mapYielding, nextTurn } from '../../base/work/loopTurns';
import type { Markets } from '../../market/exchange';
import { type Compute, type CoveredRun, coveredRuns } from './coveredRuns';
import { dailyColumns, dailyFigures, dayName, type GrownRecord, grown, unexplained } from './dailyFigures';
import { dailyRecord } from './dailyRecord';
import type { RunSize } from './pairRuns';
import { filterOf, spanOf } from './period';

/** Notional of each leg of a run, USDT. */
const RUN_NOTIONAL = 1_000;
/** Without costs, and with far more margin than it can lose: a leg's result stays proportional to its notional. */
const SIZE: RunSize = {
  ...{ longNotional: RUN_NOTIONAL, shortNotional: RUN_NOTIONAL, leverage: 2e-6 },
  ...{ fee: 0, slippage: 0 },
};

interface ComparisonDeps {
  db: Queries;
  markets: Markets;
  compute: Compute;
}

/** Everything of GET /api/hedge/statistic/compare. @throws refusals that name the field at fault. */
export async function comparisonOf(
  { db, markets, compute }: ComparisonDeps,
  query: StatisticQuery,
  now: number,
): Promise<Comparison> {
  const { list: hedges, total } = await comparableHedges(
    db,
    { ...filterOf(query), mode: (await moneyOf(db, query)).mode },
    COMPARED_HEDGES,
  );
  const runs = await coveredRuns(
    markets,
    compute,
    hedges.map(({ openedAt, ...hedge }) => ({ ...hedge, openedAt: openedAt!, size: SIZE })),
  );
  const list: ComparedHedge[] = [];
  const left: Comparison['left'] = [];
  for (const [i, hedge] of hedges.entries()) {
    const run = runs[i]!;
    if (typeof run === 'string') left.push({ ...nameOf(hedge), closedAt: hedge.endedAt, why: run });
    else list.push(comparedOf(hedge, run));
  }
  return { at: now, list, totals: totalGap(list), left, older: Math.max(0, total - hedges.length) };
}

const nameOf = ({ id, user, long, short }: ComparableHedge) => ({ id, user, long, short });

function comparedOf(hedge: ComparableHedge, { bar, result }: CoveredRun): ComparedHedge {
  const { settings, ratio, longNotional, shortNotional } = hedge;
  const leg = (run: LegScale['run'], filled: number, aimed: number): LegScale => ({
    ...{ run, runNotional: RUN_NOTIONAL, filled, aimed },
  });
  const live = {
    price: hedge.longPrice + hedge.shortPrice,
    funding: hedge.funding,
    fees: hedge.fees,
    slippage: hedge.slippage,
    traded: hedge.traded,
  };
  const gap = liveGap(live, [
    leg(result.long, longNotional, settings.legNotional),
    leg(result.short, shortNotional, settings.legNotional * ratio),
  ]);
  return {
    ...nameOf(hedge),
    openedAt: hedge.openedAt!,
    closedAt: hedge.endedAt,
    closeReason: hedge.reason,
    bar,
    fundingMissing: result.fundingMissing,
    ...gap,
  };
}

/** What a leg of an ended hedge brought; USDT, fees negative. */
interface LegResult {
  symbol: string;
  side: 'long' | 'short';
  price: number;
  funding: number;
  fees: number;
  traded: number;
}

type Money = Pick<LegResult, 'price' | 'funding' | 'fees' | 'traded'>;
const netOf = ({ price, funding, fees }: Money): number => price + funding + fees;

/** An ended hedge with its legs. */
interface HedgeResult {
  hedge: EndedHedge;
  legs: [LegResult, LegResult];
}

/** Price results come from the hedges' rows, funding, fees and notional from the ledger. */
async function hedgeResults(hedges: readonly EndedHedge[], legs: readonly EndedLeg[]): Promise<HedgeResult[]> {
  const booked = new Map<string, EndedLeg[]>();
  await mapYielding(legs, (leg) => {
    const ofHedge = booked.get(leg.hedgeId);
    if (ofHedge) ofHedge.push(leg);
    else booked.set(leg.hedgeId, [leg]);
  });
  const legOf = (hedge: EndedHedge, side: 'long' | 'short'): LegResult => {
    const leg = booked.get(hedge.id)?.find(({ symbol }) => symbol === hedge[side]);
    const { funding = 0, fees = 0, traded = 0 } = leg ?? {};
    const price = side === 'long' ? hedge.longPrice : hedge.shortPrice;
    return { symbol: hedge[side], side, price, funding, fees, traded };
  };
  return mapYielding(hedges, (hedge) => ({ hedge, legs: [legOf(hedge, 'long'), legOf(hedge, 'short')] }));
}

const hedgeNet = ({ legs }: HedgeResult): number => netOf(legs[0]) + netOf(legs[1]);

/** Upper ends of the buckets, hours. */
const BUCKETS: readonly [HoldingBucket, number][] = [
  ['under4h', 4],
  ['under1d', 24],
  ['under3d', 72],
  ['under7d', 168],
  ['under30d', 720],
  ['over30d', Number.POSITIVE_INFINITY],
];

function holdingOf({ openedAt, endedAt }: EndedHedge): HoldingBucket {
  if (openedAt === null) return 'unopened';
  const hours = (endedAt - openedAt) / HOUR_MS;
  return BUCKETS.find(([, end]) => hours < end)![0];
}

const KEY_OF_HEDGE: Record<Exclude<AttributionBy, 'coin' | 'side'>, (hedge: EndedHedge) => string> = {
  user: ({ user }) => user,
  pair: ({ long, short }) => `${long} / ${short}`,
  reason: ({ reason }) => reason ?? 'unknown',
  holding: holdingOf,
};
const KEY_OF_LEG: Record<'coin' | 'side', (leg: LegResult) => string> = {
  coin: ({ symbol }) => symbol,
  side: ({ side }) => side,
};

/** Sums of what has one key; counted are hedges, of which by coin and by side only a leg adds to the sums. */
class Sums implements Money {
  count = 0;
  wins = 0;
  price = 0;
  funding = 0;
  fees = 0;
  traded = 0;

  add(parts: readonly Money[], isWon: boolean): void {
    this.count++;
    if (isWon) this.wins++;
    for (const { price, funding, fees, traded } of parts) {
      this.price += price;
      this.funding += funding;
      this.fees += fees;
      this.traded += traded;
    }
  }
}

const winRateOf = (wins: number, count: number) => (count < FEWEST_TRADES ? null : wins / count);

type Part = [key: string, parts: readonly Money[]];

/** @param partsOf what a hedge adds, and under which keys. */
function rowsOf(results: readonly HedgeResult[], partsOf: (result: HedgeResult) => readonly Part[]): AttributionRow[] {
  const byKey = new Map<string, Sums>();
  for (const result of results) {
    const isWon = hedgeNet(result) > 0;
    for (const [key, parts] of partsOf(result)) {
      const sums = byKey.get(key) ?? new Sums();
      byKey.set(key, sums);
      sums.add(parts, isWon);
    }
  }
  const rows = [...byKey].map(([key, sums]) => {
    const { count, wins, price, funding, fees, traded } = sums;
    // Adding 0 turns the -0 of no fees into 0.
    return { key, count, winRate: winRateOf(wins, count), price, funding, fees: fees + 0, net: netOf(sums), traded };
  });
  return rows.sort((a, b) => b.net - a.net || a.key.localeCompare(b.key));
}

/** Where the result of ended hedges came from, by each attribution, which has a turn of its own; largest net first. */
async function attributionOf(results: readonly HedgeResult[]): Promise<Statistic['attribution']> {
  const byHedge = async (by: keyof typeof KEY_OF_HEDGE) => {
    await nextTurn();
    return rowsOf(results, ({ hedge, legs }) => [[KEY_OF_HEDGE[by](hedge), legs]]);
  };
  const byLeg = async (by: keyof typeof KEY_OF_LEG) => {
    await nextTurn();
    return rowsOf(results, ({ legs }) => legs.map((leg): Part => [KEY_OF_LEG[by](leg), [leg]]));
  };
  return {
    user: await byHedge('user'),
    pair: await byHedge('pair'),
    coin: await byLeg('coin'),
    side: await byLeg('side'),
    reason: await byHedge('reason'),
    holding: await byHedge('holding'),
  };
}

/** F21 over ended hedges, each by its net (F11). */
function hedgeFigures(results: readonly HedgeResult[]): HedgeFigures {
  const nets = Float64Array.from(results, hedgeNet);
  const hours = results.flatMap(({ hedge: { openedAt, endedAt } }) =>
    openedAt === null ? [] : [(endedAt - openedAt) / HOUR_MS],
  );
  return {
    ...tradeStatistics(nets),
    fewest: FEWEST_TRADES,
    net: nets.reduce((total, net) => total + net, 0),
    averageHours: mean(Float64Array.from(hours)),
  };
}

/** Which money is looked at: that of the account that is chosen, else what is asked for; real money first where there is any. */
async function moneyOf(db: Queries, { mode, accountId = '' }: StatisticQuery) {
  const [real, chosen] = await Promise.all([
    openedAccounts(db, { mode: 'live' }),
    isId(accountId) ? accountById(db, accountId) : undefined,
  ]);
  const hasReal = real.length > 0;
  return { hasReal, mode: (chosen?.mode as StrategyMode | undefined) ?? mode ?? (hasReal ? 'live' : 'paper') } as const;
}

/** Everything of GET /api/hedge/statistic. @throws refusals that name the field at fault. */
export async function statisticOf(db: Queries, query: StatisticQuery, now: number): Promise<Statistic> {
  const { hasReal, mode } = await moneyOf(db, query);
  const filter = { ...filterOf(query), mode };
  const { userId, source, accountId } = filter;
  const [everybody, opened] = await Promise.all([
    openedAccounts(db, { mode }),
    openedAccounts(db, {
      mode,
      ...(source === undefined ? {} : { source }),
      ...(accountId === undefined ? {} : { accountId }),
    }),
  ]);
  const accounts = opened.filter((account) => userId === undefined || account.userId === userId);
  const [daily, pairs, places, strategies, hedges, running] = await Promise.all([
    dailyOf(db, accounts, filter, now),
    tradedPairs(db),
    accountsOf(
      db,
      everybody.map((account) => account.userId),
    ),
    deskStrategies(db),
    filledHedges(db, filter),
    runningCount(db, filter),
  ]);
  const legs = await bookedLegs(
    db,
    hedges.map(({ id }) => id),
  );
  await nextTurn();
  const results = await hedgeResults(hedges, legs);
  await nextTurn();
  const { quality, ...figures } = daily;
  return {
    ...{ at: now, mode, hasReal },
    users: everybody.map(({ userId: id, name }) => ({ id, name })),
    places: places
      .filter((place) => place.mode === mode)
      .map(({ id, userId: owner, name, venue }) => ({ id, userId: owner, name, venue })),
    strategies,
    pairs,
    accounts: accounts.length,
    ...figures,
    hedges: hedgeFigures(results),
    attribution: await attributionOf(results),
    quality: { ...quality, running },
  };
}

type DailyPart = Pick<Statistic, 'from' | 'to' | 'figures' | 'daily' | 'months'> & {
  quality: Omit<Statistic['quality'], 'running'>;
};

async function dailyOf(
  db: Queries,
  accounts: readonly OpenedAccount[],
  filter: EndedFilter,
  now: number,
): Promise<DailyPart> {
  const firstOpening = accounts.reduce((first, { openedAt }) => Math.min(first, openedAt), Number.POSITIVE_INFINITY);
  const span = accounts.length === 0 ? { from: 0, to: 0 } : spanOf(filter, firstOpening, now);
  const from = Math.max(span.from, accounts.length === 0 ? 0 : firstOpening);
  const [points, moved] =
    span.to > span.from
      ? await Promise.all([midnightPoints(db, accounts, span), transferCount(db, accounts, { from, to: span.to })])
      : [[], 0];
  await nextTurn();
  const record = grown(dailyRecord(accounts, points, span));
  await nextTurn();
  const figures = dailyFigures(record, from);
  await nextTurn();
  return {
    from: figures && from,
    to: figures && span.to,
    figures,
    daily: dailyColumns(record),
    months: monthsOf(record),
    quality: qualityOf(record, moved),
  };
}

const monthsOf = ({ record: { day }, index }: GrownRecord) =>
  monthlyReturns({ time: day.map((start) => start + DAY_MS), value: index }, 1);

function qualityOf(grownRecord: GrownRecord, transfers: number): DailyPart['quality'] {
  const { day, missing, transfers: moved } = grownRecord.record;
  return {
    missingDays: Array.from(
      day.filter((_, i) => missing[i]! > 0),
      dayName,
    ),
    missingAccountDays: missing.reduce((total, count) => total + count, 0),
    transferCount: transfers,
    transfers: moved.reduce((total, amount) => total + amount, 0),
    unexplained: unexplained(grownRecord),
  };
}
