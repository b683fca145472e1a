import Big from 'big.js';
import { dueShare, missingPartMs } from '#server/base/maths/twap';
import { unhedgedOf } from '#server/engine/figures';
import type { LegNow, Legs, LegsRules } from '#server/engine/legs';
import { planLegs } from '#server/engine/planLegs';
import { capPrice } from '#server/engine/preTradeRisk';
import type { LegOrder } from '#server/engine/runner';
import { ORDER_IN_DOUBT, SHRUNK } from '#server/engine/words';
import { openOrder } from '../../support/openOrder';
import { termsOf } from '../../support/paperDesk';

const NOW = Date.UTC(2026, 0, 15);

type Name = 'one' | 'two' | 'three';

const rules: LegsRules = {
  bringIn: 'takerFirst',
  matchBy: 'cost',
  capBps: 30,
  rebalance: 0.05,
  exitReason: () => null,
};

interface Given {
  price: number;
  turnover?: number;
  weight?: number;
  side?: 'long' | 'short';
  /** Absolute quantity held and what it cost. */
  held?: [quantity: number, cost: number];
}

/** A leg that aims at 1,000 USDT times its weight. */
function leg(name: Name, { price, turnover = 1e6, weight = 1, side = 'long', held: [quantity, cost] = [0, 0] }: Given) {
  const sign = side === 'long' ? 1 : -1;
  const signed = new Big(sign * quantity);
  const now: LegNow<Name> = {
    leg: name,
    side,
    weight,
    targetNotional: 1000 * weight,
    book: { symbol: `${name}USDT`, quantity: signed, cost: new Big(sign * cost), midOpen: price },
    view: { price, mark: price, at: NOW, turnover24h: turnover, fresh: true, jumped: false, tradable: true },
    terms: termsOf(`${name}USDT`),
    gone: null,
    room: 5000,
    account: signed,
    offset: new Big(0),
    venueDown: false,
  };
  return now;
}

const dealOf = (legs: LegNow<Name>[], deal: Partial<Legs<Name>['deal']> = {}, over: Partial<LegsRules> = {}) => ({
  deal: {
    state: 'opening' as const,
    stateAt: NOW,
    openedAt: null,
    closeAskedAt: null,
    flattenAskedAt: null,
    entryCancelledAt: null,
    rebalanceWay: null,
    rebalanceAskedAt: null,
    reduction: null,
    reducedAt: null,
    unfreezeAskedAt: null,
    unfreezeTriedAt: null,
    frozen: null,
    oneLegSince: null,
    attempts: 0,
    isMoving: false,
    lastSentAt: 0,
    sends: [],
    ...deal,
  },
  legs,
  rules: { ...rules, ...over },
  now: NOW + 1000,
  entriesDisabled: false,
  hasMargin: true,
});

/** The leg that something is to be done with, and how much. */
function targetNotional(of: Legs<Name>, live: LegOrder<Name>[] = []) {
  const action = planLegs(of, live);
  return action?.do === 'send' ? [action.leg, action.purpose, action.quantity.toFixed(), action.capBps] : action;
}

const basket = (held: Partial<Record<Name, [number, number]>> = {}) => [
  leg('one', { price: 100, turnover: 9e6, held: held.one }),
  leg('two', { price: 50, turnover: 1e6, weight: 0.5, side: 'short', held: held.two }),
  leg('three', { price: 20, turnover: 5e6, weight: 0.5, side: 'short', held: held.three }),
];

const carryOf = (one?: [number, number], two?: [number, number]) =>
  [leg('one', { price: 100, held: one }), leg('two', { price: 101, side: 'short', held: two })] as const;

