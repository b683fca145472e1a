import { cleanup, configure, waitFor, within } from '@testing-library/react';
import {
  type AccountPosition,
  type AccountRow,
  type AccountState,
  type AllAccounts,
  account,
  type EquityCurve,
} from '#contract/account';
import { apiKey } from '#contract/apiKey';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { flatten } from '#contract/flatten';
import { hedge } from '#contract/kinds/hedge/desk';
import { market } from '#contract/market';
import { opening } from '#contract/opening';
import { order } from '#contract/order';
import { pair } from '#contract/pair';
import { service } from '#contract/service';
import type { StrategyKind } from '#contract/strategy';
import { type RunningDeal, strategyOverview } from '#contract/strategyOverview';
import { user } from '#contract/user';
import { type Transfer, type VenueAccount, venueAccount } from '#contract/venueAccount';
import { choose, hold } from '../support/hedgeActs';
import { dueRow, openingsOf } from '../support/openingFixtures';
import {
  accountOf,
  answers,
  arrived,
  BACKTEST_RULES,
  environmentIs,
  openConsole,
  person,
  place,
  refuses,
  screen,
  sent,
  sentTo,
  toasts,
  visit,
} from '../support/webConsole';

// A page with charts and tables takes its time on a machine that does other things too.
configure({ asyncUtilTimeout: 20_000 });
jest.setTimeout(120_000);

const NOW = Date.now();
/** 16:00 UTC, which is midnight in Beijing. */
const DAY_START = Math.floor((NOW - 16 * HOUR_MS) / DAY_MS) * DAY_MS + 16 * HOUR_MS;

const position = (symbol: string, change: Partial<AccountPosition> = {}): AccountPosition => ({
  accountId: 'a1',
  source: 'simulated',
  symbol,
  side: 'long',
  quantity: '10',
  notional: '1100',
  entryPrice: '100',
  markPrice: '110',
  priceAt: NOW,
  liquidationPrice: 45.5,
  liquidationDistance: 0.586,
  leverage: 10,
  unrealised: '100',
  roe: 1,
  funding: '-2.5',
  unexplained: '0',
  badges: [],
  hedges: [
    { id: 'h/1', kind: 'hedge', strategy: '多空对冲', long: 'AAAUSDT', short: 'BBBUSDT', leg: 'long', quantity: '10' },
  ],
  ...change,
});

const STATE: AccountState = {
  mode: 'paper',
  openedAt: NOW - 60 * DAY_MS,
  enabled: true,
  paused: null,
  pausedForAll: null,
  unvalued: null,
  unvaluedLive: null,
  dailyLossLimit: 1000,
  running: 2,
  venue: 'ok',
  unanswered: [],
  unpriced: [],
  priceAt: NOW,
  equity: '10664.9',
  inTransit: '0',
  available: '9433.9',
  unrealised: '140',
  net: '-335.1',
  dayBoundary: 960,
  day: { start: DAY_START, end: DAY_START + DAY_MS },
  today: { since: DAY_START, pnl: 14.9, return: 0.0014 },
  annualised30d: null,
  drawdown: -0.0316,
  underWaterDays: 26.5,
  risk: {
    marginRatio: 0.65,
    leverage: 2.16,
    gross: 2310,
    net: 390,
    neutrality: 0.1688,
    betaExposure: null,
    withoutBeta: ['DDDUSDT'],
    nearest: { symbol: 'AAAUSDT', price: 45.5, distance: 0.586 },
    largest: { symbol: 'AAAUSDT', share: 0.476 },
  },
  carry: {
    next: {
      // From when it is asked for: other tests may come between.
      get at() {
        return Date.now() + 90_000;
      },
      amount: -0.302,
      positions: 2,
    },
    funding1d: '3',
    funding7d: '8',
    funding30d: '15',
    fees30d: '0.6',
    traded30d: '22000',
    fee: { maker: 0.0002, taker: 0.0005 },
  },
  balances: [
    {
      accountId: 'a1',
      asset: 'USDT',
      total: '10664.9',
      available: '9433.9',
      frozen: '1231',
      value: '10664.9',
      share: 1,
    },
  ],
  positions: [
    position('AAAUSDT'),
    position('BBBUSDT', { side: 'short', quantity: '-20', badges: ['unbalanced'], unrealised: '-40', roe: -0.4 }),
    position('CCCUSDT', { badges: ['oneLeg'], liquidationPrice: null, liquidationDistance: null }),
    position('DDDUSDT', {
      badges: ['orphan'],
      hedges: [],
      entryPrice: null,
      leverage: null,
      unrealised: null,
      roe: null,
      funding: null,
      unexplained: '10',
    }),
  ],
};

const placeAt = (id: string, name: string, venue: string, change: Partial<VenueAccount> = {}): VenueAccount => ({
  id,
  name,
  venue,
  mode: 'paper',
  openedAt: NOW - DAY_MS,
  state: 'ok',
  latencyMs: 3.2,
  recordedAt: NOW,
  pending: 0,
  equity: '8000',
  available: '7000',
  withdrawable: '6500',
  marginRatio: 0.1,
  share: 0.8,
  positions: 2,
  ...change,
});
/** What was sent last to an endpoint. */
const last = ({ method, path }: { method: string; path: string }) =>
  sent.findLast((one) => one.method === method && one.path === path);
const FIRST = placeAt('a1', '主账户', 'simulated');
const ACCOUNTS = { at: NOW, list: [FIRST], inTransit: '0', total: '10664.9' };

const CURVE: EquityCurve = {
  time: [NOW - 2 * DAY_MS, NOW - DAY_MS, NOW],
  equity: [10_000, 10_500, 10_664.9],
  drawdown: [0, -0.05, -0.0316],
  index: [100, 105, 106.6],
  btc: [100, 98, 101],
  marks: [{ at: NOW - DAY_MS, kind: 'open', text: 'AAAUSDT / BBBUSDT' }],
  marksLeftOut: 0,
};

const dayOf = (at: number) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
const TODAY = dayOf(NOW);
const DAYS = [
  { day: dayOf(NOW - DAY_MS), price: null, funding: null, fees: null, net: null, return: null },
  { day: TODAY, price: -9, funding: 24, fees: -0.1, net: 14.9, return: 0.0014 },
];

const shows = (change: Partial<AccountState> = {}) =>
  answers(account.state, { at: NOW, account: { ...STATE, ...change } });
