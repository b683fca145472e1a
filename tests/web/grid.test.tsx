import { screen, waitFor, within } from '@testing-library/react';
import { type GridLevel, type GridRow, gridDeal } from '#contract/kinds/grid/deal';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { type GridCandidate, gridScan } from '#contract/kinds/grid/scan';
import { strategies } from '#contract/strategies';
import { symbol } from '#contract/symbol';
import { hold } from '../support/hedgeActs';
import { dealLegOf, dealOf, strategyOf } from '../support/strategyFixtures';
import { answers, openConsole, person, refuses, sent, sentTo } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const BTC: GridCandidate = {
  ...{
    id: 'simulated BTCUSDT',
    source: 'simulated',
    base: 'BTC',
    market: 'perpetual',
    symbol: 'BTCUSDT',
    price: 95_000,
  },
  ...{ lower: 90_000, upper: 100_000, width: 0.111, position: 0.5, volatility: 0.42, step: 0.0026, profit: 0.0022 },
  ...{ replay7: -0.0021, replay30: 0.0184 },
  ...{ dailyPairs: 18.4, inRange: 1, dailyNet: 9.2, result: 0.0129, fundingApr: 0.07, turnover24h: 1e9, depth: 5e6 },
  ...{ adl: 2, past: 'known', obstacles: [] },
};
const NEW: GridCandidate = {
  ...{ ...BTC, id: 'simulated NEWUSDT', base: 'NEW', symbol: 'NEWUSDT', lower: null, upper: null, position: null },
  ...{ dailyNet: null, past: 'short', obstacles: ['incomplete', 'young'] },
};

const HELD = strategyOf('grid', {
  ...{ name: 'BTC 网格', params: { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 90_000, upper: 100_000 } },
  ...{ notional: 500, pricePnl: 10, funding: -0.2, fees: 1.3, net: 8.5 },
});

const ROW: GridRow = {
  ...{ strategyId: 's1', dealId: 'd1', state: 'open', market: 'perpetual', symbol: 'BTCUSDT', price: 95_000 },
  ...{ direction: 'neutral' },
  ...{ lower: 90_000, upper: 100_000, position: 0.5, cells: 3, stepLeast: 0.034, stepMost: 0.037 },
  ...{ profitLeast: 0.0336, profitMost: 0.0366, capital: 5_000, leverage: 2, pairs24h: 4, pairs: 31 },
  ...{
    gridProfit: 23.75,
    floating: -15.25,
    net: 8.5,
    gridReturn: 0.00475,
    netReturn: 0.0017,
    gridApr: 0.2,
    netApr: 0.07,
    fees: 1.3,
    funding: -0.2,
  },
  ...{
    held: '0.01',
    liquidationLow: null,
    liquidationHigh: 160_000,
    ordersLive: 1,
    ordersDue: 2,
    spacing: 'geometric',
  },
  ...{ openedAt: AT, endedAt: null },
};

const level = (cell: number, state: GridLevel['state'], over: Partial<GridLevel> = {}): GridLevel => ({
  ...{ cell, leg: 'long', lower: 90_000 + cell * 3_000, upper: 93_000 + cell * 3_000, held: '0', side: 'buy' },
  ...{
    price: 90_000 + cell * 3_000,
    quantity: '0.03',
    state,
    orders: state === 'resting' ? 1 : 0,
    pairs: 0,
    profit: 0,
    lastBuy: null,
  },
  ...over,
});

beforeEach(() => {
  const unread = { ...NEW, id: 'simulated ETHUSDT', base: 'ETH', symbol: 'ETHUSDT', past: 'pending' as const };
  answers(gridScan.list, { list: [BTC, NEW, unread], total: 3, all: 3, hidden: [], at: AT });
  answers(gridDeal.list, { list: [ROW] });
  answers(strategies.list, { list: [HELD] });
  answers(strategies.deals, { list: [] });
  answers(symbol.candle, {
    ...{ symbol: 'BTCUSDT', bar: '1h', time: [AT], open: [1], high: [1], low: [1], close: [1] },
    ...{ volume: [1], turnover: [1], formingAt: null, ma7: [null], ma25: [null], bollUpper: [null] },
    ...{ bollMiddle: [null], bollLower: [null], compare: null },
  });
  answers(gridDeal.record, {
    ...{ inRange: 0.875, fillsPerDay: 6.5, mostHeld: 0.09, mostHeldValue: 8_500, drawdown: -0.031, drawdownUsdt: -155 },
    ...{ hold: 120, versusHold: -111.5, awayShare: 0.125, pairs: [] },
    away: [{ from: AT, until: null, side: 'above' }],
  });
  answers(gridDeal.ladder, {
    levels: [
      level(2, 'resting', { side: 'sell', held: '0.03', pairs: 31, profit: 23.75 }),
      level(1, 'suspended'),
      level(0, 'missing'),
    ],
    trades: [],
  });
});

