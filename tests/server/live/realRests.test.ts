import { apiKey } from '#contract/apiKey';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { strategies as api } from '#contract/strategies';
import { PERPETUAL, payRate, REAL_PATIENCE_MS } from '../../support/realCarry';
import { realStrategy } from '../../support/realStrategy';
import { fileDatabase } from '../../support/testDatabase';

const db = await fileDatabase();
const rates = await realStrategy(db, {
  kind: 'cexRate',
  at: ['bybit', 'gate'],
  symbols: [PERPETUAL!],
  params: {
    ...{ ...DEFAULT_CEX_RATE, long: 'bybit-live', short: 'gate-live', coins: ['BTC'], legNotional: 2_000 },
    ...{ entryApr: 0, exitApr: null, minHoldingHours: 0, slippageCap: 100 },
    ...{ stopLoss: null, dailyLossLimit: null, maxHoldingHours: null },
  },
});
const [bybit, gate] = rates.places as [(typeof rates.places)[0], (typeof rates.places)[0]];
const { call } = rates.owner;

beforeAll(async () => {
  await payRate(db, bybit.exchange, 'bybit-live', -0.002);
  await payRate(db, gate.exchange, 'gate-live', 0.003);
  await rates.open();
}, 2 * REAL_PATIENCE_MS);

test('nothing is said to rest on its way out where the account has no countdown', async () => {
  const id = await rates.started();
  await rates.until(id, 'open');
  const deal = (await rates.dealsOf(id))[0]!.id;
  const quoted = async () => (await call(api.closeQuote, { query: { id: deal, percent: '75', maker: 'true' } })).data;
  const { refusal, held } = await quoted();
  expect(refusal).toMatch(/没有断连撤单（DCP）/);
  expect((await call(api.reduceDeal, { body: { id: deal, percent: 75, maker: true, held } })).code).toBe(400);
  expect((await call(api.closeDeal, { body: { id: deal, maker: true } })).code).toBe(400);

  bybit.customer.dcp.set('derivatives', 10);
  const keys = (await call(apiKey.list)).data.list;
  const { id: key } = keys.find(({ exchange }) => exchange === 'bybit')!;
  expect((await call(apiKey.test, { body: { id: key } })).code).toBe(200);
  expect((await quoted()).refusal).toBeNull();
  expect(await rates.end(id)).toEqual([]);
});
