import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { account } from '#contract/account';
import { flatten, intervention } from '#contract/flatten';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { opening } from '#contract/opening';
import { type OrderRow, order } from '#contract/order';
import { strategies } from '#contract/strategies';
import { strategyOverview as api, type OverviewRow } from '#contract/strategyOverview';
import { previewOf, reportOf } from '../support/flattenFixtures';
import { hold } from '../support/hedgeActs';
import { dueRow, openingsOf } from '../support/openingFixtures';
import { onPhone } from '../support/phone';
import { strategyOf } from '../support/strategyFixtures';
import {
  answers,
  environmentIs,
  openConsole,
  person,
  place,
  refuses,
  responds,
  sent,
  sentTo,
} from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15, 12);

const OWN: OverviewRow = {
  ...{
    id: 's1',
    userId: 'u1',
    user: 'master',
    own: true,
    kind: 'fundingRate',
    name: 'XLM 资金费',
    mode: 'paper',
    leavesCoin: false,
  },
  heldBack: null,
  ...{ state: 'tripped', switchedAt: AT - 7_200_000, symbols: ['XLMUSDT'], running: 1, ended: 12 },
  ...{ capital: 12_000, notional: 20_100, exposure: 12.5, today: -820, pricePnl: -700, funding: 320, fees: 40 },
  ...{
    net: -420,
    roi: -0.035,
    apr: -0.21,
    drawdown: 900,
    drawdownShare: -0.075,
    sharpe: 1.42,
    winRate: 0.58,
    turnover: 0.4,
  },
  ...{ heartbeatAt: AT - 2_000, errors24h: 3, week: [null, 100, 200, 480, 300, 420, 400, -420] },
  limits: { maxDrawdown: 800, dailyLoss: null, maxNotional: 30_000 },
  used: { maxDrawdown: 900, dailyLoss: 820, maxNotional: 20_100 },
  accounts: [
    { venue: 'simulated', name: '主账户' },
    { venue: 'simulated-okx', name: null },
  ],
  ...{ note: '先看一周', noteBy: 'master', noteAt: AT - 3_600_000 },
  ...{ tripped: '回撤 900.00 USDT 超过限额 800.00 USDT', trippedAt: AT - 7_200_000 },
};
const OTHER: OverviewRow = {
  ...OWN,
  ...{ id: 's2', userId: 'u2', user: '周航', own: false, kind: 'hedge', name: '对冲', state: 'running', net: 5_000 },
  ...{
    today: null,
    notional: null,
    symbols: ['BTCUSDT', 'ETHUSDT'],
    accounts: [{ venue: 'simulated', name: '主账户' }],
    tripped: null,
    trippedAt: null,
    apr: null,
  },
  limits: { maxDrawdown: null, dailyLoss: null, maxNotional: null },
};

const RESTING: OrderRow = {
  ...{ id: 'o1', exchangeId: null, hedgeId: null, strategyId: 's1', strategy: OWN.name, kind: 'fundingRate' },
  ...{ userId: 'u1', user: 'master', accountId: 'a1', account: '主账户', source: 'simulated', symbol: 'XLMUSDT' },
  ...{ leg: 'short', side: 'sell', opens: true, type: 'maker', purpose: 'entry', reduceOnly: false, quantity: '13' },
  ...{ mode: 'paper', tickSize: '0.0001', lotSize: '1' },
  ...{ fee: '0', decisionMid: 0.4, slippageBps: null, limitPrice: '0.41', averagePrice: null, filledQuantity: '0' },
  ...{ filled: 0, filledNotional: '0', maker: null, state: 'open', reason: null, latencyMs: 42, cancelAskedAt: null },
  ...{ createdAt: AT, sentAt: AT, answeredAt: AT, endedAt: null },
};
const NO_TOTALS = {
  ...{ orders: 1, resting: 1, fillRate: null, notional: 0, fees: 0, slippageBps: null, makerShare: null },
  rejectRate: null,
};

const strategyRow = (params: object) =>
  strategyOf('fundingRate', {
    ...{ name: OWN.name, state: 'paused', version: 7, params, switchedAt: null, switchedBy: null },
    ...{ notional: null, pricePnl: null, funding: null, fees: null, net: null },
  });

/** A master's own actions on what is another's. */
const OTHERS = '周航 的 对冲 的更多操作';

