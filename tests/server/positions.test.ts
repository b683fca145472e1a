import Big from 'big.js';
import { symbolKey } from '#server/base/symbolKey';
import type { HeldLeg } from '#server/desk/account/holdings';
import { type PositionView, positionsOf } from '#server/desk/account/positions';
import type { TradingTerms, VenuePosition } from '#server/market/venue';

const place = (symbol: string) => ({ source: 'simulated', symbol });
const deal = { id: 'd', kind: 'okx', strategy: '现货套利', long: 'XUSDT', short: 'XUSDT', leverage: 2, ratio: 1 };
const legOf = (symbol: string, quantity: string, cost: string, isSingle: boolean): HeldLeg => ({
  ...{ ...place(symbol), accountId: 'a', leg: quantity.startsWith('-') ? 'short' : 'long' },
  ...{ quantity: new Big(quantity), cost: new Big(cost), deal: { ...deal, isSingle, rebalance: null } },
});
const terms = new Map(
  [place('XUSDT_SPOT'), place('XUSDT')].map((of, i): [string, TradingTerms] => [
    symbolKey(of),
    { ...of, kind: i === 0 ? 'spot' : 'perpetual', minNotional: '5', lotSize: '0.1' } as TradingTerms,
  ]),
);
const rowsOf = (
  held: Record<string, string>,
  legs: HeldLeg[],
  stock: Record<string, string> = {},
  said: Partial<VenuePosition> = {},
) => {
  const view: PositionView = {
    ...{ accountId: 'a', legs, allLegs: legs, terms, pending: new Set(), margin: null },
    ...{
      marks: { get: () => ({ price: 11, at: 0, fundingRate: null, nextFundingAt: null }) },
      funding: new Map(),
      ignored: {},
    },
    stock: new Map(Object.entries(stock).map(([symbol, quantity]) => [symbol, new Big(quantity)])),
  };
  return positionsOf(
    Object.entries(held).map(([symbol, quantity]) => ({ ...place(symbol), quantity, ...said })),
    view,
  );
};

test('coin that a strategy owns between its deals is its stock, and what is beyond that an orphan', () => {
  const badges = (quantity: string) => rowsOf({ XUSDT_SPOT: quantity }, [], { XUSDT_SPOT: '10' })[0]!.badges;
  expect(badges('10')).toEqual(['stock']);
  // The rest of it lies at the other venue.
  expect(badges('4')).toEqual(['stock']);
  expect(badges('11')).toEqual(['orphan']);
  expect(rowsOf({ XUSDT_SPOT: '10' }, [])[0]!.badges).toEqual(['orphan']);
});

test('coin that is too little for any order is a crumb, a contract never', () => {
  // 5 USDT and 2 % at a price of 11.
  const badges = (symbol: string, quantity: string, legs: HeldLeg[] = []) =>
    rowsOf({ [symbol]: quantity }, legs)[0]!.badges;
  expect(badges('XUSDT_SPOT', '0.499')).toEqual(['crumb']);
  expect(badges('XUSDT_SPOT', '0.5')).toEqual(['orphan']);
  expect(badges('XUSDT_SPOT', '10.4', [legOf('XUSDT_SPOT', '10', '100', true)])).toEqual(['crumb']);
  expect(badges('XUSDT_SPOT', '9.9', [legOf('XUSDT_SPOT', '10', '100', true)])).toEqual(['missing']);
  expect(badges('XUSDT', '0.1')).toEqual(['orphan']);
});

test('a deal of one leg by design lacks none', () => {
  const badges = (isSingle: boolean) => rowsOf({ XUSDT: '-10' }, [legOf('XUSDT', '-10', '-100', isSingle)])[0]!.badges;
  expect(badges(true)).toEqual([]);
  expect(badges(false)).toEqual(['oneLeg']);
});

test('spot is paid in full, a contract by its margin', () => {
  const of = (symbol: string) => rowsOf({ [symbol]: '10' }, [legOf(symbol, '10', '100', true)])[0]!;
  expect(of('XUSDT')).toMatchObject({ leverage: 2, unrealised: '10', roe: 0.2 });
  expect(of('XUSDT_SPOT')).toMatchObject({ leverage: 1, unrealised: '10', roe: 0.1 });
});

test('a position of no deal has the leverage that its exchange says; one of a deal has that of the deal', () => {
  const of = (symbol: string, leverage?: number, legs: HeldLeg[] = []) =>
    rowsOf({ [symbol]: '10' }, legs, {}, { leverage })[0]!.leverage;
  expect(of('XUSDT', 5)).toBe(5);
  expect(of('XUSDT')).toBeNull();
  expect(of('XUSDT_SPOT')).toBe(1);
  expect(of('XUSDT', 5, [legOf('XUSDT', '10', '100', true)])).toBe(2);
});

test('a position that is partly by hand has the price and the result of all of it, as its exchange says', () => {
  const told = { entryPrice: '10.5', unrealised: '7.5' };
  const of = (quantity: string, legs: HeldLeg[]) => rowsOf({ XUSDT: quantity }, legs, {}, { told })[0]!;
  const own = legOf('XUSDT', '10', '100', true);
  expect(of('15', [own])).toMatchObject({ ...told, quantity: '15', roe: null });
  // Of what no deal explains nobody knows which funding was its.
  expect(of('15', [])).toMatchObject({ ...told, quantity: '15', funding: null });
  expect(of('15', [own])).toMatchObject({ funding: '0' });
  // One that is all ours has what its deals have paid.
  expect(of('10', [own])).toMatchObject({ entryPrice: '10', unrealised: '10', roe: 0.2 });
});
