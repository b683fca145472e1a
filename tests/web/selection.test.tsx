import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { backtest } from '#contract/backtest';
import type { DataOf } from '#contract/endpoint';
import { type EvaluateRow, evaluate } from '#contract/evaluate';
import { market } from '#contract/market';
import { pair } from '#contract/pair';
import { BACKTEST_RESULT } from '../support/backtestFixtures';
import { evaluateRow } from '../support/evaluateFixtures';
import { factsOf } from '../support/scanFixtures';
import {
  answers,
  openConsole,
  person,
  place,
  refuses,
  responds,
  sent,
  sentTo,
  toasts,
  type Who,
} from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const coin = (symbol: string, rank: number, more: Partial<EvaluateRow> = {}): EvaluateRow =>
  evaluateRow(symbol, rank, {
    ...{ sector: 'L1', rankChange: 2, score: 1.5 - rank, momentumScore: 0.8, liquidityScore: 0.9 },
    suggestion: rank === 1 ? 'long' : 'short',
    factors: [
      { factor: 'ret7', value: 0.1, z: 1.25, weight: 0.35, contribution: 0.4375, percentile: 0.9, missing: false },
      { factor: 'ret30', value: 0.2, z: 3, weight: 0.35, contribution: 1.05, percentile: 1, missing: false },
      { factor: 'vol30', value: 0.6, z: -0.5, weight: -0.15, contribution: 0.075, percentile: 0.4, missing: false },
      { factor: 'fundingApr', value: null, z: null, weight: -0.15, contribution: 0, percentile: null, missing: true },
    ],
    ...{ price: 50_000 / rank, change24h: 0.0123, ret7: 0.1, ret30: 0.2, beta30: 1.1, corr30: 0.8, vol30: 0.6 },
    turnover24h: 123_456_789,
    ...more,
  });

const ROWS = [
  coin('BTCUSDT', 1),
  coin('A/B:我USDT', 2, { direction: 'short', note: '太弱', noteBy: 'master', updatedAt: AT }),
];

type List = DataOf<typeof evaluate.list>;
const listOf = (list: EvaluateRow[], more: Partial<List> = {}): List => ({
  list,
  total: list.length,
  asOf: AT,
  ranked: 60,
  delayed: false,
  stale: [{ symbol: 'LUNAUSDT', lastAt: AT - 9 * 86_400_000 }],
  tooShort: [{ symbol: 'NEWUSDT', days: 12 }],
  ...more,
});

const tickerOf = ({ symbol, price, change24h }: EvaluateRow, factor = 1) => ({
  symbol,
  at: AT,
  price: price * factor,
  change24h,
  turnover24h: 1e8,
  openInterest: null,
  fundingRate: null,
  nextFundingAt: null,
});

const SOURCES = [
  {
    source: 'simulated',
    label: '模拟行情',
    kind: 'simulated' as const,
    symbols: 60,
    bars: ['1d' as const],
    firstAt: AT,
    lastAt: AT,
  },
  {
    source: 'bybit',
    label: '导入数据 · bybit',
    kind: 'imported' as const,
    symbols: 57,
    bars: ['1d' as const],
    firstAt: AT,
    lastAt: AT,
  },
];

const FACTS = factsOf('BTCUSDT', 'A/B:我USDT', {
  ...{ bar: '1d', bars: 3, time: [AT, AT + 86_400_000, AT + 2 * 86_400_000], ratio: [1, 1.1, 1.2] },
  ...{ spread: [0, 0.1, 0.2], z: [-1, 0, 1], correlation: 0.87, betaShort: 1.4, hedgeRatio: 0.66, currentZ: 0.4 },
  ...{ presentZ: 1.23, presentRatio: 1.5, mean: 0.1, sd: 0.1, halfLife: null, adfP: 0.04, fundingAprDifference: 0.05 },
});

beforeEach(() => {
  answers(market.source, { list: SOURCES, total: 2 });
  answers(evaluate.list, listOf(ROWS));
  answers(market.ticker, { list: ROWS.map((row) => tickerOf(row)), total: 2, at: AT, delayed: false });
});

function open(who: Who = 'trader', address = '/indicator/hedge') {
  openConsole(address, who);
}
/** Found by its label: asking for roles takes seconds in a page of this size. */
const labelled = (label: string) => screen.getByLabelText(label);
const opened = async (text: string | RegExp) => (await screen.findByText(text)).closest<HTMLElement>('[role=dialog]')!;
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr')!;
const asked = () => sentTo(evaluate.list);
const lastAsked = () => Object.fromEntries(asked().at(-1)!.query);

