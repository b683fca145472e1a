import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { account } from '#contract/account';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { type SpreadCandidate, spreadScan } from '#contract/kinds/spread/scan';
import { scanPast } from '#contract/scanPast';
import { type LegsTicket, strategies } from '#contract/strategies';
import type { DealRow, StrategyRow } from '#contract/strategyRow';
import { hold } from '../support/hedgeActs';
import { onPhone } from '../support/phone';
import { dealLegOf, dealOf, strategyOf, TICKET } from '../support/strategyFixtures';
import { answers, openConsole, person, place, refuses, sent, sentTo } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const QUARTER: SpreadCandidate = {
  id: 'simulated BTCUSDT_SPOT BTCUSDT_260327',
  source: 'simulated',
  base: 'BTC',
  type: 'spotFuture',
  near: 'BTCUSDT_SPOT',
  far: 'BTCUSDT_260327',
  perpetual: 'BTCUSDT',
  expiresAt: AT + 71 * 86_400_000,
  days: 71,
  nearBid: 49_999,
  nearAsk: 50_001,
  farBid: 50_998,
  farAsk: 51_002,
  basis: 1_000,
  basisRate: 0.02,
  annualised: 0.1028,
  direction: 'sellFar',
  quantity: 0.196,
  spread: 997,
  spreadShare: 0.01994,
  openEdge: 0.01994,
  closeLevel: 0.02006,
  expectedLevel: 0,
  fees: 0.00265,
  net: 0.01729,
  netApr: 0.0889,
  netFunding: 0.0183,
  netFundingApr: 0.0889,
  capitalApr: 0.0593,
  ...{ netFundingAprAtRate: 0.0889, replay7: -0.002, replay30: 0.006 },
  borrowApr: null,
  fundingApr: null,
  z: 1.25,
  percentile: 0.9,
  past: 'known',
  depth: 2_000_000,
  turnover24h: 300_000_000,
  quotedAt: AT - 1_000,
  obstacles: [],
};
const YOUNG: SpreadCandidate = {
  ...QUARTER,
  id: 'simulated-okx NEWUSDT_SPOT NEWUSDT',
  source: 'simulated-okx',
  base: 'NEW',
  type: 'spotPerpetual',
  near: 'NEWUSDT_SPOT',
  far: 'NEWUSDT',
  perpetual: 'NEWUSDT',
  expiresAt: null,
  days: null,
  annualised: null,
  direction: 'buyFar',
  z: null,
  percentile: null,
  past: 'short',
  obstacles: ['borrow', 'young'],
};

afterEach(() => jest.restoreAllMocks());

const rowOf = async (coin: string) => (await screen.findByText(coin)).closest('tr')!;
const lastAsked = () => sentTo(spreadScan.list).at(-1)!.query;

