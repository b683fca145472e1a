import type { FlattenPreview, FlattenReport } from '#contract/flatten';

const AT = Date.UTC(2026, 0, 15, 12);
const COSTS = { notional: 4000, cost: 6.5, net: -12.5, unpriced: 0 };

/** Two hedges and a grid of one's own, one of which does not close at once. */
export const previewOf = (over: Partial<FlattenPreview> = {}): FlattenPreview => ({
  ...{ at: AT, scope: 'own', name: null, own: true, users: 1, real: [], deals: 3, unpriced: 0 },
  ...{ empty: 0, closing: 0 },
  kinds: [
    { kind: 'hedge', mode: 'paper', deals: 2, ...COSTS, notional: 3000 },
    { kind: 'grid', mode: 'paper', deals: 1, ...COSTS, notional: 1000 },
  ],
  modes: [{ mode: 'paper', deals: 3, ...COSTS }],
  blocked: [
    {
      ...{ id: 'd3', kind: 'grid', strategy: 'BTC 网格', user: 'trader', symbols: ['BTCUSDT'] },
      ...{ why: 'out', detail: null },
    },
  ],
  blockedTotal: 1,
  hedges: { deals: 0, notional: 0 },
  kept: [],
  ...over,
});

/** One deal is closed, one is left. */
export const reportOf = (over: Partial<FlattenReport> = {}): FlattenReport => ({
  ...{ id: 'f1', at: AT, by: 'trader', reason: '', scope: 'own', name: null, deals: 2, closed: 1, left: 1 },
  ...{ doneAt: null, notional: 2000, slippage: 1.5, fees: 1, checkedAt: AT + 4000, seconds: null, net: -3 },
  expected: { cost: 2.4, net: -2.9 },
  list: [
    {
      ...{
        id: 'd2',
        kind: 'grid',
        strategyId: 's2',
        strategy: 'BTC 网格',
        mode: 'paper',
        user: 'trader',
        symbols: ['BTCUSDT'],
      },
      ...{ state: 'open', closeReason: null, closedAt: null, seconds: null, slippage: null, fees: 0, net: null },
      legs: [
        {
          ...{ leg: 'long', source: 'simulated', symbol: 'BTCUSDT', side: 'sell', asked: '0.01', quantity: 0 },
          ...{ mid: 100_000, price: null, slippage: 0, fee: 0, left: '0.01', dust: 0 },
        },
      ],
      expected: { cost: 1, net: 0 },
      why: '交易所没有回应，恢复后继续平',
    },
    {
      ...{ id: 'd1', kind: 'hedge', strategyId: 's1', strategy: '多空对冲', mode: 'paper', user: 'trader' },
      ...{ symbols: ['ETHUSDT', 'SOLUSDT'], state: 'closed', closeReason: 'flatten', closedAt: AT + 2500 },
      ...{ seconds: 2.5, slippage: 1.5, fees: 1, net: -3 },
      legs: [
        {
          ...{ leg: 'long', source: 'simulated', symbol: 'ETHUSDT', side: 'sell', asked: '0.5', quantity: 0.5 },
          ...{ mid: 2002, price: 2000, slippage: 1, fee: 0.5, left: '0', dust: 0 },
        },
        {
          ...{ leg: 'short', source: 'simulated', symbol: 'SOLUSDT', side: 'buy', asked: '-10', quantity: 10 },
          ...{ mid: 100, price: 100.05, slippage: 0.5, fee: 0.5, left: '0', dust: 0 },
        },
      ],
      expected: { cost: 1.4, net: -2.9 },
      why: null,
    },
  ],
  ...over,
});
