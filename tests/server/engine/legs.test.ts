import Big from 'big.js';
import type { LegOrder } from '#server/engine/kinds/runner';
import { planLegs } from '#server/engine/legs';
import type { LegNow, Legs, LegsRules } from '#server/engine/legsNow';
import { nakedOf } from '#server/engine/naked';
import { DOUBT, SHRUNK } from '#server/engine/words';
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
    wished: 1000 * weight,
    book: { symbol: `${name}USDT`, quantity: signed, cost: new Big(sign * cost), midOpen: price },
    view: { price, mark: price, at: NOW, turnover24h: turnover, fresh: true, jumped: false, tradable: true },
    terms: termsOf(`${name}USDT`),
    gone: null,
    room: 5000,
    account: signed,
    out: false,
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
    mendWay: null,
    mendAskedAt: null,
    thawAskedAt: null,
    thawTriedAt: null,
    frozen: null,
    oneLegSince: null,
    attempts: 0,
    lastSentAt: 0,
    sends: [],
    ...deal,
  },
  legs,
  rules: { ...rules, ...over },
  now: NOW + 1000,
  off: false,
  bears: true,
});

/** The leg that something is to be done with, and how much. */
function wished(of: Legs<Name>, live: LegOrder<Name>[] = []) {
  const wish = planLegs(of, live);
  return wish?.do === 'send' ? [wish.leg, wish.purpose, wish.quantity.toFixed(), wish.capBps] : wish;
}

const basket = (held: Partial<Record<Name, [number, number]>> = {}) => [
  leg('one', { price: 100, turnover: 9e6, held: held.one }),
  leg('two', { price: 50, turnover: 1e6, weight: 0.5, side: 'short', held: held.two }),
  leg('three', { price: 20, turnover: 5e6, weight: 0.5, side: 'short', held: held.three }),
];

const carryOf = (one?: [number, number], two?: [number, number]) =>
  [leg('one', { price: 100, held: one }), leg('two', { price: 101, side: 'short', held: two })] as const;

