import type { AccountChange } from './accountChange';
import { closeDelisted } from './closeDelisted';
import { liquidate } from './liquidate';
import { mayBeLiquidated } from './margin';
import type { Boards, MarketFeed } from './marketFeed';
import { type PaperAccount, sourcesOf } from './paperAccount';
import { fillResting, restingMoves } from './restingOrders';
import { settleFunding } from './settleFunding';

/** Whether time and prices may have done something to the account; cheap, and never wrong when it says no. */
export function isDue(account: PaperAccount, boards: Boards, now: number, lookedAt: number): boolean {
  return account.dueAt <= now || mayBeLiquidated(account, boards) || restingMoves(account, boards, lookedAt);
}

/** What time and prices did to the account: settlements first, they belong to the past. */
export async function advanceAccount(change: AccountChange, feed: MarketFeed, lookedAt: number): Promise<void> {
  await settleFunding(change, feed);
  const boards = await feed.boards(sourcesOf(change.before));
  closeDelisted(change, boards);
  fillResting(change, boards, lookedAt);
  liquidate(change, boards);
}
