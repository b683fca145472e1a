import type { DueRow, Openings, WaitingRow } from '#contract/opening';

export const NOTHING_OPENS: Openings = { at: 0, revision: 7, due: [], waiting: [], waitingTotal: 0, closed: 0 };

const named = (long: string, short: string) => ({
  ...{
    targetId: `pair-${long}-${short}`,
    strategyId: 'desk',
    strategy: '多空对冲',
    kind: 'hedge' as const,
    mode: 'paper' as const,
    user: null,
  },
  ...{ long, longSource: 'simulated', short, shortSource: 'simulated' },
  ...{ warnings: [], asks: false, gauge: null, unconfirmed: false },
});

/** A pair of 2,000 USDT a side that would open now. */
export const dueRow = (long: string, short: string, over: Partial<DueRow> = {}): DueRow => ({
  ...named(long, short),
  ...{ opens: true, isStock: false, notional: 4000, capital: 1340, fees: 2, slippage: 0.5, worst: 200, ...over },
});

export const waitingRow = (long: string, short: string, over: Partial<WaitingRow> = {}): WaitingRow => ({
  ...named(long, short),
  ...{ block: 'waitsForZ', blocks: ['waitsForZ'], gauge: { is: 'z', now: -1.5, wanted: -2 } },
  ...over,
});

export const openingsOf = (due: DueRow[], waiting: WaitingRow[] = []): Openings => ({
  ...{ at: Date.UTC(2026, 0, 15, 12), revision: 7, due, waiting, waitingTotal: waiting.length },
  closed: 0,
});
