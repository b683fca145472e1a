import type { MendWay } from '#contract/lifecycle';
import { moveBook } from '../db/book';
import type { Queries } from '../db/client';
import { askEven, changeDeal, ownDeal } from '../db/deal';
import { type Asker, ownBook } from '../hedge/bookIntents';
import { notFound, refused } from '../http/refusal';
import { mustOwnRate } from './cexRateDesk';

/** States in which legs may be apart and brought together. */
const MENDABLE: readonly string[] = ['opening', 'open'];

/** Asks for the legs of a deal to be brought together. @throws 404; `dealEnded` */
export async function mendDeal(tx: Queries, { user, now }: Asker, { id, way }: { id: string; way: MendWay }) {
  await ownBook(tx, user.id);
  const deal = await ownDeal(tx, user.id, id);
  if (deal === null) throw notFound('没有这张交易单');
  await mustOwnRate(tx, user.id, deal.strategyId);
  if (!MENDABLE.includes(deal.state)) throw refused('dealEnded');
  // Of legs that stand both, the larger one is made even with the other.
  if (way === 'unwind' && deal.state === 'open') await askEven(tx, id, now);
  else await changeDeal(tx, id, { mendWay: way, mendAskedAt: now });
  await moveBook(tx, user.id);
  return { id };
}
