import Big from 'big.js';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as api } from '#contract/kinds/hedge/desk';
import { movingMarket } from '../../support/paperDesk';
import { tradingApp } from '../../support/tradingApp';

const PRICES = { AAAUSDT: 100, BBBUSDT: 50 } as const;
const STEP = new Big('0.01');
const LEG = 1_000;
/** Of a leg so much can be had within any reach; it is there again with the next look. */
const SHARE = 0.15;

const market = movingMarket({ AAAUSDT: { price: PRICES.AAAUSDT }, BBBUSDT: { price: PRICES.BBBUSDT } });
market.market.book = (symbol) => {
  const price = PRICES[symbol as keyof typeof PRICES];
  const lots = Math.floor((LEG * SHARE) / price / 0.01);
  const at = (ticks: number) => [{ ticks, lots }];
  return { tickSize: STEP, lotSize: STEP, bids: at(price * 100 - 1), asks: at(price * 100 + 1) };
};
const { app, pass } = await tradingApp(market);

test('a hedge whose orders are filled by a part each goes in and out within seconds', async () => {
  const trader = app.as('trader');
  const settings = { ...DEFAULT_SETTINGS, zBar: '1d', legNotional: LEG, stopLoss: null, rebalance: null } as const;
  await trader(hedgeConfig.create, { body: settings });
  await trader(hedgeConfig.addPair, { body: { long: 'AAAUSDT', short: 'BBBUSDT' } });
  await trader(hedgeConfig.enable);
  const listed = async (state: 'running' | 'ended') => (await trader(api.list, { query: { state } })).body.data.list;
  await pass(20);
  const [open] = await listed('running');
  expect(open).toMatchObject({ state: 'open', longQuantity: '10' });
  const closing = trader(api.close, { query: { id: open!.id }, headers: { 'idempotency-key': 'close-thin' } });
  // Neither leg runs ahead of the other by more than one part.
  for (let looks = 0; looks < 20 && (await listed('running')).length > 0; looks += 1) {
    await pass(1);
    const [row] = await listed('running');
    if (row === undefined) break;
    const [long, short] = [Number(row.longQuantity) * 100, Number(row.shortQuantity) * -50];
    expect(Math.abs(long - short)).toBeLessThan(2 * SHARE * LEG);
  }
  expect(await listed('ended')).toMatchObject([{ id: open!.id, state: 'closed' }]);
  await closing;
});