/** What the grid below buys at its beginning. */
const START = {
  ...({ leg: 'long', source: 'simulated', symbol: 'BTCUSDT', way: 'takes', lotSize: '0.001' } as const),
  ...{ quantity: '0.05', held: '0.05', partQuantity: '0.05', fillable: '0.05' },
  ...{ price: 95_010, limitPrice: 95_190, notional: 4_750.5, fee: 2.38, slippage: 0.5 },
};

test('a coin’s range leads to a filled drawer; what contradicts is told at its field, what each cell makes is tried', async () => {
  answers(strategies.preview, {
    at: Date.now(),
    ...{ fees: 10, worst: 1_000, accounts: [], targets: [] },
    ladder: {
      ...{
        stepLeast: 0.0026,
        stepMost: 0.0027,
        profitLeast: 0.0022,
        profitMost: 0.0023,
        breakEven: 0.0004,
        capital: 10_000,
      },
      ...{
        quantity: 0.0025,
        startCells: 0,
        ...{ startCoin: 0, startFrom: 'market', start: START, freeCoin: 0, market: 'perpetual' },
        dailyPairs: 18.4,
        dailyNet: 9.2,
        liquidationLow: null,
        liquidationHigh: null,
      },
    },
  });
  openConsole('/strategy/grid?size=20000&cells=50', 'master');
  const young = (await screen.findByText('NEW')).closest('tr')!;
  expect(within(young).getAllByLabelText('缺失：历史不足两倍区间天数，或波动太大没有区间').length).toBeGreaterThan(0);
  expect(within(young).getByText('成本不全')).toBeInTheDocument();
  const unread = screen.getByText('ETH').closest('tr')!;
  expect(within(unread).getByText('计算中')).toBeInTheDocument();
  expect(within(unread).queryByText('成本不全')).not.toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: '用 simulated BTCUSDT 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  const asked = sent.find(({ path, query }) => path === gridScan.list.path && query.has('days'))!.query;
  expect(Object.fromEntries(asked)).toMatchObject({ size: '20000', cells: '50', days: '14', range: 'lowHigh' });
  for (const [name, value] of [
    ['区间下限', '90000'],
    ['区间上限', '100000'],
    ['格数', '50'],
    ['总名义', '20000'],
  ]) {
    expect(within(drawer).getByRole('spinbutton', { name })).toHaveValue(value);
  }
  const stop = within(drawer).getByRole('spinbutton', { name: '跌破离场' });
  await person.type(stop, '91000');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  expect(await within(drawer).findByText('跌破离场要低于区间下限')).toBeInTheDocument();
  await person.clear(stop);
  await person.type(stop, '85000');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(preview).findByText('保本间距（两笔手续费）')).toBeInTheDocument();
  expect(within(preview).getByText('0.220%')).toBeInTheDocument();
  // What it takes at once is told as any other order.
  const start = within(within(preview).getByRole('region', { name: '底仓' }));
  for (const figure of [/^95,010/, /^95,190/, /^4,750\.50/])
    expect(start.getAllByText(figure).length).toBeGreaterThan(0);
  expect(sentTo(strategies.preview)[0]!.body).toMatchObject({
    ...{ kind: 'grid', params: { symbol: 'BTCUSDT', stopLow: 85_000, legNotional: 20_000, cells: 50 } },
  });
});

