import Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import { createHeld } from '#server/kinds/okx/held';
import { createArbitrageReplays, type PastTrade, replayOf } from '#server/kinds/okx/replay';
import { arbitrageCandidate } from '#server/kinds/okx/scan';
import type { Offer } from '#server/kinds/okx/way';
import type { Instrument, InstrumentTerms, Market, OrderBook, Ticker, WalletState } from '#server/market/exchange';
import { type CoinAtVenue, Quoted } from '#server/market/scan/sight';
import { waitFor } from '../../support/waitFor';

const NOW = Date.UTC(2026, 0, 2, 6);
const OPEN = { canDeposit: true, canWithdraw: true, network: 'ERC20', transferFee: 1, transferMinutes: 5 };

interface Given {
  source: string;
  bid: number;
  ask: number;
  wallets?: Record<string, Partial<WalletState>>;
  isOut?: boolean;
  bookAt?: (at: number) => { bid: number; ask: number };
  /** It answers, and nobody has told its book yet. */
  isBookless?: boolean;
  /** Middles of its gaps, UTC ms. */
  gaps?: number[];
}

/** Prices in steps of 0.1 and quantities in steps of 0.01; ten coins at the best price of each side and no more; fees of 0.1 %. */
function offer({ source, bid, ask, wallets = {}, isOut = false, isBookless = false, bookAt, gaps }: Given): Offer {
  const level = (price: number) => [{ ticks: Math.round(price * 10), lots: 1_000 }];
  const book = (_symbol: string, at: number): OrderBook | null => {
    const best = bookAt?.(at) ?? { bid, ask };
    const steps = { tickSize: new Big('0.1'), lotSize: new Big('0.01') };
    return isOut || isBookless ? null : { ...steps, bids: level(best.bid), asks: level(best.ask) };
  };
  const terms = () => ({ takerFee: 0.001 }) as InstrumentTerms;
  const wallet = (asset: string): WalletState => ({ ...OPEN, ...wallets[asset] });
  const gapsWithin = (_symbol: string, _sources: string[], _least: number, from: number, until: number) =>
    gaps?.filter((at) => at > from && at <= until);
  const market = {
    ...{ source, book, terms, wallet, latencyMs: () => 40, isOut: () => isOut },
    ...(gaps && { gapsWithin }),
  } as unknown as Market;
  const instrument = {
    symbol: 'XUSDT_SPOT',
    base: 'X',
    quote: 'USDT',
    lotSize: '0.01',
    minNotional: '5',
  } as Instrument;
  const spot = new Quoted(market, instrument, { price: 100, at: NOW - 90_000 } as Ticker, NOW);
  const perpetual = { instrument: { symbol: 'XUSDT' } } as Quoted;
  const coins = new Map<string, CoinAtVenue>([['X', { base: 'X', spot, perpetual, futures: [] }]]);
  return { venue: { market, isOut, coins, wallet }, spot };
}

const CHEAP: Given = { source: 'simulated', bid: 99.9, ask: 100.1, wallets: { X: { transferMinutes: 9 } } };
const DEAR: Given = { source: 'simulated-okx', bid: 100.9, ask: 101.1 };

const rowOf = (one: Given, other: Given, size = 1_000) =>
  arbitrageCandidate([offer(one), offer(other)], { size, at: NOW, now: NOW + 120, held: () => 4_250 });

test('a row by hand: bought where it is cheap, sold where it is dear, after both fees', () => {
  const row = rowOf(CHEAP, DEAR);
  // The higher middle is 101: 1000 / 101 = 9.9009 is 9.9 in lots of 0.01.
  expect(row).toMatchObject({ buy: 'simulated', ask: 100.1, sell: 'simulated-okx', bid: 100.9, quantity: 9.9 });
  expect(row.grossBps!).toBeCloseTo((0.8 / 100.1) * 1e4, 8);
  expect(row.feesBps!).toBeCloseTo(20, 10);
  // Each leg is taken 0.1 away from its middle.
  expect(row.slippageBps!).toBeCloseTo((0.1 / 100 + 0.1 / 101) * 1e4, 8);
  // 100.9 x 0.999 = 100.7991 against 100.1 x 1.001 = 100.2001.
  expect(row.netBps!).toBeCloseTo((100.7991 / 100.2001 - 1) * 1e4, 8);
  expect(row.profit!).toBeCloseTo(9.9 * 0.599, 8);
  // Ten coins are there.
  expect(row.fillable!).toBeCloseTo(1_001, 8);
  // The coin and the money go back, a dollar each, beside the net.
  expect(row).toMatchObject({ transferFee: 2, transferMinutes: 9, coinOut: true, coinIn: true });
  expect(row.transferBps!).toBeCloseTo((2 / (9.9 * 100.1)) * 1e4, 8);
  expect(row).toMatchObject({ perpetual: 'XUSDT', heldSeconds: 4.25, ageMs: 120, buyLatencyMs: 40, obstacles: [] });
  const turned = rowOf(DEAR, CHEAP);
  expect({ ...turned, id: row.id }).toEqual(row);
});

