import Big from 'big.js';
import { eq, sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { okxDesk } from '#contract/kinds/okx/desk';
import { DEFAULT_OKX, type OkxParams } from '#contract/kinds/okx/params';
import { accountsOf } from '#server/base/db/accounts/venueAccount';
import type { Queries } from '#server/base/db/client';
import { accountTransfer, book, deal, ledger, strategy, strategyGuard, tradeOrder, user } from '#server/base/db/schema';
import { dealSumsOf, stocksOf } from '#server/base/db/strategies/strategyFigures';
import { askCoin, coinTerms } from '#server/desk/account/transferring';
import { aimOf, flattenAim } from '#server/desk/flatten/flattenIntents';
import { flattenPreview } from '#server/desk/flatten/flattenPreview';
import { createStrategy, startStrategy, stopStrategy, updateStrategy } from '#server/desk/strategy/strategyIntents';
import { strategyOverview } from '#server/desk/strategy/strategyOverview';
import { dealRows, strategyRows } from '#server/desk/strategy/strategyRows';
import { previewTargets, targetsOf } from '#server/engine/preview';
import { newDeal } from '#server/engine/tradingBook';
import { okxDeskOf } from '#server/kinds/okx/desk';
import { banWord, tradeOnce } from '#server/kinds/okx/routes';
import { okx } from '#server/kinds/okx/runner';
import type { BookLevel } from '#server/market/exchange';
import { markPrice } from '#server/market/marks';
import type { PaperVenueOptions } from '#server/market/paper/paperVenue';
import { settleDemoUsers } from '#server/start/demo/demoUsers';
import { testApp } from '../../support/app';
import { addBook } from '../../support/bookRows';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';
import { traderOf } from '../../support/tradingDesk';

/** GRASS is cheap at OKX for some seconds 990 s after. */
const START = Date.UTC(2026, 8, 1, 4, 30) + 960 * SECOND_MS;

const db = await fileDatabase();

async function arbitrageDesk(over: Partial<OkxParams> = {}, venue: Partial<PaperVenueOptions> = {}, userId?: string) {
  const params = { ...DEFAULT_OKX, coins: ['GRASS'], hedge: false, ...over };
  const options = { second: 100_000, venue, ...(userId === undefined ? {} : { userId }) };
  const desk = await strategyDesk(db, simulatedMarket(START), 'okx', params, options);
  const { needs, ask } = desk;
  return {
    ...desk,
    /** Moves a coin as a person asks for it. */
    move: async (from: string, to: string, quantity: number) => {
      const body = { from, to, coin: 'GRASS', quantity };
      const terms = await coinTerms(needs, desk.userId, body);
      await ask((tx, { now }) => askCoin(tx, { userId: desk.userId, now }, body, terms));
      return terms;
    },
    change: async (next: Partial<OkxParams>) => {
      const plan = await desk.planOf({ ...params, ...next });
      await ask((tx, asker, id) => updateStrategy(tx, asker, id, 1, plan));
    },
    overview: () => strategyOverview(needs, desk.userId, desk.clock.now),
    read: () => okxDeskOf(needs, desk.userId, desk.id),
    deals: async () =>
      (await desk.deals()).map((row) => ({ ...row, isStock: (row.opening as { isStock: boolean }).isStock })),
    /** Coin at all venues by the ledger. */
    coins: async () => {
      const rows = await db.select().from(ledger).where(eq(ledger.userId, desk.userId));
      return rows.reduce(
        (sum, { kind, quantity }) => (kind === 'fill' || kind === 'coin' ? sum.plus(quantity ?? 0) : sum),
        new Big(0),
      );
    },
  };
}

test('stocks both venues, takes a gap with two orders and sells its inventory on request', async () => {
  const sentAt: number[] = [];
  const latency = () => {
    sentAt.push(performance.now());
    return 80;
  };
  const desk = await arbitrageDesk({}, { latency });
  // Before it is saved it is told that an inventory comes first, and that its signal is a gap and nothing a year.
  const { needs } = desk;
  const { legs } = await targetsOf(desk.markets, 'okx', { ...DEFAULT_OKX, coins: ['GRASS'], hedge: false });
  const dry = (over: Partial<OkxParams>) =>
    previewTargets(needs, 'okx', { ...DEFAULT_OKX, coins: ['GRASS'], hedge: false, ...over }, legs);
  const tried = await dry({});
  expect(tried.signalIs).toBe('edge');
  expect(tried.rows.map(({ block, isStock }) => [block, isStock])).toEqual([
    [null, true],
    [null, true],
  ]);
  const bare = await dry({ stockNotional: null });
  expect(bare.rows.every(({ block, isStock }) => block !== null && isStock === undefined)).toBe(true);
  await desk.run(8);
  const stock = await desk.deals();
  expect(stock.map(({ isStock, state, long }) => [isStock, state, long.source]).sort()).toEqual([
    [true, 'closed', 'simulated'],
    [true, 'closed', 'simulated-okx'],
  ]);
  const before = await desk.coins();
  expect(before.toNumber()).toBeGreaterThan(0);
  expect((await desk.targets()).every(({ block }) => block === 'waitsForEdge')).toBe(true);

  sentAt.length = 0;
  await desk.run(30);
  const trades = (await desk.deals()).filter(({ isStock }) => !isStock);
  expect(trades.length).toBeGreaterThan(0);
  const [first] = trades;
  expect(first).toMatchObject({ state: 'closed', closeReason: 'done', long: { source: 'simulated-okx' } });
  // The second order left while the first was still on its way.
  expect(sentAt[1]! - sentAt[0]!).toBeLessThan(70);
  const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.dealId, first!.id));
  expect(orders.map(({ sentAt: at }) => at)).toEqual([orders[0]!.sentAt, orders[0]!.sentAt]);

  // What was bought and sold is one quantity, but for the lot that the fee leaves.
  const { lotSize } = (await desk.venue.terms('simulated', 'GRASSUSDT_SPOT'))!;
  const moved = (await desk.coins()).minus(before).abs().div(trades.length);
  expect(moved.lte(lotSize)).toBe(true);
  const cash = await desk.netOf(first!.id);
  // What was seen is what was made, within the second that it took.
  expect(cash.div(first!.long.notional).toNumber()).toBeCloseTo(first!.signalOpen!, 4);
  expect((await desk.targets()).reduce((sum, row) => sum + row.seen, 0)).toBeGreaterThan(0);

  const { funnel, inventory, moves, trades: told } = await desk.read();
  expect(funnel).toEqual({
    seen: expect.any(Number),
    attempted: trades.length,
    filled: trades.length,
    profitable: trades.length,
  });
  expect(funnel.seen).toBeGreaterThanOrEqual(funnel.attempted);
  expect(told[0]).toMatchObject({ buy: 'simulated-okx', sell: 'simulated', apartMs: 0, state: 'closed' });
  const held = inventory.reduce((sum, { quantity }) => sum.plus(quantity), new Big(0));
  expect(held.toFixed()).toBe((await desk.coins()).toFixed());
  // The coin went from where it is dear to where it was cheap: it is told what would bring it back.
  expect(moves).toMatchObject([{ base: 'GRASS', from: 'simulated-okx', to: 'simulated' }]);

  expect(moves[0]).toMatchObject({ canMove: 'open', fee: 1, fromAccount: expect.any(String), network: 'ERC20' });

  await desk.change({ stockNotional: 0 });
  await desk.run(15);
  const left = await desk.coins();
  expect(left.toNumber()).toBeLessThan(before.toNumber() * 0.02);
  // What stayed is still the strategy's, at the marks.
  desk.clock.now += DAY_MS;
  const own = (await desk.overview()).list.find(({ kind, userId }) => kind === 'okx' && userId === desk.userId)!;
  expect(own.exposure).toBeCloseTo(left.toNumber() * meanMark(desk, desk.clock.now), 6);
  // What brought the inventory to what is wanted was neither won nor lost, and used one leg.
  const sums = (await dealSumsOf(db, [desk.id]))[0]!;
  expect(sums).toMatchObject({ traded: trades.length, won: trades.length });
  expect(sums.ended).toBeGreaterThan(trades.length);
  const shown = await dealRows({ db, markets: desk.markets }, desk.id, desk.clock.now, 100);
  const legsUsed = shown.map(({ legs }) => legs.filter(({ isUsed }) => isUsed).length);
  expect(new Set(legsUsed)).toEqual(new Set([1, 2]));
});