const open = () => openConsole('/strategy/overview', 'master');
const rowOf = async (name: string) => (await screen.findByLabelText(`对比 ${name}`)).closest('tr')!;

/** Everything, as a first look is answered. */
const allOf = (...list: OverviewRow[]) => ({
  ...{ at: AT, today: Date.UTC(2026, 0, 15), since: null, list, changed: [], gone: [] },
});

beforeEach(() => {
  answers(api.list, allOf(OWN, OTHER));
  const daily = Array.from({ length: 30 }, (_none, day) => (day < 5 ? null : day - 10));
  answers(api.days, {
    today: Date.UTC(2026, 0, 15),
    list: [
      { id: OWN.id, daily, riskShare: 1.25 },
      { id: OTHER.id, daily, riskShare: -0.25 },
    ],
    correlation: [
      [1, -0.35],
      [-0.35, 1],
    ],
  });
  answers(api.feed, {
    list: [
      {
        id: '1',
        at: AT,
        strategyId: 's1',
        strategy: OWN.name,
        user: 'master',
        kind: 'breaker',
        severity: 'error',
        text: '熔断，回撤',
      },
    ],
  });
});

test('while the past of a demo is made no total is told, each with a word and the reason', async () => {
  environmentIs({ demo: true, preparing: true, told: { day: 23, days: 60 } });
  open();
  const totals = within(await screen.findByLabelText('合计'));
  await waitFor(() => expect(totals.getAllByText('生成中')).toHaveLength(6));
  expect(totals.getAllByLabelText('缺失：演示交易还在生成，完成后显示')).toHaveLength(6);
});

test('while the past of a demo is made a row tells no figure either, and why', async () => {
  environmentIs({ demo: true, preparing: true, told: { day: 23, days: 60 } });
  open();
  const row = within(await rowOf(OWN.name));
  await waitFor(() => expect(row.queryByText('-420.00', { exact: false })).toBeNull());
  expect(row.getByText('熔断')).toBeInTheDocument();
  expect(row.queryByRole('img', { name: /^从 / })).toBeNull();
  expect(row.queryByRole('meter')).toBeNull();
  expect(row.getAllByLabelText('缺失：演示交易还在生成，完成后显示').length).toBeGreaterThan(10);
});

test('neither does a card on a phone', async () => {
  onPhone();
  environmentIs({ demo: true, preparing: true, told: { day: 23, days: 60 } });
  open();
  const card = within(await screen.findByRole('article', { name: `${OWN.name} · master` }));
  await waitFor(() => expect(card.getAllByLabelText('缺失：演示交易还在生成，完成后显示')).toHaveLength(11));
  expect(card.queryByText('-420.00', { exact: false })).toBeNull();
});

test('the count of strategies is that of all their states', async () => {
  const stopped = { ...OTHER, id: 's3', name: '停下的', state: 'stopped' } as const;
  answers(api.list, allOf(OWN, OTHER, stopped));
  open();
  expect(await screen.findByText('运行 1，停止 1，熔断 1')).toBeInTheDocument();
});

test('after the first look only what changed is read, and put in its place', async () => {
  const later = { at: AT + 3_000, today: Date.UTC(2026, 0, 15), since: AT };
  const changed = [{ id: OTHER.id, fields: { net: 5_123 } }];
  const added = { ...OTHER, id: 's4', name: '后来的' };
  answers(api.list, (request) =>
    new URL(request.url).searchParams.get('since') === String(AT)
      ? { ...later, list: [added], changed, gone: [OWN.id] }
      : allOf(OWN, OTHER),
  );
  open();
  await rowOf(OWN.name);
  expect(await screen.findByLabelText('对比 后来的', {}, { timeout: 10_000 })).toBeInTheDocument();
  expect(screen.queryByLabelText(`对比 ${OWN.name}`)).toBeNull();
  const row = await rowOf('对冲');
  expect(row).toHaveTextContent('5,123.00');
  expect(row).toHaveTextContent('周航');
});

