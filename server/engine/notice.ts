import type { HedgeState, OrderState } from '#contract/lifecycle';

/** What others may want to know at once. */
export type EngineNotice =
  | { kind: 'hedge'; userId: string; hedgeId: string; state: HedgeState }
  | { kind: 'order'; userId: string; orderId: string; state: OrderState }
  | { kind: 'account'; userId: string };