type Desk = Awaited<ReturnType<typeof arbitrageDesk>>;

/** The mean of the marks of GRASS at both venues, USDT. */
function meanMark({ venues }: Desk, at: number): number {
  const marks = ['simulated', 'simulated-okx'].map((source) => {
    const venue = venues.find((one) => one.source === source)!;
    return markPrice(venue.listed!('GRASSUSDT_SPOT', at)!.ticker)!;
  });
  return (marks[0]! + marks[1]!) / 2;
}

test('its own stock counts in result, exposure and capital, one result everywhere, whatever process trades it', async () => {
  const desk = await arbitrageDesk({ dailyLossLimit: 5000 });
  const own = async () => (await desk.overview()).list.find(({ id }) => id === desk.id)!;
  const booked = async () => {
    const rows = await db.select({ row: ledger }).from(ledger).innerJoin(deal, eq(deal.id, ledger.dealId));
    const moved = rows.filter(({ row: { userId, kind } }) => userId === desk.userId && kind !== 'inventory');
    return moved.reduce((sum, { row }) => sum + Number(row.amount), 0);
  };
  await desk.run(36);
  const coins = (await desk.coins()).toNumber();
  const resultAt = async (at: number) => (await booked()) + coins * meanMark(desk, at);
  const bought = (await desk.deals()).filter(({ isStock }) => isStock);
  const paid = bought.reduce((sum, { long }) => sum + Number(long.notional), 0);
  const row = await own();
  // Some 10,000 USDT of a coin that nothing hedges, not nothing.
  expect(row.exposure).toBeCloseTo(coins * meanMark(desk, desk.clock.now), 6);
  expect(row).toMatchObject({ notional: row.exposure, running: 0 });
  expect(row.capital! / paid).toBeCloseTo(1, 2);
  expect(row.net).toBeCloseTo(await resultAt(desk.clock.now), 6);
  // It is tied up since it was bought: a return is one on that, not on orders of a second.
  expect(row.roi! / (row.net! / row.capital!)).toBeCloseTo(1, 1);
  const [shown] = await strategyRows({ db, markets: desk.markets }, desk.userId, 'okx', desk.clock.now);
  const { totals } = await desk.read();
  expect([shown!.net, totals.net]).toEqual([row.net, row.net]);
  expect(totals.real + totals.stockPnl! + totals.other!).toBeCloseTo(row.net!, 6);

  // A coin that is on its way to the other venue makes nothing.
  const [move] = (await desk.read()).moves;
  await desk.move(move!.fromAccount!, move!.toAccount!, move!.quantity);
  expect((await own()).net).toBeCloseTo(row.net!, 6);

  // The day after, another process counts the loss of its day from what the stock was worth as that began.
  const next = await desk.restart();
  const midnight = Math.ceil(desk.clock.now / DAY_MS) * DAY_MS;
  desk.clock.now = midnight + 6 * MINUTE_MS;
  const before = await resultAt(midnight);
  await next.run(2);
  const [guard] = await db.select().from(strategyGuard).where(eq(strategyGuard.strategyId, desk.id));
  expect(guard!.lossBase).toBeCloseTo(before, 6);
  const today = await own();
  expect(today.net! - today.today!).toBeCloseTo(before, 6);
  expect(Math.abs(today.today!)).toBeGreaterThan(0.01);
});

