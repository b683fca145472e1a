import { jest } from '@jest/globals';
import { configure, waitFor, within } from '@testing-library/react';
import { DAY_MS } from '#contract/duration';
import {
  type AttributionRow,
  type ComparedHedge,
  type Comparison,
  type Statistic,
  type StatisticFigures,
  statistic,
} from '#contract/statistic';
import { answers, openConsole, person, place, refuses, screen, sent } from '../support/webConsole';

// A page with charts and tables takes its time on a machine that does other things too.
configure({ asyncUtilTimeout: 20_000 });
jest.setTimeout(120_000);

const AT = Date.UTC(2026, 10, 20, 8, 30, 15);
const FROM = Date.UTC(2026, 10, 18);

const FIGURES: StatisticFigures = {
  equity: 101_250,
  net: 1250,
  days: 2,
  index: 1.0125,
  totalReturn: 0.0125,
  cagr: 8.6,
  fewestDays: 20,
  sharpe: null,
  sortino: null,
  calmar: null,
  volatility: 0.123,
  ulcer: 0.004,
  maxDrawdown: -0.0234,
  drawdownPeakAt: FROM,
  drawdownTroughAt: FROM + DAY_MS,
  drawdownRecoveredAt: null,
  drawdownDays: 1,
  recoveryDays: null,
  longestUnderwaterDays: 2,
  dayWinRate: 0.5,
  turnover: 0.345,
  costDrag: 0.2,
  traded: 69_000,
  fees: 34.5,
  slippage: 12.25,
  funding: 7.75,
  betaBtc: 0.031,
  betaT: 0.87,
  correlationBtc: 0.11,
  var95: null,
  cvar95: null,
  winningPeriods: 1,
  losingPeriods: 1,
  meanReturn: 0.00625,
  bestReturn: 0.03,
  worstReturn: -0.0175,
  longestWins: 1,
  longestLosses: 1,
  returnDeviation: 0.0336,
};

const row = (key: string, change: Partial<AttributionRow> = {}): AttributionRow => ({
  ...{ key, count: 2, winRate: null, price: 40, funding: 3, fees: -5, net: 38, traded: 8000 },
  ...change,
});

const STATISTIC: Statistic = {
  ...{ mode: 'paper', hasReal: false },
  at: AT,
  places: [{ id: 'a1', userId: 'u1', name: '主账户', venue: 'simulated' }],
  strategies: [],
  users: [
    { id: '11111111-1111-4111-8111-111111111111', name: 'alice' },
    { id: '22222222-2222-4222-8222-222222222222', name: 'bob' },
  ],
  pairs: [{ long: 'SOLUSDT', short: 'ADAUSDT' }],
  accounts: 2,
  from: FROM,
  to: FROM + 2 * DAY_MS,
  figures: FIGURES,
  hedges: {
    ...{ count: 2, fewest: 10, net: 38, winRate: null, profitFactor: null, payoff: null, expectancy: null },
    ...{ sqn: null, averageHours: 10.5 },
  },
  daily: {
    day: ['2026-11-18', '2026-11-19'],
    equity: [103_000, 101_250],
    transfers: [0, 0],
    return: [0.03, -0.0175],
    index: [1.03, 1.0125],
    drawdown: [0, -0.017],
    long: [3100, -1000],
    short: [-120, -740],
    funding: [40, 10],
    fees: [-20, -20],
    net: [3000, -1750],
    longIndex: [1.031, 1.021],
    shortIndex: [0.9988, 0.9914],
    fundingIndex: [1.0004, 1.0005],
    feesIndex: [0.9998, 0.9996],
    btcReturn: [0.01, null],
    sharpe30: [null, null],
    beta30: [null, null],
    neutrality: [0.01, null],
    missing: [0, 1],
  },
  months: [{ month: '2026-11', return: 0.0125 }],
  attribution: {
    user: [row('alice'), row('bob', { net: -8, price: -6 })],
    pair: [row('SOLUSDT / ADAUSDT')],
    coin: [row('SOLUSDT')],
    side: [row('long'), row('short')],
    reason: [row('takeProfit')],
    holding: [row('under1d')],
  },
  quality: {
    ...{ missingDays: ['2026-11-19'], missingAccountDays: 1, transferCount: 1, transfers: 500 },
    ...{ unexplained: 0, running: 3 },
  },
};