test('a coin whose range is not known yet leads to a drawer without bounds, which asks for them', async () => {
  openConsole('/strategy/grid', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated NEWUSDT 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByRole('spinbutton', { name: '区间下限' })).toHaveValue('');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  expect(await within(drawer).findByText('请输入区间下限')).toBeInTheDocument();
  expect(within(drawer).getByText('请输入区间上限')).toBeInTheDocument();
  // Nothing is compared with a bound that is not there.
  expect(within(drawer).queryByText('区间上限要高于区间下限')).not.toBeInTheDocument();
  const lower = within(drawer).getByRole('spinbutton', { name: '区间下限' });
  expect(lower).toHaveAttribute('placeholder', '0.00000001 – 10,000,000');
  await person.type(lower, '5');
  expect(within(drawer).queryByText('区间上限要高于区间下限')).not.toBeInTheDocument();
  expect(sentTo(strategies.preview)).toEqual([]);
});

test('grid profit and floating profit stand apart, and what is missing in the ladder can be repaired', async () => {
  answers(gridDeal.repair, { id: 'd1' });
  openConsole('/strategy/grid?tab=mine', 'master');
  const own = await screen.findByRole('region', { name: '策略' });
  expect(await within(own).findByText('+23.75')).toBeInTheDocument();
  for (const text of ['-15.25', '4 / 31', '1 / 2']) expect(within(own).getByText(text)).toBeInTheDocument();
  const ladder = await screen.findByRole('region', { name: '档位' });
  expect(await within(ladder).findByText('缺失 1 档，人手撤下 1 档')).toBeInTheDocument();
  expect(within(ladder).getByText('+0.03')).toBeInTheDocument();
  await person.click(within(ladder).getByRole('button', { name: /^修\s?复$/ }));
  const dialog = await screen.findByRole('dialog');
  await person.click(within(dialog).getByRole('button', { name: /修\s?复/ }));
  await waitFor(() => expect(sentTo(gridDeal.repair)[0]?.body).toEqual({ id: 'd1' }));
});

test('the levels of a grid that has ended say nothing of what they held', async () => {
  answers(gridDeal.list, { list: [{ ...ROW, state: 'closed', endedAt: AT }] });
  openConsole('/strategy/grid?tab=mine', 'master');
  const ladder = await screen.findByRole('region', { name: '档位' });
  expect(await within(ladder).findAllByLabelText('缺失：已经结束，没有持有')).toHaveLength(3);
  expect(within(ladder).queryByText('+0.03')).not.toBeInTheDocument();
});

test('how it did is told beside what a person may do: move the range, put in more, replay the same params', async () => {
  answers(gridDeal.shift, { lower: 91_000, upper: 101_000 });
  answers(gridDeal.replay, {
    ...{ inRange: 0.6, fillsPerDay: 5, mostHeld: 0.1, mostHeldValue: 9_000, drawdown: -0.05, drawdownUsdt: -250 },
    ...{ hold: 300, versusHold: -262.5, startedAt: AT, endedAt: null, endReason: null, bars: 720, pairCount: 44 },
    ...{
      gridProfit: 61,
      floating: -23.5,
      funding: -2,
      fees: 9,
      net: 37.5,
      apr: 0.09,
      time: [AT, AT + 1],
      netCurve: [0, 37.5],
    },
  });
  openConsole('/strategy/grid?tab=mine', 'master');
  const panel = await screen.findByRole('region', { name: '档位' });
  const figures = await within(panel).findByLabelText('网格表现');
  for (const text of ['87.5%', '-111.50', '-3.10%']) expect(within(figures).getByText(text)).toBeInTheDocument();
  await person.click(within(panel).getByRole('button', { name: '移动区间' }));
  const dialog = await screen.findByRole('dialog');
  await person.type(within(dialog).getByRole('spinbutton', { name: '移动' }), '2');
  // It puts in new orders: told what they come to, and done only when held; Enter does nothing.
  expect(await within(dialog).findByText(/最多新挂 2 格/)).toHaveTextContent(/6,666\.67.*3,333\.33/);
  await person.keyboard('{Enter}');
  const verb = within(dialog).getByRole('button', { name: '按住 1 秒：移动区间' });
  await person.click(verb);
  expect(sentTo(gridDeal.shift)[0]).toBeUndefined();
  await hold(verb, 1_100);
  await waitFor(() => expect(sentTo(gridDeal.shift)[0]?.body).toEqual({ id: 'd1', cells: 2 }));
  await person.click(within(panel).getByRole('button', { name: /^回\s?测$/ }));
  const replay = await within(panel).findByRole('region', { name: '回测同一组参数' });
  expect(await within(replay).findByText('+37.50')).toBeInTheDocument();
  await person.click(within(replay).getByText('90 天'));
  await waitFor(() =>
    expect(sentTo(gridDeal.replay).at(-1)!.body).toMatchObject({
      ...{ days: 90, params: { symbol: 'BTCUSDT', lower: 90_000 } },
    }),
  );
});