test('a short perpetual keeps to the stock: sized with it, by any process, and closed when it is gone', async () => {
  const desk = await arbitrageDesk({ hedge: true, auto: false, stockNotional: 2500, legNotional: 1000 });
  const hedges = async () => (await desk.deals()).filter(({ opening }) => (opening as { isHedge?: boolean }).isHedge);
  const shortOf = async () => (await hedges()).reduce((sum, { short }) => sum.minus(short.quantity), new Big(0));
  const own = async () => (await desk.overview()).list.find(({ id }) => id === desk.id)!;
  await desk.run(40);
  const coins = await desk.coins();
  const stock = async () => {
    const rows = await db.select().from(ledger).where(eq(ledger.userId, desk.userId));
    const spot = rows.filter(({ symbol, kind }) => symbol === 'GRASSUSDT_SPOT' && (kind === 'fill' || kind === 'coin'));
    return spot.reduce((sum, { quantity }) => sum.plus(quantity ?? 0), new Big(0));
  };
  // Both venues' coin is hedged by one short, within the drift that is not worth an order.
  const bought = await stock();
  expect(bought.times(meanMark(desk, desk.clock.now)).toNumber()).toBeGreaterThan(4_500);
  expect(await hedges()).toMatchObject([{ state: 'open', long: { opened: '0' }, short: { symbol: 'GRASSUSDT' } }]);
  const near = async () => (await shortOf()).div(await stock()).toNumber();
  expect(Math.abs((await near()) - 1)).toBeLessThan(0.051);
  expect(coins.lt(bought)).toBe(true);
  const row = await own();
  const { totals } = await desk.read();
  expect(totals.real + totals.stockPnl! + totals.hedgePnl! + totals.other!).toBeCloseTo(row.net!, 6);
  // Two fees of spot remain.
  expect(totals.other! / (0.001 * totals.stockValue!)).toBeCloseTo(-1, 1);
  expect(Math.abs(row.exposure!) / row.notional!).toBeLessThan(0.03);
  // Its margin counts beside what the coin cost, and no trade waits for its slot.
  expect(row.capital!).toBeGreaterThan(9_000);
  expect((await desk.targets()).map(({ block }) => block)).toContain('open');
  expect((await desk.read()).funnel.attempted).toBe(0);

  // Another process sells half of the stock: the short follows, and no second one is opened.
  const next = await desk.restart();
  await next.run(1);
  await desk.change({ stockNotional: 1000 });
  await next.run(40);
  const left = await stock();
  expect(left.lt(bought.times(0.7))).toBe(true);
  expect(await hedges()).toHaveLength(1);
  expect(Math.abs((await near()) - 1)).toBeLessThan(0.15);

  // All of it sold: the short goes, for that reason, and none comes again.
  await db.transaction((tx) => tx.update(strategy).set({ version: 1 }).where(eq(strategy.id, desk.id)));
  await desk.change({ stockNotional: 0 });
  await next.run(60);
  expect(await hedges()).toMatchObject([{ state: 'closed', closeReason: 'stockGone', short: { quantity: '0' } }]);
});

test('what somebody has sold of it by hand is no stock after a restart either', async () => {
  const desk = await arbitrageDesk({ auto: false, stockNotional: 1250, legNotional: 1000 });
  await desk.run(10);
  const [held] = await desk.deals();
  const { accountId, source, symbol } = held!.long;
  const of = { userId: desk.userId, accountId, dealId: held!.id, kind: 'writeOff', source, symbol, price: '1' };
  const stock = async (tx: Queries) =>
    (await stocksOf(tx, [desk.id], desk.clock.now)).reduce((sum, { quantity }) => sum.plus(quantity), new Big(0));
  /** What it changes, which is taken back. */
  const leaving = async (reference: string) => {
    let change = '';
    const done = db.transaction(async (tx) => {
      const before = await stock(tx);
      await tx.insert(ledger).values({ ...of, quantity: '-5', amount: '5', reference, at: desk.clock.now });
      change = (await stock(tx)).minus(before).toFixed();
      tx.rollback();
    });
    await done.catch(() => undefined);
    return change;
  };
  expect(await leaving(`writeOff:${held!.id}:long`)).toBe('5');
  expect(await leaving(`gone:${held!.id}:long`)).toBe('0');
});

