import type { VenueOrder } from '../venue';

/** What can be made to go wrong, in tests alone. Each is asked at the moment it would strike. */
export interface PaperFaults {
  /** The order is refused. */
  reject?(order: VenueOrder): boolean;
  /** The order never arrives; the sender is left in doubt. */
  loseBeforeAccept?(order: VenueOrder): boolean;
  /** The order is done; the sender is left in doubt. */
  timeOutAfterAccept?(order: VenueOrder): boolean;
  /** Each fill is told twice. */
  repeatFills?(): boolean;
  /** How long after it happened an event is told, ms. */
  eventsLateMs?(): number;
  /** The market stands still at this instant, UTC ms, for everybody who trades. */
  frozenAt?(): number | undefined;
  failPositions?(): boolean;
  failLookup?(): boolean;
}

/** An answer that did not come: what was asked may or may not have happened. */
export class VenueTimeout extends Error {
  constructor() {
    super('the venue did not answer');
    this.name = 'VenueTimeout';
  }
}
