import { HOUR_MS } from '#contract/duration';
import type { DataOf } from '#contract/endpoint';
import {
  DEFAULT_SETTINGS,
  type EntryQuote,
  type HedgeDesk,
  type HedgePair,
  hedgeConfig,
} from '#contract/kinds/hedge/config';
import { type HedgeDetail, type HedgeRow, type HedgeTotals, hedge } from '#contract/kinds/hedge/desk';
import { market } from '#contract/market';
import { answers } from './webConsole';

export const AT = Date.UTC(2026, 10, 20, 8);

export const pairOf = (long: string, short: string, more: Partial<HedgePair> = {}): HedgePair => ({
  pairId: `pair-${long}-${short}`,
  source: 'simulated',
  long,
  short,
  createdAt: AT - 9 * HOUR_MS,
  triggeredAt: null,
  block: null,
  held: null,
  hedgeId: null,
  longPrice: 150,
  shortPrice: 0.5,
  ratio: 1,
  hedgeRatio: 0.875,
  z: -1.25,
  zBar: '1h',
  zBars: 240,
  warnings: [],
  correlation: 0.87,
  betaLong: 1.2,
  betaShort: 1.1,
  halfLifeHours: null,
  adfP: 0.04,
  rSquared: 0.7,
  fundingAprDifference: 0.035,
  ...more,
});

/** A pair of 2,000.8 and 1,999.7 USDT that would be entered at once. */
export const quoteOf = (more: Partial<EntryQuote> = {}): EntryQuote => ({
  settings: DEFAULT_SETTINGS,
  legs: [
    {
      ...{ leg: 'long', symbol: 'LTCUSDT', quantity: '20', mid: 100, price: 100.04 },
      ...{ notional: 2000.8, margin: 666.93, fee: 1.0004, slippage: 0.8 },
    },
    {
      ...{ leg: 'short', symbol: 'ADAUSDT', quantity: '6665.6', mid: 0.3002, price: 0.3 },
      ...{ notional: 1999.68, margin: 666.56, fee: 0.99984, slippage: 1.333 },
    },
  ],
  notional: 4000.48,
  margin: 1333.49,
  freeMargin: 98_000,
  fees: 2.00024,
  slippage: 2.133,
  ratio: 333.11,
  stop: { net: -200.056, ratio: 300.9 },
  target: { net: 320.1, ratio: 386.2 },
  ...{ z: -1.1, share: 1, hedgeRatio: 0.9 },
  warnings: [],
  block: null,
  priceAt: AT,
  ...more,
});

export const rowOf = (id: string, more: Partial<HedgeRow> = {}): HedgeRow => ({
  id,
  mode: 'paper',
  pairId: 'pair-SOLUSDT-ADAUSDT',
  userId: 'id-trader',
  closedPart: null,
  realised: 0,
  user: 'trader',
  source: 'simulated',
  long: 'SOLUSDT',
  short: 'ADAUSDT',
  state: 'open',
  stateAt: AT,
  createdAt: AT - 6 * HOUR_MS,
  openedAt: AT - 5 * HOUR_MS,
  closedAt: null,
  closeReason: null,
  frozen: null,
  badge: null,
  longQuantity: '13.3',
  shortQuantity: '-4000',
  ratioOpen: 300.12,
  ratioNow: 303.45,
  zOpen: -2.1,
  z: -1.25,
  zBar: '1h',
  zBars: 240,
  hedgeRatio: 0.875,
  notional: 4000,
  neutrality: 0.004,
  longPnl: 40.5,
  shortPnl: -12.25,
  funding: 1.75,
  fees: 3.2,
  slippage: 0.8,
  net: 26.8,
  netClosed: 19.4,
  gross: 4012.5,
  exposure: 16.05,
  netReturn: 0.0067,
  marginReturn: 0.0201,
  stop: { limit: -200, left: 226.8, used: 0 },
  target: { limit: 320, left: 293.2, used: 0.08375 },
  longest: { limit: 168, left: 163, used: 0.0298 },
  exit: null,
  closeAsked: false,
  reducing: null,
  resting: null,
  unguarded: false,
  annualised: null,
  mae: -8.5,
  mfe: 31.2,
  heldHours: 5,
  naked: 120,
  priceAt: AT,
  note: '',
  noteBy: null,
  noteAt: null,
  ...more,
});

export const ENDED = rowOf('h2', {
  state: 'closed',
  closedAt: AT - HOUR_MS,
  closeReason: 'takeProfit',
  long: 'ETHUSDT',
  short: 'BTCUSDT',
  pairId: 'pair-ETHUSDT-BTCUSDT',
  net: -15.5,
  netReturn: -0.0039,
  marginReturn: -0.0116,
  stop: null,
  target: null,
  longest: null,
  netClosed: null,
  gross: null,
  exposure: null,
});

export const totalsOf = (rows: readonly HedgeRow[]): HedgeTotals => ({
  mode: 'paper',
  hedges: rows.length,
  notional: rows.reduce((sum, row) => sum + row.notional, 0),
  longPnl: 81,
  shortPnl: -24.5,
  funding: 3.5,
  fees: 6.4,
  slippage: 1.6,
  net: rows.reduce((sum, row) => sum + (row.net ?? 0), 0),
  netReturn: 0.0028,
  marginReturn: 0.0085,
  closed: rows.filter(({ state }) => state === 'closed').length,
  fewest: 10,
  winRate: null,
  profitFactor: null,
  expectancy: null,
  averageHours: null,
  naked: 240,
});

