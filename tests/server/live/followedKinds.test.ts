import { randomUUID } from 'node:crypto';
import { isLiveSource, isOneMarket, liveSource, SIMULATED_SOURCES } from '#contract/candle';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Envelope } from '#contract/envelope';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { okxDesk } from '#contract/kinds/okx/desk';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { strategies as api } from '#contract/strategies';
import type { ParamsOf } from '#contract/strategy';
import { venueAccount } from '#contract/venueAccount';
import { openMissingAccounts } from '#server/desk/account/openAccount';
import { audit } from '#server/engine/audit';
import { createLive } from '#server/market/live/live';
import { createMarkets } from '#server/market/markets';
import { createSimulatedVenues, type SimulatedMarket } from '#server/market/simulated';
import type { VenueEvent, VenueFill } from '#server/market/venue';
import { startStandIn } from '../../standin/standIn';
import { atEnd } from '../../support/atEnd';
import { badLineTo } from '../../support/badLine';
import { clockFrom, QUIET_START } from '../../support/clockFrom';
import { onlyBitcoin } from '../../support/followedMarket';
import type { TradedKind } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingApp } from '../../support/tradingApp';
import { waitFor } from '../../support/waitFor';

const EXCHANGES = ['okx', 'bybit', 'gate'] as const;
type Followed = (typeof EXCHANGES)[number];
const [OKX, BYBIT, GATE] = EXCHANGES.map(liveSource);
const PERPETUAL = 'BTCUSDT';
const SPOT = 'BTCUSDT_SPOT';
const FUTURE = 'BTCUSDT_261225';
const EXPIRY = Date.UTC(2026, 11, 25, 8);
const PATIENCE_MS = 60_000;
/** What the account at each is opened with, USDT. */
const CAPITAL: Record<Followed, number> = { okx: 100_000, bybit: 100_000, gate: 1_500 };
/** Nothing but a person, or what the test is about, closes it. */
const HELD = { stopLoss: null, dailyLossLimit: null, maxHoldingHours: null } as const;

/** The clock runs by itself, and by hand. */
let ahead = 0;
const running = clockFrom(QUIET_START);
const clock = () => running() + ahead;

/** What stands otherwise at an exchange than the simulated market behind it has it. */
interface Bent {
  /** Times the prices of a book, by symbol; above 1. */
  books: Record<string, number>;
  /** Times the mark of the perpetual. */
  mark: number;
  /** The predicted rate of the perpetual. */
  rate: number | undefined;
}

function bend(market: SimulatedMarket): Bent {
  const bent: Bent = { books: {}, mark: 1, rate: undefined };
  const [book, listed] = [market.book.bind(market), market.listed.bind(market)];
  market.book = (symbol, at) => {
    const whole = book(symbol, at);
    const times = bent.books[symbol];
    if (!whole || times === undefined) return whole;
    const dearer = (levels: typeof whole.bids) =>
      levels.map(({ ticks, lots }) => ({ ticks: Math.round(ticks * times), lots }));
    return { ...whole, bids: dearer(whole.bids), asks: dearer(whole.asks) };
  };
  market.listed = (symbol, at) => {
    const listing = listed(symbol, at);
    if (!listing || symbol !== PERPETUAL) return listing;
    const { mark, fundingRate, ...ticker } = listing.ticker;
    const told = { mark: mark && mark * bent.mark, fundingRate: bent.rate ?? fundingRate };
    return { ...listing, ticker: { ...ticker, ...told } };
  };
  return bent;
}

const db = await fileDatabase();
const venues = createSimulatedVenues({ clock });

async function standInFor(exchange: Followed) {
  const standIn = await startStandIn({ dialects: [exchange], venues, clock });
  atEnd(() => standIn.close());
  const line = await badLineTo(standIn.url, onlyBitcoin(exchange));
  atEnd(() => line.close());
  const theirs = standIn.exchange(exchange).market;
  return { url: line.url, theirs, bent: bend(theirs) };
}

const okx = await standInFor('okx');
const bybit = await standInFor('bybit');
const gate = await standInFor('gate');
okx.bent.rate = -0.002;
bybit.bent.rate = 0.003;

