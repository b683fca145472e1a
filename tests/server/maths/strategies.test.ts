import Big from 'big.js';
import { evenMove, marginRatio } from '#server/base/maths/evenMargin';
import {
  annualisedBasis,
  barsOfCloses,
  basis,
  calendarBasis,
  calendarSpread,
  convergedPnl,
  expectedAndRealised,
  premium,
  rollCost,
  roundTrip,
  spreadNetApr,
} from '../../../server/base/maths/basis';
import { arbitrageNetBps, crossVenueApr, crossVenueNetApr } from '../../../server/base/maths/crossVenue';
import { closeLevel, depthWithin, openEdge, profitableDepth, slippageAt, vwap } from '../../../server/base/maths/depth';
import { binned, cashAhead, dailyAprs, weightedApr } from '../../../server/base/maths/fundingAhead';
import {
  cellQuantity,
  evenStep,
  gridProfits,
  levelPrices,
  levelProfit,
  pairsCompleted,
  profitShares,
} from '../../../server/base/maths/grid';
import {
  cellsNow,
  type GridNote,
  gridLiquidation,
  gridOrdersOf,
  lossAtStops,
  movedRange,
  movedShape,
  nearestFirst,
  noteAt,
  tradedWith,
} from '../../../server/base/maths/gridLadder';
import { gridRecord } from '../../../server/base/maths/gridRecord';
import { gridReplay } from '../../../server/base/maths/gridReplay';
import { grownBy, madeBy, matchedFills } from '../../../server/base/maths/gridTrades';
import { hedgeQuantity, leftOfPurchase, spotPurchase } from '../../../server/base/maths/spotPurchase';
import { rateWaterfall } from '../../../server/base/maths/waterfall';

describe('basis', () => {
  test('premium, basis and its annual rate (F3, F4)', () => {
    expect(premium(100.05, 100)).toBeCloseTo(0.0005, 14);
    expect(premium(null, 100)).toBeNull();
    expect(basis(102, 100)).toBeCloseTo(0.02, 14);
    // 2 % in 73 days, a fifth of a year.
    expect(annualisedBasis(0.02, 73)).toBeCloseTo(0.1, 14);
    expect(annualisedBasis(0.02, 2.9)).toBeNull();
    // 104 / 102 - 1 = 1.9608 % over 91 days.
    expect(calendarBasis(104, 102, 120, 29)).toBeCloseTo(((2 / 102) * 365) / 91, 14);
    expect(calendarBasis(104, 102, 29, 29)).toBeNull();
  });

  test('what can be had at a size, and what a round trip makes of it (F5, F26)', () => {
    // Sell the future at 102.0, buy spot at 100.1; later buy it back at 100.2 and sell spot at 100.1.
    const [future, spot] = [
      { bid: 102, ask: 100.2 },
      { bid: 100.1, ask: 100.1 },
    ];
    const [open, close] = [openEdge(future, spot), closeLevel(future, spot)];
    expect(open).toBeCloseTo(0.018981, 6);
    expect(close).toBeCloseTo(0.000999, 6);
    expect(roundTrip(open, close, 0.003)).toBeCloseTo(0.014982, 6);
    expect(spreadNetApr(open, close, 0.003, 73)).toBeCloseTo(0.07491, 5);
    // Delivered: it closes at nothing.
    expect(spreadNetApr(open, 0, 0.0025, 73)).toBeCloseTo(5 * (open - 0.0025), 14);
    expect(spreadNetApr(open, 0, 0.0025, 0)).toBeNull();
  });

  test('a calendar spread in both directions, on the near middle (F6)', () => {
    const spread = calendarSpread({ bid: 104, ask: 104.4 }, { bid: 101.9, ask: 102.1 });
    expect(spread.sellFar).toBeCloseTo(1.9, 12);
    expect(spread.buyFar).toBeCloseTo(-2.5, 12);
    expect(spread.sellFarShare).toBeCloseTo(1.9 / 102, 14);
    expect(spread.buyFarShare).toBeCloseTo(-2.5 / 102, 14);
  });
});