describe('the list', () => {
  test('shows the ranking with what it stands on, and what is left out apart', async () => {
    open();
    const row = await rowOf('BTCUSDT');
    expect(within(row).getByText('50,000.00')).toBeInTheDocument();
    expect(within(row).getByText('+20.00%')).toBeInTheDocument();
    expect(within(row).getAllByText('多')[0]).toBeInTheDocument();
    expect(screen.getByText(/60 个币种参与排名/)).toBeInTheDocument();
    expect(screen.getByText(/停更 1 个/)).toBeInTheDocument();
    expect(screen.getByText(/历史不足 1 个/)).toBeInTheDocument();
    expect(await screen.findByText(/更新于/)).toBeInTheDocument();
    const link = screen.getByText('A/B:我USDT').closest('a');
    expect(link).toHaveAttribute(
      'href',
      `/indicator/symbol/detail/${encodeURIComponent('A/B:我USDT')}?source=simulated`,
    );
  });

  test('explains a score, a missing factor as missing', async () => {
    open();
    const row = await rowOf('BTCUSDT');
    await person.click(within(row).getByLabelText('展开行'));
    const table = await screen.findByLabelText('BTCUSDT 综合分的构成');
    const line = within(table).getByText('30 日收益').closest('tr');
    expect(line).toHaveTextContent('+20.00%+3.00+35%100%+1.050');
    expect(within(table).getByText('资金费 APR').closest('tr')).toHaveTextContent('缺失');
  });

  test('keeps filter, order and page in the URL, and asks the server by them', async () => {
    open();
    await rowOf('BTCUSDT');
    await person.type(labelled('搜索'), 'btc');
    await waitFor(() => expect(place()).toBe('/indicator/hedge?search=btc'));
    await waitFor(() => expect(lastAsked()).toMatchObject({ search: 'btc', current: '1' }));
    await person.click(screen.getAllByText('综合分')[0]!);
    await waitFor(() => expect(new URLSearchParams(place().split('?')[1]).get('sort')).toBe('-score'));
    await waitFor(() => expect(lastAsked()).toMatchObject({ search: 'btc', sort: '-score' }));
  });

  test('opens as the URL says, and clears the filter', async () => {
    const view = 'source=bybit&suggestion=short&hasNote=0&minTurnover=1000000&minListedDays=30&sort=-ret30&pageSize=20';
    open('trader', `/indicator/hedge?${view}`);
    await rowOf('BTCUSDT');
    expect(lastAsked()).toEqual({
      current: '1',
      pageSize: '20',
      source: 'bybit',
      sort: '-ret30',
      suggestion: 'short',
      hasNote: 'false',
      minTurnover: '1000000',
      minListedDays: '30',
    });
    await person.click(screen.getByText('清除筛选'));
    await waitFor(() => expect(place()).toBe('/indicator/hedge?source=bybit&sort=-ret30&pageSize=20'));
  });

  test('says that a filter leaves nothing, and takes it off', async () => {
    answers(evaluate.list, (request) => listOf(new URL(request.url).searchParams.has('search') ? [] : ROWS));
    open('trader', '/indicator/hedge?search=zzz');
    expect(await screen.findByText('没有符合筛选的币种')).toBeInTheDocument();
    await person.click(screen.getAllByText('清除筛选')[0]!);
    await rowOf('BTCUSDT');
  });

  test('shows what the server refused, and tries again', async () => {
    refuses(evaluate.list, { code: 2001, message: '没有这个数据源，可能已被删除，请重新选择' });
    open();
    expect(await screen.findByText('没有这个数据源，可能已被删除，请重新选择', { selector: 'p' })).toBeVisible();
    answers(evaluate.list, listOf(ROWS));
    await person.click(screen.getByText(/重\s*试/));
    await rowOf('BTCUSDT');
  });

  test('hides a column and remembers it for the account', async () => {
    open();
    await rowOf('BTCUSDT');
    await person.click(labelled('列设置'));
    await person.click(await screen.findByLabelText('Beta'));
    await waitFor(() => expect(document.querySelector('thead')).not.toHaveTextContent('Beta'));
    expect(JSON.parse(localStorage.getItem('columns.selection.trader')!).hidden).toContain('beta30');
  });

  test('shows the columns as they were kept before accounts had their own', async () => {
    const order = ['note', 'score', 'longShortRatio'];
    localStorage.setItem('columns.selection', JSON.stringify({ order, hidden: ['price'] }));
    open();
    await rowOf('BTCUSDT');
    const titles = [...document.querySelectorAll('thead th')].map((head) => head.textContent);
    expect(titles).not.toContain('价格');
    expect(titles.indexOf('评价')).toBeLessThan(titles.indexOf('综合分'));
    expect(titles.indexOf('币种')).toBeLessThan(titles.indexOf('评价'));
    expect(titles).toContain('多空比');
    // Came after the choice, to be chosen.
    expect(titles).not.toContain('相关 BTC');
  });

  test('has all of a page in the end, of which the window shows the first rows at once', async () => {
    const many = Array.from({ length: 25 }, (_, i) => coin(`C${i + 1}USDT`, i + 1));
    answers(evaluate.list, listOf(many));
    open();
    await rowOf('C1USDT');
    const last = await rowOf('C25USDT');
    await waitFor(() => expect(within(last).getAllByText(/./).length).toBeGreaterThan(10));
  });

  test('exports every page of the filter, formulas disarmed', async () => {
    const trap = [coin('BTCUSDT', 1, { note: '=HYPERLINK("x")' }), coin('ETHUSDT', 2, { note: 'a,"b"' })];
    answers(evaluate.list, (request) => {
      const query = new URL(request.url).searchParams;
      if (query.get('pageSize') !== '200') return listOf(ROWS);
      return { ...listOf([trap[Number(query.get('current')) - 1]!]), total: 2 };
    });
    const files: Blob[] = [];
    URL.createObjectURL = (blob) => {
      files.push(blob as Blob);
      return 'blob:file';
    };
    URL.revokeObjectURL = () => {};
    open('trader', '/indicator/hedge?suggestion=long');
    await rowOf('BTCUSDT');
    await person.click(labelled('导出 CSV'));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(
      asked()
        .slice(-2)
        .map(({ query }) => [query.get('current'), query.get('suggestion')]),
    ).toEqual([
      ['1', 'long'],
      ['2', 'long'],
    ]);
    const bytes = new Uint8Array(await files[0]!.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('币种');
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(lines[2]).toContain('"a,""b"""');
  });
});

describe('live prices', () => {
  test('renew the cells without reading the list again, and are marked when they stop', async () => {
    open();
    await rowOf('BTCUSDT');
    await screen.findByText(/更新于/);
    const before = asked().length;
    answers(market.ticker, { list: ROWS.map((row) => tickerOf(row, 1.1)), total: 2, at: AT, delayed: false });
    expect(await screen.findByText('55,000.00')).toBeInTheDocument();
    expect(asked()).toHaveLength(before);
    responds(market.ticker, () => HttpResponse.error());
    expect(await screen.findByText(/数据延迟/, {}, { timeout: 16_000 })).toBeInTheDocument();
    expect(screen.getByText('55,000.00')).toBeInTheDocument();
  }, 60_000);
});

describe('edits', () => {
  test('have no control at all without the right', async () => {
    open('trader');
    const row = await rowOf('BTCUSDT');
    expect(within(row).queryByLabelText(/方向/)).not.toBeInTheDocument();
    expect(within(row).queryByLabelText(/编辑/)).not.toBeInTheDocument();
    expect(within(await rowOf('A/B:我USDT')).getByText('太弱')).toBeInTheDocument();
    expect(within(row).getByText('未评')).toBeInTheDocument();
  });

  test('choose a direction at once and say who did', async () => {
    answers(evaluate.direction, { symbol: 'BTCUSDT', direction: 'long', note: '', noteBy: 'editor', updatedAt: AT });
    open('editor');
    const row = await rowOf('BTCUSDT');
    const choice = within(within(row).getByLabelText('BTCUSDT 方向')).getByText('多');
    await person.click(choice);
    await waitFor(() => expect(choice).toHaveAttribute('aria-pressed', 'true'));
    expect(await within(row).findByText('editor')).toBeInTheDocument();
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({
      source: 'simulated',
      symbol: 'BTCUSDT',
      direction: 'long',
    });
  });

  test('take a direction back by choosing it once more', async () => {
    const taken = { symbol: 'A/B:我USDT', direction: null, note: '太弱', noteBy: 'editor', updatedAt: AT };
    answers(evaluate.direction, taken);
    open('editor');
    const row = await rowOf('A/B:我USDT');
    const short = within(within(row).getByLabelText(/方向$/)).getByText('空');
    expect(short).toHaveAttribute('title', '再点一次撤回');
    await person.click(short);
    await waitFor(() => expect(short).toHaveAttribute('aria-pressed', 'false'));
    expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ direction: null });
    expect(await within(row).findByText('editor')).toBeInTheDocument();
  });

  test('take a refused direction back', async () => {
    refuses(evaluate.direction, { code: 403, message: '你没有权限执行此操作', status: 403 });
    open('editor');
    const row = await rowOf('A/B:我USDT');
    const group = within(within(row).getByLabelText(/方向$/));
    await person.click(group.getByText('多'));
    await waitFor(() => expect(toasts().join()).toContain('你没有权限执行此操作'));
    expect(group.getByText('空')).toHaveAttribute('aria-pressed', 'true');
    expect(group.getByText('多')).toHaveAttribute('aria-pressed', 'false');
  });

  test('keep a note that was not saved, and save it at the second try', async () => {
    refuses(evaluate.note, { code: 503, message: '服务暂不可用，请稍后再试', status: 503 });
    open('editor');
    const row = await rowOf('BTCUSDT');
    await person.click(within(row).getByLabelText('编辑 BTCUSDT 的评价'));
    const field = await within(row).findByLabelText('BTCUSDT 的评价');
    await person.type(field, '放量突破{Enter}');
    expect(await within(row).findByText(/服务暂不可用/)).toHaveTextContent('服务暂不可用，请稍后再试');
    await waitFor(() => expect(toasts()).toEqual(['503: 服务暂不可用，请稍后再试']));
    expect(field).toHaveValue('放量突破');
    answers(evaluate.note, { symbol: 'BTCUSDT', direction: null, note: '放量突破', noteBy: 'editor', updatedAt: AT });
    await person.click(within(row).getByText(/保\s*存/));
    await waitFor(() => expect(row.querySelector('textarea')).not.toBeInTheDocument());
    expect(await within(row).findByText('放量突破')).toBeInTheDocument();
    expect(within(row).getByText('editor')).toBeInTheDocument();
  });

  test('show their history with author, time and price since', async () => {
    answers(evaluate.history, {
      total: 1,
      list: [
        {
          id: '1',
          field: 'direction',
          before: '',
          after: 'long',
          author: 'master',
          at: AT,
          price: 40_000,
          changeSince: 0.25,
        },
      ],
    });
    open('trader');
    await rowOf('BTCUSDT');
    await person.click(labelled('BTCUSDT 的评价历史'));
    const drawer = await opened(/当时价格/);
    expect(drawer).toHaveTextContent('master');
    expect(drawer).toHaveTextContent('方向：未评 → 多');
    expect(drawer).toHaveTextContent('40,000.00');
    expect(drawer).toHaveTextContent('+25.00%');
  });
});