test('twenty strategies are a page, in the order of the whole list', async () => {
  const many = Array.from({ length: 25 }, (_, i) => ({ ...OTHER, id: `m${i}`, name: `第 ${i} 个`, net: i }));
  answers(api.list, allOf(...many));
  openConsole('/strategy/overview?sort=net', 'master');
  const names = () => screen.getAllByLabelText(/^对比 /).map((tick) => tick.getAttribute('aria-label'));
  await rowOf('第 0 个');
  expect(names()).toEqual(many.slice(0, 20).map(({ name }) => `对比 ${name}`));
  await person.click(screen.getByTitle('2'));
  await rowOf('第 24 个');
  expect(names()).toEqual(many.slice(20).map(({ name }) => `对比 ${name}`));
});

test('shows everybody’s strategies with limits, correlation and events; what is another’s is left to it', async () => {
  open();
  const own = within(await rowOf(OWN.name));
  expect(own.getByText('熔断')).toBeInTheDocument();
  expect(own.getByText('-420.00', { exact: false })).toBeInTheDocument();
  expect(own.getByRole('meter', { name: '最大回撤' })).toHaveAttribute('aria-valuetext', '已用 900 / 800 USDT');
  expect(own.getByRole('img', { name: '从 100.00 到 -420.00 USDT' })).toBeInTheDocument();
  const other = within((await screen.findAllByRole('button', { name: OTHERS }))[0]!.closest('tr')!);
  expect(other.getByText('不限')).toBeInTheDocument();
  expect(other.queryByRole('button', { name: /暂\s?停/ })).not.toBeInTheDocument();
  const together = within(screen.getByRole('region', { name: '日盈亏的相关性与风险贡献' }));
  expect(together.getAllByText('-0.35')).toHaveLength(2);
  expect(together.getByText(/125\.0%/)).toBeInTheDocument();
  expect(together.getByText(/-25\.0%/)).toBeInTheDocument();
  // The running day is the last of the bars, and said to be incomplete; what has no result of it adds nothing.
  const daily = await screen.findByRole('figure', { name: /^每日盈亏，按策略/ });
  expect(daily).toHaveAccessibleDescription(/^2025-12-16 至 2026-01-15，共 31 个点，最后一个：今日（未完）/);
  expect(daily).toHaveAccessibleDescription(/XLM 资金费 · master：起 -5\.00，末 -820\.00/);
  expect(daily).toHaveAccessibleDescription(/净盈亏：起 -10\.00，末 -820\.00/);
  expect(within(daily).getByText('2026-01-15 今日（未完）')).toBeVisible();
  const events = screen.getByRole('region', { name: '事件' });
  expect(await within(events).findByText('熔断，回撤')).toBeInTheDocument();

  // A row opens into what it holds; two that are ticked stand side by side.
  answers(api.deals, { list: [] });
  fireEvent.click((await rowOf(OWN.name)).querySelector('.ant-table-row-expand-icon')!);
  expect(await screen.findByText('现在没有持有')).toBeInTheDocument();
  expect(sentTo(api.deals)[0]?.query.get('id')).toBe('s1');
  // Beside it what rests for it, and what happened to it last.
  answers(order.list, { list: [RESTING], total: 1, totals: NO_TOTALS, at: AT });
  fireEvent.click(screen.getByRole('tab', { name: '当前委托' }));
  const resting = await screen.findByRole('table', { name: `${OWN.name} 的当前委托` });
  expect(await within(resting).findByText('XLMUSDT')).toBeInTheDocument();
  // As in the list of orders: by tick and lot.
  expect(within(resting).getByText('0.4100')).toBeInTheDocument();
  expect(sentTo(order.list)[0]?.query.get('strategyId')).toBe('s1');
  fireEvent.click(screen.getByRole('tab', { name: '最近事件' }));
  const happened = await screen.findByRole('table', { name: `${OWN.name} 的最近事件` });
  expect(await within(happened).findByText('熔断，回撤')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '全部委托' })).toHaveAttribute(
    'href',
    '/strategy/order?tab=ended&strategyId=s1',
  );
  fireEvent.click(screen.getByRole('checkbox', { name: `对比 ${OWN.name}` }));
  fireEvent.click(screen.getByRole('checkbox', { name: '对比 对冲' }));
  const compared = await screen.findByRole('region', { name: '对比' });
  expect(within(compared).getAllByText(`${OWN.name} · master`)[0]).toBeInTheDocument();
  expect(compared.querySelector('tr[data-row-key="sharpe"]')).toHaveTextContent(/^夏普1\.421\.42$/);
});