describe('bars of a value that has closes alone', () => {
  const bars = (time: number[], value: number[], barMs: number) => ({
    ...{ time: Float64Array.from(time), value: Float64Array.from(value), barMs },
  });
  const read = (...given: Parameters<typeof barsOfCloses>) =>
    Object.fromEntries(Object.entries(barsOfCloses(...given)).map(([name, column]) => [name, [...column]]));

  test('open at the finer close before, reach as far as the finer closes within', () => {
    // Bars of 4 at 0 and 4, hours closing at 0, 1 ... 8: 10 | 12 9 11 13 | 14 15 8 12.
    const hours = bars([-1, 0, 1, 2, 3, 4, 5, 6, 7], [10, 12, 9, 11, 13, 14, 15, 8, 12], 1);
    expect(read(bars([0, 4], [13, 12], 4), hours)).toEqual({ open: [10, 13], high: [13, 15], low: [9, 8] });
  });

  test('without a close before they open at the bar before, or at the first close within', () => {
    // Nothing closes at 0, at 4 or at 12; the bar at 8 is missing, so that the one at 12 follows none.
    const hours = bars([0, 1, 4, 12, 13], [12, 9, 14, 7, 6], 1);
    expect(read(bars([0, 4, 12], [11, 15, 8], 4), hours)).toEqual({
      ...{ open: [12, 11, 7], high: [12, 15, 8], low: [9, 11, 6] },
    });
  });

  test('where closes are no finer than the bars, the extremes are open and close', () => {
    const own = bars([0, 4, 8], [3, 5, 4], 4);
    expect(read(own, own)).toEqual({ open: [3, 3, 5], high: [3, 5, 5], low: [3, 3, 4] });
    const none = bars([], [], 1);
    expect(read(own, none)).toEqual({ open: [3, 3, 5], high: [3, 5, 5], low: [3, 3, 4] });
    expect(read(none, none)).toEqual({ open: [], high: [], low: [] });
  });
});

describe('two venues', () => {
  test('gross APR takes each venue’s own interval (F7)', () => {
    // 3 bps in 8 h received, 1 bp in 4 h paid: (0.375 - 0.25) bps an hour.
    expect(crossVenueApr({ rate: 0.0003, hours: 8 }, { rate: 0.0001, hours: 4 })).toBeCloseTo(0.1095, 14);
    expect(crossVenueApr({ rate: 0.0003, hours: 0 }, { rate: 0.0001, hours: 4 })).toBeNull();
  });

  test('net APR counts settlements inside the plan, fees once and the price gap once (F7)', () => {
    // 72 h: 9 x 3 bps - 18 x 0.5 bps = 18 bps; fees 21, edge 6, close level 1: 2 bps in 72 h.
    const net = crossVenueNetApr({
      short: 9 * 0.0003,
      long: 18 * 0.00005,
      fees: 0.0021,
      openEdge: 0.0006,
      expectedCloseLevel: 0.0001,
      hours: 72,
    });
    expect(net).toBeCloseTo((0.0002 * 8760) / 72, 12);
  });

  test('arbitrage net of both fees (F25)', () => {
    // 100.4 x 0.999 / (100 x 1.001) = 1.00199401.
    expect(arbitrageNetBps({ price: 100.4, fee: 0.001 }, { price: 100, fee: 0.001 })).toBeCloseTo(19.9401, 3);
    // 100.1 x 0.999 = 99.9999 against 100.1.
    expect(arbitrageNetBps({ price: 100.1, fee: 0.001 }, { price: 100, fee: 0.001 })).toBeCloseTo(-10, 10);
    expect(arbitrageNetBps({ price: 100, fee: 0.001 }, { price: 0, fee: 0.001 })).toBeNull();
  });

  test('the size at which nothing is left of it (F25)', () => {
    const side = (...levels: [ticks: number, lots: number][]) => ({
      tick: 0.1,
      lot: 0.5,
      levels: levels.map(([ticks, lots]) => ({ ticks, lots })),
    });
    const fees = { buy: 0.001, sell: 0.001 };
    const bids = side([1010, 8], [1001, 40]);
    // 4 coins at 100.899 - 100.1 make 3.196, one at 99.9999 - 100.1 loses 0.1001, each further one 0.3003: 10.3094 of them.
    const more = (4 * (100.899 - 100.1) + (99.9999 - 100.1)) / (100.3002 - 99.9999);
    const asks = side([1000, 10], [1002, 40]);
    const paid = profitableDepth(asks, bids, fees);
    expect(more).toBeCloseTo(10.3094, 4);
    expect(paid).toBeCloseTo(500 + more * 100.2, 8);
    const [bought, sold] = [vwap(asks, 5 + more)!, vwap(bids, 5 + more)!];
    expect(arbitrageNetBps({ price: sold, fee: 0.001 }, { price: bought, fee: 0.001 })).toBeCloseTo(0, 8);
    // Ten coins of the second level are there: the book ends first.
    expect(profitableDepth(side([1000, 10], [1002, 20]), bids, fees)).toBeCloseTo(1502, 10);
    // 100.1 x 0.999 does not pay 100 x 1.001.
    expect(profitableDepth(asks, side([1001, 40]), fees)).toBe(0);
    expect(profitableDepth(asks, side(), fees)).toBe(0);
  });
});

