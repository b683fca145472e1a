import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { flatten } from '#contract/flatten';
import type { AttentionRow } from '#contract/kinds/hedge/attention';
import { hedge } from '#contract/kinds/hedge/desk';
import { market } from '#contract/market';
import { type FillRow, type OrderRow, order } from '#contract/order';
import { previewOf, reportOf } from '../support/flattenFixtures';
import { dialogOf } from '../support/hedgeActs';
import { answers, openConsole, person, place, refuses, sent, toasts } from '../support/webConsole';

const AT = Date.UTC(2026, 10, 20, 8);
const HEDGE = '11111111-2222-3333-4444-555555555555';

const orderOf = (id: string, more: Partial<OrderRow> = {}): OrderRow => ({
  id,
  mode: 'paper',
  exchangeId: `x-${id}`,
  hedgeId: HEDGE,
  strategyId: 's1',
  strategy: '多空对冲',
  kind: 'hedge',
  userId: 'id-trader',
  user: 'trader',
  accountId: 'a2',
  account: '欧易',
  source: 'simulated',
  symbol: 'SOLUSDT',
  leg: 'long',
  side: 'buy',
  opens: true,
  type: 'maker',
  purpose: 'entry',
  reduceOnly: false,
  tickSize: '0.01',
  lotSize: '0.1',
  quantity: '13.3',
  fee: '0',
  decisionMid: 150,
  slippageBps: null,
  limitPrice: '149.95',
  averagePrice: null,
  filledQuantity: '0',
  filled: 0,
  filledNotional: '0',
  maker: null,
  state: 'open',
  reason: null,
  latencyMs: 42,
  cancelAskedAt: null,
  createdAt: AT,
  sentAt: AT,
  answeredAt: AT + 42,
  endedAt: null,
  ...more,
});
const REFUSED = orderOf('o3', {
  state: 'refused',
  reason: '保证金不足',
  symbol: 'ADAUSDT',
  leg: 'short',
  side: 'sell',
});
const FILL: FillRow = {
  ...orderOf('f1'),
  orderId: 'o9',
  price: '150.25',
  notional: '1998.325',
  fee: '0.99',
  maker: true,
  realised: '-3.5',
  slippageBps: 16.7,
  at: AT,
};

const listOf = (rows: OrderRow[]) => ({
  list: rows,
  total: rows.length,
  totals: {
    orders: rows.length,
    resting: rows.filter(({ state }) => state === 'open').length,
    fillRate: 0.955,
    notional: 2007,
    fees: 0.7,
    slippageBps: 15,
    makerShare: 0.5,
    rejectRate: null,
  },
  at: AT,
});
const RESTING = [orderOf('o1'), orderOf('o2', { state: 'inDoubt' })];

beforeEach(() => {
  answers(market.source, { list: [], total: 0 });
  answers(market.symbol, { list: [], total: 0 });
  answers(hedge.attention, { list: [], total: 0 });
  answers(order.accounts, {
    list: [
      {
        userId: 'id-trader',
        user: 'trader',
        accounts: [
          { id: 'a1', name: '主账户', venue: 'simulated', mode: 'paper' },
          { id: 'a2', name: '欧易', venue: 'simulated-okx', mode: 'paper' },
        ],
        strategies: [{ id: 's1', name: '多空对冲', kind: 'hedge' }],
      },
    ],
  });
  answers(order.list, (request) =>
    listOf(new URL(request.url).searchParams.get('view') === 'live' ? RESTING : [REFUSED]),
  );
  answers(order.fills, {
    // The second is of somebody who trades the account by hand.
    list: [FILL, { ...FILL, id: 'f2', price: '150.35', purpose: 'outside', leg: 'short', opens: false, hedgeId: null }],
    total: 2,
    totals: { fills: 1, notional: 1998.3, fees: 0.99, slippageBps: 16.7, makerShare: 1, realised: -3.5 },
    at: AT,
  });
});

