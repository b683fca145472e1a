import { HEDGE_ENDS } from '#contract/lifecycle';
import type { DealRow, StrategyRow as Row } from '#contract/strategies';
import type { StrategyKind, StrategyState } from '#contract/strategy';
import { dealsOfStrategies } from '../db/deal';
import { placesOf } from '../db/pairLegs';
import { type StrategyRow, strategiesOf } from '../db/strategy';
import { type TargetRow, targetsOfStrategies } from '../db/target';
import type { Deps } from '../deps';
import { marketsNow } from '../symbol/marketNow';
import { dealRow, namesOf } from './dealRows';

type Needs = Pick<Deps, 'db' | 'markets'>;

/** The deals of these strategies as they are now, the newest first. @param most of them, all unless told */
export async function dealRows({ db, markets }: Needs, ids: readonly string[], now: number, most?: number) {
  const all = await dealsOfStrategies(db, ids);
  const deals = all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)).slice(0, most);
  const held = deals.flatMap(({ legs }) => legs.map(({ source }) => source));
  const sources = await marketsNow(markets, held, now);
  return deals.map((deal) => ({ strategyId: deal.strategyId, row: dealRow(deal, sources, now) }));
}

const sumOf = (rows: readonly DealRow[], figure: 'pricePnl' | 'funding' | 'fees' | 'net'): number | null =>
  rows.reduce<number | null>((sum, row) => (sum === null || row[figure] === null ? null : sum + row[figure]), 0);

const notionalOf = (rows: readonly DealRow[]): number | null =>
  rows
    .flatMap(({ legs }) => legs)
    .reduce<number | null>((sum, { quantity, mark }) => {
      const held = Math.abs(Number(quantity));
      return sum === null || (held > 0 && mark === null) ? null : sum + held * (mark ?? 0);
    }, 0);

function strategyRow(row: StrategyRow, targets: readonly TargetRow[], deals: readonly DealRow[]): Row {
  const running = deals.filter(({ state }) => !HEDGE_ENDS.includes(state));
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
    running: running.length,
    ended: deals.length - running.length,
    notional: notionalOf(running),
    pricePnl: sumOf(deals, 'pricePnl'),
    funding: sumOf(deals, 'funding'),
    fees: sumOf(deals, 'fees'),
    net: sumOf(deals, 'net'),
  };
}

/** A user's strategies of a kind with what they made, the newest first. */
export async function strategyRows(needs: Needs, userId: string, kind: StrategyKind, now: number): Promise<Row[]> {
  const rows = (await strategiesOf(needs.db, [userId])).filter((row) => row.kind === kind).reverse();
  const ids = rows.map(({ id }) => id);
  const [targets, deals] = await Promise.all([targetsOfStrategies(needs.db, ids), dealRows(needs, ids, now)]);
  return rows.map((row) =>
    strategyRow(
      row,
      targets.filter(({ strategyId }) => strategyId === row.id),
      deals.filter(({ strategyId }) => strategyId === row.id).map((deal) => deal.row),
    ),
  );
}