describe('the pair', () => {
  const choose = async () => {
    await rowOf('BTCUSDT');
    await person.click(labelled('BTCUSDT 加入多头'));
    await person.click(labelled('A/B:我USDT 加入空头'));
    await waitFor(() => expect(screen.getByText('查看配对').closest('button')).toBeEnabled());
  };
  const sides = () => {
    const query = new URLSearchParams(place().split('?')[1]);
    return [query.get('long'), query.get('short')];
  };

  test('is chosen in the table, kept in the URL, swapped and taken apart', async () => {
    open();
    await choose();
    expect(sides()).toEqual(['BTCUSDT', 'A/B:我USDT']);
    await person.click(labelled('互换多空'));
    await waitFor(() => expect(sides()).toEqual(['A/B:我USDT', 'BTCUSDT']));
    // A coin is on one side only.
    await person.click(labelled('BTCUSDT 加入多头'));
    await waitFor(() => expect(sides()).toEqual(['A/B:我USDT,BTCUSDT', null]));
    await person.click(labelled('从多头移除 BTCUSDT'));
    await waitFor(() => expect(sides()).toEqual(['A/B:我USDT', null]));
  });

  test('shows its figures and leads to the backtest', async () => {
    answers(pair.facts, FACTS);
    open();
    await choose();
    await person.click(screen.getByText('查看配对'));
    const panel = await opened('+1.23');
    expect(within(panel).getByText('不回归')).toBeInTheDocument();
    expect(within(panel).getByText('0.87')).toBeInTheDocument();
    expect(await within(panel).findByLabelText('比价与价差 z')).toBeInTheDocument();
    const call = sentTo(pair.facts)[0]!;
    expect(Object.fromEntries(call.query)).toEqual({
      source: 'simulated',
      long: 'BTCUSDT',
      short: 'A/B:我USDT',
      bars: '90',
    });
    await person.click(within(panel).getByText(/回\s*测/));
    await waitFor(() => expect(place()).toMatch(/^\/test\/hedge\?/));
    expect(Object.fromEntries(new URLSearchParams(place().split('?')[1]))).toMatchObject({
      source: 'simulated',
      long: 'BTCUSDT',
      short: 'A/B:我USDT',
    });
  });

  test('says what its z was measured against, and warns of what speaks against it', async () => {
    answers(pair.facts, { ...FACTS, halfLife: 1.2, warnings: ['adf', 'againstZ'] });
    open();
    await choose();
    await person.click(screen.getByText('查看配对'));
    const panel = await opened('+1.23');
    expect(within(panel).getByText('3 根 1d，b 0.660')).toBeInTheDocument();
    expect(panel).toHaveTextContent('半衰期 28.8 小时');
    expect(within(panel).getByText('关系不可靠：ADF p > 0.1')).toBeInTheDocument();
    expect(within(panel).getByText('方向与 z 相反：z > 0 仍做多价差')).toBeInTheDocument();
    // In the chart's legend and in what is read aloud of it.
    expect(await within(panel).findAllByText(/价差 z（3 根 1d，b 0.660）/)).toHaveLength(2);
    await person.click(within(panel).getByText('1h'));
    await waitFor(() => expect(sentTo(pair.facts).at(-1)!.query.get('bar')).toBe('1h'));
  });

  test('goes to the hedges with its source and both sides', async () => {
    answers(pair.facts, FACTS);
    open();
    await choose();
    await person.click(screen.getByText('查看配对'));
    await person.click(within(await opened('+1.23')).getByText('加入对冲'));
    await waitFor(() => expect(place()).toMatch(/^\/strategy\/hedge\?/));
    expect(Object.fromEntries(new URLSearchParams(place().split('?')[1]))).toEqual({
      source: 'simulated',
      long: 'BTCUSDT',
      short: 'A/B:我USDT',
    });
  });
});