test('every pair with its direction, what is missing with its reason, at the size and filter asked for', async () => {
  answers(spreadScan.list, { list: [QUARTER, YOUNG], total: 2, all: 2, hidden: [], at: AT });
  openConsole('/strategy/spread?type=spotFuture&minNetApr=0.05', 'master');
  const quarter = await rowOf('BTC');
  for (const text of ['期现', '卖远买近', '可开仓', 'BTCUSDT_260327', '71.0', '90%', '26.5']) {
    expect(within(quarter).getByText(text)).toBeInTheDocument();
  }
  const young = await rowOf('NEW');
  expect(within(young).getByText('不可借')).toBeInTheDocument();
  expect(within(young).getAllByLabelText('缺失：两腿的共同历史不足 30 天')).toHaveLength(2);
  expect(Object.fromEntries(lastAsked())).toMatchObject({ type: 'spotFuture', minNetApr: '0.05', size: '10000' });
  // A row opens to the past of its basis, with mean and bands.
  answers(scanPast.basis, {
    time: [AT - 14_400_000, AT],
    basis: [0.01, 0.02],
    ...{ open: [0.012, 0.01], high: [0.0125, 0.0231], low: [0.0098, 0.01], finest: '1h' },
    annualised: [0.05, 0.1],
    near: [50_000, 50_000],
    far: [50_500, 51_000],
    mean: 0.015,
    sd: 0.004,
  });
  answers(spreadDesk.dates, {
    expiries: [{ symbol: 'BTCUSDT_260327', at: Date.UTC(2026, 2, 27, 8) }],
    rolls: [
      { at: AT - 7_200_000, way: 'in', from: 'BTCUSDT_251226', to: 'BTCUSDT_260327' },
      { at: AT - 3_600_000, way: 'out', from: 'BTCUSDT_260327', to: 'BTCUSDT_260626' },
    ],
  });
  await person.click(within(quarter).getByRole('button', { name: '展开行' }));
  const chart = await screen.findByRole('figure', {
    name: '90 天的基差，4 小时 K 线，开高低取自 1 小时收盘；左轴为两腿价格；下面是年化（F4）',
  });
  // The legend tells the newest bar, the words the extremes of all.
  for (const text of ['基差 开 1.0000%', '高 2.3100%', '低 1.0000%', '收 2.0000%', '年化 10.00%', '远腿 51,000.00']) {
    expect(within(chart).getByText((_, node) => node?.tagName === 'SPAN' && node.textContent === text)).toBeVisible();
  }
  for (const text of [
    '基差：起 1.0000%，末 2.0000%，最低 0.9800%，最高 2.3100%',
    'BTCUSDT_260327 到期：2026-03-27 08:00',
    '移仓，自 BTCUSDT_251226：2026-01-14 22:00',
    '移仓到 BTCUSDT_260626：2026-01-14 23:00',
  ]) {
    expect(chart).toHaveAccessibleDescription(expect.stringContaining(text));
  }
  expect(Object.fromEntries(sentTo(scanPast.basis).at(-1)!.query)).toEqual({
    ...{ source: 'simulated', near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260327' },
  });
  expect(Object.fromEntries(sentTo(spreadDesk.dates).at(-1)!.query)).toEqual({
    ...{ source: 'simulated', near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260327' },
  });
  // The curves stay readable where the dates are not known.
  refuses(spreadDesk.dates, { code: 500, message: '服务器出错', status: 500 });
  await person.click(within(young).getByRole('button', { name: '展开行' }));
  expect(await screen.findByText(/^没有读到到期与移仓的日期：/)).toBeInTheDocument();
  expect(await screen.findAllByRole('figure', { name: /90 天的基差/ })).toHaveLength(2);
  await person.click(screen.getByText('100k'));
  await waitFor(() => expect(lastAsked().get('size')).toBe('100000'));
  expect(place()).toContain('size=100000');
});

test('a page of the scanner is short, and on a phone a row is a card that can be ordered, opened and planned with', async () => {
  onPhone();
  answers(spreadScan.list, { list: [QUARTER, YOUNG], total: 2, all: 2, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  const none = {
    ...{ time: [], basis: [], open: [], high: [], low: [], finest: '1h' as const },
    ...{ annualised: [], near: [], far: [], mean: null, sd: null },
  };
  const two = {
    ...{ time: [AT - 14_400_000, AT], basis: [0.01, 0.02], open: [0.01, 0.01], high: [0.01, 0.02], low: [0.01, 0.01] },
    ...{ annualised: [null, null], near: [50_000, 50_000], far: [50_500, 51_000], mean: null, sd: null },
    finest: '4h' as const,
  };
  answers(scanPast.basis, (request) => (new URL(request.url).searchParams.get('far') === YOUNG.far ? two : none));
  answers(spreadDesk.dates, { expiries: [], rolls: [] });
  openConsole('/strategy/spread', 'master');
  const card = within(await screen.findByRole('article', { name: QUARTER.id }));
  expect(Object.fromEntries(lastAsked())).toMatchObject({ pageSize: '20' });
  expect(card.getByRole('link', { name: 'BTC' })).toBeInTheDocument();
  for (const text of ['期现', '卖远买近', '可开仓', '71.0']) expect(card.getByText(text)).toBeInTheDocument();
  expect(card.getByText('净年化').nextElementSibling).toHaveTextContent('+5.93%');
  await person.click(card.getByRole('button', { name: /^展\s?开$/ }));
  expect(await card.findByText('还没有历史')).toBeInTheDocument();
  // Where two axes leave no room the legs have a pane of their own.
  const young = within(screen.getByRole('article', { name: YOUNG.id }));
  await person.click(young.getByRole('button', { name: /^展\s?开$/ }));
  expect(
    await young.findByRole('figure', { name: '90 天的基差，4 小时 K 线，开高低取自 4 小时收盘；下面是两腿价格' }),
  ).toBeInTheDocument();

  await person.click(screen.getByRole('combobox', { name: '排序' }));
  await person.click(await screen.findByTitle('剩余天数'));
  await waitFor(() => expect(lastAsked().get('sort')).toBe('days'));
  expect(place()).toBe('/strategy/spread?sort=days');
  await person.click(card.getByRole('button', { name: `用 ${QUARTER.id} 新建策略` }));
  expect(await screen.findByRole('dialog', { name: '新建策略' })).toBeInTheDocument();
});

test('a row says how old its quotes are: a green dot while they are young, another sign and a word when they are not', async () => {
  const stuck = { ...YOUNG, quotedAt: AT - 65_000 };
  answers(spreadScan.list, { list: [QUARTER, stuck], total: 2, all: 2, hidden: [], at: AT });
  openConsole('/strategy/spread', 'master');
  const young = within(await rowOf('BTC')).getByText('< 6 s');
  expect(young.querySelector('[class*=dot]')).toBeInTheDocument();
  const old = within(await rowOf('NEW')).getByText(/^6\d s 未更新$/);
  expect(old).toHaveTextContent('▲');
  expect(old.querySelector('[class*=dot]')).toBeNull();
  // The market has gone on, and its venue has quoted nothing since.
  answers(spreadScan.list, { list: [QUARTER, stuck], total: 2, all: 2, hidden: [], at: AT + 9_000 });
  expect(await within(await rowOf('BTC')).findByText(/^1\d s 未更新$/)).toBeVisible();
});

test('a cell right of the window waits while nobody has a hand on the tab, and is new once somebody has', async () => {
  jest.replaceProperty(window, 'innerWidth', 1_440);
  const page = (row: SpreadCandidate) => ({ list: [row], total: 1, all: 1, hidden: [], at: AT });
  answers(spreadScan.list, page(QUARTER));
  openConsole('/strategy/spread', 'master');
  const row = await rowOf('BTC');
  expect(row).toHaveTextContent('+5.93%');
  const present = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => present() + 60_000);
  answers(spreadScan.list, page({ ...QUARTER, capitalApr: 0.0711, annualised: 0.1234 }));
  await waitFor(() => expect(row).toHaveTextContent('+7.11%'));
  expect(row).toHaveTextContent('+10.28%');
  fireEvent.pointerMove(window);
  expect(row).toHaveTextContent('+12.34%');
  // Who has scrolled to it looks at it, whatever scrolls in a row that is opened.
  const table = row.closest<HTMLElement>('.ant-table')!;
  const scroller = table.querySelector<HTMLElement>('.ant-table-body')!;
  scroller.scrollLeft = 200;
  fireEvent.scroll(scroller);
  fireEvent.scroll(row.querySelector('td')!);
  jest.spyOn(Date, 'now').mockImplementation(() => present() + 120_000);
  answers(spreadScan.list, page({ ...QUARTER, capitalApr: 0.0822, annualised: 0.1337 }));
  await waitFor(() => expect(row).toHaveTextContent('+8.22%'));
  expect(row).toHaveTextContent('+13.37%');
});

test('an empty leg is asked for, and not called the same as the other', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, all: 1, hidden: [], at: AT });
  openConsole('/strategy/spread?tab=mine', 'master');
  await person.click(await screen.findByRole('button', { name: '新建策略' }));
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^试\s?算$/ }));
  expect(await screen.findByText('请输入远腿')).toBeInTheDocument();
  expect(screen.queryByText('两腿不能是同一个标的')).not.toBeInTheDocument();
});