describe('a deal over three legs', () => {
  test('enters the least liquid leg first and matches the others by weight', () => {
    expect(targetNotional(dealOf(basket()))).toEqual(['two', 'entry', '10', 30]);
    // Half of the target came in: the others follow what there is.
    expect(targetNotional(dealOf(basket({ two: [5, 250] })))).toEqual(['one', 'entry', '5', 30]);
    expect(targetNotional(dealOf(basket({ two: [5, 250], one: [5, 500] })))).toEqual(['three', 'entry', '12.5', 30]);
    const whole = basket({ two: [10, 500], one: [10, 1000], three: [25, 500] });
    expect(targetNotional(dealOf(whole))).toEqual({ do: 'move', to: 'open', reason: null });
  });

  test('completes a missing leg at a wider cap, then unwinds', () => {
    const lacking = basket({ two: [10, 500], one: [10, 1000] });
    const aloneFor = (ms: number) => targetNotional({ ...dealOf(lacking, { oneLegSince: NOW }), now: NOW + ms });
    expect(aloneFor(5_000)).toEqual(['three', 'entry', '25', 30]);
    expect(aloneFor(11_000)).toEqual(['three', 'complete', '25', 90]);
    // A person does not wait for that.
    expect(
      targetNotional(dealOf(lacking, { oneLegSince: NOW, rebalanceWay: 'complete', rebalanceAskedAt: NOW })),
    ).toEqual(['three', 'complete', '25', 90]);
    expect(aloneFor(21_000)).toEqual({ do: 'move', to: 'closing', reason: 'oneLeg' });
  });

  test('completes or unwinds at once when a person asks', () => {
    const legs = carryOf([10, 1000], [7, 707]);
    const by = { matchBy: 'quantity', rebalance: null } as const;
    const asked = (state: 'open' | 'opening', way: 'complete' | 'unwind', ms = 1_000) =>
      targetNotional({
        ...dealOf([...legs], { state, openedAt: NOW, rebalanceWay: way, rebalanceAskedAt: NOW, oneLegSince: NOW }, by),
        now: NOW + ms,
      });
    expect(asked('open', 'complete')).toEqual(['two', 'complete', '3', 90]);
    // A minute later nobody asks any more.
    expect(asked('open', 'complete', 61_000)).toBeNull();
    expect(asked('opening', 'complete')).toEqual(['two', 'complete', '3', 90]);
    expect(asked('opening', 'unwind')).toEqual({ do: 'move', to: 'closing', reason: 'oneLeg' });
    const even = {
      ...dealOf([...legs], { state: 'open', openedAt: NOW, rebalanceWay: 'unwind', rebalanceAskedAt: NOW }, by),
      now: NOW + 1_000,
    };
    expect(targetNotional(even)).toEqual(['one', 'rebalance', '3', 30]);
  });

  test('exits the largest leg first and moves on when one is refused', () => {
    const held = basket({ one: [10, 1000], two: [12, 600], three: [20, 400] });
    const closing = (attempts: number) => targetNotional(dealOf(held, { state: 'closing', openedAt: NOW, attempts }));
    expect(closing(0)).toEqual(['one', 'exit', '10', 30]);
    expect(closing(1)).toEqual(['two', 'exit', '12', 60]);
    expect(closing(2)).toEqual(['three', 'exit', '20', 90]);
    expect(targetNotional(dealOf(basket(), { state: 'closing', openedAt: NOW }))).toEqual({ do: 'verify' });
  });

  test('keeps all legs while one venue is down, but exits an unhedged one', () => {
    const [one, two] = carryOf([10, 1000], [10, 1010]);
    const asked = (legs: LegNow<Name>[], state: 'open' | 'closing') =>
      targetNotional(dealOf(legs, { state, openedAt: NOW, closeAskedAt: NOW }));
    expect(asked([one, { ...two, venueDown: true }], 'open')).toBeNull();
    expect(asked([one, { ...two, venueDown: true }], 'closing')).toBeNull();
    expect(asked([one, two], 'open')).toEqual({ do: 'move', to: 'closing', reason: 'manual' });
    const [left] = carryOf([10, 1000]);
    expect(asked([left, { ...carryOf()[1], venueDown: true }], 'closing')).toEqual(['one', 'exit', '10', 30]);
  });

  test('rebalances the leg that outgrew its weight to the smallest share', () => {
    const grown = basket({ one: [14, 1000], two: [10, 500], three: [25, 500] });
    const open = { state: 'open' as const, openedAt: NOW };
    expect(targetNotional(dealOf(grown, open))).toEqual(['one', 'rebalance', '4', 30]);
    expect(targetNotional(dealOf(grown, open, { rebalance: null }))).toBeNull();
    expect(targetNotional(dealOf(basket({ one: [10.2, 1000], two: [10, 500], three: [25, 500] }), open))).toBeNull();
  });

  test('counts as unhedged what the others lack of the largest share', () => {
    const of = (...costs: number[]) =>
      unhedgedOf(costs.map((cost, i) => ({ cost: new Big(cost), weight: i ? 0.5 : 1 })));
    expect(of(1000, -500, -200)).toBe(600);
    expect(of(1000, -500, -460)).toBe(0);
  });
});

