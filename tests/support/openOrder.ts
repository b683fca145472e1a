import Big from 'big.js';
import type { LegOrder } from '../../server/engine/runner';

/** An entry that went out and of which nothing has filled yet. @param over what else it says */
export const openOrder = <L extends string>(
  order: Pick<LegOrder<L>, 'id' | 'dealId' | 'symbol' | 'leg' | 'side' | 'type' | 'quantity' | 'createdAt'>,
  over: Partial<LegOrder<L>> = {},
): LegOrder<L> => ({
  accountId: 'a',
  slot: null,
  source: 'simulated',
  purpose: 'entry',
  reduceOnly: false,
  limitPrice: new Big(100),
  decisionMid: 100,
  state: 'open',
  filledQuantity: new Big(0),
  filledNotional: new Big(0),
  fee: new Big(0),
  reportedQuantity: new Big(0),
  reportedState: null,
  cancelAskedAt: null,
  endedAt: null,
  ...order,
  ...over,
});