test('a short keeps to stock that was moved to a venue at which none of it was bought', async () => {
  // What lies at the other venue is nobody's, so that stock is bought at the first one alone.
  const first = await arbitrageDesk({ auto: false, stockNotional: 1250, legNotional: 1000 });
  const [one, other] = (await accountsOf(db, [first.userId])).toSorted((a, b) => a.venue.length - b.venue.length);
  const at = async ({ id }: { id: string }) => {
    const found = (await first.venue.positions(id)).find(({ symbol }) => symbol === 'GRASSUSDT_SPOT');
    return Math.floor(Number(found?.quantity ?? 0));
  };
  await first.run(8);
  await first.ask((tx, by, id) => stopStrategy(tx, by, id, false));
  await first.move(one!.id, other!.id, await at(one!));
  await first.run(30, MINUTE_MS);
  const plan = await first.planOf({ ...first.params, hedge: true, stockNotional: 2500 });
  await first.ask(async (tx, by) => {
    const { id } = await createStrategy(tx, by, 'okx', { ...plan, name: 'other' } as never);
    await startStrategy(tx, by, id);
  });
  await first.run(60);
  const shortOf = async () => {
    const found = (await first.venue.positions(one!.id)).find(({ symbol }) => symbol === 'GRASSUSDT');
    return -Number(found?.quantity ?? 0);
  };
  const [stock, before] = [await at(one!), await shortOf()];
  expect(before / stock).toBeCloseTo(1, 1);
  await first.move(one!.id, other!.id, Math.floor(stock / 2));
  await first.run(30, MINUTE_MS);
  expect(await at(one!)).toBeLessThan(stock * 0.6);
  expect((await shortOf()) / before).toBeCloseTo(1, 1);
});

test('closing everything leaves the short that hedges the stock unless it is to go too; closing its strategy never does', async () => {
  const desk = await arbitrageDesk({ hedge: true, auto: false, stockNotional: 2500, legNotional: 1000 });
  await desk.run(40);
  const aim = (named: { strategyId?: string } = {}) =>
    aimOf(db, { id: desk.userId, name: 'desk', role: 'user' } as never, named);
  const told = async (keepsHedges?: boolean) => flattenPreview(desk.needs, await aim(), desk.clock.now, keepsHedges);
  const close = (keepsHedges?: boolean, named = {}) =>
    desk.ask(async (tx, asker) => flattenAim(tx, asker, await aim(named), { reason: '', keepsHedges }));
  const states = async () => (await desk.deals()).filter(({ isStock }) => isStock).map(({ state }) => state);
  const held = (await states()).filter((state) => state === 'open');
  expect(held).toHaveLength(1);
  const all = await told();
  const { notional } = all.modes[0]!;
  expect(all).toMatchObject({ deals: 1, hedges: { deals: 1, notional } });
  expect(notional).toBeGreaterThan(4_500);
  expect(await told(true)).toMatchObject({ deals: 0, hedges: all.hedges });
  await expect(close(true, { strategyId: desk.id })).rejects.toMatchObject({ status: 400 });
  await close(true);
  await desk.run(20);
  expect((await states()).filter((state) => state === 'open')).toHaveLength(1);
  await close();
  await desk.run(20);
  expect((await states()).filter((state) => state === 'open')).toHaveLength(0);
  await desk.retire();
});

