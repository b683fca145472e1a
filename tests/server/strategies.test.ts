import { randomUUID } from 'node:crypto';
import { audit } from '#contract/audit';
import { liveClosed } from '#contract/codes';
import type { FieldErrors } from '#contract/envelope';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { gridDeal } from '#contract/kinds/grid/deal';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { gridScan } from '#contract/kinds/grid/scan';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { strategies as api, type StrategyPreview } from '#contract/strategies';
import { PARAMS, STRATEGY_KIND_LABEL, STRATEGY_KINDS, type StrategyKind } from '#contract/strategy';
import { createSimulatedVenues } from '#server/market/simulated';
import { fileApp } from '../support/app';
import { handMarkets } from '../support/handMarket';
import { waitFor } from '../support/waitFor';

const NOW = Date.UTC(2026, 8, 1, 4, 30);

interface Sample {
  params: object;
  wrong: object;
  field: string;
  text: string;
  /** Venues it trades at, and whether the master has an account there; its first one where nothing is said. */
  accounts?: [source: string, isOpen: boolean][];
  /** Targets of one coin. */
  directions?: number;
}

type Account = StrategyPreview['accounts'][number];

const TWO_VENUES: Sample['accounts'] = [
  ['simulated', true],
  ['simulated-okx', false],
];

const RESTS = { orderType: 'maker', convertSeconds: 45 } as const;

/** Params that are right, and one that is not with the field it is told at. */
const SAMPLES: Partial<Record<StrategyKind, Sample>> = {
  fundingRate: {
    params: { ...DEFAULT_FUNDING, coins: ['XLM'] },
    wrong: { legNotional: 1 },
    field: 'params.legNotional',
    text: '每腿名义不能小于 50',
  },
  spread: {
    params: { ...DEFAULT_SPREAD, near: 'BTCUSDT', far: 'BTCUSDT_261225' },
    wrong: { far: 'BTCUSDT' },
    field: 'params.far',
    text: '两腿不能是同一个标的',
  },
  grid: {
    params: { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 40_000, upper: 200_000, cells: 20 },
    wrong: { upper: 30_000 },
    field: 'params.upper',
    text: '区间上限要高于区间下限',
  },
  cexRate: {
    params: { ...DEFAULT_CEX_RATE, coins: ['POL'] },
    wrong: { short: 'simulated' },
    field: 'params.short',
    text: '两腿要在不同的交易所',
    accounts: TWO_VENUES,
  },
  okx: {
    params: { ...DEFAULT_OKX, coins: ['GRASS'], stockNotional: null },
    wrong: { stockNotional: 100 },
    field: 'params.stockNotional',
    text: '每所库存不能小于每腿名义，留空 = 不管理库存',
    accounts: TWO_VENUES,
    directions: 2,
  },
};
/** The hedge desk has calls of its own. */
const KINDS = STRATEGY_KINDS.filter((kind) => SAMPLES[kind] !== undefined);

// Coins and instants were chosen on this law, which stays as it is.
const venues = createSimulatedVenues({ clock: () => NOW, law: 1 });
const app = await fileApp({ markets: handMarkets(...venues), clock: () => NOW });

test('targets stand in the order in which the params name them: the first one is typed for real money', async () => {
  const coins = ['XRP', 'ADA', 'SOL', 'BTC', 'LTC', 'ETH'];
  const params = { ...DEFAULT_FUNDING, coins };
  const body = { kind: 'fundingRate', name: '次序', mode: 'paper', params };
  const { id } = (await app.as('master')(api.create, { body })).body.data;
  const { list } = (await app.as('master')(api.list, { query: { kind: 'fundingRate' } })).body.data;
  const named = list.find((row) => row.id === id)!.targets.flatMap(({ long, short }) => [long, short]);
  const firsts = coins.map((coin) => Math.min(...named.flatMap((symbol, i) => (symbol.startsWith(coin) ? [i] : []))));
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  expect((await app.as('master')(api.remove, { body: { id } })).status).toBe(200);
});

test('every kind but the desk is created here', () => {
  expect(STRATEGY_KINDS.filter((kind) => !KINDS.includes(kind))).toEqual(['hedge']);
});

