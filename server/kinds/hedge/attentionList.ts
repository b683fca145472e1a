import type { DataOf } from '#contract/endpoint';
import type { hedge } from '#contract/kinds/hedge/desk';
import { hedgesInNeed } from '../../base/db/hedges/hedge';
import type { DeskDeps } from '../../desk/deps';
import { marketsNow } from '../../desk/symbol/marketNow';
import { pairPrice } from './liveRows';
import { hedgeRow } from './row';

/** Everybody's running hedges that need a person, as they are now. */
export async function attentionList(
  { db, markets }: Pick<DeskDeps, 'db' | 'markets'>,
  now: number,
): Promise<DataOf<typeof hedge.attention>> {
  const found = await hedgesInNeed(db);
  const named = found.map(({ record }) => record.source);
  const sources = await marketsNow(markets, named, now);
  const list = found.map(({ record, blocked, wrongSide }) => {
    // What the pair's relation is does not matter here.
    const row = hedgeRow(record, pairPrice(sources.get(record.source), record), null, now);
    const { id, userId, user, source, long, short, state, frozen, notional, net, createdAt, stateAt } = row;
    const standing = { id, userId, user, blocked, source, long, short, state, frozen, wrongSide };
    return { ...standing, notional, net, createdAt, stateAt };
  });
  return { list, total: list.length };
}
