import { accessOf } from '#contract/access';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import type { User } from '#contract/user';
import type { Queries } from '../../base/db/client';
import { findHedge, type HedgeRecord } from '../../base/db/hedges/hedge';
import { notFound } from '../../base/http/refusal';
import type { DeskDeps } from '../../desk/deps';
import { type MarketNow, marketsNow } from '../../desk/symbol/marketNow';
import { hedgeRow, type PairPrice } from './row';

export const missingHedge = () => notFound('没有这张对冲单');

/** A hedge that the user may read: another user's is not told from a missing one, but for a master. @throws 404. */
export async function readableHedge(db: Queries, user: User, id: string): Promise<HedgeRecord> {
  const record = await findHedge(db, id);
  if (record === null || (record.userId !== user.id && !accessOf(user.role).isMaster)) throw missingHedge();
  return record;
}

const NO_PRICE: PairPrice = { long: undefined, short: undefined };

export const pairPrice = (now: MarketNow | undefined, { long, short }: { long: string; short: string }): PairPrice =>
  now === undefined ? NO_PRICE : { long: now.view.get(long), short: now.view.get(short) };

/** Running hedges as they are now. */
export async function liveRows(
  { markets, pairModels }: Pick<DeskDeps, 'markets' | 'pairModels'>,
  records: readonly HedgeRecord[],
  now: number,
): Promise<HedgeRow[]> {
  const sources = await marketsNow(
    markets,
    records.map(({ source }) => source),
    now,
  );
  return Promise.all(
    records.map(async (record) => {
      const { long, short, settings } = record;
      const source = sources.get(record.source);
      const question = { long, short, bar: settings.zBar, window: settings.zWindow };
      const model = source === undefined ? null : await pairModels.of(source.market, question);
      return hedgeRow(record, pairPrice(source, record), model, now);
    }),
  );
}