/** As the scanner's row makes it: the leg that is traded less rests, the other one hedges. */
test('both legs of a ticket stand side by side with what each does, its own lots and the gap that those leave', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.preview, {
    at: Date.now(),
    targets: [
      {
        ...{ long: 'BTCUSDT_SPOT', longSource: 'simulated', short: 'BTCUSDT_260327', shortSource: 'simulated' },
        ...{ block: null, signal: 0.08, cost: 0.003, breakEven: null, ticket: TICKET },
      },
    ],
    accounts: [],
    ...{ fees: 30, worst: 300 },
  });
  openConsole('/strategy/spread', 'master');
  await person.click(within(await rowOf('BTC')).getByRole('button', { name: /新建策略/ }));
  const drawer = await screen.findByRole('dialog');
  // What plays no part for two legs that take cannot be typed.
  expect(within(drawer).getByRole('spinbutton', { name: '挂单转市价' })).toBeDisabled();
  expect(within(drawer).getByRole('spinbutton', { name: '间隔' })).toBeDisabled();
  await person.click(within(drawer).getByRole('combobox', { name: '下单方式' }));
  await person.click(await screen.findByText('挂单+对冲'));
  expect(within(drawer).getByRole('spinbutton', { name: '挂单转市价' })).toBeEnabled();
  const slices = within(drawer).getByRole('spinbutton', { name: '分几份' });
  await person.clear(slices);
  await person.type(slices, '2');
  await person.type(within(drawer).getByRole('spinbutton', { name: '超价（最小变动价位）' }), '3');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const ticket = await within(drawer).findByRole('region', { name: '下单' });
  const asked = sentTo(strategies.preview)[0]!.body as { params: object };
  expect(asked.params).toMatchObject({
    ...{ orderType: 'maker', convertSeconds: 60, slices: 2, sliceSeconds: 15, payUpTicks: 3 },
  });
  const bought = within(ticket).getByRole('region', { name: '买入 BTCUSDT_SPOT' });
  for (const text of ['随成交市价对冲', '数量（最小 0.00001）', '0.19620', '限价（最差）']) {
    expect(within(bought).getByText(text)).toBeInTheDocument();
  }
  expect(bought).toHaveTextContent('手续费9.81 USDT 10.0 bps滑点 0.69 USDT 0.7 bps');
  // Both are of the coin, as the rest is of USDT.
  expect(bought).toHaveTextContent(/币种手续费\s*0\.0001962 BTC\s*扣除后持有\s*0\.1960038 BTC/);
  expect(within(bought).getByText(/限价以内现在只够 0.05/)).toBeInTheDocument();
  const sold = within(ticket).getByRole('region', { name: '卖出 BTCUSDT_260327' });
  for (const text of ['挂单', '挂单价', '挂单手续费', '第一份', '0.098']) {
    expect(within(sold).getByText(text)).toBeInTheDocument();
  }
  expect(within(sold).queryByText('限价（最差）')).not.toBeInTheDocument();
  expect(within(sold).queryByText(/限价以内现在只够/)).not.toBeInTheDocument();
  expect(within(ticket).getByLabelText('两腿合计')).toHaveTextContent(
    /名义19,807\.08 USDT手续费11\.80 USDT 6\.0 bps滑点 0\.49 USDT 0\.2 bps.*两腿数量差0\.19 USDT/,
  );
  const plan =
    '挂单+对冲，每 20 秒按最优价重挂，每份挂 45 秒未成交转市价；分 2 份，每 20 秒一份；超价 3 个最小变动价位';
  expect(within(ticket).getByText(plan)).toBeInTheDocument();
});