const open = (address = '/strategy/order', who = 'master') => openConsole(address, who);
const reads = (path: string) => sent.filter((call) => call.path === path);
const lineOf = async (text: string) =>
  (await screen.findAllByText(text)).map((node) => node.closest('tr')).find(Boolean)!;
const button = (within_: HTMLElement, text: string | RegExp) => within(within_).getByText(text).closest('button')!;

async function hold(element: HTMLElement, length: number) {
  fireEvent.pointerDown(element, { button: 0 });
  await act(() => new Promise((resolve) => setTimeout(resolve, length)));
  fireEvent.pointerUp(element);
}

test('shows live orders with their totals and the way to the hedge', async () => {
  open();
  const line = await lineOf('149.95');
  expect(line).toHaveTextContent(/trader.*买入开多.*挂单.*挂单中/);
  expect(within(line).getByText(HEDGE.slice(0, 8))).toHaveAttribute('href', `/strategy/hedge?id=${HEDGE}`);
  const totals = screen.getByLabelText('委托统计');
  expect(totals).toHaveTextContent(/成交率.*95\.5%.*2,007\.00 USDT.*\+15\.00 bps.*50\.0%/);
  expect(within(totals).getByLabelText('缺失：筛选中没有委托')).toBeInTheDocument();
  expect(reads(order.list.path)[0]!.query.get('view')).toBe('live');
}, 90_000);

test('turns to ended orders and fills, each with its own columns', async () => {
  open();
  await person.click(await screen.findByText('历史委托'));
  expect(await lineOf('保证金不足')).toHaveTextContent(/卖出开空.*被拒绝/);
  await person.click(screen.getByText('成交明细'));
  const line = await lineOf('150.25');
  expect(line).toHaveTextContent(/买入开多.*-3\.50/);
  const byHand = await lineOf('150.35');
  expect(byHand).toHaveTextContent(/买入.*外部/);
  expect(byHand).not.toHaveTextContent(/买入[开平]/);
  expect(place()).toBe('/strategy/order?tab=fills');
  expect(screen.getByLabelText('成交统计')).toHaveTextContent(/已实现价格盈亏.*-3\.50 USDT/);
});

test('writes prices by the tick and quantities by the lot, and says which price only protects', async () => {
  answers(
    order.list,
    listOf([
      orderOf('o1', { type: 'market', limitPrice: '61234.5', quantity: '1300', lotSize: '0.10' }),
      orderOf('o2', { tickSize: null, lotSize: null, limitPrice: '0.00000123', quantity: '1000.5' }),
      // What somebody traded by hand at the market had no price that is known here.
      orderOf('o3', { type: 'market', purpose: 'outside', limitPrice: '777.77', quantity: '31.5', lotSize: '0.1' }),
    ]),
  );
  open();
  expect(await lineOf('61,234.50')).toHaveTextContent(/保护价 61,234\.50.*1,300\.0/);
  const gone = await lineOf('0.00000123');
  expect(gone).toHaveTextContent('1,000.5');
  expect(gone).not.toHaveTextContent('保护价');
  const byHand = await lineOf('31.5');
  expect(byHand).not.toHaveTextContent(/保护价|777/);
});

test('leads with three filters in one row and folds the rest, but none that is set', async () => {
  open();
  await lineOf('149.95');
  const shown = () => screen.getAllByRole('combobox').map((field) => field.getAttribute('aria-label'));
  expect(shown().slice(0, 3)).toEqual(['期间筛选', '合约', '状态筛选']);
  for (const folded of ['方向筛选', '用户筛选', '类型筛选']) {
    expect(screen.queryByRole('combobox', { name: folded })).toBeNull();
  }
  await person.click(screen.getByText('更多筛选 9'));
  expect(screen.getByRole('combobox', { name: '类型筛选' })).toBeVisible();
  await person.click(screen.getByText('收起'));
  expect(screen.queryByRole('combobox', { name: '类型筛选' })).toBeNull();
});

