import type { HedgeEventKind } from '#contract/lifecycle';
import type { BookOrder, DealBook } from './tradingBook';

/** What calls may ask of the engine. Everything else they write as intents into the database. */
export interface Desk {
  /**
   * Takes up the intents of a user's book and acts on them at once, as far as that goes without waiting for the market.
   * Resolves when it has; at once where another server holds the book's lease, which then sees the intents by itself.
   */
  wake(userId: string): Promise<void>;
}

/** What others may want to know at once; the books are the engine's own, to be read at once and not kept. */
export type EngineNotice =
  | { kind: 'deal'; userId: string; deal: DealBook; event: HedgeEventKind }
  | { kind: 'order'; userId: string; order: BookOrder }
  /** All in USDT. */
  | { kind: 'account'; userId: string; equity: number; available: number; unrealised: number }
  /** What somebody should look at; the text names the user, as masters read it too. */
  | { kind: 'alarm'; userId: string; level: 'warning' | 'error'; text: string }
  /** The books came from a process that died, and its last events may have died with it. */
  | { kind: 'takenOver'; userId: string };
