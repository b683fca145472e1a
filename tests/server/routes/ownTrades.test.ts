import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { symbol as api, OWN_BARS } from '#contract/symbol';
import { account, fill, user } from '#server/base/db/schema';
import { fileApp } from '../../support/app';
import { addBook, addHedges, addOrders, addPair, type HedgeRows } from '../../support/bookRows';
import { movingMarket, START } from '../../support/paperDesk';

const NOW = START + 10 * DAY_MS;
/** A midnight. */
const FROM = Math.ceil(START / DAY_MS) * DAY_MS;

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 10 } });
market.wait(NOW - START);
const app = await fileApp({ markets: market.markets, clock: market.clock });

const idOf = async (name: string) => {
  const [row] = await app.db.select().from(user).where(eq(user.name, name));
  await addBook(app.db, row!.id);
  return row!.id;
};
const trader = await idOf('trader');
const pairId = await addPair(app.db, {
  ...{ userId: trader, long: 'AAAUSDT', short: 'BBBUSDT' },
  ...{ createdAt: 1, armedAt: 1 },
});

const held = (over: Partial<HedgeRows>): HedgeRows => ({
  id: randomUUID(),
  userId: trader,
  pairId,
  source: 'simulated',
  long: 'AAAUSDT',
  short: 'BBBUSDT',
  state: 'open',
  stateAt: FROM,
  createdAt: FROM,
  openedAt: FROM + HOUR_MS,
  settings: DEFAULT_SETTINGS,
  ratio: 1,
  ...{ longQuantity: '2', longCost: '200', longOpened: '2', longNotional: '200' },
  ...{ shortQuantity: '-4', shortCost: '-208', shortOpened: '4', shortNotional: '208' },
  ...over,
});
const open = held({});
const closed = held({
  ...{ state: 'closed', stateAt: FROM + 3 * DAY_MS, createdAt: FROM + DAY_MS, openedAt: FROM + DAY_MS },
  ...{ closedAt: FROM + 3 * DAY_MS, longQuantity: '0', longCost: '0', shortQuantity: '0', shortCost: '0' },
  ...{ longRealised: '12', shortRealised: '-2', longExit: '106', funding: '1', fees: '3' },
});
const never = held({
  ...{ state: 'failed', stateAt: FROM + 2 * DAY_MS, createdAt: FROM + 2 * DAY_MS, openedAt: null },
  ...{ longQuantity: '0', longCost: '0', longOpened: '0', longNotional: '0' },
  ...{ shortQuantity: '0', shortCost: '0', shortOpened: '0', shortNotional: '0' },
});
await addHedges(app.db, open, closed, never);

let made = 0;
async function traded(side: 'buy' | 'sell', quantity: string, price: string, at: number, accountId = trader) {
  made += 1;
  const shared = { userId: trader, dealId: open.id, source: 'simulated', symbol: 'AAAUSDT', side, quantity };
  const order = { ...shared, id: `order-${made}`, leg: 'long', type: 'market', purpose: 'entry', reduceOnly: false };
  await addOrders(app.db, { ...order, limitPrice: price, decisionMid: 100, state: 'filled', createdAt: at });
  const filled = { ...shared, id: `fill-${made}`, orderId: order.id, price, fee: '0', maker: false, realised: '0', at };
  await app.db.insert(fill).values({ ...filled, accountId });
}
await traded('buy', '1', '100', FROM + HOUR_MS);
await traded('buy', '3', '104', FROM + 2 * HOUR_MS);
await traded('sell', '2', '106', FROM + 3 * HOUR_MS);
await traded('buy', '5', '99', FROM + DAY_MS);
const [real] = await app.db
  .insert(account)
  .values({ userId: trader, venue: 'binance-live', mode: 'live', name: '实盘' })
  .returning();
await traded('buy', '7', '98', FROM + DAY_MS, real!.id);

type Asked = Partial<{ symbol: string; bar: '1d' | '1h'; start: number; end: number; source: string }>;
const ask = async (asked: Asked = {}, who: 'trader' | 'editor' = 'trader') => {
  const query = { symbol: 'AAAUSDT', bar: '1d' as const, start: FROM, end: NOW, ...asked };
  return (await app.as(who)(api.own, { query })).body;
};

describe('GET /api/symbol/own', () => {
  test('fills of a side within a bar are one row with their sum and average price, real ones apart', async () => {
    const { data } = await ask();
    expect(data.fills).toEqual([
      { time: FROM, side: 'buy', mode: 'paper', fills: 2, quantity: 4, price: 103 },
      { time: FROM, side: 'sell', mode: 'paper', fills: 1, quantity: 2, price: 106 },
      { time: FROM + DAY_MS, side: 'buy', mode: 'live', fills: 1, quantity: 7, price: 98 },
      { time: FROM + DAY_MS, side: 'buy', mode: 'paper', fills: 1, quantity: 5, price: 99 },
    ]);
    const hours = await ask({ bar: '1h', end: FROM + 3 * HOUR_MS });
    expect(hours.data.fills.map(({ time, price }) => [time - FROM, price])).toEqual([
      [HOUR_MS, 100],
      [2 * HOUR_MS, 104],
    ]);
  });

  test('a deal spans from its opening to its end; what never held anything is none', async () => {
    const { data } = await ask();
    expect(data.total).toBe(2);
    expect(data.spans).toMatchObject([
      {
        ...{ dealId: closed.id, kind: 'hedge', side: 'long', against: ['BBBUSDT'], state: 'closed' },
        ...{ from: FROM + DAY_MS, to: FROM + 3 * DAY_MS, quantity: '2', entry: 100, exit: 106, pricePnl: 12 },
        // 12 - 2 by price, 1 of funding received, 3 of fees paid.
        net: 8,
      },
      { dealId: open.id, from: FROM + HOUR_MS, to: null, entry: 100, exit: null, pricePnl: 0 },
    ]);
    const other = await ask({ symbol: 'BBBUSDT' });
    expect(other.data.spans.map(({ side, entry }) => [side, entry])).toEqual([
      ['short', 52],
      ['short', 52],
    ]);
    expect(other.data.fills).toEqual([]);
  });

  test('only what lies within the stretch asked for', async () => {
    const late = await ask({ start: FROM + 4 * DAY_MS });
    expect(late.data).toMatchObject({ fills: [], total: 1 });
    expect(late.data.spans.map(({ dealId }) => dealId)).toEqual([open.id]);
    const early = await ask({ start: FROM - 5 * DAY_MS, end: FROM });
    expect(early.data).toEqual({ fills: [], spans: [], total: 0 });
  });

  test('nobody sees the trades of another, or those of another coin or source', async () => {
    const nothing = { fills: [], spans: [], total: 0 };
    expect((await ask({}, 'editor')).data).toEqual(nothing);
    expect((await ask({ symbol: 'CCCUSDT' })).data).toEqual(nothing);
    expect((await ask({ source: 'bybit' })).data).toEqual(nothing);
  });

  test('refuses a stretch that is empty or too long', async () => {
    expect(await ask({ start: NOW, end: NOW })).toMatchObject({ code: 400 });
    expect(await ask({ bar: '1h', start: 0, end: OWN_BARS * HOUR_MS })).toMatchObject({ code: 200 });
    expect(await ask({ bar: '1h', start: 0, end: OWN_BARS * HOUR_MS + 1 })).toMatchObject({ code: 400 });
  });
});