/** Opens the fold with what is not looked at each morning. */
const more = async () => {
  (await screen.findByText(/^更多：/)).closest('details')!.open = true;
};
const group = async (label: string) => within(await screen.findByLabelText(label, { selector: 'dl' }));
const table = async (label: string) => within(await screen.findByLabelText(label, { selector: 'table' }));

beforeEach(() => {
  shows();
  answers(account.equity, CURVE);
  answers(account.daily, { days: DAYS });
  answers(venueAccount.list, ACCOUNTS);
  answers(venueAccount.transfers, { list: [], total: 0 });
});

describe('/', () => {
  test('whose account is still being opened learns what it will hold', async () => {
    answers(account.state, { at: NOW, account: null });
    openConsole('/', 'trader');
    expect(await screen.findByText('账户正在开立')).toBeVisible();
    expect(screen.getByText(/本金为 100,000/)).toBeVisible();
    expect(screen.queryByText(/演示账户/)).toBeNull();
  });

  test('what a stop kept and nobody looks after is told, with what can be done', async () => {
    answers(flatten.held, {
      deals: 2,
      unguarded: [
        {
          strategyId: 's1',
          kind: 'hedge',
          name: '对冲',
          mode: 'paper',
          sources: ['simulated'],
          deals: 2,
          selfManaged: null,
        },
      ],
    });
    openConsole('/', 'trader');
    const told = (await screen.findByText(/无人看护/)).closest<HTMLElement>('.ant-alert')!;
    expect(told).toHaveClass('ant-alert-error');
    expect(within(told).getByRole('link', { name: '对冲' })).toHaveAttribute('href', '/strategy/hedge?strategy=s1');
    expect(within(told).getByRole('button', { name: '我自己管' })).toBeVisible();
  });

  test('asks for the day of the caller and shows money, risk and carry', async () => {
    openConsole('/', 'trader');
    const money = await group('账户');
    expect(money.getByText('10,664.90')).toBeVisible();
    expect(money.getByText('+14.90')).toBeVisible();
    expect(money.getByText('-335.10')).toBeVisible();
    expect(money.getByText('26.5')).toBeVisible();
    expect(money.getByText('65.00%')).toBeVisible();
    expect(money.getByText('警戒')).toBeVisible();
    expect(money.getByText('58.60%')).toBeVisible();
    await more();
    expect((await group('盈亏')).getByLabelText('缺失：记录不足 30 天')).toHaveTextContent('-');
    const risk = await group('风险');
    expect(risk.getByLabelText('缺失：没有 30 日 beta：DDDUSDT')).toBeVisible();
    const carry = await group('资金费与成本');
    expect(carry.getByText('-0.30')).toBeVisible();
    expect(carry.getByText(/^00:01:[0-9]{2}$/)).toBeVisible();
    expect(carry.getByText('5.0')).toBeVisible();
    expect(money.getByText('自 16:00 UTC / 00:00 北京时间')).toBeVisible();
  });

  test('while the past of a demo is made no figure is told, and why', async () => {
    environmentIs({ demo: true, preparing: true, told: { day: 23, days: 60 } });
    openConsole('/', 'trader');
    const money = await group('账户');
    await waitFor(() => expect(money.queryByText('10,664.90')).not.toBeInTheDocument());
    expect(money.getAllByLabelText('缺失：演示交易还在生成，完成后显示')).toHaveLength(8);
    expect(money.getAllByText('生成中')).toHaveLength(8);
  });

  test('a margin ratio beyond 80 % is a danger, in words too', async () => {
    shows({ risk: { ...STATE.risk, marginRatio: 0.81 } });
    openConsole('/', 'trader');
    expect((await group('账户')).getByText('危险')).toBeVisible();
  });

  test('positions with their badges and hedges', async () => {
    openConsole('/', 'trader');
    const positions = await table('持仓');
    const rows = positions.getAllByText(/^[A-D]{3}USDT$/, { selector: 'a' });
    expect(rows.map((row) => row.textContent)).toEqual(['AAAUSDT', 'BBBUSDT', 'CCCUSDT', 'DDDUSDT']);
    for (const badge of ['不平衡', '裸腿', '外部持仓']) expect(positions.getByText(badge)).toBeVisible();
    // A leg a line, so that no symbol is broken; the title has what a narrow column cuts.
    const [link] = positions.getAllByRole('link', { name: 'AAAUSDT / BBBUSDT' });
    expect(link).toHaveAttribute('href', '/strategy/hedge?id=h%2F1');
    expect(link).toHaveAttribute('title', expect.stringContaining('AAAUSDT / BBBUSDT · '));
    expect([...link!.children].map(({ textContent }) => textContent)).toEqual(['AAAUSDT / ', 'BBBUSDT']);
    expect(positions.getAllByLabelText('缺失：没有所属的交易单').length).toBeGreaterThan(2);
    expect((await table('余额')).getAllByText('10,664.90')).toHaveLength(2);
  });

  test('further deals of a position stand in a menu; a crumb of coin can neither be taken over nor ignored', async () => {
    const [first] = position('AAAUSDT').hedges;
    const second = { ...first!, id: 'd2', kind: 'cexRate' as const, long: 'AAAUSDT', short: 'AAAUSDT' };
    const crumb = position('DDDUSDT_SPOT', { badges: ['crumb'], hedges: [], unexplained: '0.01' });
    shows({ positions: [position('AAAUSDT', { hedges: [first!, second] }), crumb] });
    openConsole('/', 'trader');
    const positions = await table('持仓');
    expect(positions.getByRole('link', { name: 'AAAUSDT / BBBUSDT' })).toBeVisible();
    await person.click(positions.getByRole('button', { name: '另外 1 张交易单' }));
    const item = await screen.findByRole('menuitem', { name: 'AAAUSDT' });
    expect(within(item).getByRole('link')).toHaveAttribute('href', expect.stringContaining('d2'));
    const row = within(positions.getByText('DDDUSDT_SPOT').closest('tr')!);
    expect(row.getByText('零头')).toBeVisible();
    expect(row.queryByRole('button', { name: /接管|忽略/ })).toBeNull();
  });

  test('whose funding a row tells is said where a part of the position is of no deal', async () => {
    shows({ positions: [position('AAAUSDT', { badges: ['orphan'], unexplained: '4' }), position('BBBUSDT')] });
    openConsole('/', 'trader');
    const positions = await table('持仓');
    const rowOf = (symbol: string) =>
      within(positions.getAllByRole('row').find(({ textContent }) => textContent.startsWith(symbol))!);
    expect(rowOf('AAAUSDT').getByText('仅交易单部分')).toBeVisible();
    expect(rowOf('BBBUSDT').queryByText('仅交易单部分')).toBeNull();
  });

  test('what no deal explains is ignored by its owner, and taken back', async () => {
    openConsole('/', 'trader');
    answers(account.ignore, { unexplained: '10' });
    const row = async () => within((await table('持仓')).getByText('DDDUSDT').closest('tr')!);
    expect((await row()).queryByText('已忽略')).toBeNull();
    shows({ positions: STATE.positions!.map((one) => ({ ...one, badges: one.badges.length ? ['ignored'] : [] })) });
    await person.click((await row()).getByRole('button', { name: '忽略 DDDUSDT' }));
    const body = { accountId: 'a1', source: 'simulated', symbol: 'DDDUSDT' };
    await waitFor(() => expect(last(account.ignore)?.body).toEqual({ ...body, ignored: true }));
    expect(await (await row()).findByText('已忽略')).toBeVisible();
    await person.click((await row()).getByRole('button', { name: '取消忽略 DDDUSDT' }));
    await waitFor(() => expect(last(account.ignore)?.body).toEqual({ ...body, ignored: false }));
  });

  test('own accounts are held against their exchange where the address says so, as a notice does', async () => {
    const found = { userId: 'u', user: 'trader', verdict: 'agrees' as const, pending: 0, liveOrders: 0, daily: null };
    const lists = { unknown: [], orders: [], findings: [], money: [], positions: [] };
    answers(order.reconcileOwn, { at: NOW, accounts: [{ ...found, ...lists }], left: 0 });
    openConsole('/?view=own&reconcile=1', 'trader');
    const drawer = within(await screen.findByRole('dialog', { name: '与交易所核对' }));
    expect(await drawer.findByText('核对了 1 个用户的全部账户，一致 1 个')).toBeVisible();
    expect(drawer.queryByLabelText('核对用户')).toBeNull();
  });

  describe('接管', () => {
    const leg = (
      symbol: string,
      side: 'long' | 'short',
      quantity: string,
      mark: number,
      leverage: number | null = null,
    ) => ({
      ...{ source: 'simulated', symbol, side, quantity, lotSize: '0.1', mark, leverage },
    });
    const exits = { stopLoss: 0.05, takeProfit: null, slippageCap: 30 };
    const terms = {
      ...{ mode: 'live' as const, marginUsed: '321.5', exits },
      positions: [
        leg('DDDUSDT', 'long', '10', 110, 20),
        leg('EEEUSDT', 'short', '20', 50),
        leg('FFFUSDT', 'short', '3', 1),
      ],
    };
    const asks = async () => {
      openConsole('/', 'trader');
      await person.click((await table('持仓')).getByRole('button', { name: '接管 DDDUSDT' }));
    };

    test('two positions become a hedge: both legs, what they are worth, how it goes out, and the symbol that is typed', async () => {
      answers(hedge.takeOverTerms, terms);
      answers(hedge.takeOver, { id: 's1', hedgeId: null, refused: 'positionGone' });
      await asks();
      // It waits for the terms, and is the same when they are read.
      const opened = await screen.findByRole('dialog', { name: '接管：DDDUSDT' });
      expect(opened).toContainElement(await screen.findByText(/不买卖、不下单，资金不动/));
      const dialog = within(opened);
      const ticket = within(dialog.getByLabelText('接管票据'));
      expect(ticket.getByText('1,100.00')).toBeVisible();
      expect(ticket.getByText('1,000.00')).toBeVisible();
      expect(ticket.getByText('321.50')).toBeVisible();
      expect(ticket.getAllByText(/倍杠杆/).map(({ textContent }) => textContent)).toEqual([
        expect.stringContaining('20 倍杠杆'),
      ]);
      expect(ticket.getByText('4.76%')).toBeVisible();
      await choose('另一腿', 'FFFUSDT（3）');
      expect(await dialog.findByDisplayValue('3.0')).toBeVisible();
      await choose('另一腿', 'EEEUSDT（20）');
      const long = dialog.getByLabelText('多头数量');
      await person.clear(long);
      await person.type(long, '9.1');
      expect(await ticket.findByText('1,001.00')).toBeVisible();
      const go = dialog.getByRole('button', { name: /接管$/ });
      await hold(go, 1_100);
      expect(await dialog.findByText('请输入 DDDUSDT')).toBeVisible();
      expect(sentTo(hedge.takeOver)).toHaveLength(0);
      await person.type(dialog.getByLabelText('确认实盘'), 'DDDUSDT');
      await hold(go, 1_100);
      await waitFor(() => expect(toasts()).toContain('没有接管：要接管的持仓已不在或不足'));
      expect(last(hedge.takeOver)?.body).toEqual({
        ...{ accountId: 'a1', source: 'simulated', long: 'DDDUSDT', short: 'EEEUSDT', typed: 'DDDUSDT' },
        ...{ longQuantity: '9.1', shortQuantity: '20', ...exits },
      });
      refuses(hedge.takeOver, {
        ...{ status: 400, code: 400, message: '最多 9' },
        data: { fields: [{ field: 'longQuantity', message: '最多 9' }] },
      });
      await hold(go, 1_100);
      expect(await dialog.findByText('最多 9')).toBeVisible();
      answers(hedge.takeOver, { id: 's1', hedgeId: 'h1', refused: null });
      await hold(go, 1_100);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(toasts()).toContain('已接管为对冲单，没有买卖'));
    });

    test('what has no other side says so', async () => {
      answers(hedge.takeOverTerms, { ...terms, positions: terms.positions.slice(0, 1) });
      await asks();
      expect(await screen.findByText(/没有方向相反/)).toBeVisible();
    });
  });

  test('exports the positions as text that a spreadsheet reads', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (blob: Blob) => {
      saved.push(blob);
      return 'blob:positions';
    };
    URL.revokeObjectURL = () => {};
    openConsole('/', 'trader');
    await table('持仓');
    await person.click(screen.getByText('导出 CSV').closest('button')!);
    await waitFor(() => expect(saved).toHaveLength(1));
    const lines = (await saved[0]!.text()).split('\r\n');
    expect(lines[0]).toContain(
      '合约,方向,名义价值 (USDT),未实现盈亏 (USDT),强平距离 (%),数量,开仓均价 (USDT),标记价 (USDT),强平价 (USDT),杠杆,ROE (%)',
    );
    expect(lines[2]).toContain(
      'BBBUSDT,空,1100.00,-40.00,58.60,-20,100.00,110.00,45.500,10,-40.00,-2.50,AAAUSDT / BBBUSDT,不平衡',
    );
    expect(lines[4]).toContain('外部持仓 (10)');
  });

  test('a venue that did not answer is never flat', async () => {
    const unknown = { marginRatio: null, leverage: null, gross: null, net: null, neutrality: null, nearest: null };
    shows({ venue: 'failed', positions: null, available: null, risk: { ...STATE.risk, ...unknown, largest: null } });
    openConsole('/', 'trader');
    expect(await screen.findByText(/交易场所读取失败：持仓、保证金与风险未知/)).toBeVisible();
    expect(await screen.findByText(/持仓未知，并不表示空仓/)).toBeVisible();
    expect(screen.queryByText('没有持仓')).not.toBeInTheDocument();
    await more();
    const risk = await group('风险');
    expect(risk.getAllByLabelText('缺失：读取失败：交易场所没有回答')).toHaveLength(3);
    expect((await group('账户')).getAllByLabelText('缺失：读取失败：交易场所没有回答').length).toBeGreaterThan(1);
    expect(risk.getByText('中性度')).toBeVisible();
    expect((await group('账户')).getByText('10,664.90')).toBeVisible();
  });

  test('without positions it says so', async () => {
    shows({ positions: [], risk: { ...STATE.risk, gross: 0, net: 0, neutrality: null, nearest: null, largest: null } });
    openConsole('/', 'trader');
    expect(await screen.findByText('策略开仓后，持有的合约与现货会显示在这里。')).toBeVisible();
    expect((await group('账户')).getByText('净敞口')).toBeVisible();
    await more();
    expect((await group('风险')).queryByText('中性度')).toBeNull();
  });

  test('tells who paused entries and leads to where they are resumed', async () => {
    const pause = { at: NOW - HOUR_MS, by: 'trader', reason: '观望' };
    shows({ paused: pause, pausedForAll: { ...pause, by: 'master', reason: '维护' } });
    openConsole('/', 'trader');
    expect(await screen.findByText(/由 trader 暂停，原因：观望/)).toBeVisible();
    expect(screen.getByText(/由 master 暂停，原因：维护/)).toBeVisible();
    expect(screen.getByText('前往恢复开仓').closest('a')).toHaveAttribute('href', '/strategy/hedge');
  });

  test('draws the curve of the chosen range; the choice is in the address', async () => {
    openConsole('/', 'trader');
    const chart = await screen.findByRole('figure', { name: '权益曲线' });
    expect(chart).toHaveAccessibleDescription(/权益：起 1.00万 USDT.*回撤：起 0.00%，末 -3.16%/);
    await person.click(screen.getByText('90 天'));
    await waitFor(() =>
      expect(sent.some(({ path, query }) => path === '/api/account/equity' && query.get('range') === '90d')).toBe(true),
    );
    await person.click(screen.getByText('BTC 对比'));
    await waitFor(() => expect(place()).toBe('/?range=90d&off=btc'));
    await waitFor(() =>
      expect(screen.getByRole('figure', { name: '权益曲线' })).not.toHaveAccessibleDescription(/BTC/),
    );
  });

  test('the days as bars and as a calendar; a day without a record is no zero', async () => {
    openConsole('/', 'trader');
    expect(await screen.findByRole('figure', { name: '每日盈亏' })).toHaveAccessibleDescription(
      /资金费：起 24.00，末 24.00.*价格：起 -9.00.*净盈亏：起 14.90/,
    );
    const calendar = within(screen.getByLabelText('盈亏日历', { selector: 'table' }));
    const cell = calendar.getByText('+14.9').closest('td')!;
    expect(cell).toHaveTextContent(String(Number(TODAY.slice(8))));
    if (DAYS[0]!.day.slice(0, 7) === TODAY.slice(0, 7)) {
      expect(calendar.getByLabelText('缺失：当日没有记录')).toHaveTextContent('-');
    }
  });

  test('moves the start of the day, and says what becomes of the one that runs', async () => {
    answers(account.dayBoundary, { dayBoundary: 30, day: { start: DAY_START, end: DAY_START + 1.5 * DAY_MS } });
    openConsole('/', 'trader');
    await person.click((await screen.findByText('修改当日开始')).closest('button')!);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/不会缩短：至少满 24\s*小时/)).toBeInTheDocument();
    await person.click(dialog.getByRole('combobox'));
    await person.type(dialog.getByRole('combobox'), '00:30 UTC');
    await person.click(await screen.findByText('00:30 UTC / 08:30 北京时间'));
    await person.click(dialog.getByRole('button', { name: /^保\s?存$/ }));
    await waitFor(() => {
      const [put] = sent.filter(({ path }) => path === '/api/account/dayBoundary');
      expect(put?.body).toEqual({ dayBoundary: 30 });
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('limits what the account may lose on a day; a pause of the old limit is lifted only where that is chosen', async () => {
    const paused = { at: NOW, by: '风控', reason: '账户单日亏损达到上限 1000 USDT' };
    const today = { since: NOW - HOUR_MS, pnl: -1200, return: -0.01 };
    answers(account.state, { at: NOW, account: { ...STATE, paused, today, unvalued: 'GONEUSDT' } });
    answers(account.lossLimit, { dailyLossLimit: 2000, resumed: true });
    answers(opening.preview, openingsOf([dueRow('SOLUSDT', 'ADAUSDT')]));
    openConsole('/', 'trader');
    expect(await screen.findByText(/模拟账户已达单日最大亏损/)).toHaveTextContent(/1,000\.00 USDT/);
    expect(screen.getByText(/估值缺失：GONEUSDT 没有价格/)).toHaveTextContent('模拟策略都不开新仓');
    expect(screen.getByRole('link', { name: '去恢复' })).toHaveAttribute('href', '/strategy/hedge');
    await person.click(screen.getByRole('button', { name: '改上限' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^取\s?消$/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await person.click((await screen.findByText('修改账户上限')).closest('button')!);
    const dialog = within(await screen.findByRole('dialog'));
    const field = dialog.getByLabelText('账户单日最大亏损');
    // As high as before it is reached still.
    expect(dialog.getByText(/新的上限仍不高于今日的亏损/)).toBeInTheDocument();
    await person.clear(field);
    await person.type(field, '2000');
    expect(await dialog.findByLabelText('保持暂停')).toBeChecked();
    await person.click(dialog.getByLabelText(/一并恢复开仓/));
    await person.click(dialog.getByRole('button', { name: /^保\s?存$/ }));
    // What would open is told first, and has to be held.
    const asked = (await screen.findByText(/解除因原上限而设的暂停/)).closest('[role=dialog]') as HTMLElement;
    await waitFor(() => expect(sentTo(opening.preview)).not.toEqual([]));
    expect(await within(asked).findByLabelText('开仓 多 SOLUSDT / 空 ADAUSDT')).toBeChecked();
    const verb = within(asked).getByRole('button', { name: /按住 1 秒：恢复开仓并开仓 1 个/ });
    const isSaved = () => sentTo(account.lossLimit).length > 0;
    await person.click(verb);
    expect(isSaved()).toBe(false);
    await hold(verb, 1_100);
    await waitFor(() => expect(isSaved()).toBe(true));
    await waitFor(() => {
      const [put] = sent.filter(({ path }) => path === '/api/account/lossLimit');
      expect(put?.body).toEqual({ dailyLossLimit: 2000, resume: true, open: ['pair-SOLUSDT-ADAUSDT'], openSeen: 7 });
    });
    await waitFor(() => expect(toasts().join()).toContain('已保存并恢复开仓'));
  });

  test('says what went wrong and tries again', async () => {
    refuses(account.state, { code: 500, message: '服务器内部错误', status: 500 });
    openConsole('/', 'trader');
    const retry = await screen.findByText(/^重\s?试$/);
    expect(screen.getByText('服务器内部错误')).toBeVisible();
    shows();
    await person.click(retry.closest('button')!);
    expect((await group('账户')).getByText('10,664.90')).toBeVisible();
  });

  test('binds the exchange account id after its form was checked and confirmed', async () => {
    answers(user.binanceId, { binanceId: '12345678' });
    openConsole('/', 'trader');
    await person.click((await screen.findByText(/^绑\s?定$/)).closest('button')!);
    const field = await screen.findByLabelText('币安 UID');
    await person.type(field, '12a');
    await person.click(screen.getByText('下一步'));
    expect(await screen.findByText('4 到 20 位数字')).toBeVisible();
    await person.clear(field);
    await person.type(field, '12345678');
    await person.click(screen.getByText('下一步'));
    expect(await screen.findByText(/将绑定为/)).toHaveTextContent('12345678');
    expect(sent.some(({ method }) => method === 'PUT')).toBe(false);
    await person.click(screen.getByText('确认保存'));
    await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ binanceId: '12345678' }));
    expect(await screen.findByText('12345678', { selector: 'strong.figure' })).toBeVisible();
  });

  test('a visitor is sent to sign in', async () => {
    refuses(account.state, { code: 401, message: '请先登录', status: 401 });
    openConsole('/', 'visitor');
    await waitFor(() => expect(place()).toMatch(/^\/login/));
  });
});