const SPOT: GridCandidate = {
  ...{ ...BTC, id: 'simulated BTCUSDT_SPOT', market: 'spot', symbol: 'BTCUSDT_SPOT', fundingApr: null, adl: null },
};

test('the bounds are filled from the hours of the instrument, whose figures are told; too short a history says so', async () => {
  answers(gridScan.range, {
    ...{ lower: 91_500.5, upper: 98_750, price: 95_000, low: 91_500.5, high: 98_750, atr: 2_400 },
    ...{ from: AT - 7 * 86_400_000, until: AT },
  });
  openConsole('/strategy/grid', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated BTCUSDT 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  const tool = within(drawer).getByRole('region', { name: '自动区间' });
  const days = within(tool).getByRole('spinbutton', { name: '自动区间的天数' });
  await person.clear(days);
  await person.type(days, '7');
  const fill = within(tool).getByRole('button', { name: '填入上下限' });
  await person.click(fill);
  await waitFor(() => expect(within(drawer).getByRole('spinbutton', { name: '区间下限' })).toHaveValue('91500.5'));
  expect(within(drawer).getByRole('spinbutton', { name: '区间上限' })).toHaveValue('98750');
  for (const text of [/BTCUSDT 最近 7 天/, /已填 N 日高低/]) expect(within(tool).getByText(text)).toBeInTheDocument();
  expect(within(tool).getByText('2.53%')).toBeInTheDocument();
  const asked = sentTo(gridScan.range)[0]!.query;
  expect(Object.fromEntries(asked)).toEqual({ source: 'simulated', symbol: 'BTCUSDT', range: 'lowHigh', days: '7' });

  refuses(gridScan.range, { code: 5124, message: '不能自动填区间：BTCUSDT 的小时 K 线只有 5 天，不满 7 天' });
  await person.click(within(tool).getByText('ATR × 3'));
  await person.click(fill);
  expect(await within(tool).findByText(/只有 5 天，不满 7 天/)).toBeInTheDocument();
  // What stood there stays.
  expect(within(drawer).getByRole('spinbutton', { name: '区间上限' })).toHaveValue('98750');
});

test('where the market has nothing at all, that is said', async () => {
  answers(gridScan.list, { list: [], total: 0, all: 0, hidden: [], at: AT });
  openConsole('/strategy/grid', 'master');
  expect(await screen.findByText('没有可以做的')).toBeVisible();
});

test('a row of spot leads to a long grid without leverage; what spot cannot do is refused at its field', async () => {
  answers(gridScan.list, { list: [SPOT], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.preview, {
    at: Date.now(),
    ...{ fees: 20, worst: null, targets: [] },
    accounts: [{ source: 'simulated', cash: 4_700, margin: 0, spendable: 90_000, freeMargin: 90_000 }],
    ladder: {
      ...{ stepLeast: 0.004, stepMost: 0.004, profitLeast: 0.002, profitMost: 0.002, breakEven: 0.002 },
      ...{
        capital: 10_000,
        quantity: 0.0025,
        startCells: 20,
        startCoin: 0.05,
        startFrom: 'account',
        start: null,
        freeCoin: 0.03,
      },
      ...{ market: 'spot', dailyPairs: 5, dailyNet: 2, liquidationLow: null, liquidationHigh: null },
    },
  });
  openConsole('/strategy/grid?market=spot', 'master');
  const line = (await screen.findByRole('button', { name: '用 simulated BTCUSDT_SPOT 新建策略' })).closest('tr')!;
  expect(within(line).getByText('现货')).toBeInTheDocument();
  expect(within(line).getByLabelText('缺失：现货没有资金费')).toBeInTheDocument();
  const listed = sent.find(({ path, query }) => path === gridScan.list.path && query.has('days'))!.query;
  expect(listed.get('market')).toBe('spot');
  await person.click(within(line).getByRole('button', { name: '用 simulated BTCUSDT_SPOT 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  const choose = async (field: string, option: string) => {
    await person.click(within(drawer).getByRole('combobox', { name: field }));
    await person.click(await screen.findByTitle(option));
  };
  expect(within(drawer).getByRole('spinbutton', { name: '杠杆' })).toHaveValue('1');
  await choose('方向', '做空');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  expect(await within(drawer).findByText('现货没有可借的币，不能做空')).toBeInTheDocument();
  await choose('方向', '做多');
  await choose('投入', '标的币');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(preview).findByText('开始时取用账户的币')).toBeInTheDocument();
  expect(within(preview).getByText(/账户闲置/)).toHaveTextContent('账户闲置 0.03');
  expect(within(preview).getAllByLabelText('缺失：现货没有强平：没有借款，也没有保证金')).toHaveLength(2);
  expect(sentTo(strategies.preview)[0]!.body).toMatchObject({
    params: { market: 'spot', invest: 'base', direction: 'long', leverage: 1, symbol: 'BTCUSDT_SPOT' },
  });
});

test('a spot grid tells why it has no liquidation and no funding, and is stopped with its coin sold or kept', async () => {
  const spot = { market: 'spot', symbol: 'BTCUSDT_SPOT', direction: 'long', leverage: 1 } as const;
  answers(strategies.list, { list: [{ ...HELD, params: { ...(HELD.params as object), ...spot } }] });
  answers(gridDeal.list, { list: [{ ...ROW, ...spot, funding: null, liquidationLow: null, liquidationHigh: null }] });
  answers(strategies.stop, { state: 'closing' });
  const used = dealLegOf('long', 'BTCUSDT_SPOT', { quantity: '0.25', opened: '0.25', entry: 50_100 });
  const unused = dealLegOf('short', 'BTCUSDT_SPOT', { isUsed: false });
  answers(strategies.deals, { list: [dealOf({ shortFilled: null, legs: [used, unused] })] });
  openConsole('/strategy/grid?tab=mine', 'master');
  const own = await screen.findByRole('region', { name: '策略' });
  expect(await within(own).findByText('现货 · 做多')).toBeInTheDocument();
  // Of its deal the leg that it never uses is empty, and closing it speaks of no second one.
  const deals = await screen.findByRole('region', { name: '交易单' });
  expect(await within(deals).findByText('0.25')).toBeInTheDocument();
  expect(within(deals).getAllByText('BTCUSDT_SPOT')).toHaveLength(1);
  expect(within(deals).getAllByLabelText('缺失：这张交易单不用这一腿')).toHaveLength(2);
  expect(within(deals).queryByText('数量偏差')).toBeNull();
  await person.click(within(deals).getByRole('button', { name: /^平\s?仓$/ }));
  const closing = await screen.findByRole('dialog');
  await waitFor(() => expect(closing).toHaveTextContent('立即撤掉挂单，按市价平掉持有'));
  await person.click(within(closing).getByRole('button', { name: /^返\s?回$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  for (const why of ['现货没有资金费', '现货没有强平：没有借款，也没有保证金'])
    expect(within(own).getByLabelText(`缺失：${why}`)).toBeInTheDocument();
  const ladder = await screen.findByRole('region', { name: '档位' });
  expect(within(ladder).queryByRole('button', { name: '追加投入' })).not.toBeInTheDocument();
  await person.click(within(own).getByRole('button', { name: 'BTC 网格 的更多操作' }));
  await person.click(await screen.findByRole('menuitem', { name: '停止' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByRole('radio', { name: /^卖出全部/ })).toBeChecked();
  await person.click(within(dialog).getByRole('radio', { name: /^保留币：.*转为账户库存/ }));
  await hold(within(dialog).getByRole('button', { name: '按住 1 秒：停止' }), 1_100);
  await waitFor(() => expect(sentTo(strategies.stop)[0]?.body).toEqual({ id: 's1', flatten: false }));
});
