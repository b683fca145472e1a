import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as api } from '#contract/kinds/hedge/desk';
import { movingMarket } from '../support/paperDesk';
import { tradingApp } from '../support/tradingApp';

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });

const { app, pass } = await tradingApp(market);

test('a pair is configured, entered, closed and armed again by API calls', async () => {
  const trader = app.as('trader');
  await trader(hedgeConfig.create, { body: { ...DEFAULT_SETTINGS, zBar: '1d', legNotional: 1000 } });
  const added = await trader(hedgeConfig.addPair, { body: { long: 'AAAUSDT', short: 'BBBUSDT' } });
  const { pairId } = added.body.data;
  await pass(2);
  const before = (await trader(hedgeConfig.desk)).body.data;
  expect(before.pairs[0]).toMatchObject({ pairId, block: 'disabled', hedgeId: null });
  await trader(hedgeConfig.enable);
  await pass(5);

  const [row] = (await trader(api.list)).body.data.list;
  expect(row).toMatchObject({ state: 'open', pairId, longQuantity: '10', shortQuantity: '-20', badge: null });
  const { id } = row!;
  expect((await trader(hedgeConfig.desk)).body.data).toMatchObject({ running: 1, pairs: [{ hedgeId: id }] });

  market.set('AAAUSDT', 103);
  const [moved] = (await trader(api.list)).body.data.list;
  expect(moved!.longPnl! - row!.longPnl!).toBeCloseTo(30, 6);
  const quote = (await trader(api.quote, { query: { id } })).body.data;

  const closed = await trader(api.close, { query: { id }, headers: { 'idempotency-key': 'close-1' } });
  expect(closed.body.data).toMatchObject({ id, state: 'closed', flat: true });
  const [done] = (await trader(api.list, { query: { state: 'ended' } })).body.data.list;
  expect(done).toMatchObject({ id, closeReason: 'manual', longQuantity: '10', shortQuantity: '-20' });
  // What was quoted is what it brought.
  expect(done!.net).toBeCloseTo(quote.net!, 6);
  const { fills, events, orders } = (await trader(api.detail, { query: { id } })).body.data;
  expect(fills.map(({ leg, side }) => `${leg} ${side}`).sort()).toEqual([
    'long buy',
    'long sell',
    'short buy',
    'short sell',
  ]);
  expect(orders).toHaveLength(4);
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['created', 'opened', 'closing', 'closed']));

  await pass(2);
  expect((await trader(hedgeConfig.desk)).body.data).toMatchObject({ running: 0, pairs: [{ block: 'closedByHand' }] });
  const armed = await trader(hedgeConfig.armPair, { body: { pairId } });
  expect(armed.body.code).toBe(200);
  await pass(5);
  expect((await trader(api.list, { query: { state: 'running' } })).body.data.list).toMatchObject([{ state: 'open' }]);

  const flattened = await trader(api.flatten, { headers: { 'idempotency-key': 'flatten-1' } });
  expect(flattened.body.data).toEqual({ running: 1 });
  await pass(5);
  const end = (await trader(hedgeConfig.desk)).body.data;
  expect(end).toMatchObject({ running: 0, paused: { by: 'trader', reason: '全部平仓' } });
  // Fees and half-spreads of two round trips against what the first one won.
  const { totals } = (await trader(api.list)).body.data;
  expect(totals).toMatchObject({ hedges: 2 });
  expect(end.dayPnl).toBeCloseTo(totals.net, 6);
});

test('an added pair waits for a person, and its entry costs what was quoted', async () => {
  const editor = app.as('editor');
  const sides = { long: 'AAAUSDT', short: 'BBBUSDT' };
  market.set('AAAUSDT', 100);
  const body = { ...DEFAULT_SETTINGS, zBar: '1d', legNotional: 1000, stopLoss: 0.02, rebalance: null } as const;
  expect((await editor(hedgeConfig.entryQuote, { query: sides })).body.code).toBe(5002);
  await editor(hedgeConfig.create, { body });
  const off = (await editor(hedgeConfig.entryQuote, { query: sides })).body.data;
  expect(off.block).toBe('disabled');
  await editor(hedgeConfig.enable);

  const added = await editor(hedgeConfig.addPair, { body: { ...sides, arm: false } });
  expect(added.body.data.block).toBe('unarmed');
  await pass(5);
  const { running, pairs } = (await editor(hedgeConfig.desk)).body.data;
  expect({ running, block: pairs[0]?.block }).toEqual({ running: 0, block: 'unarmed' });

  const quote = (await editor(hedgeConfig.entryQuote, { query: sides })).body.data;
  expect(quote).toMatchObject({
    legs: [
      { leg: 'long', symbol: 'AAAUSDT', quantity: '10' },
      { leg: 'short', symbol: 'BBBUSDT', quantity: '20' },
    ],
    ratio: 2,
    block: null,
    freeMargin: 100_000,
  });
  expect(quote.margin).toBeCloseTo(quote.notional! / 3, 9);
  expect(quote.stop!.net).toBeCloseTo(-0.02 * quote.notional!, 9);
  // A higher leverage asks for less margin, and for no more than the coins allow.
  const more = (await editor(hedgeConfig.entryQuote, { query: { ...sides, leverage: 10 } })).body.data;
  expect(more.margin).toBeCloseTo(quote.notional! / 10, 9);
  const refused = await editor(hedgeConfig.entryQuote, { query: { long: 'AAAUSDT', short: 'NOPEUSDT' } });
  expect(refused.body).toMatchObject({ code: 2002, data: { fields: [{ field: 'short' }] } });

  await editor(hedgeConfig.armPair, { body: { pairId: added.body.data.pairId } });
  await pass(5);
  const [row] = (await editor(api.list)).body.data.list;
  expect(row).toMatchObject({ state: 'open', longQuantity: '10', shortQuantity: '-20' });
  expect(row!.fees).toBeCloseTo(quote.fees!, 6);
  expect(row!.slippage).toBeCloseTo(quote.slippage!, 6);
  expect(row!.notional).toBeCloseTo(quote.notional!, 6);

  market.set('AAAUSDT', quote.stop!.ratio! * 50 + 0.001);
  await pass(3);
  expect((await editor(api.list)).body.data.list[0]).toMatchObject({ state: 'open' });
  market.set('AAAUSDT', quote.stop!.ratio! * 50 - 0.001);
  await pass(3);
  expect((await editor(api.list)).body.data.list[0]).toMatchObject({ state: 'closed', closeReason: 'stopLoss' });
});