const accountRow = (user: string, change: Partial<AccountRow> = {}): AccountRow => ({
  userId: `id-${user}`,
  user,
  openedAt: NOW - 60 * DAY_MS,
  enabled: true,
  paused: false,
  unpriced: [],
  equity: 101_234.5,
  net: 1_234.5,
  todayPnl: -20,
  drawdown: -0.012,
  maxDrawdown: -0.04,
  sharpe: 1.23,
  betaBtc: 0.031,
  running: 2,
  ...change,
});
const LOSER = accountRow('林晓', { equity: 95_000, net: -5_000, sharpe: -2.5, running: 0, paused: true });
const ALL: AllAccounts = {
  at: NOW,
  users: [
    { id: 'id-trader', name: 'trader' },
    { id: 'id-林晓', name: '林晓' },
  ],
  list: [accountRow('trader'), LOSER],
  ...{ mode: 'paper' as const, hasReal: false },
  total: { ...LOSER, equity: 196_234.5, net: -3_765.5, sharpe: null },
  curve: { time: CURVE.time, equity: CURVE.equity, drawdown: CURVE.drawdown, index: CURVE.index, btc: CURVE.btc },
};

const runningDeal = (id: string, kind: StrategyKind): RunningDeal => ({
  ...{ id, kind, mode: 'paper', userId: 'id-trader', user: 'trader', strategyId: `s-${kind}`, strategy: '我的策略' },
  ...{ symbols: ['SOLUSDT', 'ADAUSDT'], value: 4000, state: 'open', frozen: null, oneLegSince: null },
  ...{ openedAt: 1_760_000_000_000, heldDays: 4, funding: 1.75, net: 26.8, roi: 0.0034, apr: null },
});