describe('the margin of two venues', () => {
  const margin = (maintenance: number, balance: number, free = balance / 2) => ({ maintenance, balance, free });

  test('is even after what is moved, and no more is moved than is free', () => {
    expect(marginRatio(margin(600, 1000))).toBe(0.6);
    expect(marginRatio(margin(0, 0))).toBeNull();
    // 600 of 1,000 against 200 of 3,000: of 4,000 the first has to hold three quarters.
    expect(evenMove(margin(600, 1000), margin(200, 3000, 2500))).toBe(-2000);
    expect(evenMove(margin(600, 1000), margin(200, 3000, 500))).toBe(-500);
    expect(evenMove(margin(200, 3000, 2500), margin(600, 1000))).toBe(2000);
    expect(evenMove(margin(0, 500), margin(0, 100))).toBe(0);
  });
});

describe('a book (F9)', () => {
  // Tick 0.1, lot 0.5: 5 coins at 100.0 (500 USDT), 10 at 100.2 (1,002 USDT).
  const asks = {
    tick: 0.1,
    lot: 0.5,
    levels: [
      { ticks: 1000, lots: 10 },
      { ticks: 1002, lots: 20 },
    ],
  };

  test('gives the volume-weighted price of a quantity', () => {
    expect(vwap(asks, 3)).toBeCloseTo(100, 10);
    const deep = vwap(asks, 10)!;
    expect(deep).toBeCloseTo((500 + 501) / 10, 10);
    expect(slippageAt(deep, 99.9)).toBeCloseTo(0.002002, 6);
  });

  test('says when it does not hold all of it', () => {
    expect(vwap(asks, 15)).toBeCloseTo(1502 / 15, 10);
    expect(vwap(asks, 15.5)).toBeNull();
    expect(vwap({ ...asks, levels: [] }, 1)).toBeNull();
    expect(vwap(asks, 0)).toBeNull();
    expect(depthWithin(asks, 0.001)).toBeCloseTo(500, 10);
    expect(depthWithin(asks, 0.05)).toBeCloseTo(1502, 10);
  });
});

test('a grid earns the step less both fees (F27)', () => {
  expect(levelProfit(100, 101, 0.0002)).toBeCloseTo(1 - 0.0402, 12);
  const profits = gridProfits([100, 101, 101.03], 0.0002)!;
  expect(profits.most).toBeCloseTo(0.9598, 12);
  // 0.03 of step, 0.0404 of fees: such a grid is refused.
  expect(profits.least).toBeLessThan(0);
  expect(gridProfits([100], 0.0002)).toBeNull();
  // F28: of a coin that is bought a thousandth goes, and of what the rest brings another.
  expect(levelProfit(100, 101, 0.001, true)).toBeCloseTo(101 * 0.999 * 0.999 - 100, 12);
  for (const inCoin of [false, true]) {
    const even = 100 * (1 + evenStep(0.001, inCoin));
    expect(levelProfit(100, even, 0.001, inCoin)).toBeCloseTo(0, 10);
    expect(levelProfit(100, even + 0.01, 0.001, inCoin)).toBeGreaterThan(0);
  }
  expect(profitShares([100, 102, 103], 0.001, true)).toEqual({
    profitLeast: levelProfit(102, 103, 0.001, true) / 102,
    profitMost: levelProfit(100, 102, 0.001, true) / 100,
  });
  // 1.2 bought, 1.1988 received: 1.1 in lots of a tenth.
  expect(leftOfPurchase(1.2, 0.001, 0.1)).toBe(1.1);
  expect(leftOfPurchase(1.2, 0, 0.1)).toBe(1.2);
});