describe('legs that are sent together', () => {
  const resting = (name: Name): LegOrder<Name> =>
    openOrder({
      id: name,
      dealId: 'd',
      symbol: `${name}USDT`,
      leg: name,
      side: 'buy',
      type: 'market',
      quantity: new Big(10),
      createdAt: NOW,
    });

  test('go out once each and are matched by quantity afterwards', () => {
    const carry = (held: Partial<Record<Name, [number, number]>> = {}) => [
      leg('one', { price: 100, held: held.one }),
      leg('two', { price: 101, side: 'short', held: held.two }),
    ];
    const both = { bringIn: 'atOnce', matchBy: 'quantity' } as const;
    const sent = [{ leg: 'one' as const, at: NOW }];
    const begun = planLegs(dealOf(carry(), {}, both), []);
    expect(begun).toMatchObject({ do: 'sendAll', sends: [{ leg: 'one' }, { leg: 'two' }] });
    expect(targetNotional(dealOf(carry(), { sends: sent }, both), [resting('one')])).toEqual([
      'two',
      'entry',
      '9.9',
      30,
    ]);
    const all = { sends: [...sent, { leg: 'two' as const, at: NOW }] };
    expect(targetNotional(dealOf(carry(), all, both), [resting('one'), resting('two')])).toBeNull();
    // The first came whole, the other one in part: as much of the coin, whatever it has cost.
    const part = carry({ one: [10, 1000], two: [6, 606] });
    expect(targetNotional(dealOf(part, all, both))).toEqual(['two', 'entry', '4', 30]);
    const other = carry({ one: [6, 600], two: [9.9, 999.9] });
    expect(targetNotional(dealOf(other, all, both))).toEqual(['one', 'entry', '3.9', 30]);
  });
});