describe.each(KINDS)('a strategy of kind %s', (kind) => {
  const { params, wrong, field, text, accounts = [['simulated', true]], directions = 1 } = SAMPLES[kind]!;
  const master = () => app.as('master');
  const named = (name: string) => ({ kind, name, mode: 'paper', params });
  const listed = async () => (await master()(api.list, { query: { kind } })).body.data.list;

  test('is created, edited over its version, started, paused, stopped, cloned and removed', async () => {
    const made = await master()(api.create, { body: named('第一个') });
    expect(made.body).toMatchObject({ code: 200, data: { version: 1 } });
    const { id } = made.body.data;
    expect((await listed())[0]).toMatchObject({ id, name: '第一个', state: 'stopped', running: 0, net: 0, params });

    const edited = { id, version: 1, name: '改过', params: { ...params, legNotional: 7000 } };
    expect((await master()(api.update, { body: edited })).body.data).toEqual({ id, version: 2, resumed: false });
    expect((await master()(api.update, { body: edited })).status).toBe(409);
    expect((await listed())[0]).toMatchObject({ name: '改过', version: 2, params: { legNotional: 7000 } });
    const noted = async (action = 'PUT /api/strategy') =>
      (await master()(audit.list, { query: { object: id, action, result: 'done' } })).body.data;
    await waitFor('the outcome', 60_000, async () => (await noted()).total === 1);
    const { legNotional } = params as { legNotional?: number };
    const { properties } = PARAMS[kind].schema as unknown as { properties: Record<string, { title?: string }> };
    expect((await noted()).list[0]).toMatchObject({
      object: expect.stringMatching(/^改过（.+）$/),
      changes: [
        { field: '名称', before: '第一个', after: '改过' },
        {
          field: properties.legNotional?.title ?? 'legNotional',
          before: legNotional === undefined ? null : `${legNotional} USDT`,
          after: '7000 USDT',
        },
      ],
    });

    // Choices are told as the form calls them, never by their words in the API.
    const creations = { action: 'POST /api/strategy/create', result: 'done' } as const;
    const { changes } = (await master()(audit.list, { query: creations })).body.data.list[0]!;
    expect(changes).toContainEqual({ field: '类型', before: null, after: STRATEGY_KIND_LABEL[kind] });
    expect(changes).toContainEqual({ field: '模式', before: null, after: '模拟' });
    expect(changes.filter(({ after }) => /^[a-z]+[A-Z]?[a-z]*$/.test(after ?? ''))).toEqual([]);

    const states = [];
    for (const turn of [api.start, api.pause, api.start, api.closeOnly]) {
      states.push((await master()(turn, { body: { id } })).body.data.state);
    }
    // Nothing is held: there is nothing to close first.
    expect(states).toEqual(['running', 'paused', 'running', 'stopped']);
    // Which strategy it was is said by its name alone.
    const paused = 'POST /api/strategy/pause';
    await waitFor('the outcome', 60_000, async () => (await noted(paused)).total === 1);
    expect((await noted(paused)).list[0]).toMatchObject({
      object: expect.stringMatching(/^改过（.+）$/),
      changes: [],
    });
    expect((await master()(api.pause, { body: { id } })).body.code).toBe(5108);

    const copy = await master()(api.clone, { body: { id, name: '副本' } });
    await master()(api.start, { body: { id: copy.body.data.id } });
    expect((await master()(api.remove, { body: { id: copy.body.data.id } })).body.code).toBe(5105);
    expect((await master()(api.stop, { body: { id: copy.body.data.id, flatten: false } })).body.data.state).toBe(
      'stopped',
    );
    for (const gone of [copy.body.data.id, id]) {
      expect((await master()(api.remove, { body: { id: gone } })).body.data.id).toBe(gone);
    }
    expect(await listed()).toEqual([]);
    expect((await master()(api.start, { body: { id } })).status).toBe(404);
  });

  test('is refused at the field that is wrong, for a name that is taken, and for real money', async () => {
    const bad = await master()(api.create, { body: { ...named('坏的'), params: { ...params, ...wrong } } });
    expect(bad.status).toBe(400);
    expect(bad.body.data).toEqual({ fields: [{ field, message: text }] });
    const tried = await master()(api.preview, { body: { kind, params: { ...params, ...wrong } } });
    expect(tried.body.data).toEqual({ fields: [{ field, message: text }] });
    expect((await master()(api.create, { body: { ...named('实盘'), mode: 'live' } })).body.code).toBe(liveClosed.code);
    expect((await master()(api.create, { body: { ...named('x'), params: 'none' } })).status).toBe(400);

    const { id } = (await master()(api.create, { body: named('同名') })).body.data;
    expect((await master()(api.create, { body: named('同名') })).body.code).toBe(5103);
    await master()(api.remove, { body: { id } });
  });

  test('is tried on real prices before it is saved', async () => {
    const { targets, ...figures } = (await master()(api.preview, { body: { kind, params } })).body.data;
    expect(targets).toHaveLength(directions);
    expect(figures.at).toBeGreaterThanOrEqual(NOW);
    expect(targets[0]).toMatchObject({ signal: expect.any(Number), cost: expect.any(Number) });
    // Without a stop nobody knows the worst.
    expect(figures.worst === null).toBe(!('stopLoss' in params));
    for (const { cash, margin, spendable, freeMargin } of figures.accounts) {
      expect((cash ?? 0) + (margin ?? 0)).toBeGreaterThan(0);
      expect([spendable, freeMargin].every((figure) => (figure ?? 0) > 0)).toBe(spendable !== null);
    }
    expect(figures.accounts.map(({ source, spendable }: Account) => [source, spendable !== null])).toEqual(accounts);
    // Nothing would be opened where there is no account.
    const shut = accounts.filter(([, isOpen]) => !isOpen).map(([source]) => source);
    const lacking = targets.filter(
      ({ longSource, shortSource }) => shut.includes(longSource) || shut.includes(shortSource),
    );
    expect(lacking).toHaveLength(shut.length === 0 ? 0 : directions);
    expect(lacking.map(({ block }) => block)).not.toContain(null);
  });

  test('what is no strategy or deal of one’s own is not there', async () => {
    const { id } = (await master()(api.create, { body: named('我的') })).body.data;
    const headers = { 'idempotency-key': `close-${kind}` };
    expect((await master()(api.closeDeal, { body: { id }, headers })).status).toBe(404);
    expect((await master()(api.deals, { query: { id: 'nobody' } })).status).toBe(404);
    await master()(api.remove, { body: { id } });
  });
});