test('why a row cannot be acted on', () => {
  const near: Given = { ...DEAR, bid: 100.2, ask: 100.4 };
  expect(rowOf(CHEAP, near)).toMatchObject({ heldSeconds: 0, fillable: 0, obstacles: ['costs'] });
  expect(rowOf(CHEAP, near).profit!).toBeLessThan(0);
  expect(rowOf(CHEAP, DEAR, 1_100)).toMatchObject({ netBps: null, profit: null, obstacles: ['depth'] });
  expect(rowOf(CHEAP, near, 1_100).obstacles).toEqual(['depth', 'costs']);
  expect(rowOf(CHEAP, DEAR, 4).obstacles).toEqual(['minimum']);
  const shut: Given = { ...DEAR, wallets: { X: { canDeposit: false } } };
  expect(rowOf(CHEAP, shut)).toMatchObject({ coinOut: true, coinIn: false, obstacles: ['wallet'] });
  // It is taken out of the buying venue, and never comes back there.
  expect(rowOf({ ...CHEAP, wallets: { X: { canDeposit: false } } }, DEAR).obstacles).toEqual([]);
  // A book that is not told yet says nothing of sizes.
  const untold = { isBookless: true };
  expect(rowOf({ ...CHEAP, ...untold }, { ...DEAR, ...untold }).obstacles).toEqual(['incomplete']);
  expect(rowOf(CHEAP, { ...DEAR, ...untold }).obstacles).toEqual(['incomplete']);
  const out = rowOf(CHEAP, { ...DEAR, isOut: true });
  expect(out).toMatchObject({ bid: null, netBps: null, heldSeconds: null, fillable: null, obstacles: ['out'] });
  // Since its last ticker.
  expect(out.ageMs).toBe(90_120);
});

test('for how long a way has paid its fees, quote by quote', () => {
  const held = createHeld();
  let since = NOW - 5_000;
  const bookAt = (at: number) => (at >= since ? { bid: 100.9, ask: 101.1 } : { bid: 100.2, ask: 100.4 });
  const way = { buy: offer(CHEAP), sell: offer({ ...DEAR, bookAt }) };
  expect(held(way, NOW)).toBe(5_000);
  expect(held(way, NOW + 750)).toBe(5_750);
  // Broken in between, and back.
  since = NOW + 2_000;
  expect(held(way, NOW + 3_000)).toBe(1_000);
  // Nobody has looked for a while: a minute back, then it grows.
  expect(held(way, NOW + 600_000)).toBe(60_000);
  expect(held(way, NOW + 601_500)).toBe(61_500);
});

const UNTIL = Date.UTC(2026, 0, 2);
const traded = (days: number, moved: number, made: number): PastTrade => ({
  ...{ at: UNTIL - days * DAY_MS, moved, made, transferFee: 2 },
});

test('past trades by hand: what they made, less moving back what one side has run out of', () => {
  // Over 7 days there and back: nothing is apart. Over 30 two times there before: moved back once for the second.
  const trades = [traded(20, 0.9, 6), traded(19, 0.9, 6), traded(6, -0.9, 5), traded(5, 0.9, 4)];
  const { replay7, replay30 } = replayOf(trades, 1_000, UNTIL);
  expect(replay7!).toBeCloseTo(9 / 1_000, 12);
  // The second 0.9 is sold back, and the last one stays apart: once more.
  expect(replay30!).toBeCloseTo((21 - 2 - 2) / 1_000, 12);
  expect(replayOf([], 1_000, UNTIL)).toEqual({ replay7: 0, replay30: 0 });
  expect(replayOf(null, 1_000, UNTIL)).toEqual({ replay7: null, replay30: null });
});

test('each gap of the last days is traded at the books that its orders came to', async () => {
  const [kept, gone] = [UNTIL - 3 * DAY_MS, UNTIL - 10 * DAY_MS];
  const bookAt = (at: number) => {
    const lasts = (gap: number, ms: number) => at >= gap - 500 && at < gap + ms;
    return lasts(kept, 500) || lasts(gone, 20) ? { bid: 100.9, ask: 101.1 } : { bid: 100.2, ask: 100.4 };
  };
  const madeBy = async (one: Given, other: Given) => {
    const replaysOf = createArbitrageReplays();
    const pair = [offer(one), offer(other)] as const;
    expect(replaysOf(pair, 1_000, NOW)).toBeUndefined();
    await waitFor('the replays', 60_000, () => replaysOf(pair, 1_000, NOW) !== undefined);
    return replaysOf(pair, 1_000, NOW)!;
  };
  const { replay7, replay30 } = await madeBy({ ...CHEAP, gaps: [gone, kept] }, { ...DEAR, bookAt });
  // 9.9 coins at 0.599 each, and moved back once.
  const made = 9.9 * 0.599;
  expect(replay7!).toBeCloseTo((made - 2) / 1_000, 10);
  // The other one had closed when the orders came in: sold at 100.2 for what cost 100.1, and both fees.
  const lost = 9.9 * (100.2 * 0.999 - 100.1 * 1.001);
  expect(replay30!).toBeCloseTo((made + lost - 4) / 1_000, 10);
  const shut = await madeBy({ ...CHEAP, gaps: [kept] }, { ...DEAR, bookAt, wallets: { X: { canDeposit: false } } });
  expect(shut).toEqual({ replay7: 0, replay30: 0 });
  // Without books of the past there is nothing to work out.
  const unkept = createArbitrageReplays()([offer(CHEAP), offer(DEAR)], 1_000, NOW);
  expect(unkept).toEqual({ replay7: null, replay30: null });
});

test('a pair that lost in both replays is not opened', () => {
  const rowWith = (replay7: number, replay30: number) =>
    arbitrageCandidate([offer(CHEAP), offer(DEAR)], {
      ...{ size: 1_000, at: NOW, now: NOW, held: () => 0 },
      replays: { replay7, replay30 },
    });
  expect(rowWith(-0.001, -0.002)).toMatchObject({ replay7: -0.001, replay30: -0.002, obstacles: ['lostBefore'] });
  expect(rowWith(0, -0.002).obstacles).toEqual([]);
});