describe('a deal over three legs', () => {
  test('begins with the leg that trades least, and brings each of the others to what its weight makes of that', () => {
    expect(wished(dealOf(basket()))).toEqual(['two', 'entry', '10', 30]);
    // Half of what was wished came in: the others follow what there is.
    expect(wished(dealOf(basket({ two: [5, 250] })))).toEqual(['one', 'entry', '5', 30]);
    expect(wished(dealOf(basket({ two: [5, 250], one: [5, 500] })))).toEqual(['three', 'entry', '12.5', 30]);
    const whole = basket({ two: [10, 500], one: [10, 1000], three: [25, 500] });
    expect(wished(dealOf(whole))).toEqual({ do: 'move', to: 'open', reason: null });
  });

  test('completes the one leg that is missing at a wider cap, and unwinds all when it does not come', () => {
    const lacking = basket({ two: [10, 500], one: [10, 1000] });
    const aloneFor = (ms: number) => wished({ ...dealOf(lacking, { oneLegSince: NOW }), now: NOW + ms });
    expect(aloneFor(5_000)).toEqual(['three', 'entry', '25', 30]);
    expect(aloneFor(11_000)).toEqual(['three', 'complete', '25', 90]);
    // A person does not wait for that.
    expect(wished(dealOf(lacking, { oneLegSince: NOW, mendWay: 'complete', mendAskedAt: NOW }))).toEqual([
      'three',
      'complete',
      '25',
      90,
    ]);
    expect(aloneFor(21_000)).toEqual({ do: 'move', to: 'closing', reason: 'oneLeg' });
  });

  test('fills up the smaller leg, or goes back at once, when a person asks for it', () => {
    const legs = carryOf([10, 1000], [7, 707]);
    const by = { matchBy: 'quantity', rebalance: null } as const;
    const asked = (state: 'open' | 'opening', way: 'complete' | 'unwind', ms = 1_000) =>
      wished({
        ...dealOf([...legs], { state, openedAt: NOW, mendWay: way, mendAskedAt: NOW, oneLegSince: NOW }, by),
        now: NOW + ms,
      });
    expect(asked('open', 'complete')).toEqual(['two', 'complete', '3', 90]);
    // A minute later nobody asks any more.
    expect(asked('open', 'complete', 61_000)).toBeNull();
    expect(asked('opening', 'complete')).toEqual(['two', 'complete', '3', 90]);
    expect(asked('opening', 'unwind')).toEqual({ do: 'move', to: 'closing', reason: 'oneLeg' });
    const even = {
      ...dealOf([...legs], { state: 'open', openedAt: NOW, mendWay: 'unwind', mendAskedAt: NOW }, by),
      now: NOW + 1_000,
    };
    expect(wished(even)).toEqual(['one', 'rebalance', '3', 30]);
  });

  test('takes its legs down the largest first, and goes on with the next where one could not go', () => {
    const held = basket({ one: [10, 1000], two: [12, 600], three: [20, 400] });
    const closing = (attempts: number) => wished(dealOf(held, { state: 'closing', openedAt: NOW, attempts }));
    expect(closing(0)).toEqual(['one', 'exit', '10', 30]);
    expect(closing(1)).toEqual(['two', 'exit', '12', 60]);
    expect(closing(2)).toEqual(['three', 'exit', '20', 90]);
    expect(wished(dealOf(basket(), { state: 'closing', openedAt: NOW }))).toEqual({ do: 'verify' });
  });

  test('leaves all of its legs alone while the venue of one is out, and takes down what is alone', () => {
    const [one, two] = carryOf([10, 1000], [10, 1010]);
    const asked = (legs: LegNow<Name>[], state: 'open' | 'closing') =>
      wished(dealOf(legs, { state, openedAt: NOW, closeAskedAt: NOW }));
    expect(asked([one, { ...two, out: true }], 'open')).toBeNull();
    expect(asked([one, { ...two, out: true }], 'closing')).toBeNull();
    expect(asked([one, two], 'open')).toEqual({ do: 'move', to: 'closing', reason: 'manual' });
    const [left] = carryOf([10, 1000]);
    expect(asked([left, { ...carryOf()[1], out: true }], 'closing')).toEqual(['one', 'exit', '10', 30]);
  });

  test('takes from the leg that has outgrown its weight what the smallest share of the others leaves it', () => {
    const grown = basket({ one: [14, 1000], two: [10, 500], three: [25, 500] });
    const open = { state: 'open' as const, openedAt: NOW };
    expect(wished(dealOf(grown, open))).toEqual(['one', 'rebalance', '4', 30]);
    expect(wished(dealOf(grown, open, { rebalance: null }))).toBeNull();
    expect(wished(dealOf(basket({ one: [10.2, 1000], two: [10, 500], three: [25, 500] }), open))).toBeNull();
  });

  test('is naked by what the others lack of the largest share', () => {
    const of = (...costs: number[]) => nakedOf(costs.map((cost, i) => ({ cost: new Big(cost), weight: i ? 0.5 : 1 })));
    expect(of(1000, -500, -200)).toBe(600);
    expect(of(1000, -500, -460)).toBe(0);
  });
});

describe('legs that are sent at once', () => {
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

  test('do not wait for each other, each once, and are matched by quantity afterwards', () => {
    const carry = (held: Partial<Record<Name, [number, number]>> = {}) => [
      leg('one', { price: 100, held: held.one }),
      leg('two', { price: 101, side: 'short', held: held.two }),
    ];
    const both = { bringIn: 'atOnce', matchBy: 'quantity' } as const;
    const sent = [{ leg: 'one' as const, at: NOW }];
    const begun = planLegs(dealOf(carry(), {}, both), []);
    expect(begun).toMatchObject({ do: 'sendAll', sends: [{ leg: 'one' }, { leg: 'two' }] });
    expect(wished(dealOf(carry(), { sends: sent }, both), [resting('one')])).toEqual(['two', 'entry', '9.9', 30]);
    const all = { sends: [...sent, { leg: 'two' as const, at: NOW }] };
    expect(wished(dealOf(carry(), all, both), [resting('one'), resting('two')])).toBeNull();
    // The first came whole, the other one in part: as much of the coin, whatever it has cost.
    const part = carry({ one: [10, 1000], two: [6, 606] });
    expect(wished(dealOf(part, all, both))).toEqual(['two', 'entry', '4', 30]);
    const other = carry({ one: [6, 600], two: [9.9, 999.9] });
    expect(wished(dealOf(other, all, both))).toEqual(['one', 'entry', '3.9', 30]);
  });
});