test('the short of a stock is planned by what is booked as the strategy’s own, and never beyond it', () => {
  const params = { ...DEFAULT_OKX, coins: ['GRASS'], legNotional: 1000, stockNotional: 2500 };
  const place = (leg: 'long' | 'short') => ({ leg, source: 'simulated', symbol: 'GRASSUSDT' });
  const view = { price: 1, mark: 1, fresh: true, jumped: false, tradable: true };
  const terms = { lotSize: '1', tickSize: '0.0001', minNotional: '5', takerFee: 0.0005, kind: 'perpetual' };
  const both = <T>(one: T) => ({ long: one, short: one });
  const target = { id: 't', legs: [place('long'), place('short')], triggeredAt: null };
  const entered = (stock: number, stockNotional = 2500) => {
    const book = { state: 'running', blocked: false, paused: null, pausedForAll: null, unvalued: null, deals: [] };
    const context = { now: START, observed: null, ...both(view), terms: both(terms), lossLimitHit: false };
    const found = okx.entry(
      book as never,
      { ...params, stockNotional },
      target as never,
      { ...context, stock: new Big(stock) } as never,
    );
    return 'block' in found ? found.block : [found.weights, found.note];
  };
  for (const stock of [-4000, 0, 200]) expect(entered(stock)).toBe('waitsForStock');
  // Told to hold none it sells what is there: what an order left is too small to be sold or to be hedged for long.
  for (const stock of [7, 2600]) expect(entered(stock, 0)).toBe('waitsForStock');
  // It may come to the whole stock; what is there first is hedged at once.
  const note = { isStock: true, isHedge: true, quantity: { long: '0', short: '2600' } };
  expect(entered(2600.7)).toEqual([{ long: 0, short: 5 }, note]);

  const planned = (stock: number, held: number, over: object = {}, weight = 5) => {
    const start = { id: 'd', strategyId: 's', kind: 'okx', params, entryNote: note, signalOpen: null } as const;
    const deal = newDeal(target as never, { ...start, accountIds: both('a'), weights: { long: 0, short: weight } }, 0);
    Object.assign(deal, { state: 'open', openedAt: 1 });
    Object.assign(deal.legs.short, { quantity: new Big(-held), cost: new Big(-held), midOpen: 1 });
    const context = {
      ...{ now: START, ...both(view), terms: both(terms), gone: both(null), observed: null, signal: null },
      ...{ entriesDisabled: false, targetNotional: { long: 0, short: 5000 }, room: { long: 0, short: 4000 } },
      ...{
        hasMargin: true,
        venueDown: both(false),
        account: both(new Big(-held)),
        offset: both(new Big(0)),
        stock: new Big(stock),
        ...over,
      },
    };
    const action = okx.plan(deal as never, [], context as never);
    return action?.do === 'send' ? [action.adds, action.quantity.toFixed()] : action;
  };
  expect(planned(5000, 2600)).toEqual([true, '2400']);
  expect(planned(2600.7, 5000)).toEqual([false, '2399']);
  // A part of the stock that no order is worth, either way.
  expect([planned(5200, 5000), planned(4800, 5000)]).toEqual([null, null]);
  // While nothing may be opened it only follows down.
  expect(planned(5000, 2600, { entriesDisabled: true })).toBeNull();
  expect(planned(2600, 5000, { entriesDisabled: true })).toEqual([false, '2400']);
  expect(planned(9000, 5000)).toEqual([true, '4000']);
  for (const stock of [0, -5000, 100])
    expect(planned(stock, 5000)).toEqual({ do: 'move', to: 'closing', reason: 'stockGone' });
  // Of a small one a part that cannot be sold any more is nothing to hold a short for.
  expect(planned(3, 12, {}, 0.012)).toEqual({ do: 'move', to: 'closing', reason: 'stockGone' });
  // What is less than a lot at each of both venues cannot be sold either, though it be more than a lot together.
  const coarse = { terms: both({ ...terms, lotSize: '100' }) };
  expect(planned(194, 200, coarse)).toEqual({ do: 'move', to: 'closing', reason: 'stockGone' });
  expect(planned(210, 200, coarse)).toBeNull();
});

test('inventory is restocked only when an order is worth it', () => {
  const params = { ...DEFAULT_OKX, coins: ['GRASS'], legNotional: 500, stockNotional: 1000 };
  const terms = { lotSize: '0.1', minNotional: '5', takerFee: 0.001 };
  /** With so many USDT of coin at either venue. @param promised what others are about to sell of the second one's */
  const opened = (long: number, short: number, promised = 0) => {
    const observed = {
      fee: 0.001,
      price: 1,
      quantity: null,
      streak: 0,
      row: { obstacles: [], base: 'GRASS', netBps: -5 },
    };
    const view = { tradable: true, fresh: true, jumped: false };
    const entry = okx.entry(
      { state: 'running', blocked: false, paused: null, pausedForAll: null, unvalued: null, deals: [] } as never,
      params,
      { id: 't', legs: [], triggeredAt: null } as never,
      {
        ...{ now: START, observed, long: view, short: view, terms: { long: terms, short: terms }, lossLimitHit: false },
        ...{ free: { long, short }, promised: { long: 0, short: promised }, arriving: { long: 0, short: 0 } },
        ...{ isBusy: false, coinHeld: 0 },
      } as never,
    );
    return 'block' in entry ? entry.block : entry.weights;
  };
  expect(opened(0, 0)).toEqual({ long: 2, short: 0 });
  // What the other venue has too much of is moved, not bought: only what both lack together is.
  expect(opened(400, 1_400)).toEqual({ long: 0.4, short: 0 });
  expect(opened(400, 1_590)).toBe('waitsForEdge');
  expect(opened(1_500, 1_600)).toEqual({ long: 0, short: 2.2 });
  // Another strategy sells it already.
  expect(opened(1_500, 1_600, 1_100)).toBe('waitsForEdge');
});

test('a missing side is completed or unwound', async () => {
  // The selling side is refused: what was bought goes back.
  const reject: NonNullable<PaperVenueOptions['faults']>['reject'] = ({ side, source }) =>
    side === 'sell' && source === 'simulated';
  const desk = await arbitrageDesk({}, { faults: { reject } });
  await desk.run(60);
  const [failed] = (await desk.deals()).filter(({ isStock }) => !isStock);
  expect(failed).toMatchObject({
    state: 'failed',
    closeReason: 'oneLeg',
    long: { quantity: '0' },
    short: { opened: '0' },
  });
  await desk.retireClean();

  const empty = await arbitrageDesk({ stockNotional: null });
  const blocks = new Set<string | null>();
  for (let seconds = 0; seconds < 36; seconds += 1) {
    // Somebody saves something every second.
    await db
      .update(book)
      .set({ revision: sql`${book.revision} + 1` })
      .where(eq(book.userId, empty.userId));
    await empty.run(1);
    for (const { block } of await empty.targets()) blocks.add(block);
  }
  expect(await empty.deals()).toEqual([]);
  expect([...blocks].sort()).toEqual(['inventory', 'waitsForEdge']);
  // One gap, however often it was looked at.
  expect((await empty.targets()).map(({ seen }) => seen).sort()).toEqual([0, 1]);
});

