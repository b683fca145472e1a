import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { backtest, type HedgeBacktest } from '#contract/backtest';
import type { CloseQuote } from '#contract/closeQuote';
import { HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { strategies } from '#contract/strategies';
import { formatDateTime } from '@/components/DateTime';
import { setAppearance } from '@/components/useAppearance';
import { button, choose, deskTable, dialogOf, hold, lineOf, lists, more, open, written } from '../support/hedgeActs';
import { AT, DETAIL, deskAnswers, deskOf, ENDED, listOf, rowOf } from '../support/hedgeFixtures';
import { answers, person, place, refuses, responds, sentTo, toasts } from '../support/webConsole';

// A full screen of tables on a busy machine.
jest.setTimeout(60_000);

const beside = (live: number, tested: number) => ({ live, backtest: tested, gap: live - tested });
const BESIDE: HedgeBacktest = {
  at: AT,
  why: null,
  running: true,
  inputs: {
    ...{ bar: '1h', start: AT - 5 * HOUR_MS, end: AT, longNotional: 2000, shortNotional: 2000, leverage: 3 },
    ...{ fee: 0.0005, slippage: 0.0001, fundingMissing: 0, liquidated: false },
  },
  rows: {
    ...{
      net: beside(26.8, 20),
      netReturn: beside(0.0067, 0.005),
      longPnl: beside(40.5, 35),
      shortPnl: beside(-12.25, -14),
    },
    ...{ funding: beside(1.75, 2.1), fees: beside(3.2, 3.1), slippage: beside(0.8, 0.7), heldHours: beside(5, 5) },
    ...{ mae: beside(-8.5, -4), mfe: beside(31.2, 28) },
  },
};

beforeEach(deskAnswers);

describe('the records', () => {
  test('show the running ones with their sums, and the ended ones with totals behind a filter', async () => {
    open();
    const panel = await deskTable();
    const line = await lineOf('+26.80');
    expect(line).toHaveTextContent('300.12303.45');
    expect(line).toHaveTextContent('-2.10');
    expect(panel.getByText('合计').closest('tr')).toHaveTextContent('4,000.00');
    await choose('状态筛选', '已结束');
    const ended = await lineOf('-15.50');
    expect(ended).toHaveTextContent('已平仓');
    expect(ended).toHaveTextContent('止盈');
    expect(place()).toContain('state=ended');
    const totals = within(panel.getByLabelText('统计'));
    const rate = (await totals.findByText('胜率')).closest('div')!;
    expect(within(rate).getByLabelText('缺失：样本不足：少于 10 单对冲')).toBeInTheDocument();
  });

  test('of one that has ended there is no neutrality', async () => {
    const [running, ended] = [rowOf('h1', { neutrality: null }), ENDED];
    answers(hedge.list, listOf([running, ended]));
    answers(hedge.detail, { ...DETAIL, hedge: { ...ended, neutrality: null } });
    open('/strategy/hedge?id=h2');
    const drawer = await dialogOf('多 ETHUSDT / 空 BTCUSDT');
    const figures = within(await within(drawer).findByLabelText('对冲单数据'));
    expect(figures.getByText('最大浮亏')).toBeInTheDocument();
    expect(figures.queryByText('中性度')).toBeNull();
  });

  test('are exported with the figures and times of the screen, and the time zone in the header', async () => {
    setAppearance({ timeZone: 'Asia/Tokyo' });
    const saved: Blob[] = [];
    URL.createObjectURL = (blob) => {
      saved.push(blob as Blob);
      return 'blob:records';
    };
    URL.revokeObjectURL = () => {};
    answers(hedge.list, listOf([rowOf('h1', { net: -26.80456, netReturn: 0.006712, heldHours: 5.0412 })]));
    open();
    await lineOf('-26.80');
    await person.click((await deskTable()).getByLabelText('导出 CSV'));
    await waitFor(() => expect(saved).toHaveLength(1));
    const [head, line] = (await saved[0]!.text()).slice(1).split('\r\n');
    const cells = line!.split(',');
    const cell = (title: string) => cells[head!.split(',').indexOf(title)];
    expect(cell('净盈亏 (USDT)')).toBe('-26.80');
    expect(cell('收益率（按名义） (%)')).toBe('0.67');
    expect(cell('持有 (小时)')).toBe('5.0');
    expect(cell('开仓时间 (Asia/Tokyo)')).toBe(formatDateTime(AT - 5 * HOUR_MS, 'second'));
    expect(cell('多头数量')).toBe('13.3');
    // A number, which a spreadsheet adds up.
    expect(Number(cell('空头数量'))).toBeLessThan(0);
    setAppearance({ timeZone: 'local' });
  });

  test('are filtered by the address and tell it', async () => {
    open('/strategy/hedge?state=ended&symbol=SOLUSDT&side=long&pnl=profit&hasNote=0&sort=-net');
    await deskTable();
    await waitFor(() => expect(lists().length).toBeGreaterThan(0));
    expect(Object.fromEntries(lists()[0]!.query)).toEqual({
      current: '1',
      pageSize: '50',
      state: 'ended',
      symbol: 'SOLUSDT',
      side: 'long',
      pnl: 'profit',
      hasNote: 'false',
      sort: '-net',
    });
    await choose('平仓原因筛选', '止盈');
    await waitFor(() => expect(place()).toContain('reason=takeProfit'));
    await waitFor(() => expect(lists().at(-1)!.query.get('reason')).toBe('takeProfit'));
    await person.click(await screen.findByText('清除筛选'));
    await waitFor(() => expect(place()).toBe('/strategy/hedge'));
  });

  test('show what is wrong with a hedge', async () => {
    answers(hedge.list, listOf([rowOf('h1', { badge: 'oneLeg', frozen: '委托结果不明', net: null })]));
    open();
    expect(await screen.findByText('裸腿')).toBeInTheDocument();
    expect(screen.getByText('冻结')).toBeInTheDocument();
    expect(screen.getAllByLabelText('缺失：持有中而没有标记价').length).toBeGreaterThan(0);
  });

  test('close one after showing what it brings, and tell the state it reached', async () => {
    const quote: CloseQuote = {
      id: 'h1',
      ...{ percent: 100, maker: false, refusal: null, held: { long: '13.3', short: '-4000' } },
      legs: [
        {
          leg: 'long',
          source: 'simulated',
          symbol: 'SOLUSDT',
          side: 'sell',
          quantity: '13.3',
          left: '0',
          mid: 153,
          price: 152.9,
          slippage: 1.33,
          fee: 1,
          unpriced: null,
        },
        {
          leg: 'short',
          source: 'simulated',
          symbol: 'ADAUSDT',
          side: 'buy',
          quantity: '4000',
          left: '0',
          mid: 0.5,
          price: 0.501,
          slippage: 4,
          fee: 1,
          unpriced: null,
        },
      ],
      cost: 7.33,
      realised: 27.57,
      net: 19.47,
      priceAt: AT,
    };
    answers(hedge.quote, quote);
    answers(hedge.close, { id: 'h1', state: 'closing', flat: false, message: '正在平仓，尚未确认两边都平' });
    open();
    await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
    const dialog = await dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    expect(await within(dialog).findByLabelText('两腿合计')).toHaveTextContent(
      /手续费2\.00 USDT 5\.0 bps滑点 5\.33 USDT 13\.2 bps/,
    );
    expect(within(dialog).getByText('+27.57')).toBeInTheDocument();
    expect(within(dialog).getByText('+19.47')).toBeInTheDocument();
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(1));
    expect(written()[0]!.query.get('id')).toBe('h1');
    await waitFor(() => expect(toasts().join()).toContain('平仓中：正在平仓，尚未确认两边都平'));
  });

  test('closes a part of one as it was quoted, at the market or resting, and not one that is too little', async () => {
    const held = { long: '13.3', short: '-4000' };
    const quoted = (more: Partial<CloseQuote>): CloseQuote => ({
      ...{ id: 'h1', percent: 100, maker: false, held, refusal: null, legs: [], cost: 7, realised: 27, net: 19 },
      priceAt: AT,
      ...more,
    });
    answers(hedge.quote, quoted({}));
    answers(hedge.reduce, { id: 'h1', keep: { long: '6.7', short: '-2000' } });
    open();
    await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
    const dialog = await dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    expect(await within(dialog).findByLabelText('平多少')).toHaveTextContent('25%50%75%100%');
    expect(dialog).toHaveTextContent('平掉后该交易对记为已手动平仓');
    answers(hedge.quote, quoted({ percent: 25, refusal: '25% 不够 SOLUSDT 的一个最小数量 10' }));
    await person.click(within(dialog).getByText('25%'));
    expect(await within(dialog).findByText(/^25% 不够 SOLUSDT/)).toBeInTheDocument();
    expect(dialog).not.toHaveTextContent('本次实现盈亏');
    expect(button(dialog, '按住 1 秒：平仓 25%')).toBeDisabled();
    const unrested = '现货腿没有断连撤单：不能挂单平仓，请选市价';
    answers(hedge.quote, quoted({ maker: true, refusal: unrested }));
    await person.click(within(dialog).getByText('100%'));
    await person.click(within(dialog).getByText('挂单'));
    expect(await within(dialog).findByText(unrested)).toBeInTheDocument();
    expect(button(dialog, '按住 1 秒：平仓')).toBeDisabled();
    answers(hedge.quote, quoted({}));
    await person.click(within(dialog).getByText('市价'));
    await waitFor(() => expect(button(dialog, '按住 1 秒：平仓')).toBeEnabled());
    answers(hedge.quote, quoted({ percent: 50, realised: 13.5, cost: 3.5 }));
    await person.click(within(dialog).getByText('50%'));
    expect(await within(dialog).findByText('+13.50')).toBeInTheDocument();
    // What is held on is not stopped.
    expect(dialog).not.toHaveTextContent('记为已手动平仓');
    answers(hedge.quote, quoted({ percent: 50, maker: true, realised: 15.5, cost: 1.5 }));
    await person.click(within(dialog).getByText('挂单'));
    expect(await within(dialog).findByText('+15.50')).toBeInTheDocument();
    expect(dialog).toHaveTextContent('60 秒后没成交的按市价平');
    await hold(button(dialog, '按住 1 秒：平仓 50%'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(1));
    expect(written()[0]!.body).toEqual({ id: 'h1', percent: 50, maker: true, held });
    await waitFor(() => expect(toasts().join()).toContain('正在平掉持有的 50%，其余照常看护'));
  });

  test('say why there is no price to close one at, and what becomes of it then', async () => {
    const why = '币安 · 实时已停止跟踪，没有实时盘口：恢复跟踪后才会平仓';
    const leg = { quantity: '1', left: '0', mid: null, price: null, slippage: null, fee: null, unpriced: why };
    answers(hedge.quote, {
      ...{ id: 'h1', percent: 100, maker: false, refusal: null, held: { long: '1', short: '-1' } },
      legs: [
        { leg: 'long', source: 'binance-live', symbol: 'SOLUSDT', side: 'sell', ...leg },
        { leg: 'short', source: 'binance-live', symbol: 'ADAUSDT', side: 'buy', ...leg },
      ],
      ...{ cost: null, realised: null, net: null, priceAt: null },
    });
    open();
    await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
    const dialog = await dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    // Of both legs, and said once.
    expect(await within(dialog).findByText(why)).toBeVisible();
    expect(within(dialog).getAllByLabelText(`缺失：${why}`).length).toBeGreaterThan(3);
  });

  test('tell of one that is closed in part what is left of it and what that has brought', async () => {
    answers(hedge.list, listOf([rowOf('h1', { closedPart: 0.25, realised: 12.345 })]));
    open();
    const line = await lineOf('+26.80');
    expect(line).toHaveTextContent('持有剩 75%');
    expect(line).toHaveTextContent(/已实现价格盈亏 .?\+12\.35/);
  });

  test('closed it stays closed unless that is chosen otherwise; that it ended meanwhile is no failure', async () => {
    answers(hedgeConfig.desk, deskOf({ settings: { ...DEFAULT_SETTINGS, entry: 'z' } }));
    answers(hedge.close, { id: 'h1', state: 'closed', flat: true, message: '两边都已平仓' });
    open();
    const close = async () => {
      await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
      return dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    };
    const first = await close();
    expect(within(first).getByLabelText(/平掉并停用该交易对/)).toBeChecked();
    await hold(button(first, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(toasts().join()).toContain('已平仓：两边都已平仓；该交易对已停用'));
    await waitFor(() => expect(first).not.toBeInTheDocument());
    const second = await close();
    await person.click(within(second).getByLabelText(/^平掉后继续/));
    // What goes on by itself is told first.
    await waitFor(() => expect(button(second, '按住 1 秒：平仓')).toBeEnabled());
    await hold(button(second, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(2));
    expect(written().map(({ query }) => query.get('keepArmed'))).toEqual([null, 'true']);
    await waitFor(() => expect(second).not.toBeInTheDocument());
    // Closed elsewhere: there is nothing left to choose or to hold for.
    refuses(hedge.quote, { code: 5021, message: '该对冲单已经结束' });
    const third = await close();
    expect(await within(third).findByText('这张对冲单刚刚结束，没有要平的了')).toBeInTheDocument();
    expect(button(third, '按住 1 秒：平仓')).toBeDisabled();
    expect(within(third).queryByRole('radio')).toBeNull();
    expect(toasts().join()).not.toContain('该对冲单已经结束');
  });

  test('keep a refused closing in its dialog; after no answer it is repeated under the same name', async () => {
    refuses(hedge.quote, { code: 404, status: 404, message: '没有报价' });
    refuses(hedge.close, { code: 5021, message: '该对冲单已经结束' });
    open();
    await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
    const dialog = await dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    expect(await within(dialog).findByText(/仍可平仓/)).toBeInTheDocument();
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    expect(await within(dialog).findByText('该对冲单已经结束')).toBeInTheDocument();
    await waitFor(() => expect(toasts().filter((text) => text === '该对冲单已经结束')).toHaveLength(1));
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(2));
    responds(hedge.close, () => Response.error());
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    expect(await within(dialog).findByText(/无法连接服务器/)).toBeInTheDocument();
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(4));
    const [refused, another, lost, repeated] = written().map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set([refused, another, lost]).size).toBe(3);
    expect(repeated).toBe(lost);
  });

  test('take a note with author, and take it back', async () => {
    answers(hedge.list, listOf([rowOf('h1', { note: '原来的', noteBy: 'trader', noteAt: AT })]));
    open();
    await person.click(await screen.findByLabelText('编辑 SOLUSDT / ADAUSDT 的备注'));
    const box = await screen.findByLabelText('SOLUSDT / ADAUSDT 的备注', { selector: 'textarea' });
    fireEvent.change(box, { target: { value: '新的' } });
    refuses(hedge.note, { status: 500, code: 500, message: '服务器内部错误' });
    await person.type(box, '{Enter}');
    expect(await screen.findByText('500: 服务器内部错误', { selector: '[role=alert]' })).toBeInTheDocument();
    await waitFor(() => expect(toasts()).toContain('500: 服务器内部错误'));
    expect(screen.getByLabelText('SOLUSDT / ADAUSDT 的备注', { selector: 'textarea' })).toHaveValue('新的');
    answers(hedge.note, { id: 'h1', note: '新的', noteBy: 'trader', noteAt: AT + 1 });
    await person.click(screen.getByText(/^保\s?存$/).closest('button')!);
    expect(await screen.findByText('新的')).toBeInTheDocument();
    answers(hedge.note, { id: 'h1', note: '原来的', noteBy: 'trader', noteAt: AT + 2 });
    await person.click(screen.getByText('撤销'));
    expect(await screen.findByText('原来的')).toBeInTheDocument();
    expect(written().map(({ body }) => body)).toEqual(['新的', '新的', '原来的'].map((note) => ({ id: 'h1', note })));
  });

  test('open in detail by the address: figures, charts, and what happened', async () => {
    open('/strategy/hedge?id=h1');
    const drawer = await dialogOf('多 SOLUSDT / 空 ADAUSDT');
    expect(within(drawer).getByLabelText('对冲单数据')).toHaveTextContent('+40.50 USDT');
    expect(await within(drawer).findByLabelText('比价与价差 z')).toHaveAccessibleDescription(/开仓：/);
    expect(await within(drawer).findByLabelText('两腿价格盈亏')).toBeInTheDocument();
    expect(within(drawer).getByText('两腿建成')).toBeInTheDocument();
    await person.click(within(drawer).getByText('成交 1'));
    const fill = (await within(drawer).findByText('150.25')).closest('tr')!;
    expect(fill).toHaveTextContent('13.3150.250.9992');
    await person.click(within(drawer).getByText('委托 1'));
    expect((await within(drawer).findByText('保护价')).closest('td')).toHaveTextContent('保护价 150.90');
    await person.click(within(drawer).getByText('资金费 1'));
    const settled = await within(drawer).findByRole('table', { name: '资金费' });
    expect(within(settled).getByText('-4,000').closest('tr')).toHaveTextContent('0.5000');
  });

  test('tell of what one makes and of what closing it brings by readings of one moment', async () => {
    const detail = () => HttpResponse.json({ code: 200, message: 'ok', data: DETAIL });
    let answer: () => void = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    responds(hedge.detail, detail);
    answers(strategies.dealOutlook, {
      limits: { stopLoss: 0.05, takeProfit: null, maxHoldingHours: 168 },
      ...{ rules: [], limitBase: 4000, netClosed: 19.4, waterfall: { steps: [] } },
    });
    open('/strategy/hedge?id=h1');
    await dialogOf('多 SOLUSDT / 空 ADAUSDT');
    await waitFor(() => expect(sentTo(strategies.dealOutlook)).toHaveLength(1));
    responds(hedge.detail, () => late.then(detail));
    await waitFor(() => expect(sentTo(hedge.detail)).toHaveLength(2));
    // Longer than it takes until either is read again.
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    expect(sentTo(strategies.dealOutlook)).toHaveLength(1);
    answer();
    await waitFor(() => expect(sentTo(strategies.dealOutlook)).toHaveLength(2));
  });

  test('stand beside their backtest in one table, with the inputs that are the same', async () => {
    answers(backtest.ofHedge, BESIDE);
    open();
    await more(await lineOf('+26.80'), '对比回测');
    const drawer = await dialogOf('多 SOLUSDT / 空 ADAUSDT');
    const table = await within(drawer).findByLabelText('对比回测', { selector: 'table' });
    expect(place()).toContain('id=h1&compare=1');
    expect(within(table).getByText('净盈亏').closest('tr')).toHaveTextContent(/\+26\.80.*\+20\.00.*\+6\.80/);
    expect(within(table).getByText('手续费').closest('tr')).toHaveTextContent(/3\.20.*3\.10.*0\.10/);
    expect(
      within(drawer).getByText(/多 2,000\.00 \/ 空 2,000\.00 USDT.*3 倍.*5\.00 bps.*1\.00 bps/),
    ).toBeInTheDocument();
  });

  test('of under an hour are marked as too short to be compared', async () => {
    const rows = { ...BESIDE.rows, net: { live: 1.5, backtest: null, gap: null } };
    answers(backtest.ofHedge, { ...BESIDE, why: 'underHour', inputs: null, rows });
    open('/strategy/hedge?id=h1&compare=1');
    const drawer = await dialogOf('多 SOLUSDT / 空 ADAUSDT');
    expect(await within(drawer).findByText('过短')).toBeInTheDocument();
    const table = await within(drawer).findByLabelText('对比回测', { selector: 'table' });
    const line = within(table).getByText('净盈亏').closest('tr')!;
    expect(line).toHaveTextContent('+1.50');
    expect(within(line).getAllByLabelText('缺失：过短（持有不足 1 小时）')).toHaveLength(2);
  });

  test('name the basis of their return, and show how near stop, target and longest hold are', async () => {
    open();
    const line = await lineOf('+26.80');
    expect(line).toHaveTextContent('+0.67%');
    expect(line).toHaveTextContent('+2.01%');
    const panel = await deskTable();
    expect(panel.getByText('收益率（按名义）', { selector: 'th *' })).toBeInTheDocument();
    const target = within(line).getByLabelText('距止盈');
    expect(target).toHaveAttribute('value', '8');
    expect(target).toHaveAttribute('aria-valuetext', '止盈 320.00 USDT，还差 293.20 USDT，已走 8%');
    expect(within(line).getByLabelText('距止损')).toHaveAttribute('value', '0');
    expect(within(line).getByLabelText('距到期')).toHaveAttribute(
      'aria-valuetext',
      '最长持有 7.0 天，还差 6.8 天，已走 3%',
    );
    await choose('状态筛选', '已结束');
    expect(within(await lineOf('-15.50')).queryByLabelText('距止损')).not.toBeInTheDocument();
  });

  test('let a frozen one go on for a reason', async () => {
    const frozen = rowOf('h1', { frozen: '风控拦截：AAAUSDT 一分钟内已发出 30 笔委托' });
    answers(hedge.detail, { ...DETAIL, hedge: frozen, mayThaw: true });
    answers(hedge.unfreeze, { id: 'h1' });
    open('/strategy/hedge?id=h1');
    const drawer = await dialogOf('多 SOLUSDT / 空 ADAUSDT');
    await person.click(await within(drawer).findByRole('button', { name: '恢复' }));
    const dialog = await dialogOf('恢复：多 SOLUSDT / 空 ADAUSDT');
    expect(dialog).toHaveTextContent('冻结的原因：风控拦截：AAAUSDT 一分钟内已发出 30 笔委托');
    await person.type(within(dialog).getByLabelText('原因'), '对过持仓');
    await hold(within(dialog).getByRole('button', { name: /恢复/ }), 1_100);
    await waitFor(() =>
      expect(written().at(-1)).toMatchObject({ path: hedge.unfreeze.path, body: { id: 'h1', reason: '对过持仓' } }),
    );
  });

  test("offer nothing on another user's hedge", async () => {
    const events = [
      { id: 'e3', at: AT, kind: 'closing' as const, detail: 'stopLoss' },
      { id: 'e4', at: AT, kind: 'filled' as const, detail: '1000000MOGUSDT 卖出 204561 @ 12345.6' },
    ];
    answers(hedge.detail, {
      ...DETAIL,
      events,
      hedge: { ...ENDED, shortQuantity: '-204561.5', userId: 'id-other', user: 'other' },
    });
    open('/strategy/hedge?id=h2', 'master');
    const drawer = await dialogOf('多 ETHUSDT / 空 BTCUSDT');
    expect(within(drawer).getByText('other 的对冲单，只读')).toBeInTheDocument();
    expect(within(drawer).queryByText('再开一次')).not.toBeInTheDocument();
    // The engine's reasons are read in words.
    expect(within(drawer).getByText('开始平仓').closest('li')).toHaveTextContent('止损');
    // Figures have thousands separated, and a symbol is none.
    expect(within(drawer).getByText('1000000MOGUSDT 卖出 204,561 @ 12,345.6')).toBeInTheDocument();
    expect(within(drawer).getByText('-204,561.5')).toBeInTheDocument();
  });
});
