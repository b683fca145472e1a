import Big from 'big.js';
import { account } from '#contract/account';
import { liveSource } from '#contract/candle';
import { cexRateDesk } from '#contract/kinds/cexRate/desk';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { answerOf } from '../../support/liveAccount';
import { answered, PERPETUAL, payRate, REAL_PATIENCE_MS } from '../../support/realCarry';
import { realStrategy } from '../../support/realStrategy';
import { fileDatabase } from '../../support/testDatabase';

/** Of a perpetual, at both. */
const ORDER = /^POST .*\/order$/;
const AT = ['binance', 'okx'] as const;
const [LONG, SHORT] = AT.map(liveSource);

const db = await fileDatabase();
const rates = await realStrategy(db, {
  kind: 'cexRate',
  at: AT,
  symbols: [PERPETUAL!],
  params: {
    ...{ ...DEFAULT_CEX_RATE, long: 'binance-live', short: 'okx-live', coins: ['BTC'], legNotional: 2_000 },
    ...{ entryApr: 0, exitApr: null, minHoldingHours: 0, slippageCap: 100 },
    ...{ stopLoss: null, dailyLossLimit: null, maxHoldingHours: null },
  },
});
const { places, owner, preview, started, until, close, end, dealsOf } = rates;
const [bought, sold] = places as [(typeof places)[0], (typeof places)[0]];

const heldAt = ({ customer }: (typeof places)[number]) => customer.positionOf(PERPETUAL!).toNumber();
const entriesAt = ({ customer }: (typeof places)[number]) =>
  [...customer.orders.values()].filter(({ reduceOnly }) => !reduceOnly);

beforeAll(async () => {
  await payRate(db, bought.exchange, LONG!, -0.002);
  await payRate(db, sold.exchange, SHORT!, 0.003);
  await rates.open();
}, 2 * REAL_PATIENCE_MS);
afterEach(() => {
  for (const { exchange } of places) exchange.faults.clear();
});

test('the cap of each account is held against the leg that it has', async () => {
  const own = { notional: 2_000, room: 5_000 };
  expect((await preview()).data.accounts).toMatchObject([LONG, SHORT].map((source) => ({ source, ...own })));
});

test('a difference of rates is opened at two exchanges with as much of both, and closed', async () => {
  const id = await started();
  await until(id, 'open');
  expect(heldAt(bought)).toBeGreaterThan(0);
  expect(heldAt(sold)).toBe(-heldAt(bought));
  const { venues } = (await owner.call(cexRateDesk.margins, { query: { id } })).data;
  expect(venues.map(({ source }) => source)).toEqual([LONG, SHORT]);
  // What backs contracts, without the wallet of spot where that is one of its own.
  for (const [i, backs] of [20_000, 40_000].entries()) expect(Math.abs(venues[i]!.balance! - backs)).toBeLessThan(100);
  expect((await close(id)).code).toBe(200);
  await until(id, 'closed');
  expect(await end(id)).toEqual([]);
});

test.each(['noAnswer', 'cut'] as const)(
  'an order at either exchange that is taken, and then %s, is not sent again',
  async (kind) => {
    for (const { exchange } of places) exchange.faults.next(ORDER, { kind });
    const before = places.map((place) => entriesAt(place).length);
    const id = await started();
    await until(id, 'open');
    expect(heldAt(sold)).toBe(-heldAt(bought));
    expect(places.map((place, i) => entriesAt(place).length - before[i]!)).toEqual([1, 1]);
    for (const { exchange } of places) exchange.faults.next(ORDER, { kind });
    expect((await close(id)).code).toBe(200);
    await until(id, 'closed');
    expect(await end(id)).toEqual([]);
  },
);

test('what one exchange refuses is taken back at the other', async () => {
  bought.exchange.faults.next(ORDER, answerOf(400, { code: -2019, msg: 'Margin is insufficient.' }), 1_000);
  const before = entriesAt(sold).length;
  const id = await started();
  await answered('it has failed', async () => (await dealsOf(id)).some(({ state }) => state === 'failed'));
  expect(entriesAt(sold).length).toBeGreaterThan(before);
  expect((await dealsOf(id)).find(({ state }) => state === 'failed')!.refusal).toBe('保证金不足');
  expect(await end(id)).toEqual([]);
});

test('a leg that was traded away by hand is told beside the deal', async () => {
  const id = await started();
  await until(id, 'open');
  const { exchange, customer } = bought;
  const byHand = (side: 'buy' | 'sell') =>
    exchange.trading.place(customer, {
      ...{ symbol: PERPETUAL!, wallet: 'derivatives', clientId: `web_${side}`, side, type: 'market' },
      ...{ timeInForce: 'IOC', price: null, quantity: new Big('0.009'), reduceOnly: false },
    });
  byHand('sell');
  const told = async () => (await owner.call(cexRateDesk.deals, { query: { id } })).data.list[0]?.taken;
  await answered('it is told', async () => /0\.009 已被外部成交抵掉/.test((await told()) ?? ''));
  byHand('buy');
  await answered('it is made good', async () => (await told()) === undefined);
  expect(await end(id)).toEqual([]);
});

test('a close that one exchange does not hear is done when it is there again', async () => {
  const id = await started();
  await until(id, 'open');
  const size = heldAt(bought);
  const { faults } = sold.exchange;
  Object.assign(faults, { isRestDown: true, areStreamsDown: true });
  await answered('it is told', async () => (await owner.call(account.stops)).data.outages.includes(SHORT!));
  expect((await preview()).data.accounts.map(({ isSilent }) => isSilent)).toEqual([undefined, true]);
  expect((await close(id)).code).toBe(200);
  expect((await dealsOf(id))[0]).toMatchObject({ state: 'open', closeAsked: true });
  expect(places.map(heldAt)).toEqual([size, -size]);
  faults.clear();
  await until(id, 'closed');
  expect(await end(id)).toEqual([]);
});
