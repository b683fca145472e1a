import type { HedgeEventKind } from '#contract/lifecycle';
import type { HedgeBook, OrderBook } from './book';

/** What others may want to know at once; the books are the engine's own, to be read at once and not kept. */
export type EngineNotice =
  | { kind: 'hedge'; userId: string; hedge: HedgeBook; event: HedgeEventKind }
  | { kind: 'order'; userId: string; order: OrderBook }
  /** All in USDT. */
  | { kind: 'account'; userId: string; equity: number; available: number; unrealised: number }
  /** Its owner and the masters have to know. */
  | { kind: 'alarm'; userId: string; level: 'warning' | 'error'; text: string }
  /** The book was taken over from a process that fell silent: what that one did last may not have been told. */
  | { kind: 'takenOver'; userId: string };