describe('/ of a master', () => {
  beforeEach(() => {
    answers(account.all, ({ url }) => {
      const userId = new URL(url).searchParams.get('userId');
      return userId === null ? ALL : { ...ALL, list: [LOSER], total: LOSER };
    });
    answers(strategyOverview.running, {
      list: [runningDeal('h1', 'hedge'), runningDeal('d1', 'grid'), { ...runningDeal('d2', 'grid'), value: 0 }],
      total: 3,
    });
  });

  test('has all accounts, what runs and the curve beside BTC', async () => {
    openConsole('/', 'master');
    const total = await group('合计');
    expect(total.getByText('196,234.50')).toBeVisible();
    expect(total.getByLabelText('缺失：整日记录不足 20 天')).toHaveTextContent('-');
    const accounts = await table('账户');
    expect(accounts.getByText('101,234.50')).toBeVisible();
    expect(accounts.getByText('-5,000.00')).toBeVisible();
    expect(accounts.getByText('已暂停')).toBeVisible();
    const running = await table('进行中的交易单');
    const links = running.getAllByText('SOLUSDT / ADAUSDT').map((text) => text.closest('a')!.getAttribute('href'));
    expect(links).toEqual([
      '/strategy/hedge?id=h1&strategy=s-hedge',
      '/strategy/grid?id=d1&strategy=s-grid',
      '/strategy/grid?id=d2&strategy=s-grid',
    ]);
    expect(running.getAllByText('花式网格')).toHaveLength(2);
    // A grid without coin is not held.
    expect(running.getAllByText(/^(持有|空仓)$/).map(({ textContent }) => textContent)).toEqual([
      '持有',
      '持有',
      '空仓',
    ]);
    // Where a column is too narrow the end is cut, and found under the pointer.
    for (const text of ['SOLUSDT / ADAUSDT', runningDeal('d1', 'grid').strategy])
      expect(running.getAllByText(text)[0]).toHaveAttribute('title', text);
    expect(await screen.findByRole('figure', { name: '权益曲线' })).toHaveAccessibleDescription(/BTC（100 起）/);
    expect(sentTo(account.state)).toEqual([]);
  });

  test('while the past of a demo is made the rows tell no figure either, and why', async () => {
    environmentIs({ demo: true, preparing: true, told: { day: 23, days: 60 } });
    openConsole('/', 'master');
    const rows = await table('账户');
    expect(rows.getByRole('button', { name: 'trader' })).toBeVisible();
    expect(rows.getByText('已暂停')).toBeVisible();
    for (const figure of ['101,234.50', '-5,000.00']) expect(rows.queryByText(figure)).toBeNull();
    expect(rows.getAllByLabelText('缺失：演示交易还在生成，完成后显示').length).toBeGreaterThan(5);
    const running = await table('进行中的交易单');
    expect(running.getAllByText('花式网格')).toHaveLength(2);
    expect(running.getAllByLabelText('缺失：演示交易还在生成，完成后显示').length).toBeGreaterThan(5);
  });

  test('keeps real money apart: chosen by itself where somebody has some, marked in each row, and in the address', async () => {
    const row = { ...accountRow('trader'), equity: 900 };
    answers(account.all, ({ url }) => {
      const mode = new URL(url).searchParams.get('mode');
      if (mode !== 'live') return { ...ALL, hasReal: true };
      return { ...ALL, mode: 'live' as const, hasReal: true, list: [row], total: row };
    });
    answers(strategyOverview.running, { list: [{ ...runningDeal('d1', 'fundingRate'), mode: 'live' }], total: 1 });
    openConsole('/', 'master');
    expect((await group('合计')).getByText('196,234.50')).toBeVisible();
    expect((await table('账户')).queryByText('实盘')).toBeNull();
    expect((await table('账户')).queryAllByText('对冲')).not.toEqual([]);
    expect((await table('进行中的交易单')).getByText('实盘')).toBeVisible();
    await person.click(within(await screen.findByLabelText('模式')).getByText('实盘'));
    await arrived('/?mode=live');
    await waitFor(async () => expect((await group('合计')).getByText('900.00')).toBeVisible());
    await waitFor(async () => expect((await table('账户')).getByText('实盘')).toBeVisible());
    expect((await table('账户')).queryAllByText('对冲')).toEqual([]);
    expect((await table('账户')).queryAllByText('策略')).not.toEqual([]);
  });

  test('says that a sum is play money where the server trades real money', async () => {
    environmentIs({ trading: 'live', followed: ['binance'] });
    openConsole('/', 'master');
    await waitFor(() => expect(screen.getByText(/^合计（/).closest('.ant-card-head')).toHaveTextContent(/模拟/));
  });

  test('narrows down to a user and back, and goes to his own account, all in the address', async () => {
    openConsole('/', 'master');
    await person.click((await table('账户')).getByText('林晓'));
    await arrived(`/?userId=${encodeURIComponent('id-林晓')}`);
    await waitFor(() => expect(sent.at(-1)?.query.get('userId')).toBe('id-林晓'));
    expect((await group('合计')).getByText('95,000.00')).toBeVisible();
    await person.click(screen.getByText('我的账户'));
    expect((await group('账户')).getByText('10,664.90')).toBeVisible();
    expect(place()).toContain('view=own');
  });
});