const takes = (leg: LegsTicket['legs'][number]) => ({ ...leg, way: 'takes' as const });
const previewOf = (block: 'waitsForApr' | 'noAccount' | null) => ({
  at: Date.now(),
  targets: [
    {
      ...{ long: 'BTCUSDT_SPOT', longSource: 'simulated', short: 'BTCUSDT_260327', shortSource: 'simulated' },
      ...{
        block,
        signal: 0.08,
        signalOnCapital: 0.0533,
        cost: 0.003,
        breakEven: null,
        ticket: { ...TICKET, legs: TICKET.legs.map(takes) },
      },
    },
  ],
  accounts: [{ source: 'simulated', cash: 10_000, margin: 5_000, spendable: 80_000, freeMargin: 70_000 }],
  ...{ fees: 30, worst: 300 },
});

test('one deal of a row is opened at its ticket by holding, at no worse prices than were shown', async () => {
  answers(spreadScan.list, { list: [QUARTER, YOUNG], total: 2, all: 2, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  answers(strategies.preview, previewOf(null));
  answers(strategies.single, { id: 'only' });
  openConsole('/strategy/spread?size=5000', 'master');
  // What cannot be done is not offered.
  expect(within(await rowOf('NEW')).getByRole('button', { name: /^开一笔/ })).toBeDisabled();
  await person.click(within(await rowOf('BTC')).getByRole('button', { name: /^开一笔/ }));
  const dialog = await screen.findByRole('dialog', { name: /^开这一笔：BTC/ });
  await within(dialog).findByRole('region', { name: '买入 BTCUSDT_SPOT' });
  const risk = within(dialog).getByLabelText('成本与风险');
  // 10 bps beyond the limit prices of now.
  expect(risk).toHaveTextContent(
    /净年化 \+5\.33%.*名义净年化\+8\.00%.*一进一出的成本30\.00 USDT.*-300\.00 USDT.*需要余额 15,000\.00 USDT/,
  );
  expect(risk).toHaveTextContent(/买入最差价50,062\.0.*卖出最差价50,951\.0/);
  const held = within(dialog).getByLabelText('持有与平仓');
  expect(held).toHaveTextContent(/最长持有/);
  const verb = within(dialog).getByRole('button', { name: '按住 1 秒：开这一笔' });
  await hold(verb, 300);
  expect(sentTo(strategies.single)).toEqual([]);
  await hold(verb, 1_100);
  await waitFor(() =>
    expect(sentTo(strategies.single).map(({ body }) => body)).toMatchObject([
      {
        ...{ kind: 'spread', name: 'BTC 卖远买近', worst: { long: 50_012 * 1.001, short: 51_002 * 0.999 } },
        params: { legNotional: 5000, entryApr: 0, orderType: 'market', slices: 1, near: 'BTCUSDT_SPOT' },
      },
    ]),
  );
  await waitFor(() => expect(place()).toBe('/strategy/spread?size=5000&tab=mine&strategy=only'));
});

test('what would not be opened now cannot be confirmed, and why is said', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.preview, previewOf('waitsForApr'));
  openConsole('/strategy/spread', 'master');
  await person.click(within(await rowOf('BTC')).getByRole('button', { name: /^开一笔/ }));
  const dialog = await screen.findByRole('dialog', { name: /^开这一笔：BTC/ });
  expect(await within(dialog).findByText('现在不会开仓：净年化未到开仓值')).toBeInTheDocument();
  expect(within(dialog).getByRole('button', { name: '按住 1 秒：开这一笔' })).toBeDisabled();
});