export const listOf = (rows: HedgeRow[]): DataOf<typeof hedge.list> => ({
  list: rows,
  total: rows.length,
  totals: totalsOf(rows),
  at: AT,
});

export const deskOf = (more: Partial<HedgeDesk> = {}): HedgeDesk => ({
  settings: DEFAULT_SETTINGS,
  version: 3,
  updatedAt: AT - 24 * HOUR_MS,
  updatedBy: 'trader',
  enabled: true,
  switchedAt: AT - 20 * HOUR_MS,
  switchedBy: 'trader',
  paused: null,
  pausedForAll: null,
  unvalued: null,
  tripped: null,
  trippedAt: null,
  accountLimit: 500,
  day: { start: Date.UTC(2026, 0, 15), end: Date.UTC(2026, 0, 16) },
  dayPnl: 12,
  loss: { result: 12, used: 0, limit: 500, share: 0 },
  lossLimitHit: false,
  running: 1,
  coins: [
    { coin: 'SOL', net: 2014.275, hedges: 1 },
    { coin: 'ADA', net: -1998.225, hedges: 1 },
  ],
  pairs: [
    pairOf('SOLUSDT', 'ADAUSDT', { block: 'open', hedgeId: 'h1', triggeredAt: AT - 5 * HOUR_MS }),
    pairOf('ETHUSDT', 'BTCUSDT', { block: 'used', triggeredAt: AT - 5 * HOUR_MS }),
    pairOf('DOGEUSDT', 'LTCUSDT', { block: 'waitsForZ' }),
  ],
  ...more,
});

export const NEW_DESK = deskOf({
  settings: null,
  version: 0,
  updatedAt: null,
  updatedBy: null,
  enabled: false,
  switchedAt: null,
  switchedBy: null,
  dayPnl: null,
  running: 0,
  coins: [],
  pairs: [],
});

export const DETAIL: HedgeDetail = {
  hedge: rowOf('h1'),
  mayThaw: false,
  settings: DEFAULT_SETTINGS,
  fills: [
    {
      id: 'f1',
      orderId: 'o1',
      leg: 'long',
      tickSize: '0.01',
      lotSize: '0.1',
      purpose: 'entry',
      symbol: 'SOLUSDT',
      side: 'buy',
      quantity: '13.3',
      price: '150.25',
      fee: '0.999163',
      maker: false,
      at: AT - 5 * HOUR_MS,
    },
  ],
  fundings: [
    {
      symbol: 'ADAUSDT',
      at: AT,
      rate: '0.0001',
      mark: '0.5',
      quantity: '-4000',
      amount: '0.2',
      tickSize: '0.0001',
      lotSize: '1',
    },
  ],
  events: [
    { id: 'e1', at: AT - 6 * HOUR_MS, kind: 'created', detail: '' },
    { id: 'e2', at: AT - 5 * HOUR_MS, kind: 'opened', detail: '两腿成交' },
  ],
  orders: [
    {
      id: 'o1',
      leg: 'long',
      tickSize: '0.01',
      lotSize: '0.1',
      purpose: 'entry',
      symbol: 'SOLUSDT',
      side: 'buy',
      type: 'market',
      limitPrice: '150.9',
      quantity: '13.3',
      filledQuantity: '13.3',
      state: 'filled',
      reason: null,
      createdAt: AT - 5 * HOUR_MS,
    },
  ],
  series: {
    time: [AT - 7 * HOUR_MS, AT - 5 * HOUR_MS, AT],
    ratio: [299, 300.12, 303.45],
    z: [-2.3, -2.1, -1.25],
  },
  result: {
    time: [AT - 5 * HOUR_MS, AT],
    long: [0, 40.5],
    short: [0, -12.25],
  },
};

const symbolRow = (symbol: string) => ({
  symbol,
  base: symbol.replace('USDT', ''),
  names: symbol === 'BTCUSDT' ? ['比特币', 'bitebi', 'btb'] : [],
  exchange: 'simulated',
  sector: null,
  bars: ['1h' as const],
  listedAt: AT - 1e10,
  lastAt: AT,
});
const SYMBOLS = ['ADAUSDT', 'BTCUSDT', 'DOGEUSDT', 'ETHFIUSDT', 'ETHUSDT', 'LTCUSDT', 'SOLUSDT'].map(symbolRow);
const SOURCE = {
  source: 'simulated',
  label: '模拟行情',
  kind: 'simulated' as const,
  symbols: SYMBOLS.length,
  bars: ['1h' as const],
  firstAt: AT - 1e10,
  lastAt: AT,
};

/** A desk that trades: three pairs, one open hedge and one ended. */
export function deskAnswers(): void {
  answers(market.source, { list: [SOURCE], total: 1 });
  answers(market.symbol, { list: SYMBOLS, total: SYMBOLS.length });
  answers(hedgeConfig.desk, deskOf());
  answers(hedge.waiting, { list: [] });
  answers(hedge.list, (request) => {
    const state = new URL(request.url).searchParams.get('state');
    return listOf(state === 'running' ? [rowOf('h1')] : state === 'ended' ? [ENDED] : [rowOf('h1'), ENDED]);
  });
  answers(hedge.detail, DETAIL);
}