describe('a resting leg', () => {
  const by = { bringIn: 'makerFirst', matchBy: 'quantity', convertMs: 30_000 } as const;
  const restingSince = (ms: number): LegOrder<Name> =>
    openOrder({
      ...{ id: 'r', dealId: 'd', symbol: 'oneUSDT', leg: 'one', side: 'buy', type: 'maker' },
      ...{ quantity: new Big(10), createdAt: NOW + ms },
    });
  const legs = (one?: [number, number], two?: [number, number]) => [
    leg('one', { price: 100, turnover: 1, held: one }),
    leg('two', { price: 100, side: 'short', held: two }),
  ];
  const at = (
    ms: number,
    of: LegNow<Name>[],
    over: Partial<LegsRules> = {},
    deal: Partial<Legs<Name>['deal']> = {},
  ) => ({
    ...dealOf(of, deal, { ...by, ...over }),
    now: NOW + ms,
  });

  test('is cancelled and taken at its conversion time, no sooner', () => {
    expect(planLegs(at(1_000, legs()), [])).toMatchObject({ do: 'send', leg: 'one', maker: true });
    expect(planLegs(at(29_000, legs()), [restingSince(20_000)])).toBeNull();
    expect(planLegs(at(30_000, legs()), [restingSince(20_000)])).toMatchObject({ do: 'cancel' });
    // What rests takes up the room that it would go into, and is taken back all the same.
    const full = legs().map((one) => ({ ...one, room: 0.5 }));
    expect(planLegs(at(30_000, full), [restingSince(20_000)])).toMatchObject({ do: 'cancel' });
    const taken = planLegs(at(31_000, legs([4, 400], [4, 400])), []);
    expect(taken).toMatchObject({ do: 'send', leg: 'one', maker: false });
    expect(targetNotional(at(31_000, legs([4, 400], [4, 400])))).toEqual(['one', 'entry', '6', 30]);
    // It is tried as long as any order that takes, and what came is what there is.
    expect(targetNotional(at(46_000, legs([4, 400], [4, 400])))).toEqual({ do: 'move', to: 'open', reason: null });
    expect(targetNotional(at(46_000, legs()))).toEqual({ do: 'move', to: 'failed', reason: 'refused' });
    // Without such a time it only rests.
    const { convertMs: _, ...only } = by;
    const resting = { ...dealOf(legs(), {}, only), now: NOW + 60_000 };
    expect(planLegs(resting, [])).toMatchObject({ do: 'send', maker: true });
  });

  test('converts each TWAP slice at its own time', () => {
    const twap = { slices: 2, everyMs: 20_000 };
    expect(targetNotional(at(1_000, legs(), { twap }))).toEqual(['one', 'entry', '5', 30]);
    // Both parts are due, and the first one's time is over: that one is taken, the other rests after it.
    expect(planLegs(at(31_000, legs(), { twap }), [])).toMatchObject({ maker: false, quantity: new Big(5) });
    expect(planLegs(at(32_000, legs([5, 500], [5, 500]), { twap }), [])).toMatchObject({
      ...{ maker: true, quantity: new Big(5) },
    });
    expect(planLegs(at(51_000, legs([5, 500], [5, 500]), { twap }), [])).toMatchObject({ maker: false });
  });

  test('is never spot: the other one rests, however easily it is filled, and spot follows, or begins as a taker', () => {
    const spot = (held?: [number, number], other?: [number, number]) => {
      const [one, two] = legs(held, other);
      return [{ ...one!, terms: { ...one!.terms!, kind: 'spot' as const } }, two!];
    };
    expect(planLegs(at(1_000, spot()), [])).toMatchObject({ do: 'send', leg: 'two', maker: true });
    // A fee of coin is bought with it.
    const follows = planLegs(at(1_000, spot(undefined, [4, 400])), []);
    expect(follows).toMatchObject({ do: 'send', leg: 'one', maker: false, adds: true });
    expect(Number((follows as { quantity: Big }).quantity)).toBeGreaterThan(4);
    // What had begun with spot goes on, and nothing of it rests.
    expect(planLegs(at(1_000, spot([4, 400])), [])).toMatchObject({ do: 'send', leg: 'two', maker: false });
    expect(planLegs(at(2_000, spot([4, 400], [4, 400])), [])).toMatchObject({ leg: 'two', maker: true });
  });

  test('is cancelled while the other leg may not follow', () => {
    const pause = { attempts: 3, lastSentAt: NOW + 9_000, oneLegSince: NOW + 8_000 };
    const lacking = at(10_000, legs([4, 400]), {}, pause);
    expect(planLegs(lacking, [restingSince(5_000)])).toMatchObject({ do: 'cancel' });
    expect(planLegs(lacking, [])).toBeNull();
    expect(planLegs(at(10_000, legs([4, 400], [4, 400])), [])).toMatchObject({ leg: 'one', maker: true });
  });

  test('is cancelled while the venue of the other leg is down', () => {
    const venueDown = (legsNow: LegNow<Name>[], name: Name) =>
      legsNow.map((one) => ({ ...one, venueDown: one.leg === name }));
    expect(planLegs(at(2_000, venueDown(legs(), 'two')), [restingSince(1_000)])).toMatchObject({ do: 'cancel' });
    // Nobody can be told what to do with it while its own venue is out.
    expect(planLegs(at(2_000, venueDown(legs(), 'one')), [restingSince(1_000)])).toBeNull();
    const everywhere = legs().map((one) => ({ ...one, venueDown: true }));
    expect(planLegs(at(2_000, everywhere), [restingSince(1_000)])).toBeNull();
    for (const name of ['one', 'two'] as const) expect(planLegs(at(3_000, venueDown(legs(), name)), [])).toBeNull();
    const unhedged = venueDown(legs([4, 400]), 'two');
    expect(planLegs(at(2_000, unhedged, {}, { oneLegSince: NOW + 1_000 }), [restingSince(1_000)])).toMatchObject({
      do: 'cancel',
    });
    expect(planLegs(at(3_000, unhedged, {}, { oneLegSince: NOW + 1_000 }), [])).toBeNull();
    expect(planLegs(at(22_000, unhedged, {}, { oneLegSince: NOW + 1_000 }), [])).toEqual({
      ...{ do: 'move', to: 'closing', reason: 'oneLeg' },
    });
    // Back again, it goes on.
    expect(planLegs(at(3_000, legs([4, 400]), {}, { oneLegSince: NOW + 1_000 }), [])).toMatchObject({ leg: 'two' });
  });

  test('is followed by spot sized up by its fee in coin', () => {
    const sold = leg('one', { price: 100, turnover: 1, side: 'short', held: [10, 1000] });
    const spot = leg('two', { price: 100 });
    const charged = { ...spot, terms: { ...spot.terms!, kind: 'spot' as const, takerFee: 0.01 } };
    // 10 / 0.99 is 10.101: up to the next lot, or less coin would arrive than was sold.
    expect(targetNotional(at(1_000, [sold, charged]))).toEqual(['two', 'entry', '10.11', 30]);
  });

  test('hedges the coin that a purchase left, rounded down to the coarser lot (F28)', () => {
    const spot = leg('one', { price: 100, turnover: 1, held: [9.998, 999.8] });
    const bought = { ...spot, terms: { ...spot.terms!, kind: 'spot' as const, takerFee: 0.001 } };
    const hedge = leg('two', { price: 100, side: 'short' });
    expect(targetNotional(at(1_000, [bought, hedge]))).toEqual(['two', 'entry', '9.99', 30]);
    const coarse = { ...bought, terms: { ...bought.terms, lotSize: '1' } };
    expect(targetNotional(at(1_000, [coarse, hedge]))).toEqual(['two', 'entry', '9', 30]);
  });

  test('takers stay within their ticks, except to complete an unhedged leg', () => {
    const rulesBy = { payUp: 3 };
    expect(planLegs(at(1_000, legs([10, 1000]), rulesBy), [])).toMatchObject({ leg: 'two', payUp: 3 });
    const late = planLegs(at(12_000, legs([10, 1000]), rulesBy, { oneLegSince: NOW }), []);
    expect(late).toMatchObject({ purpose: 'complete', capBps: 90 });
    expect(late).not.toHaveProperty('payUp');
    expect(planLegs(at(1_000, legs([10, 1000])), [])).not.toHaveProperty('payUp');
  });
});