describe('the ladder of a grid', () => {
  const shape = { lower: 100, upper: 104, cells: 4, spacing: 'arithmetic' } as const;
  const note: GridNote = {
    ...{ tickSize: '0.01', lotSize: '0.1' },
    ...{ quantity: '2', anchor: 4, startFrom: 2, startCells: 2 },
  };
  const traded = (of: Record<string, number>) =>
    new Map(Object.entries(of).map(([slot, quantity]) => [slot, new Big(quantity)]));

  test('levels lie at equal distances or ratios on ticks, and a cell takes lots that fit at the upper bound', () => {
    expect(levelPrices(shape, 0.01)).toEqual([100, 101, 102, 103, 104]);
    // 100 x 1.44 ** (1 / 2) = 120.
    expect(levelPrices({ lower: 100, upper: 144, cells: 2, spacing: 'geometric' }, 0.5)).toEqual([100, 120, 144]);
    // 1,000 / (4 x 104) = 2.40.
    expect(cellQuantity(shape, 1_000, 0.1)).toBe(2.4);
  });

  test('a cell holds what was bought at the beginning for it, and then what its own trades say', () => {
    const held = (of: Record<string, number>) =>
      cellsNow({ ...shape, trailing: false, note }, traded(of)).map((cell) => cell.held.toNumber());
    expect(held({})).toEqual([0, 0, 0, 0]);
    // Filled in part: the cell nearest to the price has it first.
    expect(held({ start: 3 })).toEqual([0, 0, 2, 1]);
    expect(held({ start: 4, 1: 2, 2: -2 })).toEqual([0, 2, 0, 2]);
    const short = { ...note, anchor: 0, startFrom: 0, startCells: 2 };
    const sold = cellsNow({ ...shape, trailing: false, note: short }, traded({ start: -3 }));
    expect(sold.map((cell) => cell.held.toNumber())).toEqual([-1, -2, 0, 0]);
  });

  test('a range that follows goes where something was sent for, and no further back', () => {
    const of = (slots: Record<string, number>) => cellsNow({ ...shape, trailing: true, note }, traded(slots));
    expect(of({ 3: 0 }).map(({ cell }) => cell)).toEqual([0, 1, 2, 3]);
    expect(of({ 3: 0, 5: 0 }).map(({ cell, lower }) => [cell, lower])).toEqual([
      [2, 102],
      [3, 103],
      [4, 104],
      [5, 105],
    ]);
  });

  test('each cell waits for one order, the nearest first, but not for what a person took back', () => {
    const cells = cellsNow({ ...shape, trailing: false, note }, traded({ start: 4 }));
    const withdrawn = { bySlot: new Map([['1', 50]]), repairedAt: null };
    const gridOrders = gridOrdersOf(cells, note, 5, withdrawn);
    expect(gridOrders.map(({ order }) => [order.side, order.price, order.adds])).toEqual([
      ['buy', 100, true],
      ['buy', 101, true],
      ['sell', 103, false],
      ['sell', 104, false],
    ]);
    expect(nearestFirst(gridOrders, 101.8, false).map(({ at }) => at.cell)).toEqual([2, 0, 3]);
    expect(nearestFirst(gridOrders, 101.8, true).map(({ at }) => at.cell)).toEqual([2, 3]);
    const repaired = gridOrdersOf(cells, note, 5, { ...withdrawn, repairedAt: 60 });
    expect(nearestFirst(repaired, 101.8, false).map(({ at }) => at.cell)).toEqual([1, 2, 0, 3]);
  });

  test('what a cell sold is matched with what it bought, both fees taken off; the rest floats (F27)', () => {
    const fill = (slot: string, at: number, signed: number, price: number, fee: number) => ({
      ...{ slot, at, signed: new Big(signed), price: new Big(price), fee: new Big(fee) },
    });
    const fills = [
      // Four coins at 102 for the two cells above, 0.4 of fee: 0.2 each.
      fill('start', 1, 4, 102, 0.4),
      fill('1', 2, 2, 101, 0.1),
      fill('1', 3, -1, 102, 0.05),
      fill('1', 4, -1, 102.5, 0.05),
      fill('2', 5, -2, 103, 0.1),
    ];
    const matched = matchedFills(note, fills);
    expect(matched.map(({ cell, profit, completes }) => [cell, profit.toNumber(), completes])).toEqual([
      [1, 0.9, false],
      [1, 1.4, true],
      // (103 - 102) x 2 - 0.2 - 0.1.
      [2, 1.7, true],
    ]);
  });

  test('parts of a lot that a fee in coin leaves stay with their cell, and keep no pair from being complete', () => {
    const fill = (slot: string, at: number, signed: number, price: number, fee: number) => ({
      ...{ slot, at, signed: new Big(signed), price: new Big(price), fee: new Big(fee) },
    });
    // Two bought, 1.998 received; 1.9 sold. Of the second purchase 0.096 is there already, and a lot more can be sold.
    const fills = [
      fill('1', 1, 1.998, 101, 0.202),
      fill('1', 2, -1.9, 102, 0.1938),
      fill('1', 3, 1.998, 101, 0.202),
      fill('1', 4, -2, 102, 0.204),
    ];
    const matched = matchedFills(note, fills);
    expect(matched.map(({ from, at, completes }) => [from, at, completes])).toEqual([
      [1, 2, true],
      [3, 4, true],
    ]);
    const held = traded({ start: 4.03, 1: 0.098 });
    const cells = cellsNow({ ...shape, trailing: false, note }, held);
    // What the rounded start has brought too much is the last cell's.
    expect(cells.map((cell) => cell.held.toNumber())).toEqual([0, 0.098, 2, 2.03]);
    const orders = gridOrdersOf(cells, note, 5, { bySlot: new Map(), repairedAt: null }).map(({ order }) => order);
    expect(orders.map(({ side, quantity }) => [side, quantity.toNumber()])).toEqual([
      ['buy', 2],
      ['buy', 2],
      ['sell', 2],
      ['sell', 2],
    ]);
  });

  test('coin that a grid took from its account counts as its start, at the price of then and without a fee', () => {
    const taken = { quantity: '4', price: '102', at: 1 };
    const fills = [{ slot: '2', at: 5, signed: new Big(-2), price: new Big(103), fee: new Big(0.2) }];
    const [pair] = matchedFills({ ...note, taken }, fills);
    expect([pair!.from, pair!.entry.toNumber(), pair!.profit.toNumber()]).toEqual([1, 102, 1.8]);
    const whole = tradedWith({ taken }, traded({ 2: -2 }));
    expect(cellsNow({ ...shape, trailing: false, note }, whole).map((cell) => cell.held.toNumber())).toEqual([
      0, 0, 0, 2,
    ]);
    expect(tradedWith({}, whole)).toBe(whole);
  });

  test('what the pairs have made grows a grid by its part of the capital, and a loss shrinks it not', () => {
    const fill = (slot: string, at: number, signed: number, price: number) => ({
      ...{ slot, at, signed: new Big(signed), price: new Big(price), fee: new Big(0) },
    });
    // (102 - 101) x 2 of 40 USDT.
    expect(grownBy(madeBy(note, [fill('1', 1, 2, 101), fill('1', 2, -2, 102)]), 40)).toBeCloseTo(0.05, 12);
    expect(grownBy(madeBy(note, [fill('1', 1, 2, 102), fill('1', 2, -2, 101)]), 40)).toBe(0);
  });

  test('a range that a person moved keeps the exits of cells that hold, and drops them once they are flat', () => {
    const moved = { ...note, shifts: [{ at: 10, first: -2, weights: { long: 1.5, short: 0 } }] };
    const of = (slots: Record<string, number>) => cellsNow({ ...shape, trailing: false, note: moved }, traded(slots));
    const withdrawn = { bySlot: new Map(), repairedAt: null };
    // Down by two: 98 to 102; what was bought from 102 on is still to be sold at 103 and 104.
    expect(of({ start: 4 }).map(({ cell, lower, isOutOfRange }) => [cell, lower, isOutOfRange === true])).toEqual([
      [-2, 98, false],
      [-1, 99, false],
      [0, 100, false],
      [1, 101, false],
      [2, 102, true],
      [3, 103, true],
    ]);
    const sides = (slots: Record<string, number>) =>
      gridOrdersOf(of(slots), moved, 5, withdrawn).map(({ at, order }) => [at.cell, order.side, order.price]);
    expect(sides({ start: 4 }).slice(-2)).toEqual([
      [2, 'sell', 103],
      [3, 'sell', 104],
    ]);
    expect(sides({ start: 4, 2: -2 }).slice(-1)).toEqual([[3, 'sell', 104]]);
    expect(movedShape(shape, moved)).toMatchObject({ shape: { lower: 98, upper: 102 }, note: { startFrom: 4 } });
  });

  test('a move says what each leg may hold then, and refuses levels at 0', () => {
    const at = { makerFee: 0.0002, at: 10 };
    const cells = cellsNow({ ...shape, trailing: false, note }, traded({ start: 4 }));
    const down = movedRange(shape, note, { ...at, by: -2, cells })!;
    // Four cells of the range and two that it has left, at 102 instead of 104.
    expect(down).toMatchObject({ lower: 98, upper: 102, shift: { first: -2, weights: { short: 0 } } });
    expect(down.shift.weights.long).toBeCloseTo((6 / 4) * (102 / 104), 12);
    // So much more than all of it was: 2 coins x 4 cells x 104.
    expect(down.grows).toBeCloseTo((1.5 * (102 / 104) - 1) * 832, 9);
    // A neutral one: up by one it has one cell less that buys first.
    const neutral = { ...note, anchor: 2, startFrom: 0, startCells: 0 };
    const up = movedRange(shape, neutral, { ...at, by: 1, cells: [] })!;
    expect(up.shift.weights.long).toBeCloseTo((1 / 4) * (105 / 104), 12);
    expect(up.shift.weights.short).toBeCloseTo((3 / 4) * (105 / 104), 12);
    expect(movedRange(shape, note, { ...at, by: -100, cells: [] })).toBeNull();
  });

  test('how it did: time within the range, the most it held, drawdown, and what holding would have made', () => {
    const fills = [
      { at: 1, signed: 2, price: 100, fee: 0.5 },
      { at: 5, signed: -2, price: 103, fee: 0.5 },
    ];
    const prices = [
      { at: 2, price: 98 },
      { at: 3, price: 96 },
      { at: 4, price: 99 },
      { at: 6, price: 104 },
    ];
    const record = gridRecord({
      ...{ fills, prices, capital: 100, from: 0, until: 2 * 86_400_000, startPrice: 100 },
      funding: [{ at: 3, amount: 1 }],
      rangeAt: () => ({ lower: 97, upper: 103 }),
    });
    // -200.5 + 2 x 98; then 1 of funding; then sold at 103.
    expect(record.net).toEqual([-4.5, -7.5, -1.5, 6]);
    expect(record).toMatchObject({ inRange: 0.5, fillsPerDay: 1, mostHeld: 2, mostHeldValue: 200, drawdownUsdt: -7.5 });
    expect(record.drawdown).toBeCloseTo(-0.075, 12);
    expect(record.hold).toBeCloseTo(4, 12);
    expect(record.versusHold).toBeCloseTo(2, 12);
    expect(record.away).toEqual([
      { from: 3, until: 4, side: 'below' },
      { from: 6, until: null, side: 'above' },
    ]);
  });

  test('a replay trades each cell once an hour at its own prices, pays funding, and ends by its own rules', () => {
    const rules = {
      ...{ ...shape, trailing: false, compound: false, triggerAbove: null, triggerBelow: null },
      ...{ stopLow: null, stopHigh: null, stopLoss: null, takeProfit: null },
    };
    const HOUR = 3_600_000;
    const hours = {
      time: [0, 1, 2, 3].map((n) => n * HOUR),
      ...{ open: [102.5, 102.5, 101.5, 102], high: [102.6, 102.6, 103.2, 102.4], low: [102.4, 101, 101.5, 101.8] },
      close: [102.5, 101.5, 102, 102.2],
    };
    const of = {
      ...{ rules, hours, makerFee: 0, takerFee: 0.001, capital: 100, inCoin: false, startsFree: false },
      settlements: { time: [2 * HOUR], rate: [0.01] },
      noteAt: (price: number) =>
        noteAt({ ...shape, direction: 'long', legNotional: 832 }, { tickSize: '0.01', lotSize: '0.1' }, price),
    };
    // One cell held from 102.5; down to 101 the cells at 102 and 101 buy, up to 103.2 both sell, at 101.8 the one at 102 buys.
    const run = gridReplay(of);
    expect(run).toMatchObject({ startedAt: HOUR, endedAt: null, bars: 4, pairCount: 2, mostHeld: 6 });
    expect(run.gridProfit).toBeCloseTo(2 * (103 - 102) + 2 * (102 - 101), 9);
    // Two coins at the open of the second hour, 1 %.
    expect(run.funding).toBeCloseTo(-2 * 102.5 * 0.01, 9);
    const started = -2 * 102.5 * 1.001;
    expect(run.net.at(-1)).toBeCloseTo(started - 2 * 102.5 * 0.01 + 4 - 2 * 102 + 4 * 102.2, 9);
    expect(run.floating).toBeCloseTo(run.net.at(-1)! - run.gridProfit, 9);
    const stopped = gridReplay({ ...of, rules: { ...rules, stopLow: 101.2 } });
    expect(stopped).toMatchObject({ endedAt: 2 * HOUR, endReason: 'stopLow' });
    expect(gridReplay({ ...of, rules: { ...rules, triggerAbove: 103 } })).toMatchObject({
      startedAt: null,
      pairCount: 0,
    });
    // Of spot: 2 are held from the beginning, for which 2 / 0.999 are bought; what the cells buy comes a thousandth less.
    const none = { time: [], rate: [] };
    const spot = gridReplay({ ...of, settlements: none, makerFee: 0.001, inCoin: true });
    const got = 2 * 0.999;
    const bought = (2 / 0.999) * 102.5 + 2 * 102 + 2 * 101 + 2 * 102;
    const sold = (got * 103 + got * 102) * 0.999;
    expect(spot.net.at(-1)).toBeCloseTo(sold - bought + (2 + got) * 102.2, 9);
    expect(spot.gridProfit).toBeCloseTo(
      2 * levelProfit(102, 103, 0.001, true) + 2 * levelProfit(101, 102, 0.001, true),
      9,
    );
    expect(spot.funding).toBe(0);
    // Its own coin costs no fee.
    const own = gridReplay({ ...of, settlements: none, makerFee: 0.001, inCoin: true, startsFree: true });
    expect(own.net.at(-1)! - spot.net.at(-1)!).toBeCloseTo((2 / 0.999 - 2) * 102.5, 9);
  });

  test('pairs are counted along the hours, one step of a cell each', () => {
    const levels = [100, 101, 102];
    // Down to 100, up to 101, down to 100, up to 102: the lower cell twice; the upper one sells first.
    expect(pairsCompleted([100, 100.5, 100, 100.5], [100.5, 101, 100.5, 102], levels, 1)).toBe(2);
    expect(pairsCompleted([101.5, 101], [102, 101.5], levels, 1)).toBe(1);
  });

  test('where all that it can hold would be liquidated, and what its stops cost', () => {
    // Two cells bought at 100 and 101, two held from 102: 8 coins at 101.25 with 81 USDT behind them.
    const stake = { shape, note, startPrice: 102, capital: 81 };
    const { low, high } = gridLiquidation(stake, 0.01);
    // (8 x 101.25 - 81) / (8 x 0.99).
    expect(low).toBeCloseTo((810 - 81) / 7.92, 9);
    expect(high).toBeNull();
    expect(lossAtStops(stake, { low: 95, high: null })).toBeCloseTo(8 * 6.25, 9);
    expect(lossAtStops(stake, { low: null, high: 120 })).toBeNull();
  });
});

