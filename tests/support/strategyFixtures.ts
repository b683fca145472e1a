import type { LegsTicket } from '#contract/strategies';
import type { DealRow, StrategyRow } from '#contract/strategyRow';

const AT = Date.UTC(2026, 0, 15);
/** Neither set nor used. */
export const NO_LIMITS = { maxDrawdown: null, dailyLoss: null, maxNotional: null };
type DealLeg = DealRow['legs'][number];

/** A strategy that runs and holds one deal. */
export const strategyOf = (
  kind: StrategyRow['kind'],
  more: Partial<StrategyRow> & Pick<StrategyRow, 'params'>,
): StrategyRow => ({
  ...{ id: 's1', kind, name: kind, mode: 'paper', state: 'running', heldBack: null, version: 1 },
  ...{ createdAt: AT, updatedAt: AT, updatedBy: 'master', switchedAt: AT, switchedBy: 'master', targets: [] },
  ...{ running: 1, ended: 0, notional: 10_000, pricePnl: 1, funding: 0, fees: 0, net: 1, today: 1, exposure: 0 },
  ...{ limits: NO_LIMITS, used: NO_LIMITS, ...more },
});

/** A leg of a deal at the first market. */
export const dealLegOf = (leg: DealLeg['leg'], symbol: string, more: Partial<DealLeg> = {}): DealLeg => ({
  ...{ leg, isUsed: true, source: 'simulated', symbol, quantity: '0', opened: '0', entry: null, mark: 50_000 },
  ...{ pricePnl: 0, funding: 0, fees: 0, ...more },
});

/** A deal that is held, with nothing made or lost yet. */
export const dealOf = (more: Partial<DealRow> = {}): DealRow => ({
  ...{
    id: 'd1',
    mode: 'paper',
    state: 'open',
    stateAt: AT,
    createdAt: AT,
    openedAt: AT,
    closedAt: null,
    closeReason: null,
  },
  ...{ closeAsked: false, frozen: null, mayThaw: false, oneLegSince: null, signalOpen: 0.001, settled: null },
  ...{ leastSettled: null, rateOpen: null, heldDays: 1, expiresAt: null, daysLeft: null, exitLevel: null },
  ...{ edgeOpen: null, edgeTaken: null, expected: null, longFilled: 1, shortFilled: 1, secondFillMs: null },
  ...{ resting: null, rolledFrom: null, alerts: [], legs: [], imbalance: null, pricePnl: 0, realised: 0 },
  ...{ funding: 0, fees: 0, net: 0, netClosed: null, rules: [], liquidationDistance: null },
  ...{ roi: null, apr: null, ...more },
});

/** Two legs of a spread, in two parts. */
export const TICKET: LegsTicket = {
  legs: [
    {
      ...{ leg: 'long', source: 'simulated', symbol: 'BTCUSDT_SPOT', way: 'hedges', quantity: '0.19620' },
      ...{ held: '0.1960038', partQuantity: '0.0981', lotSize: '0.00001', price: 50_003.5, limitPrice: 50_012 },
      ...{ fillable: '0.05', notional: 9_810.69, fee: 9.81, slippage: 0.69 },
    },
    {
      ...{ leg: 'short', source: 'simulated', symbol: 'BTCUSDT_260327', way: 'rests', quantity: '0.196' },
      ...{ held: '0.196', partQuantity: '0.098', lotSize: '0.001', price: 51_002, limitPrice: 51_002 },
      ...{ fillable: null, notional: 9_996.39, fee: 1.99, slippage: -0.2 },
    },
  ],
  ...{ gap: 0.19, slices: 2, sliceSeconds: 20, payUpTicks: 3, convertSeconds: 45 },
};

/** The same of other symbols. */
export const ticketOf = (sources: readonly [string, string], ...symbols: readonly [string, string]): LegsTicket => ({
  ...TICKET,
  legs: TICKET.legs.map((leg, i) => ({ ...leg, source: sources[i]!, symbol: symbols[i]! })),
});