const live = createLive({
  ...{ db, clock, exchanges: EXCHANGES, urls: { okx: okx.url, bybit: bybit.url, gate: gate.url } },
  onTrouble: () => undefined,
  times: {
    ...{ ping: 500, out: 3_000, silent: 1_500, stale: 3_000, poll: 500, figures: 500, spot: 500 },
    ...{ again: 50, longest: 200, history: 0, listings: 1_000 },
  },
  collectorTimes: { look: 100, lease: 2_000 },
});
const markets = createMarkets({ db, clock, live: live.markets });
const moving = { markets, clock, wait: () => undefined };
const { app, engine, venue } = await tradingApp(moving, {}, { db, shared: () => true, halfLifeMs: 20_000 });
atEnd(() => live.stop());

const master = app.as('master');
const ok = <T>({ body }: { body: Envelope<T> }): T => {
  if (body.code !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};
const accounts = new Map<string, string>();
const eventsAt = (source: string): Promise<VenueEvent[]> => venue.events(accounts.get(source)!, 0);
const fillsAt = async (source: string) =>
  (await eventsAt(source)).filter((event): event is VenueFill => event.kind === 'fill');
const heldAt = async (source: string) => venue.positions(accounts.get(source)!);

/** What is held there, but for coin that is less than an order may be. */
const tradedAt = async (source: string) => {
  const { listings } = live.markets.find((one) => one.source === source)!.feed;
  return (await heldAt(source)).filter(
    ({ symbol, quantity }) => symbol !== SPOT || Number(quantity) >= Number(listings.get(SPOT)!.instrument.lotSize),
  );
};

/** Ticks until something has come about. */
const until = (what: string, isSo: () => Promise<boolean> | boolean) =>
  waitFor(what, PATIENCE_MS, async () => {
    await engine.tick();
    return isSo();
  });

const isThere = () =>
  live.markets.every((one) => !one.isOut() && one.listed(PERPETUAL) !== null && one.listed(SPOT) !== null);

/** Goes on to an instant, UTC ms, once all exchanges are heard again. */
async function goTo(at: number): Promise<void> {
  ahead += at - clock();
  app.signInAnew();
  await waitFor('the exchanges are there again', PATIENCE_MS, isThere);
}

/** A strategy that a person has tried, made and started. */
async function begin<K extends TradedKind>(kind: K, params: ParamsOf<K>) {
  const preview = async () => ok(await master(api.preview, { body: { kind, params: params as never } }));
  await until('a trial would open it', async () => (await preview()).targets.some(({ block }) => block === null));
  const body = { kind, name: randomUUID().slice(0, 8), mode: 'paper', params: params as never } as const;
  const { id } = ok(await master(api.create, { body }));
  const row = async () => ok(await master(api.list, { query: { kind } })).list.find((one) => one.id === id)!;
  ok(await master(api.start, { body: { id, open: (await row()).targets.map((target) => target.id) } }));
  const deals = async () => ok(await master(api.deals, { query: { id } })).list;
  const deal = async () => (await deals())[0]!;
  return {
    ...{ id, row, deals, deal, params },
    isState: (state: string) => async () => (await deals())[0]?.state === state,
    close: async () => {
      const headers = { 'idempotency-key': randomUUID() };
      ok(await master(api.closeDeal, { body: { id: (await deal()).id }, headers }));
    },
    /** Nothing of it is left, and what everybody has written down is the same. */
    end: async () => {
      const { state } = ok(await master(api.stop, { body: { id, flatten: true } }));
      expect(state).toBe('stopped');
      for (const source of accounts.keys()) expect(await tradedAt(source)).toEqual([]);
      expect((await audit(db, venue)).findings).toEqual([]);
    },
  };
}

/** Each settlement of the perpetual at an exchange was charged once: of what was held, at its rate and its mark. */
async function checkFunding(source: string, theirs: SimulatedMarket, at: number): Promise<number> {
  const rates = (await theirs.funding(PERPETUAL))!;
  const hours = (await theirs.candles(PERPETUAL, '1h'))!;
  const settled = (await eventsAt(source)).filter((event) => event.kind === 'funding' && event.at === at);
  expect(settled).toHaveLength(1);
  const [one] = settled as Extract<VenueEvent, { kind: 'funding' }>[];
  const held = (await fillsAt(source))
    .filter((fill) => fill.symbol === PERPETUAL && fill.at < at)
    .reduce((sum, { side, quantity }) => sum + Number(quantity) * (side === 'buy' ? 1 : -1), 0);
  expect(Number(one!.rate)).toBeCloseTo(rates.rate[rates.time.indexOf(at)]!, 8);
  expect(Number(one!.mark)).toBeCloseTo(hours.close[hours.time.indexOf(at - HOUR_MS)]!, 6);
  expect(Number(one!.amount)).toBeCloseTo(-held * Number(one!.mark) * Number(one!.rate), 6);
  return held;
}

const isSettled = (source: string, at: number) => async () =>
  (await eventsAt(source)).some((event) => event.kind === 'funding' && event.at === at);
const nextFunding = () => live.markets[0]!.listed(PERPETUAL)!.ticker.nextFundingAt!;

/** Of the simulated venues bitcoin alone: what all coins made in a month would be worked out beside the tests. */
async function thinSimulated(): Promise<void> {
  for (const source of SIMULATED_SOURCES) {
    const market = (await markets.get(source))!;
    const instruments = market.instruments.bind(market);
    market.instruments = async (kinds) => (await instruments(kinds)).filter(({ base }) => base === 'BTC');
  }
}

beforeAll(async () => {
  await thinSimulated();
  live.start();
  await openMissingAccounts({ db, clock, markets, venue });
  await waitFor('prices', PATIENCE_MS, isThere);
  for (const exchange of EXCHANGES) {
    const source = liveSource(exchange);
    const body = { name: exchange, venue: source, amount: CAPITAL[exchange] };
    const headers = { 'idempotency-key': randomUUID() };
    accounts.set(source, ok(await master(venueAccount.open, { body, headers })).id);
  }
});

test('the scanners hold exchanges that are followed against each other, and never against simulated ones', async () => {
  const rates = async () => ok(await master(cexRateScan.list, { query: { size: 1_000, pageSize: 200 } })).list;
  const gaps = async () => ok(await master(arbitrageScan.list, { query: { size: 1_000, pageSize: 200 } })).list;
  const pairOf = ({ one, other }: { one: string; other: string }) => [one, other].sort().join();
  const wanted = pairOf({ one: OKX!, other: BYBIT! });
  await waitFor('both have books', PATIENCE_MS, async () => {
    const rate = (await rates()).find(({ long, short }) => pairOf({ one: long, other: short }) === wanted);
    const gap = (await gaps()).find(({ buy, sell }) => pairOf({ one: buy, other: sell }) === wanted);
    return rate?.netApr != null && gap?.netBps != null;
  });
  // Nobody keeps the books of followed exchanges: nothing of their past is waited for.
  const followed = (await gaps()).filter(({ buy }) => isLiveSource(buy));
  expect(followed).not.toEqual([]);
  for (const row of followed) {
    expect(row).toMatchObject({ replay7: null, replay30: null });
    expect(row).not.toHaveProperty('replaying');
  }
  const found = [
    ...(await rates()).map(({ long, short }) => [long, short] as const),
    ...(await gaps()).map(({ buy, sell }) => [buy, sell] as const),
  ];
  expect(found.filter(([one, other]) => !isOneMarket(one, other))).toEqual([]);
  expect(found.some(([one]) => SIMULATED_SOURCES.some((source) => source === one))).toBe(true);
  const { list } = ok(await master(cexRateScan.matrix, { query: { search: 'BTC' } }));
  const cells = list.filter(({ base }) => base === 'BTC').map((row) => row.cells.map(({ source }) => source).sort());
  expect(cells).toEqual(expect.arrayContaining([[OKX, BYBIT, GATE].sort(), [...SIMULATED_SOURCES].sort()]));
  expect(cells).toHaveLength(2);
});

test('what is real and what is simulated is no pair', async () => {
  const params = { ...DEFAULT_CEX_RATE, long: 'simulated', short: BYBIT, coins: ['BTC'] };
  const refused = await master(api.preview, { body: { kind: 'cexRate', params } });
  expect(refused.body.data).toEqual({
    fields: [{ field: 'params.short', message: '实时行情与模拟行情不能配成一对' }],
  });
});

test('跨所费率: held at two exchanges over a settlement, each paid by its own', async () => {
  const strategy = await begin('cexRate', {
    ...{ ...DEFAULT_CEX_RATE, long: 'okx-live', short: 'bybit-live', coins: ['BTC'], entryApr: 0, exitApr: null },
    ...{ ...HELD, slippageCap: 100 },
  });
  await until('it is open', strategy.isState('open'));
  const [[bought], [sold]] = [await heldAt(OKX!), await heldAt(BYBIT!)];
  expect(bought).toMatchObject({ source: OKX, symbol: PERPETUAL });
  expect(Number(bought!.quantity)).toBeGreaterThan(0);
  expect(sold).toMatchObject({ source: BYBIT, symbol: PERPETUAL });
  expect(Number(sold!.quantity)).toBeCloseTo(-Number(bought!.quantity), 9);

  const at = nextFunding();
  await goTo(at + 2 * MINUTE_MS);
  for (const source of [OKX!, BYBIT!]) await until('it is settled', isSettled(source, at));
  expect(await checkFunding(OKX!, okx.theirs, at)).toBeGreaterThan(0);
  expect(await checkFunding(BYBIT!, bybit.theirs, at)).toBeLessThan(0);
  await strategy.close();
  await until('it is closed', strategy.isState('closed'));
  expect(await strategy.deal()).toMatchObject({ closeReason: 'manual' });
  await strategy.end();
});

test('资金费率: real spot is held against the perpetual that pays, as much of both', async () => {
  const before = (await fillsAt(BYBIT!)).length;
  const strategy = await begin('fundingRate', {
    ...{ ...DEFAULT_FUNDING, source: 'bybit-live', coins: ['BTC'], entryApr: 0, slices: 1 },
    ...{ ...HELD, slippageCap: 100 },
  });
  await until('it is open', strategy.isState('open'));
  const held = new Map((await heldAt(BYBIT!)).map(({ symbol, quantity }) => [symbol, Number(quantity)]));
  const { lotSize } = live.markets[1]!.feed.listings.get(PERPETUAL)!.instrument;
  expect(held.get(SPOT)).toBeGreaterThan(0);
  expect(Math.abs(held.get(SPOT)! + held.get(PERPETUAL)!)).toBeLessThan(Number(lotSize));
  const fills = (await fillsAt(BYBIT!)).slice(before);
  expect(new Set(fills.map(({ side, symbol }) => `${side} ${symbol}`))).toEqual(
    new Set([`buy ${SPOT}`, `sell ${PERPETUAL}`]),
  );
  const at = nextFunding();
  await goTo(at + 2 * MINUTE_MS);
  await until('it is settled', isSettled(BYBIT!, at));
  expect(await checkFunding(BYBIT!, bybit.theirs, at)).toBeCloseTo(held.get(PERPETUAL)!, 9);
  await strategy.close();
  await until('it is closed', strategy.isState('closed'));
  await strategy.end();
});

test('交易所套利: stock is bought at both exchanges and hedged, a gap between their spot is traded once', async () => {
  const params: ParamsOf<'okx'> = {
    ...{ ...DEFAULT_OKX, one: 'okx-live', other: 'bybit-live', coins: ['BTC'], legNotional: 1_000 },
    ...{ stockNotional: 3_000, cooldownSeconds: 3_600, maxDelayMs: 5_000, slippageCap: 100, dailyLossLimit: null },
  };
  const strategy = await begin('okx', params);
  const desk = async () => ok(await master(okxDesk.read, { query: { id: strategy.id } }));
  const stocked = async (least: number) => {
    const { inventory } = await desk();
    return inventory.length === 2 && inventory.every(({ value }) => value !== null && value >= least);
  };
  await until('both have stock', () => stocked(2_500));
  await until('it is hedged', async () =>
    (await heldAt(OKX!)).some(({ symbol, quantity }) => symbol === PERPETUAL && Number(quantity) < 0),
  );
  expect((await desk()).trades).toEqual([]);

  // Buying the stock counts as the last trade of its direction.
  await goTo(clock() + params.cooldownSeconds * SECOND_MS);
  bybit.bent.books[SPOT] = 1.01;
  await until('it is traded', async () => (await desk()).trades[0]?.state === 'closed');
  delete bybit.bent.books[SPOT];
  const [trade, ...more] = (await desk()).trades;
  expect(more).toEqual([]);
  expect(trade).toMatchObject({ buy: OKX, sell: BYBIT, symbol: SPOT });
  // A hundredth, less the fees of both.
  expect(trade!.realBps!).toBeGreaterThan(30);
  expect(trade!.net!).toBeGreaterThan(0);

  const { version } = await strategy.row();
  const name = (await strategy.row()).name;
  const sellAll = { id: strategy.id, version, name, params: { ...params, stockNotional: 0 } as never };
  ok(await master(api.update, { body: { ...sellAll, open: (await strategy.row()).targets.map(({ id }) => id) } }));
  await until('all of it is sold', async () => {
    const held = [...(await tradedAt(OKX!)), ...(await tradedAt(BYBIT!))];
    return held.length === 0 && (await strategy.deals()).every(({ state }) => state === 'closed');
  });
  await strategy.end();
});

test('a strategy whose account can bear no more at the real mark is liquidated at the real book, once', async () => {
  const { price } = gate.theirs.listed(PERPETUAL)!.ticker;
  const strategy = await begin('grid', {
    ...{ ...DEFAULT_GRID, source: 'gate-live', symbol: PERPETUAL, direction: 'long', cells: 8, leverage: 20 },
    ...{ lower: Math.round(price * 0.96), upper: Math.round(price * 1.25), legNotional: 24_000 },
    ...{ stopLoss: null, dailyLossLimit: null },
  });
  await until('it is open', strategy.isState('open'));
  await until('it is long', async () => (await heldAt(GATE!)).some(({ quantity }) => Number(quantity) > 0));
  gate.bent.mark = 0.88;
  const forced = async () => (await fillsAt(GATE!)).filter((fill) => fill.forced === 'liquidation');
  await until('it is closed', strategy.isState('closed'));
  gate.bent.mark = 1;
  expect(await strategy.deal()).toMatchObject({ closeReason: 'liquidation' });
  const fills = await forced();
  expect(fills.length).toBeGreaterThan(0);
  // The mark alone fell: who buys pays what they did before.
  for (const fill of fills) {
    expect(Math.abs(Number(fill.price) / gate.theirs.listed(PERPETUAL, fill.at)!.ticker.price - 1)).toBeLessThan(0.005);
  }
  const sold = fills.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  const bought = (await fillsAt(GATE!))
    .filter((fill) => fill.forced === undefined)
    .reduce((sum, { side, quantity }) => sum + Number(quantity) * (side === 'buy' ? 1 : -1), 0);
  expect(sold).toBeCloseTo(bought, 9);
  expect(Number((await venue.margin(accounts.get(GATE!)!)).equity)).toBeGreaterThanOrEqual(0);
  await strategy.end();
});

test('期货价差: a future is delivered at its expiry at the close of its perpetual, the other leg is closed at the book', async () => {
  okx.bent.books[FUTURE] = 1.02;
  const strategy = await begin('spread', {
    ...{ ...DEFAULT_SPREAD, source: 'okx-live', near: PERPETUAL, far: FUTURE, direction: 'sellFar', entryApr: 0 },
    ...{ ...HELD, exitLevel: null, slippageCap: 100 },
  });
  await until('it is open', strategy.isState('open'));
  const before = (await fillsAt(OKX!)).length;
  await goTo(EXPIRY + 2 * MINUTE_MS);
  await until('it is closed', strategy.isState('closed'));
  expect(await strategy.deal()).toMatchObject({ closeReason: 'delivery' });
  const hours = (await okx.theirs.candles(PERPETUAL, '1h'))!;
  const ends = (await fillsAt(OKX!)).slice(before);
  const [delivered, closed] = ends.toSorted((a, b) => Number(b.symbol === FUTURE) - Number(a.symbol === FUTURE));
  expect(ends).toHaveLength(2);
  expect(delivered).toMatchObject({ symbol: FUTURE, forced: 'delivery' });
  expect(closed).toMatchObject({ symbol: PERPETUAL, side: 'sell' });
  expect(closed!.forced).toBeUndefined();
  expect(Number(delivered!.price)).toBeCloseTo(hours.close[hours.time.indexOf(EXPIRY - HOUR_MS)]!, 6);
  await strategy.end();
});