test('while opening is paused nothing is confirmed, and the way back opens beside the dialog', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.preview, previewOf(null));
  answers(account.stops, {
    ...{ pausedForAll: null, paused: { at: AT, by: 'master', reason: '' }, dailyLossLimit: null },
    ...{ unvalued: null, unvaluedLive: null, tripped: [], unjudged: [], troubles: [], outages: [] },
  });
  openConsole('/strategy/spread', 'master');
  await person.click(within(await rowOf('BTC')).getByRole('button', { name: /^开一笔/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /^开这一笔：BTC/ }));
  await dialog.findByRole('region', { name: '买入 BTCUSDT_SPOT' });
  expect(dialog.getByText(/已暂停开仓/)).toBeInTheDocument();
  const way = dialog.getByRole('link', { name: '去恢复' });
  expect(way).toHaveAttribute('href', '/strategy/hedge');
  expect(way).toHaveAttribute('target', '_blank');
  expect(dialog.getByRole('button', { name: '按住 1 秒：开这一笔' })).toBeDisabled();
});

test('where an account is lacking a link beside the reason leads to where it is opened', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, all: 1, hidden: [], at: AT });
  const { accounts, ...preview } = previewOf('noAccount');
  const none = { ...accounts[0]!, source: 'simulated-bybit', spendable: null, freeMargin: null };
  answers(strategies.preview, { ...preview, accounts: [...accounts, none] });
  openConsole('/strategy/spread', 'master');
  await person.click(within(await rowOf('BTC')).getByRole('button', { name: /^开一笔/ }));
  const dialog = await screen.findByRole('dialog', { name: /^开这一笔：BTC/ });
  expect(await within(dialog).findByText('现在不会开仓：在该交易所没有账户')).toBeInTheDocument();
  const ways = within(dialog).getAllByRole('link', { name: /开户$/ });
  expect(ways.map((way) => [way.textContent, way.getAttribute('href')])).toEqual([
    ['去 Bybit 开户', '/?view=own&open=simulated-bybit'],
  ]);
});