test('a deal over two venues adds up from its funding to what it nets now, if closed, and at its horizon', () => {
  const leg = { quantity: 10, takerFee: 0.0005 } as const;
  const legs = [
    { ...leg, leg: 'long', mark: 100, exitPrice: 99.9, funding: -0.0001 * 3 },
    { ...leg, leg: 'short', mark: 101, exitPrice: 101.2, funding: 0.0002 * 6 },
  ] as const;
  const booked = { funding: 5, fees: 1, slippage: 0.5, pricePnl: -2 };
  const { steps } = rateWaterfall(booked, legs);
  const [netNow, netClosed, netHorizon] = steps.slice(3).map(({ sum }) => sum);
  expect(steps.slice(0, 4).map(({ amount }) => amount)).toEqual([5, -1, -0.5, -1.5]);
  expect(netNow).toBe(2);
  // 10 x 0.1 and 10 x 0.2 beside the marks, 5 bps of 999 and of 1,012.
  const exit = -1 - 2 - 999 * 0.0005 - 1012 * 0.0005;
  expect(steps[4]!.amount).toBeCloseTo(exit, 12);
  expect(netClosed).toBeCloseTo(2 + exit, 12);
  // Long is paid where the rate is negative, short where it is positive.
  expect(steps[5]!.amount).toBeCloseTo(1000 * 0.0001 * 3 + 1010 * 0.0002 * 6, 12);
  expect(netHorizon).toBeCloseTo(2 + exit + 0.3 + 1.212, 12);
  const blind = rateWaterfall(booked, [legs[0], { ...legs[1], exitPrice: null }]);
  expect(blind.steps.slice(3).map(({ sum }) => sum)).toEqual([2, null, null]);
});

