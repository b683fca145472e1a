import type { Database } from '../base/db/client';
import type { NamedCall } from '../base/http/idempotency';
import type { Desk } from '../engine/desk';
import type { PairModels } from '../engine/pairModel';
import type { Clock, Markets } from '../market/exchange';
import type { PaperVenue } from '../market/venue';

/** What every answer about trading is made of. */
export interface DeskDeps {
  db: Database;
  clock: Clock;
  markets: Markets;
  /** Takes up what calls ask of the engine. */
  desk: Desk;
  venue: PaperVenue;
  pairModels: PairModels;
  /** Who asks for what opens or enlarges something real has to be its owner, proved just now; absent where no real orders are sent. @throws a refusal */
  realProof?: (call: NamedCall) => Promise<void>;
  /** What a real account may hold and send at most, USDT; absent with it. */
  realCap?: number;
}