test('a coin transfer is debited, in transit and credited exactly once', async () => {
  const desk = await arbitrageDesk();
  await desk.run(38);
  const before = await desk.read();
  const [move] = before.moves;
  expect(move).toMatchObject({ from: 'simulated-okx', to: 'simulated', canMove: 'open' });
  const { fromAccount: from, toAccount: to, quantity } = move!;
  await expect(desk.move(from!, to!, 1e7)).rejects.toThrow(/最多 .* GRASS/);
  await expect(desk.move(from!, from!, 1)).rejects.toThrow(/同一个账户/);
  const heldBefore = await desk.coins();
  const stocked = (await desk.deals()).filter(({ isStock }) => isStock).length;
  const { minutes } = await desk.move(from!, to!, quantity);
  const [under] = await db.select().from(accountTransfer).where(eq(accountTransfer.userId, desk.userId));
  expect(under).toMatchObject({ state: 'transit', asset: 'GRASS', amount: String(quantity) });
  const price = new Big(under!.price!);
  const value = price.times(quantity);
  const rowsOf = async (accountId: string) =>
    (await db.select().from(ledger).where(eq(ledger.userId, desk.userId)))
      .filter((row) => row.accountId === accountId && (row.kind === 'move' || row.kind === 'coin'))
      .map(({ kind, amount, quantity: coins }) => [kind, Number(amount), coins === null ? null : Number(coins)]);
  // The coin leaves at the mark of then: what it is worth is on its way, no cash moves but the fee.
  expect(await rowsOf(from!)).toEqual([
    ['move', -value.toNumber(), null],
    ['coin', value.toNumber(), -quantity],
  ]);
  expect(await rowsOf(to!)).toEqual([]);
  const fees = (await desk.ledger('fee')).filter(({ reference }) => reference.startsWith('moveFee'));
  expect(fees.map(({ amount }) => Number(amount))).toEqual([-1]);
  expect((await desk.coins()).toFixed()).toBe(heldBefore.minus(quantity).toFixed());
  const underway = await desk.read();
  expect(underway.moves).toEqual([]);
  expect(underway.inventory.find(({ source }) => source === 'simulated')).toMatchObject({ arriving: String(quantity) });
  expect(underway.totals.transferFees).toBe(1);
  expect(await desk.findings()).toEqual([]);

  const next = await desk.restart();
  desk.clock.now += (minutes - 1) * MINUTE_MS;
  await next.engine.tick();
  expect(await rowsOf(to!)).toEqual([]);
  desk.clock.now += MINUTE_MS;
  for (let i = 0; i < 4; i += 1) await next.run(1);
  expect(await rowsOf(to!)).toEqual([
    ['move', value.toNumber(), null],
    ['coin', -value.toNumber(), quantity],
  ]);
  const [arrived] = await db.select().from(accountTransfer).where(eq(accountTransfer.userId, desk.userId));
  expect(arrived).toMatchObject({ state: 'arrived', price: under!.price });
  const coins = (await desk.read()).inventory.find(({ source }) => source === 'simulated')!;
  expect(coins.arriving).toBe('0');
  expect((await desk.deals()).filter(({ isStock }) => isStock)).toHaveLength(stocked);
});

test('a manual trigger trades once, within bans and the daily limit', async () => {
  const desk = await arbitrageDesk({ auto: false });
  await desk.run(8);
  const trades = async () => (await desk.deals()).filter(({ isStock }) => !isStock);
  const blocks = new Set<string | null>();
  for (let seconds = 0; seconds < 24; seconds += 1) {
    await desk.run(1);
    for (const { block } of await desk.targets()) blocks.add(block);
  }
  expect(await trades()).toHaveLength(0);
  expect(blocks).toContain('waitsForPerson');
  await desk.ask((tx, by) => tradeOnce(tx, by, desk.id));
  await desk.run(10);
  expect(await trades()).toHaveLength(1);
  await desk.run(10);
  expect(await trades()).toHaveLength(1);
  expect((await desk.read()).tradedToday).toBeCloseTo(Number((await trades())[0]!.long.notional), 6);
  await desk.ask((tx, by) => banWord(tx, by, { id: desk.id, word: 'GRASS', banned: true }));
  await desk.run(2);
  expect((await desk.targets()).map(({ block }) => block)).toEqual(['blacklisted', 'blacklisted']);
  await expect(desk.ask((tx, by) => banWord(tx, by, { id: desk.id, word: 'BTC', banned: true }))).rejects.toThrow(
    '没有',
  );
  await desk.retireClean();

  const limited = await arbitrageDesk({ dailyNotional: 60 });
  const seen = new Set<string | null>();
  for (let seconds = 0; seconds < 40; seconds += 1) {
    await limited.run(1);
    for (const { block } of await limited.targets()) seen.add(block);
  }
  expect((await limited.deals()).filter(({ isStock }) => !isStock)).toEqual([]);
  expect(seen).toContain('dayLimit');
});