describe('the first minute', () => {
  const CHOSEN = {
    ...{ long: 'AAVEUSDT', short: 'LINKUSDT', bar: '1d' as const, bars: 90 },
    ...{ adfP: 0.0005, rSquared: 0.72, halfLife: 8, z: -0.95 },
  };

  test('says where the figures come from and leads to selection, backtest and desk with one pair', async () => {
    answers(pair.suggestion, { pair: CHOSEN, isOwn: false, rules: BACKTEST_RULES });
    openConsole('/', 'trader');
    expect(await screen.findByText(/行情是模拟的，没有真钱/)).toBeVisible();
    expect(await screen.findByText(/多 AAVEUSDT \/ 空 LINKUSDT.*半衰期 8.0 天/)).toBeVisible();
    const linkOf = (text: RegExp) => screen.getByText(text).closest('a')!.getAttribute('href');
    const sides = 'source=simulated&long=AAVEUSDT&short=LINKUSDT';
    const rules = new URLSearchParams(Object.entries(BACKTEST_RULES).map(([name, value]) => [name, String(value)]));
    expect(linkOf(/挑一对/)).toBe('/indicator/hedge');
    expect(linkOf(/回测 90 天/)).toBe(`/test/hedge?${sides}&days=90&${rules}`);
    expect(screen.getByText('模拟行情有什么结构')).toBeVisible();
    expect(linkOf(/模拟开仓/)).toBe(`/strategy/hedge?${sides}`);
  });

  test('what is on the desk already is looked at there, for it cannot be added', async () => {
    answers(pair.suggestion, { pair: CHOSEN, isOwn: true, rules: BACKTEST_RULES });
    openConsole('/', 'trader');
    expect((await screen.findByText(/到交易台看这一对/)).closest('a')).toHaveAttribute('href', '/strategy/hedge');
    expect(screen.queryByText(/模拟开仓/)).not.toBeInTheDocument();
  });

  test.each([
    [true, /「模拟行情」是模拟的，币安、OKX（标「实时」）是交易所的真实价格与盘口；资金都是模拟的，没有真钱/],
    [false, /^币安、OKX（标「实时」）是交易所的真实价格与盘口；资金都是模拟的，没有真钱/],
  ])(
    'says which prices are real where exchanges are followed, simulated ones beside them: %s',
    async (simulated, words) => {
      const followed = ['binance', 'okx'] as const;
      environmentIs({ simulated, followed: [...followed] });
      openConsole('/', 'trader');
      expect(await screen.findByText(words)).toBeVisible();
      expect(screen.queryAllByText('模拟行情有什么结构')).toHaveLength(simulated ? 1 : 0);
    },
  );

  test('is not said where there is no simulated market', async () => {
    environmentIs({ simulated: false });
    openConsole('/', 'trader');
    await group('账户');
    await waitFor(() => expect(screen.queryByText(/行情是模拟的/)).not.toBeInTheDocument());
  });

  test('stays away once it was put away', async () => {
    openConsole('/', 'trader');
    await person.click(await screen.findByLabelText('知道了，不再显示'));
    await waitFor(() => expect(screen.queryByText(/行情是模拟的/)).not.toBeInTheDocument());
    cleanup();
    openConsole('/', 'trader');
    await group('账户');
    expect(screen.queryByText(/行情是模拟的/)).not.toBeInTheDocument();
  });

  test('one account is nothing to choose from; another one is opened at a venue that has none', async () => {
    openConsole('/', 'trader');
    await group('账户');
    expect(screen.queryByRole('button', { name: /划转/ })).not.toBeInTheDocument();
    expect(screen.queryByLabelText('各账户', { selector: 'table' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /实盘账户/ })).not.toBeInTheDocument();
    refuses(venueAccount.open, {
      status: 200,
      code: 6004,
      message: '已有同名的账户',
      data: { fields: [{ field: 'name', message: '已有同名的账户' }] },
    });
    await person.click(screen.getByRole('button', { name: /开户/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText('账户名称')).toHaveValue('OKX 账户');
    await person.click(dialog.getByRole('button', { name: /^开\s*户$/ }));
    expect(await dialog.findByText('已有同名的账户')).toBeVisible();
    answers(venueAccount.open, { id: 'a2' });
    await person.click(dialog.getByRole('button', { name: /^开\s*户$/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(last(venueAccount.open)).toMatchObject({
      body: { name: 'OKX 账户', venue: 'simulated-okx', amount: 100_000 },
    });
  });

  test('a link may ask for an account at a venue: its dialog is up, and gone for good once it is closed', async () => {
    openConsole('/?view=own&open=simulated-bybit', 'trader');
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByLabelText('账户名称')).toHaveValue('Bybit 账户');
    await person.click(within(dialog).getByRole('button', { name: /^取\s*消$/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(place()).toBe('/?view=own');
  });

  test('a link may ask for a real account at an exchange, also one without a key', async () => {
    const sources = ['binance', 'okx'].map((name) => ({ source: `${name}-live`, name, kind: 'live' }));
    answers(market.source, { list: sources as never, total: 2 });
    environmentIs({ trading: 'live', simulated: false, followed: ['binance', 'okx'] });
    const key = { id: 'k1', name: '币安的', maskedKey: '****0001', exchange: 'binance', enabled: true } as const;
    answers(apiKey.list, { list: [key] as never, total: 1 });
    openConsole('/?view=own&openLive=okx-live', 'trader');
    const dialog = await screen.findByRole('dialog', { name: '开立实盘账户' });
    expect(await within(dialog).findByText(/^真实资金：OKX · 实时/)).toBeVisible();
    await person.click(within(dialog).getByLabelText('密钥'));
    expect(await screen.findByText(/没有该交易所已启用的密钥/)).toBeVisible();
    expect(within(dialog).getByLabelText('账户名称')).toHaveValue('OKX 实盘');
    await person.click(within(dialog).getByRole('button', { name: /^取\s*消$/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(place()).toBe('/?view=own');
  });

  test('a real account is opened by a key, in red, where real orders may be sent and there is none yet', async () => {
    const source = { source: 'binance-live', name: '币安 · 实时', kind: 'live' } as never;
    answers(market.source, { list: [source], total: 1 });
    const real = { demo: false, simulated: false, trading: 'live', preparing: false, accounts: [] } as const;
    answers(service.environment, { ...real, followed: ['binance'], accounts: [] });
    const key = { id: 'k1', name: '主密钥', maskedKey: '****0001', exchange: 'binance', enabled: true } as const;
    const off = { ...key, id: 'k2', name: '停用的', enabled: false };
    answers(apiKey.list, { list: [key, off, { ...key, id: 'k3', name: '别处', exchange: 'okx' }] as never, total: 3 });
    openConsole('/', 'trader');
    await person.click(await screen.findByRole('button', { name: /开实盘账户/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/^真实资金：币安 · 实时/)).toBeVisible();
    expect(dialog.queryByLabelText('本金')).not.toBeInTheDocument();
    // The one that fits is chosen already.
    expect(await dialog.findByText('主密钥 ****0001')).toBeVisible();
    await person.click(dialog.getByLabelText('密钥'));
    expect(screen.queryByText(/停用的|别处/)).not.toBeInTheDocument();
    answers(venueAccount.openLive, { id: 'a9' });
    await person.click(dialog.getByRole('button', { name: '开立实盘账户' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(last(venueAccount.openLive)).toMatchObject({
      body: { name: '币安实盘', venue: 'binance-live', apiKeyId: 'k1' },
    });
  });

  test('where several keys fit none is chosen before, and the form asks to choose', async () => {
    const source = { source: 'binance-live', name: '币安 · 实时', kind: 'live' } as never;
    answers(market.source, { list: [source], total: 1 });
    const real = { demo: false, simulated: false, trading: 'live', preparing: false, accounts: [] } as const;
    answers(service.environment, { ...real, followed: ['binance'], accounts: [] });
    const key = { id: 'k1', name: '主密钥', maskedKey: '****0001', exchange: 'binance', enabled: true } as const;
    answers(apiKey.list, { list: [key, { ...key, id: 'k2', name: '副密钥' }] as never, total: 2 });
    openConsole('/', 'trader');
    await person.click(await screen.findByRole('button', { name: /开实盘账户/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.click(dialog.getByRole('button', { name: '开立实盘账户' }));
    expect(await dialog.findByText('请选择密钥')).toBeVisible();
    expect(sentTo(venueAccount.openLive)).toEqual([]);
  });

  test('a real account is opened at the exchange that is chosen, by a key of that one', async () => {
    const sources = ['binance', 'okx'].map((name) => ({ source: `${name}-live`, name, kind: 'live' }));
    answers(market.source, { list: sources as never, total: 2 });
    const real = { demo: false, simulated: false, trading: 'live', preparing: false, accounts: [] } as const;
    answers(service.environment, { ...real, followed: ['binance', 'okx'], accounts: [] });
    const key = { id: 'k1', name: '币安的', maskedKey: '****0001', exchange: 'binance', enabled: true } as const;
    answers(apiKey.list, { list: [key, { ...key, id: 'k3', name: '欧易的', exchange: 'okx' }] as never, total: 2 });
    openConsole('/', 'trader');
    await person.click(await screen.findByRole('button', { name: /开实盘账户/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('币安的 ****0001')).toBeVisible();
    await person.click(dialog.getByLabelText('交易所'));
    await person.click(await screen.findByText('OKX · 实时', { selector: '.ant-select-item-option-content' }));
    expect(await dialog.findByText(/^真实资金：OKX · 实时/)).toBeVisible();
    expect(dialog.getByLabelText('账户名称')).toHaveValue('OKX 实盘');
    expect(await dialog.findByText('欧易的 ****0001')).toBeVisible();
    expect(dialog.queryByText('币安的 ****0001')).not.toBeInTheDocument();
    answers(venueAccount.openLive, { id: 'a9' });
    await person.click(dialog.getByRole('button', { name: '开立实盘账户' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(last(venueAccount.openLive)).toMatchObject({
      body: { name: 'OKX 实盘', venue: 'okx-live', apiKeyId: 'k3' },
    });
  });

  test('one at a test network is called so, and so is its money', async () => {
    answers(market.source, { list: [{ source: 'okx-live', name: 'okx', kind: 'live' }] as never, total: 1 });
    environmentIs({ trading: 'testnet', simulated: false, followed: ['okx'] });
    answers(user.current, { ...accountOf('trader'), testnet: true });
    visit('/');
    await person.click(await screen.findByRole('button', { name: /开测试网账户/ }));
    const dialog = within(await screen.findByRole('dialog', { name: '开立测试网账户' }));
    expect(await dialog.findByText(/^测试网的资金：OKX · 实时/)).toBeVisible();
    expect(dialog.getByLabelText('账户名称')).toHaveValue('OKX 测试网');
    expect(dialog.queryByText(/实盘/)).not.toBeInTheDocument();
  });

  test('it begins at the exchange whose key is held, and says what that exchange asks of it', async () => {
    const sources = ['binance', 'bybit', 'gate'].map((name) => ({ source: `${name}-live`, name, kind: 'live' }));
    answers(market.source, { list: sources as never, total: 3 });
    const real = { demo: false, simulated: false, trading: 'live', preparing: false, accounts: [] } as const;
    answers(service.environment, { ...real, followed: ['binance', 'bybit', 'gate'], accounts: [] });
    const key = { id: 'k1', name: '停用的', maskedKey: '****0001', exchange: 'binance', enabled: false } as const;
    const own = { ...key, id: 'k2', name: '主密钥', exchange: 'gate', enabled: true } as const;
    answers(apiKey.list, { list: [key, own] as never, total: 2 });
    openConsole('/', 'trader');
    await person.click(await screen.findByRole('button', { name: /开实盘账户/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/^真实资金：Gate · 实时/)).toBeVisible();
    expect(await dialog.findByText('主密钥 ****0001')).toBeVisible();
    expect(dialog.getByLabelText('账户名称')).toHaveValue('Gate 实盘');
    expect(dialog.getByText(/Gate：用主账户的密钥.*经典账户/)).toBeVisible();
    expect(dialog.queryByText(/OKX|Bybit/)).not.toBeInTheDocument();
  });

  test('who looks on as its owner moves nothing of it', async () => {
    answers(user.current, { ...accountOf('trader'), viewer: 'master' });
    answers(venueAccount.list, {
      ...ACCOUNTS,
      list: [FIRST, placeAt('a2', '欧易', 'simulated-okx', { equity: '2000' })],
    });
    visit('/');
    const button = await screen.findByRole('button', { name: /划转/ });
    expect(button).toBeDisabled();
    await person.hover(button);
    expect(await screen.findByText('正在以别人的身份只读查看，退出查看后才能执行')).toBeVisible();
  });

  test('several accounts are seen together or alone, and money moves between them', async () => {
    const out = { state: 'failed', latencyMs: null, withdrawable: null, share: 0.2, equity: '2000' } as const;
    const second = placeAt('a2', '欧易', 'simulated-okx', out);
    answers(venueAccount.list, { ...ACCOUNTS, list: [FIRST, second], inTransit: '664.9' });
    shows({ inTransit: '664.9', venue: 'failed', unanswered: ['欧易'] });
    const moved: Transfer = {
      id: 't1',
      from: { id: 'a1', name: '主账户', venue: 'simulated' },
      to: { id: 'a2', name: '欧易', venue: 'simulated-okx' },
      ...{
        asset: 'USDT',
        value: null,
        amount: '664.9',
        fee: '1',
        state: 'transit',
        askedAt: NOW,
        leftAt: NOW,
        dueAt: NOW + 600_000,
      },
      ...{ arrivedAt: null, reason: null },
    };
    answers(venueAccount.transfers, { list: [moved], total: 1 });
    openConsole('/', 'trader');
    const rows = await table('各账户');
    expect(rows.getByText('离线')).toBeVisible();
    expect(await screen.findByText(/读取失败（欧易）/)).toBeVisible();
    expect((await table('划转记录')).getByText('途中')).toBeVisible();
    expect((await table('持仓')).getAllByText('主账户')).toHaveLength(4);
    answers(venueAccount.transfer, { id: 't2', state: 'transit', fee: '1', minutes: 7 });
    await person.click(screen.getByRole('button', { name: /划转/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('6,500.00')).toBeVisible();
    await person.type(dialog.getByLabelText('金额'), '12.5');
    await person.click(dialog.getByRole('button', { name: /^划\s*转$/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(last(venueAccount.transfer)).toMatchObject({ body: { from: 'a1', to: 'a2', amount: 12.5 } });
    await person.click(screen.getByRole('radio', { name: '欧易' }));
    await waitFor(() => expect(place()).toContain('account=a2'));
    for (const read of [account.state, account.equity]) {
      await waitFor(() => expect(last(read)!.query.get('accountId')).toBe('a2'));
    }
    await waitFor(() => expect(screen.queryByLabelText('各账户', { selector: 'table' })).not.toBeInTheDocument());
  });
});