describe('a visitor', () => {
  beforeEach(() => {
    answers(
      evaluate.list,
      listOf(
        ROWS.map((row) => ({ ...row, noteBy: null })),
        { delayed: true },
      ),
    );
    answers(market.ticker, { list: ROWS.map((row) => tickerOf(row)), total: 2, at: AT, delayed: true });
  });

  test('sees delayed prices labelled, and that there is more', async () => {
    open('visitor');
    await rowOf('BTCUSDT');
    expect(await screen.findByText(/延迟 ·/)).toBeInTheDocument();
    expect(screen.getByText(/访客只见前 20 名/)).toBeInTheDocument();
    expect(screen.queryByLabelText('BTCUSDT 方向')).not.toBeInTheDocument();
  });

  test('tries a backtest of his pair, once however often it is opened, and is told where an account is had', async () => {
    answers(backtest.trial, BACKTEST_RESULT);
    open('visitor', '/indicator/hedge?long=BTCUSDT&short=ETHUSDT');
    for (const _time of [1, 2]) {
      await person.click(await screen.findByText('试用回测'));
      const drawer = await opened('试用回测：近 90 日一直持有');
      expect(
        await within(drawer).findByText('损益拆分（价格损益 + 资金费 + 手续费 + 滑点 = 净收益）'),
      ).toBeInTheDocument();
      const here = encodeURIComponent('/indicator/hedge?long=BTCUSDT&short=ETHUSDT');
      expect(within(drawer).getByText('登录或注册').closest('a')).toHaveAttribute('href', `/login?callback=${here}`);
      await person.click(drawer.querySelector('.ant-drawer-close')!);
    }
    const tried = sentTo(backtest.trial);
    expect(tried.map(({ query }) => `${query}`)).toEqual(['source=simulated&long=BTCUSDT&short=ETHUSDT']);
    expect(sentTo(pair.facts)).toEqual([]);
  });

  test.each([
    ['the history', 'BTCUSDT 的评价历史', /评价历史/],
    ['a coin', 'BTCUSDT', /币种详情/],
  ])('is told what an account adds to %s, and keeps his choice', async (_what, button, text) => {
    open('visitor', '/indicator/hedge?long=BTCUSDT&short=ETHUSDT&suggestion=long');
    await rowOf('A/B:我USDT');
    await person.click(screen.queryByLabelText(button) ?? screen.getAllByText(button)[0]!);
    const offer = await opened('登录后可用');
    expect(offer).toHaveTextContent(text);
    const here = encodeURIComponent('/indicator/hedge?long=BTCUSDT&short=ETHUSDT&suggestion=long');
    const link = within(offer).getByText('登录或注册').closest('a');
    expect(link).toHaveAttribute('href', `/login?callback=${here}`);
    expect(sent.some(({ path }) => path === pair.facts.path || path === evaluate.history.path)).toBe(false);
  });
});
