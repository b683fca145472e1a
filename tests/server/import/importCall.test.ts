import { DAY_MS } from '#contract/duration';
import { createCandles } from '#server/base/maths/candles';
import { Vault } from '#server/base/secret/vault';
import { createMarkets } from '#server/market/markets';
import { buildControl } from '#server/start/control';
import { bodyOf } from '#server/start/import/runImport';
import { atEnd } from '../../support/atEnd';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2025, 0, 1);
const clock = () => Date.UTC(2026, 0, 1);

const db = await fileDatabase();
const vault = async () => new Vault({ masters: [] });
const control = buildControl({ db, clock, vault });
atEnd(() => control.close());

function body(source = 'bybit') {
  const candles = createCandles(3);
  for (const column of Object.values(candles) as Float64Array[]) column.set([7, 8, 9]);
  candles.time.set([START, START + DAY_MS, START + 2 * DAY_MS]);
  return bodyOf({ source, symbol: 'BTCUSDT', bar: '1d', candles });
}

const post = (payload: object) => control.inject({ method: 'POST', url: '/import/series', payload });
const base64 = (...values: number[]) => Buffer.from(Float64Array.from(values).buffer).toString('base64');

test('a series sent to the running server is in the store, and its market moved on', async () => {
  const markets = createMarkets({ db, clock });
  expect(await markets.get('bybit')).toBeUndefined();
  const reply = await post(body());
  expect(reply.json()).toMatchObject({ code: 200, data: { added: 3, replaced: 0 } });
  const market = (await markets.get('bybit'))!;
  expect([...(await market.candles('BTCUSDT', '1d'))!.close]).toEqual([7, 8, 9]);
  expect((await post(body())).json()).toMatchObject({ code: 200, data: { added: 0, replaced: 3 } });
});

test.each([
  ['the name of the simulated market', () => body('simulated'), 'simulated 是内置行情的名字，请换一个交易所名'],
  [
    'the name of an exchange that is followed',
    () => body('binance-live'),
    'binance-live 是实时行情的名字，请换一个交易所名',
  ],
  ['a column of another length', () => ({ ...body(), close: base64(1, 2) }), 'close 列的长度与 count 不符'],
  ['what is no number', () => ({ ...body(), low: base64(1, Number.NaN, 3) }), 'low 列含有不是数字的值'],
  [
    'times that do not rise',
    () => ({ ...body(), time: base64(START, START, START + DAY_MS) }),
    'time 列必须升序、不重复，且在 K 线的整点上',
  ],
])('refuses %s', async (_name, make, message) => {
  const reply = await post(make());
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ code: 400, message });
});
