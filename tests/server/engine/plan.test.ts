import Big from 'big.js';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import type { SymbolView } from '#server/engine/marketSnapshot';
import type { PlanContext } from '#server/engine/runner';
import type { BookOrder } from '#server/engine/tradingBook';
import { planHedge } from '#server/kinds/hedge/runner';
import { newPairDeal } from '../../support/newPairDeal';
import { openOrder } from '../../support/openOrder';
import { termsOf } from '../../support/paperDesk';

const NOW = Date.UTC(2026, 0, 15);

const viewAt = (price: number, turnover24h: number): SymbolView => ({
  price,
  mark: price,
  at: NOW,
  turnover24h,
  fresh: true,
  jumped: false,
  tradable: true,
});

/** Nothing stands in the way, nothing is held. */
const contextOf = (
  now: number,
  long: PlanContext<'hedge'>['long'],
  short: PlanContext<'hedge'>['short'],
): PlanContext<'hedge'> => ({
  ...{ now, long, short },
  terms: { long: termsOf('AAAUSDT'), short: termsOf('BBBUSDT') },
  gone: { long: null, short: null },
  signal: null,
  observed: null,
  entriesDisabled: false,
  targetNotional: { long: 2000, short: 2000 },
  room: { long: 2000, short: 2000 },
  hasMargin: true,
  orders: 10,
  venueDown: { long: false, short: false },
  account: { long: new Big(0), short: new Big(0) },
  offset: { long: new Big(0), short: new Big(0) },
  earlier: null,
  stock: new Big(0),
  isFollowed: false,
});

test('a second leg filled at other prices is matched to the cost of the first', () => {
  const hedge = newPairDeal(DEFAULT_SETTINGS, NOW);
  hedge.state = 'opening';
  // 15 coins at 100 were matched by 30 at 50; 15 more came at 96 while the other coin fell to 48.
  Object.assign(hedge.legs.long, { quantity: new Big(30), cost: new Big(2940), midOpen: 98 });
  Object.assign(hedge.legs.short, { quantity: new Big(-30), cost: new Big(-1500), midOpen: 50 });
  const context = {
    ...contextOf(NOW, viewAt(96, 1e6), viewAt(48, 1e9)),
    account: { long: new Big(30), short: new Big(-30) },
  };
  const action = planHedge(hedge, [], context);
  expect(action).toMatchObject({ do: 'send', leg: 'short', purpose: 'entry', adds: true });
  expect(action?.do === 'send' && action.quantity.toFixed()).toBe('30');
});

test.each([
  ['1.234567', '1.23'],
  ['0.001234', null],
])('coin of %s goes out in whole lots also before its first price is there: %s', (held, wanted) => {
  const hedge = newPairDeal(DEFAULT_SETTINGS, NOW);
  Object.assign(hedge, { state: 'closing', closeAskedAt: NOW, openedAt: NOW });
  Object.assign(hedge.legs.long, { quantity: new Big(held), cost: new Big(held).times(100), midOpen: 100 });
  const context = contextOf(NOW, undefined, viewAt(50, 1e9));
  const terms = { ...context.terms, long: { ...termsOf('AAAUSDT'), kind: 'spot' as const } };
  const action = planHedge(hedge, [], { ...context, terms, account: { ...context.account, long: new Big(held) } });
  expect(action && { ...action, quantity: action.do === 'send' && action.quantity.toFixed() }).toEqual(
    wanted === null ? null : expect.objectContaining({ do: 'send', leg: 'long', quantity: wanted }),
  );
});

describe('an entry by a resting order', () => {
  const maker = { ...DEFAULT_SETTINGS, orderType: 'maker' as const };
  const opening = () => {
    const hedge = newPairDeal(maker, NOW);
    hedge.state = 'opening';
    hedge.legs.long.midOpen = 100;
    hedge.legs.short.midOpen = 50;
    return hedge;
  };
  const restingOn = (leg: 'long' | 'short', over: Partial<BookOrder> = {}): BookOrder =>
    openOrder(
      {
        id: leg,
        dealId: 'h',
        symbol: leg === 'long' ? 'AAAUSDT' : 'BBBUSDT',
        leg,
        side: leg === 'long' ? 'buy' : 'sell',
        type: 'maker',
        quantity: new Big(20),
        createdAt: NOW,
      },
      over,
    );
  const observed = (now: number, turnover: [number, number]) =>
    contextOf(now, viewAt(100, turnover[0]), viewAt(50, turnover[1]));

  test('is cancelled before the hedge is given up', () => {
    const order = restingOn('long');
    expect(planHedge(opening(), [order], observed(NOW + 1000, [2e6, 1e6]))).toBeNull();
    expect(planHedge(opening(), [order], observed(NOW + 121_000, [2e6, 1e6]))).toEqual({ do: 'cancel', order });
  });

  test('in doubt is looked up after the venue ended it', () => {
    const order = restingOn('long', { state: 'inDoubt', reportedState: 'cancelled' });
    expect(planHedge(opening(), [order], observed(NOW, [1e6, 2e6]))).toEqual({ do: 'lookup', order });
  });

  test('does not begin without margin for both legs', () => {
    const context = observed(NOW, [1e6, 2e6]);
    expect(planHedge(opening(), [], context)).toMatchObject({ do: 'send', leg: 'long' });
    expect(planHedge(opening(), [], { ...context, hasMargin: false })).toBeNull();
  });

  test('completes one lot short where the last lot has no room', () => {
    const hedge = opening();
    const coarse = { ...termsOf('BBBUSDT'), lotSize: '2' };
    Object.assign(hedge.legs.long, { quantity: new Big('1.5'), cost: new Big(150), midOpen: 100 });
    Object.assign(hedge.legs.short, { quantity: new Big(-2), cost: new Big(-100) });
    hedge.params = { ...maker, legNotional: 150 };
    hedge.oneLegSince = NOW;
    const context = observed(NOW + 1000, [1e6, 2e6]);
    const of = { ...context, terms: { ...context.terms, short: coarse }, room: { long: 0, short: 55 } };
    expect(planHedge(hedge, [], of)).toEqual({ do: 'move', to: 'open', reason: null });
  });
});
