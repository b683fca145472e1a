import type { LedgerTallies } from '../desk/account/ledgerTallies';
import type { DeskDeps } from '../desk/deps';
import type { OpeningActs } from '../desk/openingActs';
import type { MarketSight } from '../market/scan/sight';

/** What the routes of a kind are made of: the market as scanners see it is the same for all kinds. */
export interface KindDeps extends DeskDeps {
  sight: () => Promise<MarketSight>;
  opens: OpeningActs;
  tallies: LedgerTallies;
  /** Given as the app is closed. */
  ended: AbortSignal;
}