test('the desk’s own kind, and a coin that the venue does not list both ways', async () => {
  const master = app.as('master');
  const params = { ...DEFAULT_FUNDING, coins: ['NOPE'] };
  const unknown = await master(api.create, { body: { kind: 'fundingRate', name: 'n', mode: 'paper', params } });
  expect(unknown.body).toMatchObject({ code: 5110, data: { fields: [{ field: 'params.coins' }] } });
  const other = { ...DEFAULT_SPREAD, near: 'BTCUSDT', far: 'ETHUSDT_261225' };
  const mixed = await master(api.create, { body: { kind: 'spread', name: 'm', mode: 'paper', params: other } });
  expect(mixed.body).toMatchObject({ code: 5110, data: { fields: [{ field: 'params.far' }] } });
});

/** What a refusal says of fields. */
const fieldsOf = (body: { data: unknown }) => (body.data as FieldErrors).fields;

test('a grid with cells below fees or minimum order is refused at the field', async () => {
  const master = app.as('master');
  const params = { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 90_000, upper: 90_900, cells: 100 };
  const asked = (over: object) =>
    master(api.create, { body: { kind: 'grid', name: 'g', mode: 'paper', params: { ...params, ...over } } });
  // 1 % over 100 cells is a hundredth of a per cent each; both fees are more.
  const narrow = await asked({ legNotional: 100_000 });
  expect(narrow.body).toMatchObject({
    data: { fields: [{ field: 'params.cells', message: expect.stringContaining('F27') }] },
  });
  const small = await asked({ lower: 50_000, upper: 150_000, legNotional: 100 });
  expect(small.body).toMatchObject({
    data: { fields: [{ field: 'params.legNotional', message: expect.stringContaining('最小下单额') }] },
  });
  expect((await asked({ symbol: 'NOPEUSDT' })).body).toMatchObject({
    code: 5110,
    data: { fields: [{ field: 'params.symbol' }] },
  });
  const spot = await asked({ symbol: 'BTCUSDT_SPOT' });
  expect(fieldsOf(spot.body)).toEqual([
    { field: 'params.symbol', message: 'BTCUSDT_SPOT 不是永续合约，请换一个交易对，或改市场' },
  ]);
  expect((await master(gridDeal.ladder, { query: { id: 'nobody' } })).status).toBe(404);
  expect((await master(gridDeal.repair, { body: { id: 'nobody' } })).status).toBe(404);
});