describe('the price of a taker order', () => {
  const quote = { source: 'simulated', symbol: 'oneUSDT', bid: 99.9, ask: 100.1, at: NOW };
  const at = (side: 'buy' | 'sell', reach: Parameters<typeof capPrice>[2]) =>
    capPrice(quote, side, reach, termsOf('oneUSDT')).toNumber();

  test('lies within its ticks beyond the other side and within its cap', () => {
    expect([at('buy', { capBps: 100 }), at('sell', { capBps: 100 })]).toEqual([101, 99]);
    expect([at('buy', { capBps: 100, payUp: 3 }), at('sell', { capBps: 100, payUp: 3 })]).toEqual([100.13, 99.87]);
    expect([at('buy', { capBps: 100, payUp: 0 }), at('sell', { capBps: 100, payUp: 0 })]).toEqual([100.1, 99.9]);
    expect([at('buy', { capBps: 20, payUp: 500 }), at('sell', { capBps: 20, payUp: 500 })]).toEqual([100.2, 99.8]);
  });
});

test('the first missing slice is the one that waits', () => {
  const twap = { slices: 4, everyMs: 10_000 };
  const missing = (held: number) => missingPartMs(twap, new Big(10), '1', new Big(held));
  // Parts end at 2, 5, 7 and 10 lots.
  expect([0, 1, 2, 4, 5, 7, 9, 10].map(missing)).toEqual([0, 0, 10_000, 10_000, 20_000, 30_000, 30_000, null]);
  // Of what a fee in coin has left less than a lot is missing: nothing of that part waits.
  const parted = { slices: 2, everyMs: 10_000 };
  expect(missingPartMs(parted, new Big('0.045'), '0.001', new Big('0.021978'))).toBe(10_000);
  expect([-1, 0, 9_999, 10_000, 30_000, 99_000].map((ms) => dueShare(twap, ms))).toEqual([0, 0.25, 0.25, 0.5, 1, 1]);
});

describe('a deal of one leg', () => {
  const alone = (held?: [number, number]) => [leg('one', { price: 100, held })];

  test('is never unhedged and never out of balance', () => {
    expect(targetNotional(dealOf(alone()))).toEqual(['one', 'entry', '10', 30]);
    expect(targetNotional(dealOf(alone([10, 1000])))).toEqual({ do: 'move', to: 'open', reason: null });
    expect(unhedgedOf([{ cost: new Big(1000), weight: 1 }])).toBe(0);
    const open = { state: 'open' as const, openedAt: NOW };
    expect(targetNotional(dealOf(alone([30, 1000]), open))).toBeNull();
    const end = { exitReason: () => 'takeProfit' as const };
    expect(targetNotional(dealOf(alone([10, 1000]), open, end))).toEqual({
      do: 'move',
      to: 'closing',
      reason: 'takeProfit',
    });
    expect(targetNotional(dealOf(alone(), open, end))).toEqual({ do: 'move', to: 'closing', reason: 'liquidation' });
  });
});

