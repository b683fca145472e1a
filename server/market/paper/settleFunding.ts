import type { AccountChange } from './accountChange';
import type { MarketFeed } from './marketFeed';
import type { PaperPosition } from './paperAccount';

interface Due {
  position: PaperPosition;
  /** UTC ms. */
  at: number;
  rate: number;
}

/**
 * Charges every settlement since the account was charged last, each once, in the order of time, at its own
 * rate and the mark of its instant. Positions change after this alone, so what is held now was held then.
 */
export async function settleFunding(change: AccountChange, feed: MarketFeed): Promise<void> {
  const due: Due[] = [];
  for (const position of change.positions.values()) {
    const { source, symbol } = position;
    const history = await feed.funding(source, symbol, { start: change.fundedUntil + 1, end: change.now + 1 });
    history?.time.forEach((at, i) => {
      due.push({ position, at, rate: history.rate[i]! });
    });
  }
  // A stable sort: within one instant the positions keep their order.
  for (const { position, at, rate } of due.sort((a, b) => a.at - b.at)) {
    const mark = (await feed.marksAt(position.source, at)).get(position.symbol);
    if (mark === undefined) throw new Error(`no mark for ${position.source} ${position.symbol} at ${at}`);
    change.settle({ position, at, rate, mark });
  }
  change.fundedUntil = Math.max(change.fundedUntil, change.now);
}
