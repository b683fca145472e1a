import type { DealRow, StrategyRow as Row } from '#contract/strategies';
import type { StrategyKind, StrategyState } from '#contract/strategy';
import { type DealColumns, newestDealsOf, runningDealsOf } from '../db/deal';
import { placesOf } from '../db/pairLegs';
import { type StrategyRow, strategiesOf } from '../db/strategy';
import { alertsAbout } from '../db/strategyAlert';
import { restingLegsOf, secondFillsOf } from '../db/strategyFigures';
import { type TargetRow, targetsOfStrategies } from '../db/target';
import type { Deps } from '../deps';
import { marketsNow } from '../symbol/marketNow';
import { dealRow, namesOf } from './dealRows';
import { byStrategy, type StrategySums, strategySums } from './strategySums';

type Needs = Pick<Deps, 'db' | 'markets'>;

/** The newest deals of a strategy as they are now. @param most of them */
export async function dealRows({ db, markets }: Needs, id: string, now: number, most: number) {
  return rowsNow({ db, markets }, await newestDealsOf(db, id, most), now);
}

/** The deals of a strategy that have not ended, the newest first. */
export async function runningDealRows({ db, markets }: Needs, id: string, now: number) {
  return rowsNow({ db, markets }, await runningDealsOf(db, id), now);
}

async function rowsNow({ db, markets }: Needs, deals: DealColumns[], now: number): Promise<DealRow[]> {
  const held = deals.flatMap(({ legs }) => legs.map(({ source }) => source));
  const ids = deals.map(({ id }) => id);
  const opening = deals.filter(({ state }) => state === 'opening').map(({ id }) => id);
  const [sources, seconds, resting, alerts] = await Promise.all([
    marketsNow(markets, held, now),
    secondFillsOf(db, ids),
    restingLegsOf(db, opening),
    alertsAbout(db, ids),
  ]);
  return deals
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .map((deal) => {
      const own = alerts.filter(({ subject }) => subject === deal.id).map(({ title, text }) => `${title}：${text}`);
      const restingLeg = resting.get(deal.id) ?? null;
      return dealRow(deal, sources, now, { secondFillMs: seconds.get(deal.id) ?? null, restingLeg, alerts: own });
    });
}

function strategyRow(row: StrategyRow, targets: readonly TargetRow[], sums: StrategySums): Row {
  const { running, ended, notional, pricePnl, funding, fees, net } = sums;
  return {
    id: row.id,
    kind: row.kind as StrategyKind,
    name: row.name,
    mode: row.mode as Row['mode'],
    state: row.state as StrategyState,
    version: row.version,
    params: row.params,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
    switchedAt: row.switchedAt,
    switchedBy: row.switchedBy,
    targets: targets.map((target) => {
      const { id, rounds, triggeredAt } = target;
      return { id, ...namesOf(placesOf(target)), block: target.block as never, rounds, triggeredAt };
    }),
    ...{ running, ended, notional, pricePnl, funding, fees, net },
  };
}

/** A user's strategies, of a kind unless all are wanted, with what they made, the newest first. */
export async function strategyRows(
  needs: Needs,
  userId: string,
  kind: StrategyKind | undefined,
  now: number,
): Promise<Row[]> {
  const own = (await strategiesOf(needs.db, [userId])).reverse();
  const rows = kind === undefined ? own : own.filter((row) => row.kind === kind);
  const ids = rows.map(({ id }) => id);
  const [targets, sums] = await Promise.all([targetsOfStrategies(needs.db, ids), strategySums(needs, ids, now)]);
  const ofStrategy = byStrategy(targets);
  return rows.map((row) => strategyRow(row, ofStrategy.get(row.id) ?? [], sums.get(row.id)!));
}
