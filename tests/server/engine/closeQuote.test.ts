import Big from 'big.js';
import { and, eq } from 'drizzle-orm';
import { ledger } from '#server/base/db/schema';
import { type DealColumns, dealsById } from '#server/base/db/strategies/deal';
import { closeQuote } from '#server/desk/strategy/closeQuote';
import { closeDeal } from '#server/desk/strategy/strategyIntents';
import { KIND_SAMPLES, kindDesk, kindMarket, type TradedKind } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const market = kindMarket();
const db = await fileDatabase();

// An arbitrage holds only while its two orders are under way.
const KINDS = (Object.keys(KIND_SAMPLES) as TradedKind[]).filter((kind) => kind !== 'okx');

test.each(KINDS)('a deal of kind %s closes at the quoted result', async (kind) => {
  const desk = await kindDesk(db, market, kind, {});
  const read = async () => {
    const ids = (await desk.deals()).map(({ id }) => id);
    return (await dealsById(db, desk.userId, ids)).find(({ legs }) => legs.some(({ quantity }) => Number(quantity)));
  };
  let deal = await read();
  for (let left = 30; left > 0 && deal === undefined; left -= 1) {
    await desk.run(1);
    deal = await read();
  }
  const quote = await closeQuote(desk.needs, deal!);
  const held = deal!.legs.filter(({ quantity }) => Number(quantity) !== 0);
  expect(quote.legs.map(({ leg }) => leg).sort()).toEqual(held.map(({ leg }) => leg).sort());
  for (const one of quote.legs) {
    const { symbol, source, quantity } = held.find(({ leg }) => leg === one.leg)!;
    expect(one).toMatchObject({ symbol, source });
    expect(new Big(one.quantity).plus(one.left).toFixed()).toBe(new Big(quantity).abs().toFixed());
    expect(one.side).toBe(Number(quantity) > 0 ? 'sell' : 'buy');
  }
  const notional = quote.legs.reduce((sum, { price, quantity }) => sum + price! * Number(quantity), 0);
  expect(quote.cost!).toBeGreaterThan(0);

  await desk.ask((tx, asker) => closeDeal(tx, asker, deal!.id));
  await desk.run(15);
  const [ended] = await dealsById(db, desk.userId, [deal!.id]);
  const sum = (rows: typeof held, figure: 'realised' | 'fees' | 'funding') =>
    rows.reduce((total, row) => total + Number(row[figure]), 0);
  const net = (rows: typeof held) => sum(rows, 'realised') + sum(rows, 'funding') - sum(rows, 'fees');
  expect(ended!.legs.every(({ quantity }) => Number(quantity) === 0)).toBe(true);
  // The market moves on while the orders travel: a few hundredths of a per cent of what is traded.
  expect(Math.abs(net(ended!.legs) - quote.net!)).toBeLessThan(notional * 0.0005);
  expect(Math.abs(net(ended!.legs) - net(deal!.legs) - quote.realised!)).toBeLessThan(notional * 0.0005);
  // What is too little for an order stays in the account, as it was told before.
  const ofDeal = and(eq(ledger.dealId, deal!.id), eq(ledger.kind, 'writeOff'));
  const stayed = await db.select().from(ledger).where(ofDeal);
  expect(stayed.map(({ symbol, quantity }) => [symbol, new Big(quantity!).abs().toFixed()])).toEqual(
    quote.legs.filter(({ left }) => left !== '0').map(({ symbol, left }) => [symbol, left]),
  );
  if (kind === 'fundingRate') await expectCrumb(desk.needs, deal!, stayed[0]!.symbol);
});

/** Of coin below its smallest order nothing is sold, and what the rest costs and brings is told as ever. */
async function expectCrumb(needs: Parameters<typeof closeQuote>[0], deal: DealColumns, symbol: string): Promise<void> {
  const legs = deal.legs.map((leg) => (leg.symbol === symbol ? { ...leg, quantity: '0.01', cost: '0.01' } : leg));
  const { cost, net, legs: quoted } = await closeQuote(needs, { ...deal, legs });
  const crumb = quoted.find((leg) => leg.symbol === symbol)!;
  expect(crumb).toMatchObject({ quantity: '0', left: '0.01', price: null, slippage: 0, fee: 0 });
  expect([cost, net]).toEqual([expect.any(Number), expect.any(Number)]);
}
