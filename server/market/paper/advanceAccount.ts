import type { AccountChange } from './accountChange';
import { closeDelisted } from './closeDelisted';
import { liquidate } from './liquidate';
import { mayBeLiquidated } from './margin';
import type { Boards, MarketFeed } from './marketFeed';
import { type PaperAccount, sourcesOf } from './paperAccount';
import { fillResting, restingMoves } from './restingOrders';
import { settleFunding } from './settleFunding';
import type { TakenDepth } from './takenDepth';

/** Whether time and prices may have done something to the account; cheap, and never wrong when it says no. */
export function isDue(account: PaperAccount, boards: Boards, now: number, lookedAt: number): boolean {
  return account.dueAt <= now || mayBeLiquidated(account, boards) || restingMoves(account, boards, lookedAt, now);
}

/**
 * What time and prices did to the account: settlements first, they belong to the past.
 * @param taken as of `fillResting` @returns what puts back what was taken from the books, should nothing come of it.
 */
export async function advanceAccount(
  change: AccountChange,
  feed: MarketFeed,
  lookedAt: number,
  taken: TakenDepth | null,
): Promise<() => void> {
  await settleFunding(change, feed);
  const boards = await feed.boards(sourcesOf(change.before));
  closeDelisted(change, boards);
  const takeBack = fillResting(change, boards, lookedAt, taken);
  liquidate(change, boards);
  return takeBack;
}
