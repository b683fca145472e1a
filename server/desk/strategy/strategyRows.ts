import type { StrategyKind, StrategyState } from '#contract/strategy';
import type { RunningDeal } from '#contract/strategyOverview';
import type { DealRow, StrategyRow as Row } from '#contract/strategyRow';
import { type HeldBack, heldBack } from '../../base/db/books/book';
import { placesOf } from '../../base/db/hedges/pairLegs';
import { type DealColumns, newestDealsOf, runningDealsOf } from '../../base/db/strategies/deal';
import { type StrategyRow, strategiesOf } from '../../base/db/strategies/strategy';
import { alertsAbout, alertsOfStrategies } from '../../base/db/strategies/strategyAlert';
import { everyStrategy, refusalsOf, restingLegsOf, secondFillsOf } from '../../base/db/strategies/strategyFigures';
import { heldOf, type TargetRow, targetsOfStrategies } from '../../base/db/strategies/target';
import { APART, TAKEN, VENUE_WORDS } from '../../engine/words';
import type { DeskDeps } from '../deps';
import { marketsNow } from '../symbol/marketNow';
import { dealRow, mayRest, namesOf } from './dealRows';
import { withStanding } from './dealStanding';
import { heldBackOf, limitsOf, todayOf, usedOf, type Watched, watchedStrategies } from './strategyOverview';
import { byStrategy } from './strategySums';
import { unguardedBy } from './unguarded';

type Needs = Pick<DeskDeps, 'db' | 'markets'>;

/** The newest deals of a strategy as they are now. @param most of them */
export async function dealRows({ db, markets }: Needs, id: string, now: number, most: number) {
  return rowsNow({ db, markets }, await newestDealsOf(db, id, most), now);
}

/** The same, the running ones as they stand at their venues. */
export async function standingDeals(
  needs: Needs & Parameters<typeof withStanding>[0],
  id: string,
  now: number,
  most: number,
) {
  const deals = await newestDealsOf(needs.db, id, most);
  return withStanding(needs, deals, await rowsNow(needs, deals, now));
}

/** The deals of a strategy that have not ended, the newest first. */
export async function runningDealRows({ db, markets }: Needs, id: string, now: number) {
  return rowsNow({ db, markets }, await runningDealsOf(db, [id]), now);
}

/** Everything that runs, of everybody or of one user, the newest first. */
export async function runningDeals({ db, markets }: Needs, now: number, userId?: string): Promise<RunningDeal[]> {
  const all = await everyStrategy(db);
  const chosen = new Map(
    all
      .filter(({ strategy }) => userId === undefined || strategy.userId === userId)
      .map((row) => [row.strategy.id, row]),
  );
  const deals = await runningDealsOf(db, [...chosen.keys()]);
  const ownerOf = new Map(deals.map(({ id, strategyId }) => [id, chosen.get(strategyId)!]));
  return (await rowsNow({ db, markets }, deals, now)).map((row) => {
    const { id, mode, legs, state, frozen, oneLegSince, openedAt, heldDays, funding, net, roi, apr } = row;
    const { strategy, user } = ownerOf.get(id)!;
    return {
      ...{ id, mode, userId: strategy.userId, user, kind: strategy.kind as StrategyKind },
      ...{ strategyId: strategy.id, strategy: strategy.name },
      symbols: [...new Set(legs.filter(({ isUsed }) => isUsed).map(({ symbol }) => symbol))],
      value: worthOf(row),
      ...{ state, frozen, oneLegSince, openedAt, heldDays, funding, net, roi, apr },
    };
  });
}

/** What both legs are worth at the marks, USDT; null while one of them has none. */
function worthOf({ legs }: DealRow): number | null {
  let value = 0;
  for (const { quantity, mark } of legs) {
    const held = Math.abs(Number(quantity));
    if (held === 0) continue;
    if (mark === null) return null;
    value += held * mark;
  }
  return value;
}