const spreadLeg = (leg: 'long' | 'short', symbol: string, entry: number) =>
  dealLegOf(leg, symbol, {
    ...{ quantity: leg === 'long' ? '0.1' : '-0.1', opened: '0.1', entry, pricePnl: 3, fees: 5 },
  });

test('a deal that was opened alone is listed as such, offers no start, and is folded when it has ended', async () => {
  const single = (id: string, more: Partial<StrategyRow>): StrategyRow =>
    strategyOf('spread', {
      ...{ id, name: id, params: DEFAULT_SPREAD, notional: 9_990, single: { until: AT, refused: null }, ...more },
    });
  const gone = { state: 'stopped', running: 0 } as const;
  answers(strategies.list, {
    list: [
      single('持有的', {}),
      single('平掉的', { ...gone, ended: 1, net: -40 }),
      single('没开的', { ...gone, single: { until: AT, refused: 'ticketMoved' } }),
    ],
  });
  answers(strategies.deals, {
    list: [dealOf({ legs: [spreadLeg('long', 'BTCUSDT_SPOT', 50_000), spreadLeg('short', 'BTCUSDT_260327', 50_900)] })],
  });
  openConsole('/strategy/spread?tab=mine', 'master');
  const table = within(await screen.findByRole('region', { name: '策略' }));
  expect(await table.findByText('单笔')).toBeInTheDocument();
  expect(table.queryByRole('button', { name: /^(启\s?动|暂\s?停)$/ })).toBeNull();
  expect(table.queryByText('平掉的')).toBeNull();
  // What it lost is in the sum all the same.
  expect(table.getByText('合计（含已结束的单笔）').closest('tr')).toHaveTextContent('-38.00');
  await person.click(table.getByRole('button', { name: '已结束的单笔 2' }));
  expect(await table.findByText('平掉的')).toBeInTheDocument();
  expect(table.getByText('单笔未开：价格越过票据的最差价')).toBeInTheDocument();
  // What is opened once is not asked what follows its end.
  const deals = within(screen.getByRole('region', { name: '交易单' }));
  await person.click(await deals.findByRole('button', { name: /^平\s?仓$/ }));
  const closing = within(await screen.findByRole('dialog', { name: /^平仓：/ }));
  expect(await closing.findByText('只开这一张：平掉后不再开，策略自动停止。')).toBeInTheDocument();
  expect(closing.queryByLabelText(/^平掉后继续/)).toBeNull();
});

