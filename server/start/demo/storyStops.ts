import { restingOrders } from '../../base/db/books/demoStory';
import type { Database } from '../../base/db/client';
import { GAPS } from '../../kinds/kinds';
import type { SimulatedMarket } from '../../market/simulated';

/** Gaps below the fees of both venues bring nothing, a fraction. */
const LEAST_GAP = 0.002;

interface StopsOptions {
  db: Database;
  venues: readonly SimulatedMarket[];
  /** Who trades in it. */
  userIds: ReadonlySet<string>;
  /** Whether one of them waits for prices that stand apart. */
  gaps: boolean;
}

/** Where the story looks between two of its steps. */
export function storyStops({ db, venues, userIds, gaps }: StopsOptions) {
  /** When a resting order is met first, or never within the step; by order, what is left of it, and step. */
  const met = new Map<string, number | null>();
  return {
    /** The first instant within a step at which something happens, UTC ms; `null` where nothing does. */
    async after(from: number, until: number): Promise<number | null> {
      const found = [...gapsAfter(from, until), ...(await meetingsAfter(from, until))].filter((at) => at > from);
      return found.length === 0 ? null : Math.min(...found);
    },
  };

  function gapsAfter(from: number, until: number): number[] {
    if (!gaps) return [];
    const [first] = venues;
    return GAPS.coins.flatMap(
      (coin) => first?.gapsWithin(`${coin}USDT_SPOT`, GAPS.sources, LEAST_GAP, from, until - 1) ?? [],
    );
  }

  async function meetingsAfter(from: number, until: number): Promise<number[]> {
    const live = await restingOrders(db, userIds);
    const keyOf = ({ id, filledQuantity }: (typeof live)[number]) => `${id} ${filledQuantity} ${until}`;
    const known = new Set(live.map(keyOf));
    for (const key of met.keys()) if (!known.has(key)) met.delete(key);
    return live.flatMap((order) => {
      const { source, symbol, side, limitPrice, createdAt } = order;
      const key = keyOf(order);
      let at = met.get(key);
      if (at === undefined) {
        // What this step has seen already brought nothing.
        const market = venues.find((venue) => venue.source === source);
        at =
          market?.meetsAt(symbol, side as 'buy' | 'sell', Number(limitPrice), Math.max(from, createdAt), until) ?? null;
        met.set(key, at);
      }
      return at === null || at <= from ? [] : [at];
    });
  }
}