/** Everything is cheaper at a venue from now on, by a hundredth. */
function cheapen(venue: Awaited<ReturnType<typeof arbitrageDesk>>['venues'][number]): void {
  const book = venue.book!.bind(venue);
  const shifted = (levels: readonly BookLevel[]) =>
    levels.map(({ ticks, lots }) => ({ ticks: Math.round(ticks * 0.99), lots }));
  venue.book = (symbol, at) => {
    const now = book(symbol, at);
    return now && { ...now, bids: shifted(now.bids), asks: shifted(now.asks) };
  };
}

test('pending purchases count towards the daily limit', async () => {
  const coins = ['GRASS', 'EIGEN', 'XPL'];
  const desk = await arbitrageDesk({ coins, legNotional: 300, stockNotional: 1000, dailyNotional: 700, maxDeals: 10 });
  await desk.run(8);
  cheapen(desk.venues[1]!);
  const trades = async () => (await desk.deals()).filter(({ isStock }) => !isStock);
  await desk.run(1);
  expect((await trades()).length).toBe(2);
  expect((await desk.targets()).map(({ block }) => block)).toContain('dayLimit');
  await desk.run(20);
  const bought = (await trades()).reduce((sum, { long }) => sum + Number(long.notional), 0);
  expect(bought).toBeGreaterThan(400);
  expect(bought).toBeLessThanOrEqual(700);
});

test('the daily limit follows the day of the account', async () => {
  // Its days begin at 04:47 UTC, a minute after the strategy did.
  const owner = await traderOf(db);
  await db.update(book).set({ dayBoundary: 287 }).where(eq(book.userId, owner));
  const over = { legNotional: 300, stockNotional: 2000, dailyNotional: 400, cooldownSeconds: 0 };
  const desk = await arbitrageDesk(over, {}, owner);
  await desk.run(8);
  cheapen(desk.venues[1]!);
  const bought = async () =>
    (await desk.deals()).flatMap(({ isStock, long }) => (isStock ? [] : [Number(long.notional)]));
  await desk.run(20);
  const [first, ...more] = await bought();
  expect(more).toEqual([]);
  expect((await desk.targets()).map(({ block }) => block)).toContain('dayLimit');
  expect((await desk.read()).tradedToday).toBeCloseTo(first!, 6);
  await desk.run(60);
  const [, second, ...rest] = await bought();
  expect(rest).toEqual([]);
  expect((await desk.read()).tradedToday).toBeCloseTo(second!, 6);
});

test('slow venues, clock skew and shut wallets raise one alert each', async () => {
  const desk = await arbitrageDesk();
  const slow = desk.venues[1]!;
  const [latency, wallet, clock] = [slow.latencyMs.bind(slow), slow.wallet.bind(slow), slow.clockAheadMs.bind(slow)];
  // A second apart is still well.
  desk.venues[0]!.clockAheadMs = () => -1_000;
  await desk.run(2);
  slow.latencyMs = () => 900;
  slow.clockAheadMs = () => -1_850;
  slow.wallet = (asset, at) => ({ ...wallet(asset, at)!, ...(asset === 'GRASS' && { canDeposit: false }) });
  await desk.run(6);
  const told = await desk.told();
  expect(told.map(({ word, level }) => [word, level]).sort()).toEqual([
    ['coinShut', 'warning'],
    ['latency simulated-okx', 'warning'],
    ['skew simulated-okx', 'warning'],
  ]);
  const textOf = (word: string) => told.find((alert) => alert.word.startsWith(word))!.text;
  expect(textOf('skew')).toBe('OKX 的时钟比本机慢 1.85 秒，超过 1 秒：委托可能因时间戳被拒，它的报价新旧不可信');
  // Venues are called as people call them, here and wherever it is told.
  expect(textOf('coinShut')).toBe('GRASS：OKX 停充，库存不能从 币安 移到 OKX');
  expect(told.filter(({ text }) => text.includes('simulated'))).toEqual([]);
  slow.latencyMs = latency;
  slow.clockAheadMs = clock;
  slow.wallet = wallet;
});

/** What the venues do to orders, from one gap to the next. */
type Weather = 'fair' | 'sellerRefuses' | 'priceMoves';

/** Faults that a test turns on and off. @param late lets time pass while the first order is under way */
function weatherOf(late: () => void) {
  let now: Weather = 'fair';
  let buyer: string | undefined;
  let isLate = false;
  const reject: NonNullable<PaperVenueOptions['faults']>['reject'] = ({ side, source }) => {
    if (side === 'buy') buyer ??= source;
    // Both are sent at once: either may be the first to come.
    if (now === 'priceMoves' && !isLate) late();
    isLate = now === 'priceMoves';
    // What was bought may be sold again where it was.
    return now === 'sellerRefuses' && side === 'sell' && source !== buyer;
  };
  const turn = (next: Weather) => {
    now = next;
    buyer = undefined;
    isLate = false;
  };
  return { faults: { reject }, turn };
}