test('a rare filter that a link brings is seen', async () => {
  open('/strategy/order?type=maker');
  await lineOf('149.95');
  expect(screen.getByRole('combobox', { name: '类型筛选' })).toBeVisible();
  // The others stay where they are.
  expect(screen.queryByRole('combobox', { name: '来源筛选' })).toBeNull();
  expect(screen.getByText('更多筛选 8')).toBeVisible();
});

test('asks for what the address says, and puts filters there', async () => {
  open('/strategy/order?tab=ended&side=sell&refused=1&symbol=SOLUSDT,ADAUSDT&grouped=1');
  await lineOf('保证金不足');
  expect(Object.fromEntries(reads(order.list.path)[0]!.query)).toMatchObject({
    view: 'ended',
    side: 'sell',
    refused: 'true',
    symbol: 'SOLUSDT,ADAUSDT',
    grouped: 'true',
  });
  await person.type(screen.getByLabelText('编号'), 'o3{Enter}');
  await waitFor(() => expect(place()).toContain('search=o3'));
  await person.click(await screen.findByText('清除筛选'));
  await waitFor(() => expect(place()).toBe('/strategy/order?tab=ended&grouped=1'));
});

test('a state that the tab does not offer has its word all the same, and goes with the tab', async () => {
  open('/strategy/order?tab=live&state=filled');
  await lineOf('SOLUSDT');
  const filter = screen.getByRole('combobox', { name: '状态筛选' }).closest<HTMLElement>('.ant-select')!;
  expect(within(filter).getByText('全部成交')).toBeInTheDocument();
  expect(within(filter).queryByText('filled')).not.toBeInTheDocument();
  expect(reads(order.list.path).at(-1)!.query.get('state')).toBe('filled');
  await person.click(screen.getByRole('combobox', { name: '状态筛选' }));
  expect(await screen.findAllByTitle('全部成交')).not.toHaveLength(0);
  expect(screen.queryByTitle('已撤销')).not.toBeInTheDocument();
  await person.click(screen.getByRole('tab', { name: '历史委托' }));
  await waitFor(() => expect(place()).toBe('/strategy/order?tab=ended'));
});

test('cancels one order only when the button is held; others say why not', async () => {
  open();
  const doubtful = (await screen.findByText('结果不明')).closest('tr')!;
  expect(button(doubtful, /撤\s?单/)).toBeDisabled();
  await person.click(button((await screen.findByText('挂单中')).closest('tr')!, /撤\s?单/));
  const dialog = await dialogOf(/撤单：trader SOLUSDT/);
  answers(order.cancel, { asked: 1, skipped: [] });
  const held = button(dialog, '按住 1 秒：撤单');
  await person.click(held);
  expect(reads(order.cancel.path)).toHaveLength(0);
  await hold(held, 1_100);
  await waitFor(() => expect(reads(order.cancel.path)).toHaveLength(1));
  const [call] = reads(order.cancel.path);
  expect(call!.body).toEqual({ ids: ['o1'] });
  expect(call!.headers.get('Idempotency-Key')).toBeTruthy();
  await waitFor(() => expect(toasts().join()).toContain('已请求撤销 1 笔'));
});

test('cancels all of the filter with the number that was seen', async () => {
  open('/strategy/order?symbol=SOLUSDT');
  await lineOf('149.95');
  await person.click((await screen.findByText(/撤销筛选全部（1）/)).closest('button')!);
  const dialog = await dialogOf(/筛选中的全部 1 笔挂单/);
  refuses(order.cancel, { status: 409, code: 409, message: '筛选中的挂单已变为 2 笔' });
  await hold(button(dialog, '按住 1 秒：撤单'), 1_100);
  expect(await within(dialog).findByText(/已变为 2 笔/)).toBeInTheDocument();
  await waitFor(() => expect(toasts()).toContain('409: 筛选中的挂单已变为 2 笔'));
  expect(reads(order.cancel.path)[0]!.body).toEqual({ filter: { view: 'live', symbol: 'SOLUSDT' }, expected: 1 });
});

