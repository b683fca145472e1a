import type { Deps } from '../api/deps';
import type { MarketSight } from '../market/scan/sight';

/** What the routes of a kind are made of: the market as scanners see it is the same for all kinds. */
export interface KindDeps extends Deps {
  sight: () => Promise<MarketSight>;
}
