import { randomUUID } from 'node:crypto';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { strategies as api } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { KIND_SAMPLES, simulatedMarket } from '../support/kindDesk';
import { tradingApp } from '../support/tradingApp';

const SYMBOL = 'BTCUSDT';
const { moving, venues } = simulatedMarket(KIND_SAMPLES.grid.start);
const { app, pass } = await tradingApp(moving);
const { price } = venues[0]!.listed(SYMBOL)!.ticker;

/** Near its lower end, where a long grid holds nearly all that it may. */
const params = {
  ...{ ...DEFAULT_GRID, source: 'simulated', symbol: SYMBOL, direction: 'long', cells: 5 },
  ...{ lower: Math.round(price * 0.99), upper: Math.round(price * 1.3) },
  ...{ leverage: 2, stopLoss: null, dailyLossLimit: null },
} as const;

test('what a strategy holds already is no lack of the account when it is tried again', async () => {
  const call = app.as('master');
  await call(venueAccount.open, { body: { venue: 'simulated', name: '模拟' } } as never);
  const [account] = (await call(venueAccount.list)).body.data.list;
  // Three fifths of the account.
  const legNotional = Math.round(Number(account!.equity ?? 100_000) * 0.6 * params.leverage);
  const body = { kind: 'grid' as const, params: { ...params, legNotional } };
  const before = (await call(api.preview, { body })).body.data;
  expect(before.targets).toMatchObject([{ block: null }]);
  const headers = () => ({ 'idempotency-key': randomUUID() });
  const made = await call(api.create, { body: { ...body, name: 'own', mode: 'paper' }, headers: headers() });
  const { id } = made.body.data!;
  const open = (await call(api.list)).body.data.list[0]!.targets.map((target) => target.id);
  await call(api.start, { body: { id, open }, headers: headers() });
  await pass(5);
  const [deal] = (await call(api.deals, { query: { id } })).body.data.list;
  expect(deal).toMatchObject({ state: 'open' });
  const lackOf = ({ accounts: [row] }: typeof before) => row!.margin! > row!.freeMargin!;
  expect(lackOf((await call(api.preview, { body })).body.data)).toBe(true);
  expect(lackOf((await call(api.preview, { body: { ...body, id } })).body.data)).toBe(false);
});
