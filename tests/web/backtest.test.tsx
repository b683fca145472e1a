import { fireEvent, waitFor, within } from '@testing-library/react';
import { backtest } from '#contract/backtest';
import { market } from '#contract/market';
import { BACKTEST_RESULT as RESULT, BACKTEST_START as START } from '../support/backtestFixtures';
import { dialogOf } from '../support/hedgeActs';
import { answers, openConsole, person, place, refuses, responds, screen, sent } from '../support/webConsole';

// Whether a click reaches its button is the browser tests' to say; here it costs a style of every parent.

const LAST = Date.UTC(2025, 10, 13);

const symbolRow = (symbol: string) => ({
  symbol,
  base: symbol.replace('USDT', ''),
  names: [],
  exchange: 'bybit',
  sector: null,
  bars: ['1d' as const],
  listedAt: START,
  lastAt: LAST,
});
const SYMBOLS = ['1000PEPEUSDT', 'ADAUSDT', 'BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map(symbolRow);

const FULL =
  '/test/hedge?source=bybit&long=SOLUSDT&short=ADAUSDT&capital=20000&leverage=2&rebalance=7&fee=0.00045&slippage=0.0001&funding=false&entryZ=1.5&exitZ=0.2&zWindow=60&stopLoss=0.04&takeProfit=0&maxHoldingHours=240&bar=1d&start=1704153600000&end=1714521600000';

const runs = () => sent.filter(({ path }) => path === '/api/test/hedge');
/** By label and text: asking for roles makes jsdom compute the style of every node of this full a screen. */
const results = () => screen.findByLabelText('回测结果');
const press = async (label: string | RegExp) => person.click((await screen.findByText(label)).closest('button')!);
const field = (label: string) => screen.getByLabelText(label, { selector: 'input' });

beforeEach(() => {
  answers(market.source, {
    list: [
      {
        source: 'simulated',
        label: '模拟行情',
        kind: 'simulated',
        symbols: 120,
        bars: ['1d'],
        firstAt: START,
        lastAt: LAST,
      },
      {
        source: 'bybit',
        label: '导入数据 · bybit',
        kind: 'imported',
        symbols: 57,
        bars: ['1d'],
        firstAt: START,
        lastAt: LAST,
      },
    ],
    total: 2,
  });
  answers(market.symbol, { list: SYMBOLS, total: SYMBOLS.length });
  answers(backtest.hedge, RESULT);
});

describe('/test/hedge', () => {
  test('explains itself and runs an example of the chosen source with one click', async () => {
    openConsole('/test/hedge?source=bybit', 'trader');
    await press('试一个例子：做多 BTCUSDT，做空 ETHUSDT');
    await results();
    expect(Object.fromEntries(runs()[0]!.query)).toMatchObject({ source: 'bybit', long: 'BTCUSDT', short: 'ETHUSDT' });
    const shared = new URLSearchParams(place().split('?')[1]);
    expect(Object.fromEntries(shared)).toEqual({
      source: 'bybit',
      long: 'BTCUSDT',
      short: 'ETHUSDT',
      days: '90',
      capital: '10000',
      leverage: '1',
      rebalance: '0',
      fee: '0.0005',
      slippage: '0.0002',
      funding: 'true',
      // Held all the time.
      ...{ entryZ: '0', exitZ: '0.5', zWindow: '90', stopLoss: '0', takeProfit: '0', maxHoldingHours: '0' },
    });
    // The first test waits for the whole console to be compiled.
  }, 90_000);

  test('lists that cannot be read say so in the field and offer to try again', async () => {
    refuses(market.symbol, { code: 500, message: '服务器内部错误', status: 500 });
    openConsole('/test/hedge?source=bybit', 'trader');
    expect(await screen.findAllByText('币种读取失败')).toHaveLength(2);
    await person.click(screen.getByLabelText('多头'));
    const again = (await screen.findByText('读取失败：服务器内部错误')).querySelector('button')!;
    answers(market.symbol, { list: SYMBOLS, total: SYMBOLS.length });
    await person.click(again);
    await waitFor(() => expect(screen.queryByText('币种读取失败')).toBeNull());
    expect(await screen.findByText('SOLUSDT')).toBeInTheDocument();
  });

  test('opened with a shared address it runs at once with exactly those inputs and shows them', async () => {
    openConsole(FULL, 'trader');
    await results();
    expect(runs()).toHaveLength(1);
    expect(Object.fromEntries(runs()[0]!.query)).toEqual(Object.fromEntries(new URL(FULL, 'http://x').searchParams));
    expect(field('初始资金')).toHaveValue('20000');
    expect(field('手续费率')).toHaveValue('4.5');
    expect(field('滑点')).toHaveValue('1');
    expect(screen.getByLabelText('计入资金费', { selector: 'button' })).toHaveAttribute('aria-checked', 'false');
  });

  test('shows no win rate of a run that has not traded', async () => {
    answers(backtest.hedge, { ...RESULT, summary: { ...RESULT.summary, trades: 0 } });
    openConsole(FULL, 'trader');
    const deals = within(within(await results()).getByLabelText('交易', { selector: 'dl' }));
    expect(deals.getByText('交易数')).toBeInTheDocument();
    expect(deals.queryByText('胜率')).toBeNull();
  });

  test('shows tiles, months, split, trades and what the data lacks', async () => {
    openConsole(FULL, 'trader');
    const report = within(await results());
    const profit = within(report.getByLabelText('收益', { selector: 'dl' }));
    expect(profit.getByText('+1,234.50')).toBeInTheDocument();
    expect(profit.getByText('+12.35%')).toBeInTheDocument();
    // Two days and one hedge are too few for ratios and for figures of trades.
    expect(profit.getAllByLabelText('缺失：样本不足：少于 20 天')).toHaveLength(3);
    const deals = within(report.getByLabelText('交易', { selector: 'dl' }));
    expect(deals.getByText('1')).toBeInTheDocument();
    expect(deals.getAllByLabelText('缺失：样本不足：少于 10 单对冲')).toHaveLength(5);
    const risk = within(report.getByLabelText('风险', { selector: 'dl' }));
    expect(risk.getByText('-16.00%')).toBeInTheDocument();
    expect(risk.getByText('2024-01-03')).toBeInTheDocument();
    expect(risk.getByLabelText('缺失：区间内尚未恢复')).toHaveTextContent('-');
    const lines = [...report.getByLabelText('月度收益').querySelectorAll('tbody tr')].map((row) => row.textContent);
    expect(lines).toEqual(['2023+2.1%+2.1%', '2024-3.4%-3.4%']);
    expect(report.getAllByText('-9.40')).toHaveLength(2);
    expect(report.getByText(/剔除 1 根（25.0%）/)).toBeInTheDocument();
    expect(report.getByText(/资金费缺失 2 \/ 12 次（16.7%）/)).toBeInTheDocument();
    expect(report.getByText(/幸存者偏差/)).toBeInTheDocument();
    expect(report.getByText(/权益不高于维持保证金（总敞口的 0\.5/)).toBeInTheDocument();
    expect(report.getByText('交易明细（1 笔对冲，2 段）')).toBeInTheDocument();
    expect(report.getByText('交易 CSV').closest('button')).toBeEnabled();
    expect(await report.findByLabelText('权益与回撤')).toBeInTheDocument();
  });

  const LIVE = '/strategy/hedge?source=bybit&long=SOLUSDT&short=ADAUSDT&leverage=2&ratio=equal';

  test('takes the pair, the leverage and the ratio to the hedges', async () => {
    openConsole(FULL, 'trader');
    await results();
    await press('用于模拟对冲');
    await waitFor(() => expect(place()).toBe(LIVE));
  });

  test('writes "-" for funding that is not stored, and warns of a liquidation', async () => {
    answers(backtest.hedge, {
      ...RESULT,
      summary: { ...RESULT.summary, liquidated: true },
      split: { ...RESULT.split, funding: 0, shortfall: 186.2 },
      honesty: { ...RESULT.honesty, fundingMissing: 12 },
    });
    openConsole(FULL, 'trader');
    const costs = within(within(await results()).getByLabelText('成本与敞口', { selector: 'dl' }));
    expect(costs.getByLabelText(/缺失：该数据源没有这段时间的资金费/)).toHaveTextContent('-');
    expect(screen.getByText(/已爆仓：2024-01-04/)).toBeInTheDocument();
    expect(screen.getByText(/损益拆分（价格损益 \+ 资金费 \+ 手续费 \+ 滑点 \+ 穿仓 = 净收益）/)).toBeInTheDocument();
    expect(screen.getByText('+186.20')).toBeInTheDocument();
    expect(await screen.findByText(/本次 186\.20 USDT/)).toBeInTheDocument();
    await press('用于模拟对冲');
    const question = await dialogOf('用于模拟对冲：多 SOLUSDT / 空 ADAUSDT');
    expect(question).toHaveTextContent(/这次回测在 2024-01-04 .* 爆仓.*带过去的杠杆是 2 倍、配比是等额/);
    expect(place()).not.toMatch(/^\/strategy/);
    await person.click(within(question).getByText('用于模拟对冲', { selector: 'button *' }));
    await waitFor(() => expect(place()).toBe(LIVE));
  });

  test('swaps the sides and runs when told to', async () => {
    openConsole(FULL, 'trader');
    await results();
    await person.click(screen.getByLabelText('交换多头与空头'));
    expect(runs()).toHaveLength(1);
    await press('运行回测');
    await waitFor(() => expect(runs()).toHaveLength(2));
    expect(Object.fromEntries(runs()[1]!.query)).toMatchObject({ long: 'ADAUSDT', short: 'SOLUSDT', fee: '0.00045' });
    expect(place()).toContain('long=ADAUSDT&short=SOLUSDT');
  });

  test('runs the same inputs again when the button is pressed again', async () => {
    openConsole(FULL, 'trader');
    await results();
    await press('运行回测');
    await waitFor(() => expect(runs()).toHaveLength(2));
    expect(runs()[1]!.query.toString()).toBe(runs()[0]!.query.toString());
  });

  test('a preset counts back from the newest close; without one it is 90 days', async () => {
    openConsole('/test/hedge?source=bybit&long=SOLUSDT&short=ADAUSDT', 'trader');
    await results();
    expect(runs()[0]!.query.get('days')).toBe('90');
    await person.click(screen.getByText('近 30 天'));
    await press('运行回测');
    await waitFor(() => expect(runs()).toHaveLength(2));
    expect(runs()[1]!.query.get('days')).toBe('30');
    expect(runs()[1]!.query.has('start')).toBe(false);
    await person.click(screen.getByText('全部'));
    await press('运行回测');
    await waitFor(() => expect(place()).toContain('days=0'));
  });

  test('refuses absurd numbers before it asks', async () => {
    openConsole('/test/hedge?source=bybit', 'trader');
    await press('运行回测');
    expect(await screen.findByText('请输入多头')).toBeInTheDocument();
    expect(screen.getByText('请输入空头')).toBeInTheDocument();
    const fee = field('手续费率');
    fireEvent.change(fee, { target: { value: '600' } });
    expect(await screen.findByText('手续费率不能大于 500')).toBeInTheDocument();
    const capital = field('初始资金');
    fireEvent.change(capital, { target: { value: '5' } });
    expect(await screen.findByText('初始资金不能小于 10')).toBeInTheDocument();
    expect(runs()).toHaveLength(0);
  });

  test('puts a refusal of the server on its field and keeps the result of before', async () => {
    openConsole(FULL, 'trader');
    await results();
    const message = '所选数据源中没有这些币种：SOLUSDT';
    refuses(backtest.hedge, { code: 4001, message, data: { fields: [{ field: 'long', message }] } });
    await press('运行回测');
    expect(await screen.findByText(/请先改正上方标出的输入。下方仍是上一次的结果/)).toBeInTheDocument();
    // Once, at its field.
    expect(screen.getByText(new RegExp(message)).closest('.ant-form-item-explain')).not.toBeNull();
    expect(screen.getAllByText('+1,234.50').length).toBeGreaterThan(1);
  });

  test('names fields of the server by what the form calls them', async () => {
    const fields = [
      { field: 'end', message: '结束时间必须晚于开始时间' },
      { field: 'slippage', message: '滑点不能大于 0.05' },
    ];
    refuses(backtest.hedge, { status: 400, code: 400, message: '请求格式不正确', data: { fields } });
    openConsole(FULL, 'trader');
    for (const { message } of fields) {
      const shown = await screen.findAllByText(message);
      expect(shown.some((node) => node.closest('.ant-form-item-explain') !== null)).toBe(true);
    }
    expect(await screen.findByText(/^重\s?试$/)).toBeInTheDocument();
  });

  test('cancels a running one and can run again; nothing typed is lost', async () => {
    let finish = () => {};
    responds(backtest.hedge, () => new Promise<Response>((done) => (finish = () => done(new Response()))));
    openConsole(FULL, 'trader');
    await press(/^取\s?消$/);
    expect((await screen.findByText('运行回测')).closest('button')).toBeEnabled();
    expect(field('初始资金')).toHaveValue('20000');
    finish();
    answers(backtest.hedge, RESULT);
    await press('运行回测');
    await results();
  });

  test('sends a visitor to sign in and back here', async () => {
    refuses(backtest.hedge, { status: 401, code: 401, message: '请先登录' });
    openConsole(FULL, 'visitor');
    await waitFor(() => expect(place()).toBe(`/login?callback=${encodeURIComponent(FULL)}`));
    expect(runs()).toHaveLength(0);
  });
});