describe('legs that hold one coin against each other', () => {
  const quantityOf = (one: [number, number], two: [number, number], deal: Partial<Legs<Name>['deal']> = {}) =>
    targetNotional(
      dealOf(
        [...carryOf(one, two)],
        { state: 'open', openedAt: NOW, ...deal },
        { matchBy: 'quantity', rebalance: null },
      ),
    );

  test('are rebalanced from the larger one only on request', () => {
    expect(quantityOf([10, 1000], [7, 707])).toBeNull();
    expect(quantityOf([10, 1000], [7, 707], { rebalanceWay: 'unwind', rebalanceAskedAt: NOW })).toEqual([
      'one',
      'rebalance',
      '3',
      30,
    ]);
    expect(quantityOf([7, 700], [10, 1010], { rebalanceWay: 'unwind', rebalanceAskedAt: NOW })).toEqual([
      'two',
      'rebalance',
      '3',
      30,
    ]);
    expect(quantityOf([10, 1000], [10, 1010], { rebalanceWay: 'unwind', rebalanceAskedAt: NOW })).toBeNull();
    expect(quantityOf([10, 1000], [7, 707], { rebalanceWay: 'unwind', rebalanceAskedAt: NOW - 61_000 })).toBeNull();
  });
});

describe('a frozen deal that a person asks to unfreeze', () => {
  const held = { state: 'open', openedAt: NOW, frozen: '风控拦截：x' } as const;
  const legs = (short: [number, number] = [10, 1010]) => [...carryOf([10, 1000], short)];
  const actionOf = (deal: Partial<Legs<Name>['deal']>, short?: [number, number]) =>
    planLegs(dealOf(legs(short), { ...held, ...deal }, { matchBy: 'quantity' }), []);

  test('is checked at once, then with pauses while its venue is down', () => {
    expect(actionOf({})).toBeNull();
    expect(actionOf({ unfreezeAskedAt: NOW, attempts: 5, lastSentAt: NOW - 1 })).toEqual({
      do: 'unfreeze',
      wrong: null,
    });
    expect(actionOf({ unfreezeAskedAt: NOW, attempts: 5, lastSentAt: NOW })).toBeNull();
    expect(actionOf({ unfreezeAskedAt: NOW, attempts: 1, lastSentAt: NOW })).toEqual({ do: 'unfreeze', wrong: null });
    expect(actionOf({ unfreezeAskedAt: NOW, unfreezeTriedAt: NOW })).toBeNull();
    expect(actionOf({ frozen: null, unfreezeAskedAt: NOW })).toBeNull();
    // By whichever clock it was written; one that nobody could look into for long is no longer meant.
    expect(actionOf({ unfreezeAskedAt: NOW + 5_000, unfreezeTriedAt: NOW + 5_000 })).toBeNull();
    expect(actionOf({ unfreezeAskedAt: NOW, unfreezeTriedAt: NOW + 5_000 })).toEqual({ do: 'unfreeze', wrong: null });
    expect(actionOf({ unfreezeAskedAt: NOW - 700_000 })).toBeNull();
  });

  test('does not wait for that with a leg unhedged for too long', () => {
    const alone = { state: 'opening', openedAt: null, stateAt: NOW - 60_000, oneLegSince: NOW - 59_000 } as const;
    expect(actionOf({ ...alone, unfreezeAskedAt: NOW }, [0, 0])).toEqual({
      do: 'move',
      to: 'closing',
      reason: 'oneLeg',
    });
  });

  test('is closed when that was asked for instead', () => {
    expect(actionOf({ unfreezeAskedAt: NOW, closeAskedAt: NOW })).toMatchObject({ do: 'move', to: 'closing' });
    expect(actionOf({ unfreezeAskedAt: NOW, frozen: ORDER_IN_DOUBT })).toEqual({ do: 'recheck' });
    expect(actionOf({ unfreezeAskedAt: NOW, frozen: SHRUNK })).toEqual({ do: 'recheck' });
  });

  test('names the leg that is on the wrong side', () => {
    const action = actionOf({ unfreezeAskedAt: NOW }, [-10, -1010]);
    expect(action).toMatchObject({ do: 'unfreeze', wrong: expect.stringContaining('方向有误') });
  });
});
