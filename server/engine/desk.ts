import type { HedgeEventKind } from '#contract/lifecycle';
import type { BookOrder, DealBook } from './tradingBook';

/** What routes may ask of the engine. Everything else they write as intents into the database. */
export interface Desk {
  /**
   * Takes up the intents of a user's book and acts on them at once, as far as that goes without waiting for the market.
   * Resolves when it has; at once where another server holds the book's lease, which then sees the intents by itself.
   */
  wake(userId: string): Promise<void>;
}

/** What the engine publishes. Deals and orders are its own objects: read them at once, do not keep them. */
export type EngineNotice =
  | { kind: 'deal'; userId: string; deal: DealBook; event: HedgeEventKind }
  | { kind: 'order'; userId: string; order: BookOrder }
  /** All in USDT. */
  | { kind: 'account'; userId: string; equity: number; available: number; unrealised: number }
  /** For the owner and the masters, so the text names the user. */
  | { kind: 'alarm'; userId: string; level: 'warning' | 'error'; text: string }
  /** The book was taken over from a dead process, whose last notices may be lost. */
  | { kind: 'takenOver'; userId: string };