test('of a user who is paused a strategy that runs says that it opens nothing; one of the kinds is copied into its drawer', async () => {
  const paused = { ...OWN, state: 'running', heldBack: 'paused', tripped: null, trippedAt: null } as const;
  answers(api.list, allOf(paused, OTHER));
  const params = { ...DEFAULT_FUNDING, coins: ['XLM'] };
  answers(strategies.list, { list: [strategyRow(params)] });
  open();
  const row = within(await rowOf(OWN.name));
  expect(row.getByText('运行')).toBeInTheDocument();
  expect(row.getByText('不开新仓')).toBeInTheDocument();
  const other = within((await screen.findAllByRole('button', { name: OTHERS }))[0]!.closest('tr')!);
  expect(other.queryByText('不开新仓')).toBeNull();

  await person.click(row.getByRole('button', { name: `${OWN.name} 的更多操作` }));
  await person.click(await screen.findByRole('menuitem', { name: /^复\s?制$/ }));
  const drawer = within(await screen.findByRole('dialog', { name: '新建策略' }));
  expect(drawer.getByRole('textbox', { name: '名称' })).toHaveValue(`${OWN.name} 副本`);
});

test('without strategies it leads to where they are set up', async () => {
  answers(api.list, allOf());
  open();
  expect(await screen.findByText('还没有策略')).toBeInTheDocument();
  const list = within(screen.getByRole('region', { name: '策略' }));
  for (const [word, path] of [
    ['期货价差', '/strategy/spread'],
    ['花式网格', '/strategy/grid'],
  ] as const) {
    expect(list.getByRole('link', { name: word })).toHaveAttribute('href', path);
  }
});

test('on a phone a strategy is a card that opens', async () => {
  onPhone();
  open();
  const card = within(await screen.findByRole('article', { name: `${OWN.name} · master` }));
  expect(card.getByText('熔断')).toBeInTheDocument();
  expect(card.getByText('累计盈亏').nextElementSibling).toHaveTextContent('-420.00');
  expect(card.getByRole('meter', { name: '最大回撤' })).toBeInTheDocument();
  answers(api.deals, { list: [] });
  fireEvent.click(card.getByRole('button', { name: /^展\s?开$/ }));
  expect(await card.findByText('现在没有持有')).toBeInTheDocument();
});

test('the order of cards is chosen above them and in the address', async () => {
  onPhone();
  openConsole('/strategy/overview?sort=apr', 'master');
  await screen.findByRole('article', { name: `${OWN.name} · master` });
  const list = within(screen.getByRole('region', { name: '策略' }));
  const cards = () => list.getAllByRole('article').map((card) => card.getAttribute('aria-label'));
  // A link may ask for an order that the list does not offer; what is missing comes last.
  expect(screen.getByText('年化（升序）')).toBeInTheDocument();
  expect(cards()).toEqual([`${OWN.name} · master`, '对冲 · 周航']);
  await person.click(screen.getByRole('combobox', { name: '排序' }));
  await person.click(await screen.findByTitle('累计盈亏'));
  await waitFor(() => expect(place()).toBe('/strategy/overview?sort=-net'));
  expect(cards()).toEqual(['对冲 · 周航', `${OWN.name} · master`]);
});

