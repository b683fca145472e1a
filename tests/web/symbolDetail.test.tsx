import { configure, fireEvent, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { evaluate } from '#contract/evaluate';
import { market } from '#contract/market';
import { pair } from '#contract/pair';
import { star } from '#contract/star';
import { symbol as api, type CandleColumns, type SymbolDetail } from '#contract/symbol';
import { user } from '#contract/user';
import { onPhone } from '../support/phone';
import { accountOf, answers, openConsole, place, refuses, responds, screen, sent, visit } from '../support/webConsole';

// A page with two charts and three tables takes its time on a machine that does other things too.
configure({ asyncUtilTimeout: 20_000 });
jest.setTimeout(120_000);

const NOW = Date.UTC(2026, 0, 15);
const NAMES = ['A%2FB', 'BTC/USDT:USDT', 'X.Y.USDT', '我踏马来了USDT'];

const address = (symbol: string, search = '') => `/indicator/symbol/detail/${encodeURIComponent(symbol)}${search}`;

function detailOf(symbol: string, change: Partial<SymbolDetail> = {}): SymbolDetail {
  const at = NAMES.indexOf(symbol);
  return {
    source: 'simulated',
    kind: 'simulated',
    symbol,
    base: 'X',
    quote: 'USDT',
    exchange: 'simulated',
    sector: '公链',
    bars: ['1d', '1h'],
    chartBars: ['1d', '1h'],
    listedAt: NOW - 400 * DAY_MS,
    lastAt: NOW - DAY_MS,
    tickSize: '0.01',
    lotSize: '0.001',
    minNotional: '5',
    maxLeverage: 50,
    price: 123.45,
    priceAt: NOW,
    mark: 123.5,
    index: 123.4,
    premium: 0.00081,
    change24h: 0.0321,
    high24h: 130,
    low24h: 110,
    volume24h: 20_000,
    turnover24h: 2_500_000,
    openInterest: null,
    openInterestChange24h: -0.05,
    premiumChange24h: null,
    borrowRate: null,
    sampledAt: null,
    longShortRatio: 1.2,
    fundingRate: 0.0001,
    fundingHours: 4,
    fundingApr: 0.219,
    nextFundingAt: Date.now() + HOUR_MS,
    rank: 3,
    ranked: 120,
    score: 1.25,
    suggestion: 'long',
    direction: 'short',
    note: '高位放量',
    noteBy: 'editor',
    updatedAt: NOW,
    statistics: [
      {
        days: 30,
        volatility: 0.8,
        betaBtc: 1.3,
        correlationBtc: 0.7,
        correlationEth: null,
        maxDrawdown: -0.25,
        return: 0.12,
      },
    ],
    fundingSummary: [{ days: 7, settlements: 41, missing: 1, meanApr: 0.15, positiveShare: 0.9 }],
    drawdown: { max: -0.6, peakAt: NOW - 90 * DAY_MS, troughAt: NOW - 60 * DAY_MS, recoveredAt: null, current: -0.3 },
    previous: NAMES[at - 1] ?? null,
    next: NAMES[at + 1] ?? null,
    ...change,
  };
}

const time = Array.from({ length: 30 }, (_, i) => NOW - (30 - i) * DAY_MS);
const numbers = (value: number) => time.map((_, i) => value + i);

function candlesOf(request: Request): CandleColumns {
  const query = new URL(request.url).searchParams;
  const compare = query.get('compare');
  return {
    symbol: query.get('symbol')!,
    bar: (query.get('bar') ?? '1d') as '1d',
    formingAt: null,
    time,
    open: numbers(100),
    high: numbers(103),
    low: numbers(99),
    close: numbers(101),
    volume: numbers(1000),
    turnover: numbers(100_000),
    ma7: numbers(98),
    ma25: numbers(95),
    bollUpper: numbers(110),
    bollMiddle: numbers(100),
    bollLower: numbers(90),
    compare: compare === null ? null : { symbol: compare, own: numbers(0), other: numbers(1) },
  };
}

const symbolOfRequest = (request: Request) => new URL(request.url).searchParams.get('symbol')!;

beforeEach(() => {
  answers(market.source, {
    list: [
      {
        source: 'simulated',
        label: '模拟行情',
        kind: 'simulated',
        symbols: 4,
        bars: ['1d', '1h'],
        firstAt: 0,
        lastAt: NOW,
      },
      {
        source: 'bybit',
        label: '导入数据 · bybit',
        kind: 'imported',
        symbols: 1,
        bars: ['1d'],
        firstAt: 0,
        lastAt: NOW,
      },
    ],
    total: 2,
  });
  answers(market.symbol, {
    list: NAMES.map((symbol) => ({
      symbol,
      base: 'X',
      names: [],
      exchange: 'simulated',
      sector: null,
      bars: ['1d' as const],
      listedAt: 0,
      lastAt: NOW,
    })),
    total: NAMES.length,
  });
  answers(api.detail, (request) => detailOf(symbolOfRequest(request)));
  answers(api.candle, candlesOf);
  answers(api.funding, {
    symbol: 'X',
    hours: 4,
    time: [NOW - DAY_MS, NOW],
    rate: [0.0001, -0.0002],
    apr: [0.219, -0.438],
  });
  answers(evaluate.history, { list: [], total: 0 });
  answers(api.own, { fills: [], spans: [], total: 0 });
});

const askedFor = (path: string) => sent.filter((call) => call.path === path).map(({ query }) => query);

test('what it shows first is asked for while it is not yet known who asks, and only once', async () => {
  let tellUser = () => {};
  const told = new Promise<void>((done) => {
    tellUser = done;
  });
  responds(user.current, async () => {
    await told;
    return HttpResponse.json({ code: 200, message: 'ok', data: accountOf('trader') });
  });
  visit(address('BTC/USDT:USDT', '?bar=1h&compare=X.Y.USDT'));
  const reads = () => sent.filter(({ path }) => path === api.detail.path || path === api.candle.path);
  await waitFor(() => expect(reads()).toHaveLength(2));
  expect(screen.queryByRole('figure', { name: /K 线/ })).not.toBeInTheDocument();
  tellUser();
  await screen.findByRole('figure', { name: 'BTC/USDT:USDT K 线' });
  const asked = new Map(reads().map(({ path, query }) => [path, Object.fromEntries(query)]));
  expect(reads()).toHaveLength(2);
  expect([asked.get(api.detail.path), asked.get(api.candle.path)]).toEqual([
    { source: 'simulated', symbol: 'BTC/USDT:USDT' },
    { source: 'simulated', symbol: 'BTC/USDT:USDT', bar: '1h', limit: '1000', compare: 'X.Y.USDT' },
  ]);
});

describe('币种详情', () => {
  test.each(NAMES)('%s survives its address, and is asked for by its own name', async (symbol) => {
    openConsole(address(symbol), 'trader');
    expect(await screen.findByRole('heading', { level: 1, name: symbol })).toBeVisible();
    expect(askedFor('/api/symbol/detail')[0]!.get('symbol')).toBe(symbol);
    expect(place()).toBe(address(symbol));
  });

  test('shows price, figures, origin, and why a figure is missing', async () => {
    openConsole(address('X.Y.USDT'), 'trader');
    await screen.findByRole('heading', { level: 1 });
    expect(screen.getByText('123.45')).toBeVisible();
    expect(screen.getByText('+3.21%')).toBeVisible();
    expect(screen.getByText('模拟')).toBeVisible();
    // Nothing is sampled of it.
    expect(screen.queryByRole('tab', { name: '持仓量与溢价' })).toBeNull();
    for (const label of ['溢价 24h', '借币日利率']) expect(screen.queryByText(label)).toBeNull();
    expect(screen.getAllByText('+0.0100%')[0]).toBeVisible();
    expect(screen.getByText('3 / 120')).toBeVisible();
    expect(screen.getByText(/^(01:00:00|00:59:5\d)$/)).toBeVisible();
    expect(screen.getByText('持仓量').parentElement).toContainElement(
      screen.getByRole('img', { name: '缺失：该币种没有提供这一项' }),
    );
  });

  test('on a phone the chart comes first, and the figures are folded below it', async () => {
    onPhone();
    openConsole(address('X.Y.USDT'), 'trader');
    const folded = await screen.findByText('行情、资金费与合约');
    const chart = await screen.findByText('布林带');
    expect(chart.compareDocumentPosition(folded) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(folded.closest('details')).not.toHaveAttribute('open');
    expect(within(folded.closest('details')!).getByText('标记价')).toBeInTheDocument();
    expect(screen.getAllByText('标记价')).toHaveLength(1);
  });

  test('draws what the toggles say, and keeps them in the address', async () => {
    openConsole(address('X.Y.USDT'), 'trader');
    const chart = await screen.findByRole('figure', { name: 'X.Y.USDT K 线' });
    expect(chart).toHaveAccessibleDescription(/收盘价：起 101.00，末 130.00.*MA7.*MA25/);
    await userEvent.click(screen.getByRole('checkbox', { name: '布林带' }));
    await waitFor(() => expect(chart).toHaveAccessibleDescription(/布林上轨/));
    await userEvent.click(screen.getByRole('checkbox', { name: /MA7/ }));
    await waitFor(() => expect(chart).not.toHaveAccessibleDescription(/MA7/));
    expect(place()).toBe(address('X.Y.USDT', '?boll=1&ma=off'));
    await userEvent.click(screen.getByText('1 小时'));
    await waitFor(() => expect(askedFor('/api/symbol/candle').at(-1)!.get('bar')).toBe('1h'));
    expect(place()).toBe(address('X.Y.USDT', '?boll=1&ma=off&bar=1h'));
  });

  test('ends in the candle that has not closed, and says so', async () => {
    answers(api.candle, (request) => ({ ...candlesOf(request), formingAt: NOW - 5 * HOUR_MS }));
    openConsole(address('X.Y.USDT'), 'trader');
    expect(await screen.findByText('2026-01-14 未收盘')).toBeInTheDocument();
    expect(screen.getByRole('figure', { name: 'X.Y.USDT K 线' })).toHaveAccessibleDescription(/最后一个未收盘/);
  });

  test('an address with a comparison draws both coins', async () => {
    openConsole(address('X.Y.USDT', `?compare=${encodeURIComponent('A%2FB')}`), 'trader');
    const chart = await screen.findByRole('figure', { name: 'X.Y.USDT K 线' });
    expect(chart).toHaveAccessibleDescription(/X\.Y\.USDT 涨跌.*A%2FB 涨跌/);
    expect(askedFor('/api/symbol/candle')[0]!.get('compare')).toBe('A%2FB');
  });

  test('minutes are offered where they are collected, and say how a coin comes to have them', async () => {
    answers(star.list, { coins: [] });
    answers(star.add, { coins: ['X'] });
    answers(api.detail, (request) =>
      detailOf(symbolOfRequest(request), { source: 'binance-live', kind: 'live', chartBars: ['1d', '1h', '5m', '1m'] }),
    );
    answers(api.candle, (request) => {
      const candles = candlesOf(request);
      const columns = Object.entries(candles).map(([name, value]) => [name, Array.isArray(value) ? [] : value]);
      return /bar=1m/.test(request.url) ? { ...candles, ...Object.fromEntries(columns) } : candles;
    });
    openConsole(
      address('X.Y.USDT', `?source=binance-live&from=${NOW - 20 * DAY_MS}&to=${NOW - 10 * DAY_MS}`),
      'trader',
    );
    await screen.findByRole('figure', { name: 'X.Y.USDT K 线' });
    await userEvent.click(screen.getByText('1 分钟'));
    // A stretch of days is none of minutes.
    await waitFor(() => expect(place()).toBe(address('X.Y.USDT', '?source=binance-live&bar=1m')));
    const none = (await screen.findByText('还没有分钟线')).closest<HTMLElement>('.empty-state')!;
    expect(none).toHaveTextContent('每个数据源最多 60 个，持仓优先。加星标后开始收集');
    await userEvent.click(within(none).getByRole('button', { name: '自选 X' }));
    expect(await within(none).findByText(/已加星标，一两分钟内开始收集/)).toBeVisible();
    expect(within(none).queryByRole('button')).toBeNull();
  });

  test('open interest and premium are drawn where they are collected', async () => {
    const [at, interest] = [
      [NOW - 600_000, NOW - 300_000, NOW],
      [1_000, 1_100, 1_250],
    ];
    answers(api.sample, { time: at, interest, interestUsdt: [null, null, 2_500], premium: [0.0001, null, -0.0002] });
    answers(api.detail, (request) =>
      detailOf(symbolOfRequest(request), {
        sampledAt: NOW,
        openInterestChange24h: 0.25,
        premiumChange24h: -0.0003,
        borrowRate: 0.00004,
      }),
    );
    openConsole(address('X.Y.USDT', '?tab=interest'), 'trader');
    const figure = await screen.findByRole('figure', { name: 'X.Y.USDT 持仓量与溢价' });
    expect(figure).toHaveTextContent(/持仓量（X）.*溢价/);
    expect(screen.getByText('溢价 24h').nextSibling).toHaveTextContent('-0.0300%');
    expect(screen.getByText('借币日利率').closest('div')).toHaveTextContent('0.0040%');
  });

  test('goes to the coins beside it by button and key, and back; keys rest while somebody types', async () => {
    openConsole(address('BTC/USDT:USDT', '?boll=1'), 'trader');
    await screen.findByRole('heading', { name: 'BTC/USDT:USDT' });
    await userEvent.click(screen.getByRole('button', { name: '下一个币种' }));
    expect(await screen.findByRole('heading', { name: 'X.Y.USDT' })).toBeVisible();
    expect(place()).toBe(address('X.Y.USDT', '?boll=1'));
    fireEvent.keyDown(document.body, { key: '[' });
    await screen.findByRole('heading', { name: 'BTC/USDT:USDT' });
    fireEvent.keyDown(document.body, { key: '[' });
    await screen.findByRole('heading', { name: 'A%2FB' });
    expect(screen.getByRole('button', { name: '上一个币种' })).toBeDisabled();
    fireEvent.keyDown(screen.getByRole('combobox', { name: '比较币种' }), { key: ']' });
    fireEvent.keyDown(document.body, { key: ']', ctrlKey: true });
    expect(place()).toBe(address('A%2FB', '?boll=1'));
  });

  test('funding: means, what is missing, and the settlements newest first', async () => {
    openConsole(address('X.Y.USDT'), 'trader');
    expect(await screen.findByText('+15.00%')).toBeVisible();
    expect(screen.getByText('最近 90 天缺失 1 次结算，均值只按已有的计算。')).toBeVisible();
    const rates = screen.getAllByText(/^[+-]0\.0[12]00%$/).map((node) => node.textContent);
    expect(rates.slice(-2)).toEqual(['-0.0200%', '+0.0100%']);
    expect(await screen.findByRole('figure', { name: 'X.Y.USDT 资金费率' })).toBeVisible();
  });

  test('statistics and evaluations open by tab, and by address', async () => {
    answers(evaluate.history, {
      list: [
        {
          id: '1',
          field: 'direction',
          before: '',
          after: 'short',
          author: 'editor',
          at: NOW,
          price: 150,
          changeSince: -0.177,
        },
      ],
      total: 1,
    });
    openConsole(address('X.Y.USDT', '?tab=statistics'), 'trader');
    expect(await screen.findByText('-25.00%')).toBeVisible();
    expect(screen.getByText('2025-11-16')).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: '评价' }));
    expect(await screen.findByText('高位放量')).toBeVisible();
    const row = (await screen.findByText('-17.70%')).closest('tr')!;
    expect(within(row).getByText('空')).toBeVisible();
    expect(within(row).getByText('150.00')).toBeVisible();
    expect(place()).toBe(address('X.Y.USDT', '?tab=evaluate'));
  });

  test('who has traded it sees fills and deals on the candles and in a list, and can hide them', async () => {
    const span = {
      dealId: 'd1',
      kind: 'hedge' as const,
      mode: 'live' as const,
      strategyId: 's1',
      strategy: '多空对冲',
      against: ['BTC/USDT:USDT'],
    };
    answers(api.own, {
      fills: [{ time: NOW - DAY_MS, side: 'buy', mode: 'live', fills: 2, quantity: 4, price: 103 }],
      spans: [
        {
          ...span,
          ...{ side: 'long', state: 'open', from: NOW - 5 * DAY_MS, to: null, quantity: '4' },
          ...{ entry: 103, exit: null, pricePnl: 108, net: 55.5 },
        },
      ],
      total: 1,
    });
    openConsole(address('X.Y.USDT'), 'trader');
    const chart = await screen.findByRole('figure', { name: 'X.Y.USDT K 线' });
    await waitFor(() => expect(chart).toHaveAccessibleDescription(/我的成交：2 笔；持有过的交易单：1 张/));
    expect(within(chart).getByText('4 @ 103.00（2 笔）')).toBeInTheDocument();
    expect(within(chart).getByText('我买入（实盘）')).toBeInTheDocument();
    expect(within(chart).getByText('多 1 单')).toBeInTheDocument();
    // 150 bars are in view, of which there are 30: asked for in whole steps around them.
    const asked = Object.fromEntries(askedFor('/api/symbol/own')[0]!);
    expect(asked).toMatchObject({ source: 'simulated', symbol: 'X.Y.USDT', bar: '1d' });
    expect(Number(asked.start)).toBeLessThanOrEqual(time[0]!);
    expect(Number(asked.end)).toBeGreaterThan(time.at(-1)!);
    await userEvent.click(screen.getByRole('tab', { name: '我的 1' }));
    const row = (await screen.findByText('+55.50')).closest('tr')!;
    expect(within(row).getByText('实盘')).toBeVisible();
    expect(within(row).getByText('BTC/USDT:USDT')).toBeVisible();
    expect(within(row).getByRole('link', { name: '多空对冲' })).toHaveAttribute(
      'href',
      '/strategy/hedge?id=d1&strategy=s1',
    );
    await userEvent.click(screen.getByRole('checkbox', { name: '我的成交' }));
    await waitFor(() => expect(chart).not.toHaveAccessibleDescription(/我的成交/));
    expect(place()).toBe(address('X.Y.USDT', '?tab=own&own=off'));
  });

  test('who has traded nothing of it sees nothing of that', async () => {
    openConsole(address('X.Y.USDT'), 'trader');
    const chart = await screen.findByRole('figure', { name: 'X.Y.USDT K 线' });
    await waitFor(() => expect(askedFor('/api/symbol/own')).toHaveLength(1));
    expect(chart).not.toHaveAccessibleDescription(/我的/);
    expect(screen.queryByRole('checkbox', { name: '我的成交' })).not.toBeInTheDocument();
    expect(screen.queryByRole('tab', { name: /^我的/ })).not.toBeInTheDocument();
  });

  test('depth: what a size costs on either side, at the size that the address says', async () => {
    const side = { quantity: '4', slippage: 2.2, fee: 0.2, cost: 2.4, depth: 5_000, within: [200, 300, 1_000] };
    answers(api.depth, {
      depth: {
        ...{ at: NOW, mid: 100, bid: 99.9, ask: 100.1, spreadBps: 20 },
        list: [
          { ...side, side: 'buy', price: 100.55, slippageBps: 55, costBps: 60.05, held: 1 },
          {
            ...side,
            ...{ slippage: null, fee: null, cost: null },
            side: 'sell',
            price: null,
            slippageBps: null,
            costBps: null,
            held: 0.5,
          },
        ],
      },
    });
    openConsole(address('X.Y.USDT', '?tab=depth&size=1000'), 'trader');
    const table = await screen.findByRole('table', { name: '按现在的盘口成交的成本' });
    const [, buy, sell] = within(table).getAllByRole('row');
    expect(buy).toHaveTextContent(/买入.*60\.05.*100\.55.*55\.00.*100%/);
    expect(sell).toHaveTextContent(/卖出.*50%/);
    expect(within(sell!).getAllByRole('img', { name: '缺失：盘口不够这个规模' }).length).toBeGreaterThan(2);
    expect(askedFor('/api/symbol/depth')[0]!.get('size')).toBe('1000');
    await userEvent.click(screen.getByText('100k'));
    await waitFor(() => expect(askedFor('/api/symbol/depth').at(-1)!.get('size')).toBe('100000'));
    expect(place()).toBe(address('X.Y.USDT', '?tab=depth&size=100000'));
  });

  test('pairs: the deciding numbers, and the ways to the desk and to a backtest by its rules', async () => {
    const rules = {
      bar: '1d',
      zWindow: 240,
      entryZ: 2,
      exitZ: 0,
      stopLoss: 0.1,
      takeProfit: 0,
      maxHoldingHours: 0,
    } as const;
    const found = { z: -1.75, adfP: 0.012, rSquared: 0.81, halfLife: 4.2, hedgeRatio: 1.1, correlation: 0.9 };
    answers(pair.ofCoin, {
      rules,
      list: [
        { ...found, long: 'X.Y.USDT', short: 'A%2FB', fundingAprDifference: 0.05, bar: '1d', bars: 240, warnings: [] },
        {
          ...found,
          long: 'BTC/USDT:USDT',
          short: 'X.Y.USDT',
          halfLife: 1.5,
          fundingAprDifference: null,
          bar: '1d',
          bars: 240,
          warnings: ['adf'],
        },
      ],
    });
    openConsole(address('X.Y.USDT', '?tab=pairs'), 'trader');
    const table = await screen.findByRole('table', { name: '含 X.Y.USDT 的配对' });
    const [, first, second] = within(table).getAllByRole('row');
    expect(first).toHaveTextContent(/X\.Y\.USDT.*A%2FB.*-1\.75.*0\.012.*4\.2 天.*\+5\.00%.*通过/);
    expect(second).toHaveTextContent('36.0 小时');
    expect(second).toHaveTextContent('关系不可靠：ADF p > 0.1');
    expect(within(first!).getByRole('link', { name: 'A%2FB' })).toHaveAttribute(
      'href',
      address('A%2FB', '?source=simulated'),
    );
    expect(within(first!).getByRole('link', { name: '添加' })).toHaveAttribute(
      'href',
      '/strategy/hedge?source=simulated&long=X.Y.USDT&short=A%252FB',
    );
    const past = new URL(within(first!).getByRole('link', { name: '回测' }).getAttribute('href')!, 'http://x');
    expect(Object.fromEntries(past.searchParams)).toMatchObject({
      long: 'X.Y.USDT',
      zWindow: '240',
      entryZ: '2',
      bar: '1d',
    });
    answers(pair.ofCoin, { rules, list: [] });
    openConsole(address('A%2FB', '?tab=pairs'), 'trader');
    expect(await screen.findByText('没有适合 A%2FB 的配对')).toBeVisible();
  });

  test('an unknown symbol is an empty state whose search leads to a coin', async () => {
    refuses(api.detail, { code: 2002, message: '该数据源中没有这个币种：NOSUCH' });
    openConsole(address('NOSUCH'), 'trader');
    expect(await screen.findByText('没有找到 NOSUCH')).toBeVisible();
    expect(screen.getAllByText('该数据源中没有这个币种：NOSUCH')[0]).toBeVisible();
    answers(api.detail, (request) => detailOf(symbolOfRequest(request)));
    await userEvent.type(screen.getByRole('combobox', { name: '搜索币种' }), '踏马');
    await userEvent.click(await screen.findByTitle('我踏马来了USDT'));
    expect(await screen.findByRole('heading', { name: '我踏马来了USDT' })).toBeVisible();
    expect(place()).toBe(address('我踏马来了USDT', '?source=simulated'));
  });

  test('a failed load offers a retry', async () => {
    refuses(api.detail, { code: 500, message: '服务器内部错误', status: 500 });
    openConsole(address('X.Y.USDT'), 'trader');
    expect(await screen.findByText('服务器内部错误')).toBeVisible();
    answers(api.detail, (request) => detailOf(symbolOfRequest(request)));
    await userEvent.click(screen.getByRole('button', { name: /重\s?试/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'X.Y.USDT' })).toBeVisible();
  });
});