async function rowsNow({ db, markets }: Needs, deals: DealColumns[], now: number): Promise<DealRow[]> {
  const held = deals.flatMap(({ legs }) => legs.map(({ source }) => source));
  const ids = deals.map(({ id }) => id);
  const moving = deals.filter(mayRest).map(({ id }) => id);
  const failed = deals.filter(({ state }) => state === 'failed').map(({ id }) => id);
  const [sources, seconds, resting, refusals, alerts] = await Promise.all([
    marketsNow(markets, held, now),
    secondFillsOf(db, ids),
    restingLegsOf(db, moving),
    refusalsOf(db, failed),
    alertsAbout(db, ids),
  ]);
  return deals.map((deal) => {
    const own = alerts.filter(({ subject }) => subject === deal.id);
    const refusal = refusals.get(deal.id);
    const beside = {
      secondFillMs: seconds.get(deal.id) ?? null,
      restingLegs: resting.get(deal.id),
      // What is missing of a leg is said as it stands now.
      alerts: own.filter(({ word }) => word !== TAKEN).map(({ title, text }) => `${title}：${text}`),
      ...(own.some(({ word }) => word === APART) && { wasApart: true }),
      ...(refusal && { refusal: VENUE_WORDS[refusal] ?? refusal }),
    };
    return dealRow(deal, sources, now, beside);
  });
}

interface Beside {
  targets: readonly TargetRow[];
  watched: Watched;
  /** Of its owner. */
  held: HeldBack | undefined;
}

function strategyRow(row: StrategyRow, { targets, watched, held }: Beside, now: number): Row {
  const { running, ended, notional, exposure, pricePnl, funding, fees, net } = watched.sums;
  return {
    id: row.id,
    kind: row.kind as StrategyKind,
    name: row.name,
    mode: row.mode as Row['mode'],
    state: row.state as StrategyState,
    heldBack: heldBackOf(row, held, targets),
    version: row.version,
    params: row.params,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
    ...(row.single && { single: { until: row.single.until, refused: row.single.refused } }),
    switchedAt: row.switchedAt,
    switchedBy: row.switchedBy,
    targets: targets.map((target) => {
      const { id, rounds, triggeredAt } = target;
      return {
        id,
        ...namesOf(placesOf(target)),
        block: target.block as never,
        held: heldOf(target),
        rounds,
        triggeredAt,
      };
    }),
    ...{ running, ended, notional, exposure, pricePnl, funding, fees, net },
    today: todayOf(watched),
    limits: limitsOf(watched.guard),
    used: usedOf(watched, now),
  };
}

/** What a strategy is held against, with real money and on paper. @param own the newest first */
function twinIn(own: readonly StrategyRow[], { id, twinId }: StrategyRow): Pick<Row, 'twin'> {
  const other = own.find((one) => (twinId === null ? one.twinId === id : one.id === twinId));
  const named = other?.id ?? twinId;
  return named === null ? {} : { twin: { id: named, name: other?.name ?? null } };
}

/** A user's strategies, of a kind unless all are wanted, with what they made, the newest first. */
export async function strategyRows(
  needs: Needs,
  userId: string,
  kind: StrategyKind | undefined,
  now: number,
): Promise<Row[]> {
  const own = (await strategiesOf(needs.db, [userId])).reverse();
  // What was never set up has made nothing.
  const rows = own.filter((row) => row.params !== null && (kind === undefined || row.kind === kind));
  const ids = rows.map(({ id }) => id);
  const [targets, watched, held, unguarded, alerts] = await Promise.all([
    targetsOfStrategies(needs.db, ids),
    watchedStrategies(needs, now, ({ strategy }) => ids.includes(strategy.id)),
    heldBack(needs.db, [userId]),
    unguardedBy(needs.db, [userId]),
    alertsOfStrategies(needs.db, ids),
  ]);
  const ofStrategy = byStrategy(targets);
  const watchedById = new Map(watched.map((one) => [one.strategy.id, one]));
  return rows.map((row) => ({
    ...strategyRow(
      row,
      { targets: ofStrategy.get(row.id) ?? [], watched: watchedById.get(row.id)!, held: held.get(userId) },
      now,
    ),
    ...twinIn(own, row),
    ...(unguarded.has(row.id) && { unguarded: unguarded.get(row.id)! }),
    ...(alerts.has(row.id) && { alerts: alerts.get(row.id)! }),
  }));
}