test('spot pays its fee in the coin, and the hedge is sized to what is left (F28)', () => {
  const { received, cost, fee } = spotPurchase('0.5', '92000', 0.001);
  expect([received, cost, fee].map((one) => one.toFixed())).toEqual(['0.4995', '45954', '46']);
  // What was paid is 0.5 x 92,000.
  expect(cost.plus(fee).toFixed()).toBe('46000');
  expect(hedgeQuantity(received, ['0.0001', '0.001']).toFixed()).toBe('0.499');
  expect(hedgeQuantity(new Big('0.0009'), ['0.0001', '0.001']).toFixed()).toBe('0');
});

describe('a spread that is held', () => {
  test('what rolling costs: two fees and two slippages, the other leg is not traded', () => {
    // Two coins: bought back at 101 (middle 100.5, fee 5 bps), sold again at 103 (middle 103.2, fee 4 bps).
    const legs = [
      { price: 101, mid: 100.5, fee: 0.0005 },
      { price: 103, mid: 103.2, fee: 0.0004 },
    ];
    const { fees, slippage, cost } = rollCost(2, legs);
    expect(fees).toBeCloseTo(0.101 + 0.0824, 12);
    expect(slippage).toBeCloseTo(1 + 0.4, 12);
    expect(cost).toBeCloseTo(1.5834, 12);
  });

  test('what it will have made when both legs stand at one price, whatever that price is but for the fees', () => {
    // Bought at 100 and sold at 102, two coins of each, 0.5 paid in fees and 0.2 of funding received.
    const legs = [
      { quantity: 2, cost: 200, realised: 0 },
      { quantity: -2, cost: -204, realised: 0 },
    ];
    const paid = { funding: 0.2, fees: 0.5 };
    expect(convergedPnl(legs, 110, [0, 0], paid)).toBeCloseTo(4 - 0.3, 12);
    // Spot leaves at 10 bps, the future is delivered at 2 bps.
    expect(convergedPnl(legs, 110, [0.001, 0.0002], paid)).toBeCloseTo(3.7 - 0.22 - 0.044, 12);
  });

  test('what of the edge seen was got, by notional', () => {
    const edges = [
      { expected: 0.02, realised: 0.019, notional: 3_000 },
      { expected: 0.01, realised: 0.011, notional: 1_000 },
    ];
    const { edgeOpen, edgeTaken, takenShare } = expectedAndRealised(edges);
    expect([edgeOpen, edgeTaken]).toEqual([expect.closeTo(0.0175, 12), expect.closeTo(0.017, 12)]);
    expect(takenShare).toBeCloseTo(0.017 / 0.0175, 12);
    expect(expectedAndRealised([])).toEqual({ edgeOpen: null, edgeTaken: null, takenShare: null });
  });
});