test('a spot grid is long and unleveraged, and states its start before it is saved', async () => {
  const master = app.as('master');
  const query = { source: 'simulated', symbol: 'BTCUSDT_SPOT', range: 'atr' } as const;
  const { price, lower, upper } = (await master(gridScan.range, { query })).body.data;
  const params = {
    ...{ ...DEFAULT_GRID, market: 'spot', symbol: 'BTCUSDT_SPOT', direction: 'long', leverage: 1 },
    ...{ lower, upper, cells: 20, legNotional: 20_000, stopLoss: null },
  };
  const asked = async (over: object) => {
    const body = { kind: 'grid', name: 'spot', mode: 'paper', params: { ...params, ...over } } as const;
    return fieldsOf((await master(api.create, { body })).body);
  };
  expect(await asked({ direction: 'short' })).toEqual([
    { field: 'params.direction', message: '现货没有可借的币，不能做空' },
  ]);
  expect(await asked({ direction: 'neutral', leverage: 2 })).toEqual([
    { field: 'params.direction', message: '现货没有可借的币，不能先卖出' },
    { field: 'params.leverage', message: '现货没有杠杆，请填 1' },
  ]);
  expect(await asked({ symbol: 'BTCUSDT' })).toEqual([
    { field: 'params.symbol', message: 'BTCUSDT 不是现货，请换一个交易对，或改市场' },
  ]);
  expect(await asked({ market: 'perpetual', symbol: 'BTCUSDT', leverage: 2, invest: 'base' })).toEqual([
    { field: 'params.invest', message: '永续合约只用 USDT 作保证金，请选计价币' },
  ]);
  // Two fees of a thousandth: what a contract's cell would pay for, spot's does not.
  const narrow = { lower: price * 0.99, upper: price * 1.01, cells: 14 };
  expect(await asked(narrow)).toEqual([{ field: 'params.cells', message: expect.stringContaining('F27') }]);

  const preview = async (over: object) =>
    (await master(api.preview, { body: { kind: 'grid', params: { ...params, ...over } } })).body.data;
  const quote = await preview({});
  expect(quote.ladder).toMatchObject({ market: 'spot', startFrom: 'market', liquidationLow: null, freeCoin: 0 });
  const { startCells, startCoin, quantity } = quote.ladder!;
  expect(startCells).toBeGreaterThan(5);
  expect(startCoin).toBeCloseTo(startCells * quantity, 9);
  // What it begins with is priced by the book, and so is what it may pay at most.
  const { start } = quote.ladder!;
  expect(Number(start!.quantity)).toBeCloseTo(startCoin, 9);
  expect(start!.limitPrice!).toBeGreaterThanOrEqual(start!.price!);
  expect(start!.notional!).toBeCloseTo(Number(start!.quantity) * start!.price!, 6);
  // All of it is paid in USDT and none of it is margin.
  const cash = quote.accounts[0]!.cash!;
  expect(quote.accounts[0]!.margin).toBe(0);
  expect(cash).toBeGreaterThan(0.8 * 20_000);
  expect(cash).toBeLessThan(20_000);
  const base = await preview({ invest: 'base' });
  expect(base.ladder).toMatchObject({ startFrom: 'account', startCoin, start: null, freeCoin: 0 });
  expect(base.targets[0]!.block).toBe('noCoin');
  expect(base.accounts[0]!.cash!).toBeLessThan(cash - startCoin * price * 0.9);
});