describe('what needs a person', () => {
  const rowOf = (id: string, more: Partial<AttentionRow> = {}): AttentionRow => ({
    id,
    userId: 'id-trader',
    user: 'trader',
    blocked: false,
    source: 'simulated',
    long: 'SOLUSDT',
    short: 'ADAUSDT',
    state: 'open',
    frozen: null,
    wrongSide: false,
    notional: 4000,
    net: -12.5,
    // From when it is asked for: other tests may come between.
    get createdAt() {
      return Date.now() - 36 * 3_600_000;
    },
    stateAt: AT,
    ...more,
  });
  const FROZEN = rowOf('h1', { frozen: '有委托结果未知' });
  const card = () => screen.findByLabelText('需要处理', { selector: 'section' });
  const lists = (...rows: AttentionRow[]) => answers(hedge.attention, { list: rows, total: rows.length });

  test('takes no room while nothing does', async () => {
    open();
    await lineOf('149.95');
    await waitFor(() => expect(reads(hedge.attention.path)).toHaveLength(1));
    expect(screen.queryByLabelText('需要处理')).not.toBeInTheDocument();
  });

  test('stands above the orders with who, what, why, how much and how long', async () => {
    lists(
      FROZEN,
      rowOf('h2', { userId: 'id-editor', user: 'editor', blocked: true, wrongSide: true, net: null, long: 'BTCUSDT' }),
    );
    open();
    const lines = within(await card());
    expect(lines.getByText(/需要处理（2）/)).toBeInTheDocument();
    const first = lines.getByText('多 SOLUSDT').closest('tr')!;
    expect(first).toHaveTextContent(/trader.*持有.*冻结.*有委托结果未知.*4,000\.00.*-12\.50.*36\.0 小时/);
    expect(within(first).getByRole('link')).toHaveAttribute('href', '/strategy/hedge?id=h1');
    const second = lines.getByText('多 BTCUSDT').closest('tr')!;
    expect(second).toHaveTextContent(/editor 已停用.*有一边的持仓方向相反；用户已停用/);
    expect(within(second).getByLabelText('缺失：没有标记价')).toBeInTheDocument();
  });

  test("closes all of one user's after a reason and a held button, then reads again", async () => {
    lists(FROZEN);
    open();
    await person.click(button(await card(), '平仓此用户全部'));
    answers(flatten.preview, previewOf({ scope: 'user', name: 'trader', own: false }));
    const dialog = (await screen.findAllByText('平仓此用户全部：trader'))[0]!.closest<HTMLElement>('[role=dialog]')!;
    expect(await within(dialog).findByText(/同时暂停该用户开仓.*原因会告诉其主人/)).toBeVisible();
    await hold(button(dialog, '按住 1 秒：平仓此用户全部'), 1_100);
    expect(await within(dialog).findByText('请输入原因')).toBeInTheDocument();
    expect(reads(flatten.ask.path)).toHaveLength(0);
    await person.type(within(dialog).getByLabelText('原因'), '委托结果未知');
    answers(flatten.ask, { id: 'f1', deals: 3 });
    answers(flatten.report, reportOf());
    lists();
    await hold(button(dialog, '按住 1 秒：平仓此用户全部'), 1_100);
    await waitFor(() => expect(toasts().join()).toContain('已暂停开仓，正在平仓 3 张'));
    const [sentOne] = reads(flatten.ask.path);
    expect(sentOne!.body).toEqual({ reason: '委托结果未知', userId: 'id-trader' });
    expect(sentOne!.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    await waitFor(() => expect(screen.queryByLabelText('需要处理')).not.toBeInTheDocument());
  });

  test('says that it could not be read, and tries again', async () => {
    refuses(hedge.attention, { status: 500, code: 500, message: '服务器内部错误' });
    open();
    const alert = (await screen.findByText(/需要处理的对冲单读取失败：服务器内部错误/)).closest<HTMLElement>(
      '.ant-alert',
    )!;
    await waitFor(() => expect(toasts()).toEqual(['500: 服务器内部错误']));
    lists(FROZEN);
    await person.click(button(alert, /重\s?试/));
    expect(await card()).toBeInTheDocument();
  });
});

test('reconciles on a click, and never calls a silent venue fine', async () => {
  answers(order.reconcile, {
    at: AT,
    accounts: [
      {
        userId: 'id-trader',
        user: 'trader',
        verdict: 'unknown',
        unknown: ['持仓与余额：交易所没有回答'],
        pending: null,
        liveOrders: 1,
        orders: [{ id: 'o1', symbol: 'SOLUSDT', what: 'unknown', text: '交易所没有回答' }],
        positions: [],
        money: [],
        daily: null,
        findings: [],
      },
    ],
    left: 3,
  });
  open();
  await person.click((await screen.findByText('与交易所核对')).closest('button')!);
  expect(await screen.findByText('还没有核对')).toBeInTheDocument();
  expect(reads(order.reconcile.path)).toHaveLength(0);
  await person.click(screen.getByText('开始核对').closest('button')!);
  expect(await screen.findByText(/一致 0 个，未能确认 1 个，另有 3 个/)).toBeInTheDocument();
  expect(screen.getByText('持仓与余额：交易所没有回答')).toBeInTheDocument();
});

test('what differs from the exchange stands first, account by account, and real ones are named', async () => {
  const of = { accountId: 'a1', account: '主账户', source: 'simulated', mode: 'paper', symbol: 'USDT' } as const;
  const row = { ...of, what: 'wallet', ledger: '100', venue: '100', agrees: true } as const;
  const real = { ...row, accountId: 'a2', account: 'OKX 实盘', source: 'okx-live', mode: 'live' } as const;
  answers(order.reconcile, {
    at: AT,
    accounts: [
      {
        ...{ userId: 'id-trader', user: 'trader', verdict: 'differs', unknown: [], pending: 0, liveOrders: 0 },
        ...{ orders: [], findings: [], daily: { at: AT, verdict: 'agrees' } },
        money: [row, real, { ...real, what: 'fee', ledger: '1', venue: '1' }],
        positions: [{ ...real, what: 'position', symbol: 'BTCUSDT', ledger: '-0.5', venue: '-0.4', agrees: false }],
      },
    ],
    left: 0,
  });
  // As a notice leads there.
  open('/strategy/order?reconcile=id-trader');
  expect(await screen.findByText(/有差异 1 个/)).toBeInTheDocument();
  expect(sent.filter(({ path }) => path === order.reconcile.path).map(({ query }) => query.get('userId'))).toEqual([
    'id-trader',
  ]);
  const sections = screen.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent);
  expect(sections).toEqual([expect.stringMatching(/^OKX 实盘/), expect.stringMatching(/^主账户/)]);
  expect(screen.getByText(/实盘每日对账/)).toHaveTextContent(/一致$/);
  expect(screen.getByRole('heading', { name: /^OKX 实盘 · OKX · 实时/ })).toHaveTextContent(/实盘$/);
  const lines = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
  expect(lines('主账户 · 币安的账本与交易所')).toEqual(['余额 USDT一致100100']);
  expect(lines('OKX 实盘 · OKX · 实时的账本与交易所')).toEqual([
    ...['持仓 BTCUSDT不一致-0.5-0.4', '余额 USDT一致100100', '手续费合计 USDT一致11'],
  ]);
});

test('is empty, fails with another try, and is closed to others', async () => {
  answers(order.list, listOf([]));
  const view = open();
  expect(await screen.findByText('没有未结束的委托')).toBeInTheDocument();
  view.unmount();
  refuses(order.list, { status: 500, code: 500, message: '服务器内部错误' });
  const failed = open('/strategy/order?tab=ended');
  expect(await screen.findByText('服务器内部错误')).toBeInTheDocument();
  failed.unmount();
  open('/strategy/order', 'trader');
  expect(await screen.findByText(/没有权限访问该页面/)).toBeInTheDocument();
});