test('what takes a filter back has a Chinese name', async () => {
  openConsole('/strategy/overview?state=running', 'master');
  await rowOf(OTHER.name);
  expect(screen.getByRole('button', { name: '清除' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
});

test('the order of the table is in the address', async () => {
  openConsole('/strategy/overview?sort=-net', 'master');
  await rowOf(OWN.name);
  const list = within(screen.getByRole('region', { name: '策略' }));
  const names = () => list.getAllByLabelText(/^对比 /).map((tick) => tick.getAttribute('aria-label'));
  expect(names()).toEqual(['对比 对冲', `对比 ${OWN.name}`]);
  const head = list.getByRole('columnheader', { name: /累计盈亏/ });
  expect(head).toHaveAttribute('aria-sort', 'descending');
  await person.click(head);
  await waitFor(() => expect(place()).toBe('/strategy/overview?sort=net'));
  expect(names()).toEqual([`对比 ${OWN.name}`, '对比 对冲']);
  await person.click(head);
  await waitFor(() => expect(place()).toBe('/strategy/overview'));
});

test('a search by name and a saved view are in the address', async () => {
  openConsole('/strategy/overview?search=%E5%AF%B9', 'master');
  await screen.findAllByRole('button', { name: OTHERS });
  const list = within(screen.getByRole('region', { name: '策略' }));
  expect(list.getByText('对冲')).toBeInTheDocument();
  expect(list.queryByText(OWN.name)).not.toBeInTheDocument();
  expect(screen.getByRole('searchbox', { name: '搜索' })).toHaveValue('对');
  expect(screen.getByRole('button', { name: '视图' })).toBeInTheDocument();
});

test('a strategy whose breaker tripped goes on with a reason only', async () => {
  answers(strategies.start, { state: 'running' });
  answers(opening.preview, openingsOf([dueRow('XLMUSDT_SPOT', 'XLMUSDT')]));
  open();
  await person.click(within(await rowOf(OWN.name)).getByRole('button', { name: /恢\s?复/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const go = await dialog.findByRole('button', { name: '按住 1 秒：启动并开仓 1 个' });
  const hold = async () => {
    fireEvent.pointerDown(go, { button: 0 });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    fireEvent.pointerUp(go);
  };
  await hold();
  expect(await dialog.findByText('请输入原因')).toBeInTheDocument();
  fireEvent.change(dialog.getByLabelText('原因'), { target: { value: '行情已平稳' } });
  await hold();
  await waitFor(() =>
    expect(sentTo(strategies.start)[0]?.body).toEqual({
      ...{ id: 's1', reason: '行情已平稳' },
      ...{ open: ['pair-XLMUSDT_SPOT-XLMUSDT'], openSeen: 7 },
    }),
  );
});

test('what keeps a strategy or an account from opening stands above them, with the way back', async () => {
  const tripped = { ...OTHER, state: 'tripped', tripped: '单日亏损 510.00 USDT', trippedAt: AT } as const;
  const unvalued = { ...OTHER, id: 's3', userId: 'u3', user: '李明', heldBack: 'unvalued' } as const;
  answers(api.list, allOf(OWN, tripped, unvalued));
  const paused = { at: AT, by: 'master', reason: '观望' };
  answers(account.stops, {
    pausedForAll: null,
    paused,
    dailyLossLimit: null,
    ...{ unvalued: 'GONEUSDT', unvaluedLive: null },
    tripped: [],
    unjudged: [],
    ...{ troubles: [], outages: [] },
  });
  open();
  expect(await screen.findByText(/周航 的策略「对冲」已熔断/)).toHaveTextContent('由其主人写明原因恢复');
  expect(screen.getByText(/估值缺失：李明 的策略「对冲」/)).toHaveTextContent('有了价格自动继续');
  expect(await screen.findByText(/估值缺失：GONEUSDT/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '去恢复' })).toHaveAttribute('href', '/strategy/hedge');
  const own = screen.getByText(/^策略「XLM 资金费」已熔断/).closest<HTMLElement>('.ant-alert')!;
  await person.click(within(own).getByRole('button', { name: '去恢复' }));
  const start = await screen.findByRole('dialog', { name: `启动：${OWN.name}` });
  await person.click(await within(start).findByRole('button', { name: /^返\s?回$/ }));
  await waitFor(() => expect(start).not.toBeInTheDocument());
});

test('nothing below the banners is seen before it is known which there are', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  responds(account.stops, async () => {
    await asked;
    return HttpResponse.json({ code: 500, message: '出错了', data: null }, { status: 500 });
  });
  open();
  const row = (await screen.findAllByText(OWN.name))[0]!.closest('tr')!;
  expect(row).not.toBeVisible();
  answer();
  await waitFor(() => expect(row).toBeVisible());
});

test('banners that nothing is heard of keep nobody from the list for long', async () => {
  responds(account.stops, () => new Promise<never>(() => {}));
  open();
  const row = (await screen.findAllByText(OWN.name))[0]!.closest('tr')!;
  expect(row).not.toBeVisible();
  await waitFor(() => expect(row).toBeVisible(), { timeout: 5_000 });
});

test('says in which accounts a strategy trades, and groups by them', async () => {
  openConsole('/strategy/overview?group=account', 'master');
  const first = within(await screen.findByRole('table', { name: '策略：master · 币安 · 主账户' }));
  expect(first.getByText('OKX · 未开户')).toHaveClass('missing');
  expect(await screen.findByRole('heading', { name: '周航 · 币安 · 主账户' })).toBeInTheDocument();
});

test('a note is written in place with author and time; what is refused stays to be tried again; another’s is read', async () => {
  open();
  const own = within(await rowOf(OWN.name));
  expect(own.getByText('先看一周')).toBeInTheDocument();
  expect(own.getByText(/^master · 2026-01-15/)).toBeInTheDocument();
  const other = within((await screen.findAllByRole('button', { name: OTHERS }))[0]!.closest('tr')!);
  expect(other.getByText('先看一周')).toBeInTheDocument();
  expect(other.queryByRole('button', { name: '编辑 对冲 的备注' })).toBeNull();

  refuses(api.note, { code: 500, status: 500, message: '服务器内部错误' });
  await person.click(own.getByRole('button', { name: `编辑 ${OWN.name} 的备注` }));
  const box = await own.findByRole('textbox', { name: `${OWN.name} 的备注` });
  await person.clear(box);
  await person.type(box, '减半');
  await person.click(own.getByRole('button', { name: /^保\s?存$/ }));
  expect(await own.findByRole('alert')).toBeInTheDocument();
  expect(own.getByRole('textbox', { name: `${OWN.name} 的备注` })).toHaveValue('减半');
  answers(api.note, { id: 's1', note: '减半', noteBy: 'master', noteAt: AT });
  await person.click(own.getByRole('button', { name: /^保\s?存$/ }));
  expect(await own.findByText('减半')).toBeInTheDocument();
  expect(sent.filter(({ path, method }) => path === api.note.path && method === 'PUT').at(-1)!.body).toEqual({
    id: 's1',
    note: '减半',
  });
});

test('one of a single deal is neither started, paused, let go on nor changed', async () => {
  answers(api.list, allOf({ ...OWN, state: 'tripped', running: 0, single: true }));
  open();
  const banner = (await screen.findByText(/^策略「XLM 资金费」已熔断/)).closest<HTMLElement>('.ant-alert')!;
  expect(banner).toHaveTextContent('只开一笔的策略不能恢复');
  expect(within(banner).queryByRole('button')).toBeNull();
  const row = within(await rowOf(OWN.name));
  expect(row.queryByRole('button', { name: /启\s?动|恢\s?复|暂\s?停/ })).toBeNull();
  await person.click(row.getByRole('button', { name: `${OWN.name} 的更多操作` }));
  expect(await screen.findByRole('menuitem', { name: '复制' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: /修改/ })).toBeNull();
});

test('its params are changed right here, in the drawer of its kind, with what would change before it is saved', async () => {
  const params = { ...DEFAULT_FUNDING, coins: ['XLM'] };
  answers(strategies.list, { list: [strategyRow(params)] });
  answers(strategies.preview, { at: Date.now(), ...{ fees: null, worst: null }, accounts: [], targets: [] });
  answers(strategies.update, { id: 's1', version: 8 });
  open();
  await person.click(within(await rowOf(OWN.name)).getByRole('button', { name: `${OWN.name} 的更多操作` }));
  await person.click(await screen.findByRole('menuitem', { name: '修改' }));
  const drawer = within(await screen.findByRole('dialog', { name: `修改 ${OWN.name}` }));
  expect(place()).toBe('/strategy/overview');
  const size = drawer.getByRole('spinbutton', { name: '每腿名义' });
  await person.clear(size);
  await person.type(size, '3000');
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  const changes = await drawer.findByRole('region', { name: '改动' });
  expect(within(changes).getByText('1 项改动')).toBeInTheDocument();
  expect(within(changes).getByText('每腿名义').closest('tr')).toHaveTextContent(/每腿名义5,000 USDT3,000 USDT/);
  await person.click(drawer.getByRole('button', { name: /^保\s?存$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent.find(({ path, method }) => path === strategies.update.path && method === 'PUT')!.body).toMatchObject({
    ...{ id: 's1', version: 7, name: OWN.name },
    params: { coins: ['XLM'], legNotional: 3_000 },
  });
});

test('limits are saved whole; what the server refuses is told at its field', async () => {
  refuses(api.limit, {
    ...{ code: 400, status: 400, message: '单日亏损不能小于 10' },
    data: { fields: [{ field: 'limits.dailyLoss', message: '单日亏损不能小于 10' }] },
  });
  open();
  await person.click(within(await rowOf(OWN.name)).getByRole('button', { name: `${OWN.name} 的限额` }));
  const dialog = within(await screen.findByRole('dialog', { name: `${OWN.name} 的限额` }));
  fireEvent.change(dialog.getByRole('spinbutton', { name: '单日亏损' }), { target: { value: '500' } });
  await person.click(dialog.getByRole('button', { name: /^保\s?存$/ }));
  expect(await dialog.findByText('单日亏损不能小于 10')).toBeInTheDocument();
  expect(sentTo(api.limit)[0]?.body).toEqual({
    id: 's1',
    limits: { maxDrawdown: 800, dailyLoss: 500, maxNotional: 30_000 },
  });
});

test('a limit that is raised lets a tripped strategy go on only where that is ticked', async () => {
  answers(api.limit, { limits: OWN.limits, resumed: true });
  answers(opening.preview, openingsOf([dueRow('XLMUSDT_SPOT', 'XLMUSDT')]));
  open();
  await person.click(within(await rowOf(OWN.name)).getByRole('button', { name: `${OWN.name} 的限额` }));
  const dialog = within(await screen.findByRole('dialog', { name: `${OWN.name} 的限额` }));
  fireEvent.change(dialog.getByRole('spinbutton', { name: '最大回撤' }), { target: { value: '1500' } });
  await person.click(dialog.getByRole('button', { name: /^保\s?存$/ }));
  const asked = within(await screen.findByRole('dialog', { name: `保存限额：${OWN.name}` }));
  await person.click(await asked.findByLabelText(/^提高上限后恢复/));
  await hold(await asked.findByRole('button', { name: '按住 1 秒：保存限额并开仓 1 个' }), 1_100);
  await waitFor(() =>
    expect(sentTo(api.limit)[0]?.body).toEqual({
      ...{ id: 's1', resume: true, open: ['pair-XLMUSDT_SPOT-XLMUSDT'], openSeen: 7 },
      limits: { maxDrawdown: 1500, dailyLoss: null, maxNotional: 30_000 },
    }),
  );
});

test('without the right there is no screen, and a failure is told with a way to try again', async () => {
  refuses(api.list, { code: 500, status: 500, message: '服务器内部错误' });
  open();
  expect(await screen.findByRole('button', { name: /重\s*试/ })).toBeInTheDocument();
  openConsole('/strategy/overview', 'trader');
  expect(await screen.findByText(/没有权限访问该页面/)).toBeInTheDocument();
});

describe('what a master does to others', () => {
  const choose = async (item: string) => {
    await person.click(await screen.findByRole('button', { name: OTHERS }));
    await person.click(await screen.findByRole('menuitem', { name: item }));
  };
  const dialogOf = async (title: string) =>
    (await screen.findAllByText(title))
      .find((node) => node.closest('[role=dialog]'))!
      .closest<HTMLElement>('[role=dialog]')!;
  const bodyOf = (path: string) =>
    sent.filter((one) => one.path === path && one.method === 'POST').map(({ body }) => body);

  test('a strategy is paused with a reason', async () => {
    answers(flatten.list, { list: [reportOf({ by: '风控' })], total: 1 });
    open();
    await choose('暂停此策略');
    const dialog = within(await dialogOf('暂停：周航 的 对冲'));
    await person.click(await dialog.findByRole('button', { name: /^暂\s?停$/ }));
    expect(await dialog.findByText('请输入原因')).toBeVisible();
    fireEvent.change(dialog.getByLabelText('原因'), { target: { value: '看不懂' } });
    answers(intervention.ask, { strategies: 1, deals: 0 });
    await person.click(dialog.getByRole('button', { name: /^暂\s?停$/ }));
    await waitFor(() =>
      expect(bodyOf(intervention.ask.path)).toEqual([{ strategyId: 's2', action: 'pause', reason: '看不懂' }]),
    );
    // Past requests to close are below, of everybody.
    const past = within(await screen.findByRole('table', { name: '平仓报告' }));
    const row = (await past.findByText('风控')).closest('tr');
    expect(row).toHaveTextContent(/本人全部.*1 \/ 2.*2,000.*1\.50.*7\.5 bps.*剩 1 张/);
  }, 20_000);

  test.each([
    ['此策略仅平仓', '仅平仓：周航 的 对冲', { strategyId: 's2' }],
    ['周航 仅平仓', '仅平仓：周航', { userId: 'u2' }],
  ])(
    '%s: told what it comes to, done only with a reason and held',
    async (item, title, aim) => {
      answers(flatten.preview, previewOf({ scope: 'user', name: '周航', own: false }));
      answers(intervention.ask, { strategies: 1, deals: 3 });
      open();
      await choose(item);
      const dialog = within(await dialogOf(title));
      expect(await dialog.findByText(/不再开新仓，平完即停止/)).toHaveTextContent('3 张交易单');
      const verb = dialog.getByRole('button', { name: /按住 1 秒/ });
      await hold(verb, 1_100);
      expect(await dialog.findByText('请输入原因')).toBeVisible();
      fireEvent.change(dialog.getByLabelText('原因'), { target: { value: '风险' } });
      await person.click(verb);
      expect(bodyOf(intervention.ask.path)).toEqual([]);
      await hold(verb, 1_100);
      await waitFor(() =>
        expect(bodyOf(intervention.ask.path)).toEqual([{ ...aim, action: 'closeOnly', reason: '风险' }]),
      );
    },
    20_000,
  );

  test('all of a user is closed with a reason, and everybody’s by one act', async () => {
    open();
    answers(flatten.preview, previewOf({ scope: 'user', name: '周航', own: false }));
    answers(flatten.ask, { id: 'f1', deals: 3 });
    answers(flatten.report, reportOf({ left: 0, seconds: 3 }));
    await choose('平掉 周航 全部');
    const dialog = await dialogOf('全部平仓：周航');
    expect(await within(dialog).findByText(/按市价平掉/)).toHaveTextContent('3 张交易单');
    fireEvent.change(within(dialog).getByLabelText('原因'), { target: { value: '风险' } });
    await hold(within(dialog).getByRole('button', { name: /按住 1 秒/ }), 1_100);
    await waitFor(() => expect(bodyOf(flatten.ask.path)).toEqual([{ userId: 'u2', reason: '风险' }]));
    expect(await screen.findByText('2 张全部结束，用时 3.0 秒')).toBeVisible();
    await person.click(screen.getByRole('button', { name: '平掉所有用户的全部' }));
    expect(await dialogOf('全部平仓：所有用户')).toHaveTextContent(/同时暂停所有用户开仓/);
  }, 20_000);
});

test('what a stop kept and nobody looks after is red, or says who manages it', async () => {
  const left = { ...OWN, state: 'stopped', tripped: null, unguarded: { deals: 2, selfManaged: null } } as const;
  const said = { ...OTHER, state: 'stopped', unguarded: { deals: 1, selfManaged: { at: AT, by: '周航' } } } as const;
  answers(api.list, allOf(left, said));
  answers(flatten.held, {
    deals: 2,
    unguarded: [
      {
        strategyId: 's1',
        kind: 'fundingRate',
        name: OWN.name,
        mode: 'paper',
        sources: ['simulated'],
        deals: 2,
        selfManaged: null,
      },
    ],
  });
  open();
  expect(within(await rowOf(OWN.name)).getByText('无人看护 2')).toBeVisible();
  expect(within(await rowOf(OTHER.name)).getByText('自己管 1')).toBeVisible();
  const banner = (await screen.findByText(/停止时保留了 2 张交易单/)).closest<HTMLElement>('.ant-alert')!;
  expect(banner).toHaveClass('ant-alert-error');
  expect(within(banner).getByRole('link', { name: OWN.name })).toHaveAttribute(
    'href',
    '/strategy/fundingRate?strategy=s1',
  );
  answers(strategies.selfManage, { deals: 2 });
  await person.click(within(banner).getByRole('button', { name: '我自己管' }));
  const dialog = within(
    (await screen.findAllByText(`我自己管：${OWN.name}`))[0]!.closest<HTMLElement>('[role=dialog]')!,
  );
  await person.click(dialog.getByRole('button', { name: '我自己管' }));
  await waitFor(() => expect(sentTo(strategies.selfManage)[0]?.body).toEqual({ id: 's1' }));
});
