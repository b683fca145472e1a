import Big from 'big.js';
import type { Leg } from '#contract/lifecycle';
import { symbolKey } from '#server/base/symbolKey';
import { freeOf, spareOf } from '#server/engine/holdings';
import type { AccountBook, BookOrder, DealBook, UserBook } from '#server/engine/tradingBook';

const SPOT = { source: 'simulated', symbol: 'SOLUSDT_SPOT' };

/** What an account of 10 coins may part with while a deal holds so much of it. */
function partOf(held: string, orders: Partial<BookOrder>[] = [], asked = '0') {
  const account = { id: 'a', positions: new Map([[symbolKey(SPOT), new Big(10)]]) } as unknown as AccountBook;
  const legs = Object.fromEntries(
    (['long', 'short'] as Leg[]).map((leg) => [
      leg,
      { accountId: leg === 'long' ? 'a' : 'b', ...SPOT, quantity: new Big(held) },
    ]),
  );
  const book = {
    deals: new Map([['d', { legs } as unknown as DealBook]]),
    orders: new Map(orders.map((order, i) => [i, { dealId: 'd', leg: 'long', accountId: 'a', ...SPOT, ...order }])),
    transfers: new Map([['t', { fromId: 'a', fromSymbol: SPOT.symbol, state: 'asked', amount: new Big(asked) }]]),
  } as unknown as UserBook;
  return [freeOf(book, SPOT, account).toFixed(), spareOf(book, SPOT, account).toFixed()];
}

test('coin held by a deal is not free', () => {
  expect(partOf('4')).toEqual(['6', '6']);
  expect(partOf('-4')).toEqual(['10', '10']);
});

test('coin in transfers and live sales is not spare', () => {
  const sell = { side: 'sell', quantity: new Big(3), filledQuantity: new Big(1), reportedState: null } as const;
  expect(partOf('0', [sell])).toEqual(['10', '8']);
  expect(partOf('4', [sell])).toEqual(['6', '6']);
  expect(partOf('0', [{ ...sell, side: 'buy' }])).toEqual(['10', '10']);
  expect(partOf('0', [sell], '2.5')).toEqual(['10', '5.5']);
});