const GAP = {
  ...{ live: 16, backtest: 11.25, gap: 4.75, slippage: -0.5, fees: -2, funding: 1.5, missed: -0.25, rest: 6 },
  ...{ traded: 4000, bps: 11.875 },
};
const COMPARED: ComparedHedge = {
  ...{ id: 'h/1', user: 'alice', long: 'SOLUSDT', short: 'ADAUSDT', openedAt: FROM, closedAt: FROM + DAY_MS },
  ...{ closeReason: 'takeProfit', bar: '1h', fundingMissing: 2 },
  ...GAP,
};
const COMPARISON: Comparison = {
  at: AT,
  list: [COMPARED],
  totals: GAP,
  left: [
    { id: 'h2', user: 'bob', long: 'XUSDT', short: 'YUSDT', closedAt: FROM, why: 'noCandles' },
    { id: 'h3', user: 'bob', long: 'XUSDT', short: 'ZUSDT', closedAt: FROM, why: 'underHour' },
  ],
  older: 7,
};

const tiles = async (label: string) => within(await screen.findByLabelText(label, { selector: 'dl' }));
const table = async (label: string) => within(await screen.findByLabelText(label, { selector: 'table' }));

beforeEach(() => {
  answers(statistic.all, STATISTIC);
  answers(statistic.compare, COMPARISON);
});