test('a grid shows its range and the profit of its cells before it begins', async () => {
  const master = app.as('master');
  const params = {
    ...DEFAULT_GRID,
    symbol: 'BTCUSDT',
    lower: 40_000,
    upper: 200_000,
    leverage: 20,
    spacing: 'arithmetic' as const,
  };
  const { ladder } = (await master(api.preview, { body: { kind: 'grid', params } })).body.data;
  // 4,000 of step: 10 % at the bottom, 2 % at the top.
  expect(ladder!.stepMost).toBeCloseTo(0.1, 6);
  expect(ladder!.stepLeast).toBeCloseTo(4_000 / 196_000, 6);
  expect(ladder!.profitLeast).toBeLessThan(ladder!.stepLeast!);
  // It begins with nothing.
  expect(ladder!.start).toBeNull();
  expect(ladder!.liquidationLow).toBeGreaterThan(0);
  expect(ladder!.liquidationHigh).toBeGreaterThan(ladder!.liquidationLow!);
  const { id } = (await master(api.create, { body: { kind: 'grid', name: '网', mode: 'paper', params } })).body.data;
  const row = (await master(gridDeal.list)).body.data.list.find(({ strategyId }) => strategyId === id)!;
  expect(row).toMatchObject({ lower: 40_000, upper: 200_000, cells: 40, capital: 500, dealId: null, pairs: 0 });
  expect(row.position).toBeGreaterThan(0);
  await master(api.remove, { body: { id } });
});

test('what a screen tells beside its strategies, and a deal that is not there', async () => {
  const master = app.as('master');
  const { data: sums } = (await master(fundingRateDesk.figures)).body;
  expect(sums).toMatchObject({ deals: 0, deployed: 0, weightedApr: null, cashToday: 0, receivedShare: null });
  expect(sums.hours).toHaveLength(24);
  const { days, rows, bins } = (await master(fundingRateDesk.heat, { query: { source: 'simulated' } })).body.data;
  expect([days.length, rows.length]).toEqual([30, 20]);
  expect(rows.every(({ apr }) => apr.length === 30 && apr.slice(0, -1).every((one) => one !== null))).toBe(true);
  // Every settlement of the coins is counted once.
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(20 * 30 * 3 - 20 * 3);
  const params = { ...DEFAULT_SPREAD, near: 'BTCUSDT_SPOT', far: 'BTCUSDT_261225' };
  const late = { ...params, rollDays: 2, closeBeforeHours: 48 };
  const bad = await master(api.create, { body: { kind: 'spread', name: 'r', mode: 'paper', params: late } });
  expect(bad.body.data).toEqual({ fields: [{ field: 'params.rollDays', message: '移仓要早于到期前平仓' }] });
  const { id } = (await master(api.create, { body: { kind: 'spread', name: 'r', mode: 'paper', params } })).body.data;
  const figures = (await master(spreadDesk.figures, { query: { id } })).body.data;
  expect(figures).toEqual({
    ...{ edgeOpen: null, edgeTaken: null, takenShare: null, secondFillMs: null, opened: 0, unmatched: 0, expiries: [] },
  });
  const thin = { ...params, legNotional: 100, slices: 6 };
  const parts = await master(api.preview, { body: { kind: 'spread', params: thin } });
  expect(parts.body.data).toEqual({ fields: [{ field: 'params.slices', message: '每份至少 20 USDT，请减少份数' }] });
  const entry = { orderType: 'maker', convertSeconds: 45, slices: 2, sliceSeconds: 20, payUpTicks: 3 } as const;
  const [told] = (await master(api.preview, { body: { kind: 'spread', params: { ...params, ...entry } } })).body.data
    .targets;
  const { orderType: _, ...shown } = entry;
  expect(told!.ticket).toMatchObject(shown);
  expect(told!.ticket!.legs.map(({ leg, symbol, way }) => [leg, symbol, way])).toEqual([
    ['long', 'BTCUSDT_SPOT', 'hedges'],
    ['short', 'BTCUSDT_261225', 'rests'],
  ]);
  const both = { kind: 'cexRate', params: { ...DEFAULT_CEX_RATE, coins: ['POL', 'SOL'], ...RESTS } } as const;
  const wrong = { ...both.params, orderType: 'twap', convertSeconds: 4 };
  const refused = await master(api.preview, { body: { kind: 'cexRate', params: wrong } });
  expect(refused.body.data).toEqual({
    fields: [
      { field: 'params.orderType', message: expect.stringContaining('下单方式') },
      { field: 'params.convertSeconds', message: '挂单转市价不能小于 5' },
    ],
  });
  const { targets } = (await master(api.preview, { body: both })).body.data;
  // Each coin has its own, at both venues.
  expect(targets.map(({ ticket }) => ticket!.legs.map(({ source, symbol, way }) => [source, symbol, way]))).toEqual(
    ['POLUSDT', 'SOLUSDT'].map((symbol) => [
      ['simulated', symbol, 'hedges'],
      ['simulated-okx', symbol, 'rests'],
    ]),
  );
  // Within a lot of the coarser leg at a price of about 1e5.
  expect(told!.ticket!.gap).toBeLessThan(0.001 * told!.ticket!.legs[0]!.price!);
  const legs = { source: 'simulated', near: 'BTCUSDT_SPOT', far: 'BTCUSDT_261225' };
  const dates = await master(spreadDesk.dates, { query: legs });
  expect(dates.body.data).toEqual({
    expiries: [{ symbol: legs.far, at: Date.UTC(2026, 11, 25, 8) }],
    rolls: [],
  });
  const none = await master(spreadDesk.dates, { query: { ...legs, far: 'BTCUSDT_NONE' } });
  expect(none.body).toMatchObject({ code: 2002, data: { fields: [{ field: 'far' }] } });
  const headers = { 'idempotency-key': 'none' };
  expect((await master(spreadDesk.roll, { body: { id }, headers })).status).toBe(404);
  const rebalanced = await master(api.rebalanceLegs, { body: { id, way: 'complete' }, headers });
  expect(rebalanced.status).toBe(404);
  expect(
    (await master(api.unfreezeDeal, { body: { id, reason: '看过' }, headers: { 'idempotency-key': 'unfreeze' } }))
      .status,
  ).toBe(404);
  expect((await master(api.setExitTarget, { body: { id, exitLevel: 0.001 } })).status).toBe(404);
  await master(api.remove, { body: { id } });
});