describe('funding to come and gone by', () => {
  const HOUR = 3_600_000;
  const NOON = Date.UTC(2026, 0, 2, 12);
  const short = { quantity: -2, mark: 100, rate: 0.001, nextAt: NOON + 4 * HOUR, hours: 8 };
  const long = { quantity: 1, mark: 300, rate: 0.0005, nextAt: NOON + HOUR, hours: 1 };

  test('is told by the hour (F2), and as a rate of the year by notional (F1)', () => {
    const hours = cashAhead([short, long], NOON + 60_000);
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({ at: NOON + HOUR, cash: expect.closeTo(-0.15, 12) });
    // At 16, 00 and 08 the short one receives 0.2, and the long one pays each hour.
    const at = (hour: number) => hours.find((one) => one.at === NOON + hour * HOUR)!.cash;
    expect([at(4), at(12), at(20)].every((cash) => Math.abs(cash - 0.05) < 1e-12)).toBe(true);
    expect(hours.reduce((sum, { cash }) => sum + cash, 0)).toBeCloseTo(3 * 0.2 - 24 * 0.15, 10);
    // 109.5 % on 200 received, 438 % on 300 paid.
    expect(weightedApr([short, long])).toBeCloseTo((200 * 1.095 - 300 * 4.38) / 500, 12);
    expect(weightedApr([])).toBeNull();
  });

  test('is put together by day, and counted between edges', () => {
    const DAY = 24 * HOUR;
    const first = Date.UTC(2026, 0, 1);
    const time = [first, first + 8 * HOUR, first + 16 * HOUR, first + 2 * DAY, first + 2 * DAY + 4 * HOUR];
    const past = { time, rate: [0.0001, 0.0001, 0.0002, -0.0001, -0.0002], hours: [8, 8, 8, 4, 4] };
    const found = dailyAprs(past, [first, first + DAY, first + 2 * DAY]);
    // The last day is settled for eight hours only, and is not a third of what it runs at.
    expect(found).toEqual([expect.closeTo(0.146, 12), null, expect.closeTo(-0.3285, 12)]);
    // What lies on an edge belongs above it.
    expect(binned([-1, -0.1, 0, 0.05, 0.1, 7], [-0.1, 0, 0.1])).toEqual([1, 1, 2, 2]);
  });
});