describe('/indicator/static', () => {
  test('is not for editors', async () => {
    openConsole('/indicator/static', 'editor');
    expect(await screen.findByText('抱歉，你没有权限访问该页面')).toBeVisible();
    expect(sent.some(({ path }) => path.startsWith('/api/hedge/statistic'))).toBe(false);
  });

  test('without any account says what it will show', async () => {
    answers(statistic.all, { ...STATISTIC, users: [], accounts: 0, figures: null, from: null, to: null });
    openConsole('/indicator/static', 'master');
    expect(await screen.findByText('还没有账户')).toBeVisible();
    expect(screen.getByText('前往多空对冲').closest('a')).toHaveAttribute('href', '/strategy/hedge');
  });

  test('shows the figures, and why one is missing', async () => {
    openConsole('/indicator/static', 'master');
    const gain = await tiles('收益');
    expect(gain.getByText('1.0125')).toBeVisible();
    expect(gain.getByText('+1.25%')).toBeVisible();
    // Two days and two hedges are too few for ratios and win rates.
    expect(gain.getAllByLabelText('缺失：样本不足：少于 20 天')).toHaveLength(3);
    const risk = await tiles('风险');
    expect(risk.getByText('-2.34%')).toBeVisible();
    expect(risk.getByText('2026-11-18')).toBeVisible();
    expect(risk.getAllByLabelText('缺失：没有回撤，或尚未恢复')).toHaveLength(2);
    expect(risk.getByText('0.87')).toBeVisible();
    expect(risk.getAllByLabelText('缺失：少于 20 天，无法计算')).toHaveLength(2);
    expect((await tiles('成本')).getByText('20.00%')).toBeVisible();
    expect((await tiles('周期统计（周期 = UTC 日）')).getByText('+0.625%')).toBeVisible();
    const hedges = await tiles('对冲单（期间内结束、有成交）');
    expect(hedges.getByText('+38.00')).toBeVisible();
    expect(hedges.getAllByLabelText('缺失：样本不足：少于 10 单对冲')).toHaveLength(5);
  });

  test('shows ratios and win rates of samples that are large enough, and why one is missing all the same', async () => {
    const figures = { ...FIGURES, days: 30, sharpe: 3.21, sortino: null, calmar: 4.56 };
    const hedges = { ...STATISTIC.hedges, count: 12, winRate: 0.75, profitFactor: null, expectancy: 19 };
    answers(statistic.all, { ...STATISTIC, figures, hedges });
    openConsole('/indicator/static', 'master');
    const gain = await tiles('收益');
    expect(gain.getByText('3.21')).toBeVisible();
    expect(gain.getByLabelText('缺失：没有亏损日，无法计算')).toHaveTextContent('-');
    const deals = await tiles('对冲单（期间内结束、有成交）');
    expect(deals.getByText('75.00%')).toBeVisible();
    expect(deals.getByLabelText('缺失：没有亏损的对冲单，无法计算')).toBeVisible();
  });

  test('shows no win rate where nothing has ended', async () => {
    answers(statistic.all, { ...STATISTIC, hedges: { ...STATISTIC.hedges, count: 0 } });
    openConsole('/indicator/static', 'master');
    const deals = await tiles('对冲单（期间内结束、有成交）');
    expect(deals.getByText('盈亏比')).toBeVisible();
    expect(deals.queryByText('胜率（单）')).toBeNull();
  });

  test('says what the figures stand on', async () => {
    openConsole('/indicator/static', 'master');
    const note = await screen.findByLabelText('数据质量');
    expect(note).toHaveTextContent('账户 2 个，2026-11-18 至 2026-11-20 零点（UTC），2 天');
    expect(note).toHaveTextContent('缺记录 1 天（1 个账户日');
    expect(note).toHaveTextContent('剔除划转 1 笔，净额 +500.00 USDT');
    expect(note).toHaveTextContent('进行中 3 单按标记价计入净值');
  });

  test('a tile states formula, window and time of its inputs', async () => {
    openConsole('/indicator/static', 'master');
    const gain = await tiles('收益');
    await person.hover(gain.getAllByLabelText('说明')[3]!);
    expect(await screen.findByText(/均值 \/ 标准差（ddof 1）× √365/)).toBeVisible();
    expect(screen.getByText(/2026-11-18 00:00 至 2026-11-20 00:00 UTC，2.0 天/)).toBeVisible();
  });

  test('draws the index with its parts, and on a logarithmic scale by the address', async () => {
    openConsole('/indicator/static', 'master');
    const chart = await screen.findByRole('figure', { name: '净值与回撤' });
    expect(chart).toHaveAccessibleDescription(/净值：起 1.0300，末 1.0125.*多头腿：.*手续费：.*回撤：/);
    await person.click(screen.getByText('对数'));
    await waitFor(() => expect(place()).toBe('/indicator/static?scale=log'));
    expect(await screen.findByRole('figure', { name: '滚动 30 日' })).toBeInTheDocument();
    expect(await screen.findByLabelText('月度收益')).toHaveTextContent('+1.3%');
    expect(await screen.findByLabelText('盈亏日历')).toHaveTextContent('+3,000');
  });

  test('attributes the result, by the dimension that was chosen', async () => {
    openConsole('/indicator/static', 'master');
    const rows = await table('盈亏归因');
    expect(rows.getByText('alice')).toBeVisible();
    expect(rows.getAllByLabelText('缺失：样本不足：少于 10 单对冲')).toHaveLength(2);
    // The footer: 38 - 8 net.
    expect(rows.getByText('+30.00')).toBeVisible();
    await person.click(screen.getByText('平仓原因'));
    expect(await rows.findByText('止盈')).toBeVisible();
    expect(place()).toBe('/indicator/static?by=reason');
    await person.click(screen.getByText('持有时长'));
    expect(await rows.findByText('4 至 24 小时')).toBeVisible();
  });

  test('holds hedges against their backtests and tells which it could not', async () => {
    openConsole('/indicator/static', 'master');
    const gap = await tiles('实际与回测的差额');
    expect(gap.getByText('+4.75')).toBeVisible();
    expect(gap.getByText('+11.88')).toBeVisible();
    const said = await screen.findByText(/2 单不与回测比较/);
    expect(said).toHaveTextContent('过短（持有不足 1 小时） 1 单，币种没有共同周期的 K 线 1 单');
    expect(screen.getByText('过短').closest('li')).toHaveTextContent('XUSDT / ZUSDT');
    expect(said).toHaveTextContent('只比较最近结束的 200 单，更早的 7 单不在其中');
    expect(said).toHaveTextContent('回测缺 2 次资金费结算');
    const link = (await table('逐单对比')).getByText('SOLUSDT / ADAUSDT').closest('a');
    expect(link).toHaveAttribute('href', '/strategy/hedge?id=h%2F1');
  });

  test('period, user and pair stand in the address and go to the server', async () => {
    openConsole('/indicator/static?userId=22222222-2222-4222-8222-222222222222&pair=SOLUSDT%2CADAUSDT', 'master');
    expect(await screen.findByText(/净值按账户记录，不能拆到单个交易对/)).toBeVisible();
    const first = sent.find(({ path }) => path === '/api/hedge/statistic')!;
    expect(first.query.get('userId')).toBe('22222222-2222-4222-8222-222222222222');
    expect(first.query.get('pair')).toBe('SOLUSDT,ADAUSDT');
    expect(first.query.get('start')).toBeNull();
    await person.click(screen.getByText('30 天'));
    await waitFor(() => {
      const starts = sent.filter(({ path }) => path === '/api/hedge/statistic').map(({ query }) => query.get('start'));
      expect(starts.at(-1)).toBe(String((Math.floor(Date.now() / DAY_MS) - 30) * DAY_MS));
    });
    await waitFor(() =>
      expect(sent.some(({ path, query }) => path.endsWith('/compare') && query.get('start') !== null)).toBe(true),
    );
  });

  test('exports the days as text that a spreadsheet reads', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (blob: Blob) => {
      saved.push(blob);
      return 'blob:days';
    };
    URL.revokeObjectURL = () => {};
    openConsole('/indicator/static', 'master');
    await person.click((await screen.findByText('日收益 CSV')).closest('button')!);
    await waitFor(() => expect(saved).toHaveLength(1));
    const lines = (await saved[0]!.text()).split('\r\n');
    expect(lines[0]).toContain('日期 UTC,日末权益 USDT,划转 USDT,日收益率 (%),净值,回撤 (%),多头腿 USDT');
    expect(lines[2]).toBe('2026-11-19,101250.00,0.00,-1.75,1.0125,-1.70,-1000.00,-740.00,10.00,-20.00,-1750.00,,,,,1');
  });

  test('says which money it is of, and turns to the other', async () => {
    answers(statistic.all, { ...STATISTIC, mode: 'live', hasReal: true });
    openConsole('/indicator/static', 'master');
    const modes = await screen.findByRole('radiogroup', { name: '模式' });
    expect(within(modes).getByRole('radio', { name: '实盘' })).toBeChecked();
    await person.click(within(modes).getByText('模拟'));
    const asked = () =>
      sent
        .filter(({ path }) => path === '/api/hedge/statistic')
        .at(-1)
        ?.query.get('mode');
    await waitFor(() => expect(asked()).toBe('paper'));
  });

  test('a period without a whole day keeps the hedges', async () => {
    answers(statistic.all, { ...STATISTIC, figures: null, from: null, to: null });
    openConsole('/indicator/static', 'master');
    expect(await screen.findByText(/还没有完整的一天/)).toBeVisible();
    expect((await tiles('对冲单（期间内结束、有成交）')).getByText('+38.00')).toBeVisible();
    expect(screen.queryByRole('figure', { name: '净值与回撤' })).not.toBeInTheDocument();
  });

  test('what the server refuses is told, with a retry', async () => {
    refuses(statistic.all, { code: 500, message: '服务器内部错误', status: 500 });
    openConsole('/indicator/static', 'master');
    expect(await screen.findByText('服务器内部错误')).toBeVisible();
    answers(statistic.all, STATISTIC);
    await person.click(screen.getByText(/^重\s?试$/).closest('button')!);
    expect(await tiles('收益')).toBeDefined();
  });
});