test('one deal is opened at its ticket, once, and refused where the prices have left it or nothing would open', async () => {
  const master = app.as('master');
  const params = { ...DEFAULT_SPREAD, near: 'ETHUSDT_SPOT', far: 'ETHUSDT_260925', entryApr: 0, exitLevel: null };
  const preview = (await master(api.preview, { body: { kind: 'spread', params } })).body.data;
  const [long, short] = preview.targets[0]!.ticket!.legs.map(({ limitPrice }) => limitPrice!);
  const worst = { long: long!, short: short! };
  const open = (over: object = {}, key = randomUUID()) => {
    const body = { kind: 'spread' as const, name: '这一笔', params, worst, ...over };
    return master(api.single, { body, headers: { 'idempotency-key': key } });
  };
  const singles = async () =>
    (await master(api.list, { query: { kind: 'spread' } })).body.data.list.filter(({ single }) => single !== undefined);

  expect((await open({ worst: { ...worst, long: long! * 0.999 } })).body.code).toBe(5192);
  expect((await open({ worst: { ...worst, short: short! * 1.001 } })).body.code).toBe(5192);
  expect((await open({ params: { ...params, entryApr: 9 } })).body.code).toBe(5191);
  const several = { kind: 'fundingRate', params: { ...DEFAULT_FUNDING, coins: ['BTC', 'ETH'] } };
  expect((await open(several)).body.code).toBe(5190);
  expect((await open({ kind: 'grid', params: SAMPLES.grid!.params })).body.code).toBe(5190);
  expect(await singles()).toEqual([]);

  const key = randomUUID();
  const first = await open({}, key);
  expect(first.body.code).toBe(200);
  // The same call once more opens nothing more; another one gets a name of its own.
  expect((await open({}, key)).body.data).toEqual(first.body.data);
  expect(await singles()).toMatchObject([
    { id: first.body.data.id, name: '这一笔', state: 'running', single: { until: NOW + 30_000, refused: null } },
  ]);
  const { id } = first.body.data;
  expect((await master(api.start, { body: { id } })).body.code).toBe(5193);
  expect((await master(api.update, { body: { id, version: 1, name: '改', params } })).body.code).toBe(5193);
  expect((await open()).body.code).toBe(200);
  expect((await singles()).map(({ name }) => name).sort()).toEqual(['这一笔', '这一笔 2']);
});