test('the funnel from gaps seen to gaps that paid shrinks for stated reasons', async () => {
  await settleDemoUsers(db, () => START, true);
  const [master] = await db.select().from(user).where(eq(user.name, 'master'));
  await addBook(db, master!.id, { enabled: true }, { settings: { ...DEFAULT_SETTINGS, zBar: '1d' } });
  const clock = { pass: () => {} };
  const weather = weatherOf(() => clock.pass());
  const coins = ['GRASS', 'EIGEN', 'XPL', 'BERA', 'METIS'];
  const params = { legNotional: 500, stockNotional: 1000, cooldownSeconds: 60, coins };
  const desk = await arbitrageDesk(params, { faults: weather.faults }, master!.id);
  // Less than the pause between two trades, and longer than the gap.
  clock.pass = () => {
    desk.clock.now += 20 * SECOND_MS;
  };
  const app = await testApp({ db, clock: () => desk.clock.now, markets: desk.markets, venue: desk.venue });
  const told = async () => (await app.as('master')(okxDesk.read, { query: { id: desk.id } })).body.data;
  const coinsOf = async (base: string) => {
    const rows = await db.select().from(ledger).where(eq(ledger.userId, desk.userId));
    const own = rows.filter(({ kind, symbol }) => kind === 'fill' && symbol === `${base}USDT_SPOT`);
    return own.reduce((sum, { quantity }) => sum.plus(quantity!), new Big(0));
  };
  /** Lives through a gap of a coin, so many seconds after the start. @returns what the desk tells then, and why it waited. */
  const meet = async (how: Weather, second: number) => {
    weather.turn(how);
    desk.clock.now = Math.max(desk.clock.now, START + (second - 20) * SECOND_MS);
    const blocks = new Set<string | null>();
    for (let i = 0; i < 50; i += 1) {
      await desk.run(1);
      for (const { block } of await desk.targets()) blocks.add(block);
    }
    const { funnel, trades } = await told();
    return { funnel, trades, blocks };
  };
  const steps = async (base: string) => Number((await desk.venue.terms('simulated', `${base}USDT_SPOT`))!.lotSize);

  // The inventory was bought a moment ago: the first gap comes within the pause after it.
  const paused = await meet('fair', 31);
  expect(paused.funnel).toEqual({ seen: 1, attempted: 0, filled: 0, profitable: 0 });
  expect(paused.blocks).toContain('cooldown');
  const stock = new Map(await Promise.all(coins.map(async (base) => [base, await coinsOf(base)] as const)));

  const fair = await meet('fair', 10_764);
  expect(fair.funnel).toEqual({ seen: 2, attempted: 1, filled: 1, profitable: 1 });
  expect(fair.trades[0]).toMatchObject({ symbol: 'EIGENUSDT_SPOT', state: 'closed', closeReason: 'done' });
  expect(fair.trades[0]!.net!).toBeGreaterThan(0);

  // The seller refuses for as long as a leg may stand alone: what was bought is sold where it was.
  const refused = await meet('sellerRefuses', 11_852);
  expect(refused.funnel).toEqual({ seen: 3, attempted: 2, filled: 1, profitable: 1 });
  expect(refused.trades[0]).toMatchObject({ symbol: 'GRASSUSDT_SPOT', state: 'failed', closeReason: 'oneLeg' });
  expect(refused.trades[0]!.realBps).toBeNull();

  // Both orders come when the gap is gone: both are filled, and pay two fees for nothing.
  const moved = await meet('priceMoves', 18_325);
  expect(moved.funnel).toEqual({ seen: 4, attempted: 3, filled: 2, profitable: 1 });
  expect(moved.trades[0]).toMatchObject({ symbol: 'XPLUSDT_SPOT', state: 'closed', closeReason: 'done' });
  expect(moved.trades[0]!.plannedBps!).toBeGreaterThan(0);
  expect(moved.trades[0]!.realBps!).toBeLessThan(0);

  // One that does not last for two quotes, and one on a day whose limit is reached.
  const short = await meet('fair', 23_723);
  expect(short.funnel).toEqual({ seen: 5, attempted: 3, filled: 2, profitable: 1 });
  expect(short.blocks).toContain('waitsForStreak');
  await desk.change({ ...params, dailyNotional: 500 });
  const limited = await meet('fair', 30_945);
  expect(limited.blocks).toContain('dayLimit');
  const { funnel, inventory, tradedToday } = await told();
  expect(funnel).toEqual({ seen: 6, attempted: 3, filled: 2, profitable: 1 });
  expect(tradedToday).toBeGreaterThan(500);

  // Coin goes from one venue to the other and nowhere else: what a trade leaves is less than a lot.
  for (const base of coins) {
    const now = await coinsOf(base);
    expect(
      now
        .minus(stock.get(base)!)
        .abs()
        .lte(await steps(base)),
    ).toBe(true);
    const own = inventory.filter((row) => row.base === base);
    expect(own).toHaveLength(2);
    expect(own.reduce((sum, { quantity }) => sum.plus(quantity), new Big(0)).toFixed()).toBe(now.toFixed());
  }
  expect(await desk.findings()).toEqual([]);
  expect(desk.troubles).toEqual([]);
  await app.close();
});