const HELD = dealOf({
  ...{ signalOpen: 0.08, heldDays: 30, expiresAt: AT + 2 * 86_400_000, daysLeft: 2, exitLevel: 0.001 },
  ...{ edgeOpen: 0.0185, edgeTaken: 0.018, expected: 74.5, secondFillMs: 61 },
  legs: [spreadLeg('long', 'BTCUSDT_SPOT', 50_000), spreadLeg('short', 'BTCUSDT_260327', 50_900)],
  ...{ imbalance: 0.05, pricePnl: 6, realised: 1.5, fees: 10, net: -4, roi: -0.0005 },
  alerts: ['临近到期：BTCUSDT_260327 48 小时后到期'],
});

test('a held spread says what it will have made, its cost of going on is shown before it rolls, and its target moves', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, all: 1, hidden: [], at: AT });
  const params = { ...DEFAULT_SPREAD, near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260327' };
  answers(strategies.list, {
    list: [strategyOf('spread', { name: 'BTC 卖远买近', params, pricePnl: 6, fees: 10, net: -4 })],
  });
  const entering = { ...HELD, id: 'd2', state: 'opening' as const, openedAt: null, expected: null, alerts: [] };
  const resting = { legs: ['short' as const], isOut: false, convertsAt: Date.now() + 95_000 };
  const [long, short] = HELD.legs as [DealRow['legs'][number], DealRow['legs'][number]];
  const alone = { imbalance: 1, oneLegSince: AT, legs: [long, { ...short, quantity: '0', opened: '0', entry: null }] };
  const shrunk = HELD.legs.map((leg) => (leg.leg === 'short' ? { ...leg, quantity: '-0.04' } : leg));
  const uneven = {
    ...HELD,
    id: 'd3',
    legs: shrunk,
    uneven: true,
    mendable: true,
    imbalance: 0.5,
    expected: null,
    alerts: [],
  };
  const flat = HELD.legs.map((leg) => ({ ...leg, quantity: '0' }));
  const unsettled = {
    ...HELD,
    id: 'd4',
    alerts: [],
    state: 'closing' as const,
    legs: flat,
    imbalance: null,
    expected: null,
  };
  const failed = {
    ...unsettled,
    id: 'd5',
    state: 'failed' as const,
    closeReason: 'refused' as const,
    refusal: '保证金不足',
  };
  answers(strategies.deals, { list: [HELD, { ...entering, ...alone, resting }, uneven, unsettled, failed] });
  answers(spreadDesk.figures, {
    ...{ edgeOpen: 0.0185, edgeTaken: 0.018, takenShare: 0.973, secondFillMs: 61, opened: 1, unmatched: 0 },
    expiries: [
      {
        ...{ far: 'BTCUSDT_260327', expiresAt: HELD.expiresAt, deals: 1, running: 1, edgeOpen: 0.0185 },
        ...{ edgeTaken: 0.018, pricePnl: 6, funding: 0, fees: 10, net: -4, expected: 74.5 },
      },
    ],
  });
  answers(spreadDesk.rollQuote, {
    ...{ from: 'BTCUSDT_260327', to: 'BTCUSDT_260626', source: 'simulated', expiresAt: AT + 93 * 86_400_000 },
    ...{ days: 93, quantity: 0.1, closePrice: 50_100, openPrice: 51_200, gap: 0.02196, fees: 5.07, slippage: 0.4 },
    ...{ cost: 5.47, netApr: 0.081, obstacles: [], refusal: '移仓其间多持一腿：名义上限只余 1.00 USDT' },
  });
  answers(spreadDesk.roll, { id: 'd1' });
  answers(strategies.setExitTarget, { id: 'd1' });
  const quoted = { quantity: '0.1', left: '0', fee: 2.5, feeRate: 0.0005, slippage: 0, unpriced: null };
  answers(strategies.closeQuote, {
    ...{ id: 'd1', percent: 100, maker: false, held: { long: '0.1', short: '-0.1' }, refusal: null },
    legs: [
      { ...quoted, leg: 'long', source: 'simulated', symbol: 'BTCUSDT_SPOT', side: 'sell', price: 50_000, mid: 50_000 },
      {
        ...quoted,
        leg: 'short',
        source: 'simulated',
        symbol: 'BTCUSDT_260327',
        side: 'buy',
        price: 50_040,
        mid: 50_040,
      },
    ],
    ...{ cost: 5, realised: -1, net: -9, priceAt: AT },
  });
  openConsole('/strategy/spread?tab=mine', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  expect((await within(deals).findAllByText('+74.50')).length).toBe(1);
  expect(within(deals).getByText('提醒 1')).toBeInTheDocument();
  expect(within(deals).getByText('失败：委托被拒（保证金不足）')).toBeInTheDocument();
  // What nobody brings together but a person is said as loud as a leg alone.
  expect(within(deals).getAllByText('两腿不等').length).toBe(1);
  expect(within(deals).getByText(/^两腿数量不等，.*请补齐或退回/)).toBeInTheDocument();
  expect(within(deals).getByText(/^两腿已平，正在核对交易所的持仓/)).toBeInTheDocument();
  // What is realised and what floats add up to what the prices made, beside the position of both legs together.
  const held = within(
    within(deals)
      .getAllByRole('row')
      .find((row) => /提醒 1/.test(row.textContent ?? ''))!,
  );
  for (const figure of ['+1.50', '+4.50']) expect(held.getByText(figure)).toBeInTheDocument();
  expect(within(deals).getAllByText('净仓').length).toBeGreaterThan(0);
  expect(await screen.findByText('97.3%')).toBeInTheDocument();
  // What rests counts down to the market.
  expect(await within(deals).findByText(/^00:0[01]:\d\d$/)).toBeInTheDocument();

  const [more, other, third] = within(deals).getAllByRole('button', {
    name: 'BTCUSDT_SPOT / BTCUSDT_260327 的更多操作',
  });
  await person.click(more!);
  // Its legs are less than a smallest order apart, which nothing brings together.
  expect(await screen.findByRole('menuitem', { name: '改目标价' })).toBeInTheDocument();
  for (const way of ['补齐', '退回']) expect(screen.queryByRole('menuitem', { name: way })).toBeNull();
  await person.click(await screen.findByText('改目标价'));
  const aim = await screen.findByRole('dialog');
  const level = await within(aim).findByRole('spinbutton', { name: '目标价差' });
  expect(level).toHaveValue('0.1000');
  // What is reached already closes it at once, which is said before.
  expect(await within(aim).findByText('+0.080%')).toBeInTheDocument();
  expect(within(aim).getByText(/改后会立即平仓/)).toBeInTheDocument();
  await person.clear(level);
  await person.type(level, '0.05');
  await waitFor(() => expect(within(aim).queryByText(/改后会立即平仓/)).toBeNull());
  await person.click(within(aim).getByRole('button', { name: /^改目标价$/ }));
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ id: 'd1', exitLevel: 0.0005 }),
  );

  await person.click(more!);
  await person.click(await screen.findByText('移仓'));
  const quote = await screen.findByLabelText('移仓报价');
  expect(await within(quote).findByText('5.47')).toBeInTheDocument();
  expect(within(quote).getByText('+2.196%')).toBeInTheDocument();
  expect(screen.getByText(/^移仓其间多持一腿/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /按住 1 秒：移仓/ })).toBeEnabled();
  // What is apart is brought together either way.
  await person.click(other!);
  for (const way of ['补齐', '退回']) expect(await screen.findByRole('menuitem', { name: way })).toBeInTheDocument();
  // Of what is held it is said by how much.
  await person.click(third!);
  await waitFor(() => expect(screen.getAllByRole('menuitem', { name: '补齐' })).toHaveLength(2));
  await person.click(screen.getAllByRole('menuitem', { name: '补齐' }).at(-1)!);
  const filling = await screen.findByRole('dialog', { name: /^补齐：/ });
  expect(filling).toHaveTextContent('卖出 币安 BTCUSDT_260327 至多 0.06');
});