describe('a deal of one leg', () => {
  const alone = (held?: [number, number]) => [leg('one', { price: 100, held })];

  test('opens, is never naked, never out of balance, and ends', () => {
    expect(wished(dealOf(alone()))).toEqual(['one', 'entry', '10', 30]);
    expect(wished(dealOf(alone([10, 1000])))).toEqual({ do: 'move', to: 'open', reason: null });
    expect(nakedOf([{ cost: new Big(1000), weight: 1 }])).toBe(0);
    const open = { state: 'open' as const, openedAt: NOW };
    expect(wished(dealOf(alone([30, 1000]), open))).toBeNull();
    const end = { exitReason: () => 'takeProfit' as const };
    expect(wished(dealOf(alone([10, 1000]), open, end))).toEqual({ do: 'move', to: 'closing', reason: 'takeProfit' });
    expect(wished(dealOf(alone(), open, end))).toEqual({ do: 'move', to: 'closing', reason: 'liquidation' });
  });
});

describe('legs that hold a coin against each other', () => {
  const quantityOf = (one: [number, number], two: [number, number], deal: Partial<Legs<Name>['deal']> = {}) =>
    wished(
      dealOf(
        [...carryOf(one, two)],
        { state: 'open', openedAt: NOW, ...deal },
        { matchBy: 'quantity', rebalance: null },
      ),
    );

  test('are made even from the larger one when a person asks for it, for a minute, and else left as they are', () => {
    expect(quantityOf([10, 1000], [7, 707])).toBeNull();
    expect(quantityOf([10, 1000], [7, 707], { mendWay: 'unwind', mendAskedAt: NOW })).toEqual([
      'one',
      'rebalance',
      '3',
      30,
    ]);
    expect(quantityOf([7, 700], [10, 1010], { mendWay: 'unwind', mendAskedAt: NOW })).toEqual([
      'two',
      'rebalance',
      '3',
      30,
    ]);
    expect(quantityOf([10, 1000], [10, 1010], { mendWay: 'unwind', mendAskedAt: NOW })).toBeNull();
    expect(quantityOf([10, 1000], [7, 707], { mendWay: 'unwind', mendAskedAt: NOW - 61_000 })).toBeNull();
  });
});

describe('a frozen deal that a person wants to go on', () => {
  const held = { state: 'open', openedAt: NOW, frozen: '风控拦截：x' } as const;
  const legs = (short: [number, number] = [10, 1010]) => [...carryOf([10, 1000], short)];
  const wishOf = (deal: Partial<Legs<Name>['deal']>, short?: [number, number]) =>
    planLegs(dealOf(legs(short), { ...held, ...deal }, { matchBy: 'quantity' }), []);

  test('is looked into once, at once, and again with pauses while its venue does not answer', () => {
    expect(wishOf({})).toBeNull();
    expect(wishOf({ thawAskedAt: NOW, attempts: 5, lastSentAt: NOW - 1 })).toEqual({ do: 'thaw', wrong: null });
    expect(wishOf({ thawAskedAt: NOW, attempts: 5, lastSentAt: NOW })).toBeNull();
    expect(wishOf({ thawAskedAt: NOW, attempts: 1, lastSentAt: NOW })).toEqual({ do: 'thaw', wrong: null });
    expect(wishOf({ thawAskedAt: NOW, thawTriedAt: NOW })).toBeNull();
    expect(wishOf({ frozen: null, thawAskedAt: NOW })).toBeNull();
  });

  test('goes the way of its end when that was asked for, and stays with what the engine compares by itself', () => {
    expect(wishOf({ thawAskedAt: NOW, closeAskedAt: NOW })).toMatchObject({ do: 'move', to: 'closing' });
    expect(wishOf({ thawAskedAt: NOW, frozen: DOUBT })).toEqual({ do: 'recheck' });
    expect(wishOf({ thawAskedAt: NOW, frozen: SHRUNK })).toEqual({ do: 'recheck' });
  });

  test('says what is wrong with its legs', () => {
    const wish = wishOf({ thawAskedAt: NOW }, [-10, -1010]);
    expect(wish).toMatchObject({ do: 'thaw', wrong: expect.stringContaining('方向有误') });
  });
});
