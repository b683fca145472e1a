import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { Modal } from 'antd';
import { type CloseQuote, hedge } from '#contract/hedge';
import { hedgeConfig } from '#contract/hedgeConfig';
import { type PairFacts, pair } from '#contract/pair';
import { AT, DETAIL, deskAnswers, deskOf, ENDED, listOf, NEW_DESK, pairOf, rowOf } from '../support/hedgeFixtures';
import { answers, openConsole, place, refuses, sent, toasts, type Who } from '../support/webConsole';

const person = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
const written = () => sent.filter(({ method }) => method !== 'GET');
const lists = () => sent.filter(({ path }) => path === hedge.list.path);
const lineOf = async (text: string | RegExp) =>
  waitFor(() => {
    const line = screen
      .getAllByText(text)
      .map((node) => node.closest('tr'))
      .find((row) => row !== null);
    expect(line).toBeDefined();
    return line!;
  });
const records = async () => within(await screen.findByLabelText('对冲单', { selector: 'section' }));
const dialogOf = async (title: string | RegExp) =>
  // A confirmation has its title twice, one of them for those who listen; one that was closed may still be going.
  (await screen.findAllByText(title)).at(-1)!.closest<HTMLElement>('[role=dialog]')!;
const button = (within_: HTMLElement, text: string | RegExp) => within(within_).getByText(text).closest('button')!;

/** Holds a button down for so long, ms. */
async function hold(element: HTMLElement, length: number) {
  fireEvent.pointerDown(element, { button: 0 });
  await act(() => new Promise((resolve) => setTimeout(resolve, length)));
  fireEvent.pointerUp(element);
}

async function choose(label: string, option: string) {
  fireEvent.mouseDown(screen.getByLabelText(label, { selector: 'input' }));
  await person.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }));
}

const open = (address = '/strategy/hedge', who: Who = 'trader') => openConsole(address, who);

beforeEach(deskAnswers);
afterEach(() => act(async () => Modal.destroyAll()));

describe('the desk', () => {
  test('says how it stands, with pairs, their figures and why they do not open', async () => {
    open();
    expect(await screen.findByText(/由 trader 操作/)).toHaveTextContent(/已启用.*进行中 1 张/);
    const pairs = within((await screen.findByText('交易对（3）')).closest<HTMLElement>('.ant-card')!);
    expect(pairs.getByText('等待 z 入场')).toBeInTheDocument();
    expect(pairs.getByText('已开过一次')).toBeInTheDocument();
    expect(pairs.getByText('查看对冲单')).toBeInTheDocument();
    const line = pairs.getByText('DOGEUSDT').closest('tr')!;
    expect(line).toHaveTextContent('-1.25');
    expect(line).toHaveTextContent('+3.50%');
    expect(within(line).getByLabelText(/缺失：不回归/)).toHaveTextContent('-');
    // The first test waits for the whole console to be compiled.
  }, 90_000);

  test('is disabled after saying what becomes of the open hedges', async () => {
    open();
    await person.click(await screen.findByLabelText('启用对冲'));
    const dialog = await dialogOf('停用：多空对冲');
    expect(dialog).toHaveTextContent(/1 张进行中的对冲单保持不动/);
    answers(hedgeConfig.disable, { enabled: false, running: 1 });
    button(dialog, /^停\s?用$/).focus();
    await person.keyboard('{Enter}');
    expect(written()).toHaveLength(0);
    await person.click(button(dialog, /^停\s?用$/));
    await waitFor(() => expect(written().map(({ path }) => path)).toEqual([hedgeConfig.disable.path]));
    await waitFor(() => expect(toasts().join()).toContain('已停用；1 张对冲单继续管理'));
  });

  test('says why nothing is opened, and resumes only with a reason', async () => {
    const pause = { at: AT, by: 'master', reason: '行情异常' };
    answers(hedgeConfig.desk, deskOf({ lossLimitHit: true, dayPnl: -512.5, pausedForAll: pause }));
    open();
    expect(await screen.findByText(/管理员已暂停所有用户开仓/)).toHaveTextContent(/由 master 暂停，原因：行情异常/);
    expect(screen.getByText(/已达单日最大亏损/)).toHaveTextContent(/500\.00 USDT.*-512\.50/);
    await person.click(screen.getByText('恢复开仓').closest('button')!);
    const dialog = await dialogOf('恢复开仓：我的对冲');
    await person.click(button(dialog, '恢复开仓'));
    expect(await within(dialog).findByText('请输入原因')).toBeInTheDocument();
    expect(written()).toHaveLength(0);
    answers(hedge.resume, { paused: false });
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    await person.click(button(dialog, '恢复开仓'));
    await waitFor(() => expect(written()[0]?.body).toEqual({ reason: '已核对' }));
  });

  test('closes everything only when the button is held; Enter and a click do nothing', async () => {
    open();
    await person.click((await screen.findByText('全部平仓')).closest('button')!);
    const dialog = await dialogOf('全部平仓：1 张进行中的对冲单');
    answers(hedge.flatten, { running: 1 });
    const held = button(dialog, '按住 1 秒：全部平仓');
    held.focus();
    await person.keyboard('{Enter}');
    await person.click(held);
    await hold(held, 300);
    expect(written()).toHaveLength(0);
    await hold(held, 1_100);
    await waitFor(() => expect(written().map(({ path }) => path)).toEqual([hedge.flatten.path]));
  });

  test('lets only a master stop everybody', async () => {
    const view = open();
    await screen.findByText('全部平仓');
    expect(screen.queryByText('所有用户')).not.toBeInTheDocument();
    view.unmount();
    open('/strategy/hedge', 'master');
    expect(await screen.findByText('所有用户')).toBeInTheDocument();
  });

  test('explains itself while it is empty and leads to the selection', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedge.list, listOf([]));
    open();
    const idea = await screen.findByText('把一对币种当作一笔交易来做');
    const lines = idea.closest('.ant-empty')!.querySelectorAll('li');
    expect(lines).toHaveLength(4);
    expect(screen.getByText('去中性选币挑一对').closest('a')).toHaveAttribute('href', '/indicator/hedge');
  });

  test('offers another try when it cannot be read', async () => {
    refuses(hedgeConfig.desk, { status: 500, code: 500, message: '服务器内部错误' });
    open();
    expect(await screen.findByText('服务器内部错误')).toBeInTheDocument();
    answers(hedgeConfig.desk, deskOf());
    await person.click(await screen.findByText(/^重\s?试$/));
    expect(await screen.findByText(/由 trader 操作/)).toBeInTheDocument();
  });

  test('sends a visitor to sign in and back here', async () => {
    refuses(hedgeConfig.desk, { status: 401, code: 401, message: '请先登录' });
    refuses(hedge.list, { status: 401, code: 401, message: '请先登录' });
    open('/strategy/hedge?id=h1', 'visitor');
    await waitFor(() => expect(place()).toBe(`/login?callback=${encodeURIComponent('/strategy/hedge?id=h1')}`));
  });
});

describe('the records', () => {
  test('show the running ones with totals, and the ended ones on another tab', async () => {
    open();
    const panel = await records();
    const line = await lineOf('+26.80');
    expect(line).toHaveTextContent('300.1200');
    expect(line).toHaveTextContent('-2.10');
    expect(panel.getByLabelText('统计')).toHaveTextContent(/对冲单.*1/);
    expect(panel.getByText('合计').closest('tr')).toHaveTextContent('4,000.00');
    await person.click(panel.getByText('已结束'));
    const ended = await lineOf('-15.50');
    expect(ended).toHaveTextContent('已平仓');
    expect(ended).toHaveTextContent('止盈');
    expect(place()).toContain('state=ended');
  });

  test('are filtered by the address and tell it', async () => {
    open('/strategy/hedge?state=all&symbol=SOLUSDT&side=long&pnl=profit&hasNote=0&sort=-net');
    await records();
    await waitFor(() => expect(lists().length).toBeGreaterThan(0));
    expect(Object.fromEntries(lists()[0]!.query)).toEqual({
      current: '1',
      pageSize: '50',
      state: 'all',
      symbol: 'SOLUSDT',
      side: 'long',
      pnl: 'profit',
      hasNote: 'false',
      sort: '-net',
    });
    await choose('平仓原因', '止盈');
    await waitFor(() => expect(place()).toContain('reason=takeProfit'));
    await waitFor(() => expect(lists().at(-1)!.query.get('reason')).toBe('takeProfit'));
    await person.click(await screen.findByText('清除筛选'));
    await waitFor(() => expect(place()).toBe('/strategy/hedge?state=all&sort=-net'));
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
      legs: [
        {
          leg: 'long',
          symbol: 'SOLUSDT',
          side: 'sell',
          quantity: '13.3',
          mid: 153,
          price: 152.9,
          slippage: 1.33,
          fee: 1,
        },
        { leg: 'short', symbol: 'ADAUSDT', side: 'buy', quantity: '4000', mid: 0.5, price: 0.501, slippage: 4, fee: 1 },
      ],
      cost: 7.33,
      net: 19.47,
      priceAt: AT,
    };
    answers(hedge.quote, quote);
    answers(hedge.close, { id: 'h1', state: 'closing', flat: false, message: '正在平仓，尚未确认两边都平' });
    open();
    await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
    const dialog = await dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    expect(await within(dialog).findByText('7.33')).toBeInTheDocument();
    // 13.3 x 152.9 - 4000 x 0.501
    expect(within(dialog).getByText('+29.57')).toBeInTheDocument();
    expect(within(dialog).getByText('+19.47')).toBeInTheDocument();
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(1));
    expect(written()[0]!.query.get('id')).toBe('h1');
    await waitFor(() => expect(toasts().join()).toContain('平仓中：正在平仓，尚未确认两边都平'));
  });

  test('keep a refused closing in its dialog and repeat it under the same name', async () => {
    refuses(hedge.quote, { code: 404, status: 404, message: '没有报价' });
    refuses(hedge.close, { code: 5021, message: '该对冲单已经结束' });
    open();
    await person.click(button(await lineOf('+26.80'), /^平\s?仓$/));
    const dialog = await dialogOf('平仓：多 SOLUSDT / 空 ADAUSDT');
    expect(await within(dialog).findByText(/仍可平仓/)).toBeInTheDocument();
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    expect(await within(dialog).findByText('该对冲单已经结束')).toBeInTheDocument();
    await hold(button(dialog, '按住 1 秒：平仓'), 1_100);
    await waitFor(() => expect(written()).toHaveLength(2));
    const [first, second] = written().map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
  });

  test('take a note with author, and take it back', async () => {
    answers(hedge.list, listOf([rowOf('h1', { note: '原来的', noteBy: 'trader', noteAt: AT })]));
    open();
    await person.click(await screen.findByLabelText('编辑 SOLUSDT / ADAUSDT 的备注'));
    const box = await screen.findByLabelText('SOLUSDT / ADAUSDT 的备注', { selector: 'textarea' });
    fireEvent.change(box, { target: { value: '新的' } });
    refuses(hedge.note, { status: 500, code: 500, message: '服务器内部错误' });
    await person.type(box, '{Enter}');
    expect(await screen.findByText('500: 服务器内部错误')).toBeInTheDocument();
    expect(screen.getByLabelText('SOLUSDT / ADAUSDT 的备注', { selector: 'textarea' })).toHaveValue('新的');
    answers(hedge.note, { id: 'h1', note: '新的', noteBy: 'trader', noteAt: AT + 1 });
    await person.click(screen.getByText(/^保\s?存$/).closest('button')!);
    expect(await screen.findByText('新的')).toBeInTheDocument();
    answers(hedge.note, { id: 'h1', note: '原来的', noteBy: 'trader', noteAt: AT + 2 });
    await person.click(screen.getByText('撤销'));
    expect(await screen.findByText('原来的')).toBeInTheDocument();
    expect(written().map(({ body }) => body)).toEqual(['新的', '新的', '原来的'].map((note) => ({ id: 'h1', note })));
  });

  test('open in detail by the address: figures, charts, what happened, the way to the backtest', async () => {
    open('/strategy/hedge?id=h1');
    const drawer = await dialogOf('多 SOLUSDT / 空 ADAUSDT');
    expect(within(drawer).getByLabelText('对冲单数据')).toHaveTextContent('+40.50 USDT');
    expect(await within(drawer).findByLabelText('比价与价差 z')).toHaveAccessibleDescription(/开仓：/);
    expect(await within(drawer).findByLabelText('两腿价格盈亏')).toBeInTheDocument();
    expect(within(drawer).getByText('两腿建成')).toBeInTheDocument();
    await person.click(within(drawer).getByText('成交 1'));
    expect(await within(drawer).findByText('150.25')).toBeInTheDocument();
    const link = within(drawer).getByText('对比回测').closest('a')!;
    const query = new URL(link.href).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ long: 'SOLUSDT', short: 'ADAUSDT', bar: '1h' });
    expect(Number(query.get('start'))).toBe(DETAIL.hedge.openedAt);
  });

  test("offer nothing on another user's hedge", async () => {
    answers(hedge.detail, { ...DETAIL, hedge: { ...ENDED, userId: 'id-other', user: 'other' } });
    open('/strategy/hedge?id=h2', 'master');
    const drawer = await dialogOf('多 ETHUSDT / 空 BTCUSDT');
    expect(within(drawer).getByText('other 的对冲单，只读')).toBeInTheDocument();
    expect(within(drawer).queryByText('再开一次')).not.toBeInTheDocument();
  });
});

describe('a new pair', () => {
  const FACTS: PairFacts = {
    source: 'simulated',
    bar: '1h',
    long: ['LTCUSDT'],
    short: ['DOGEUSDT'],
    bars: 240,
    time: [AT],
    ratio: [1.125],
    spread: [0],
    z: [-2.5],
    correlation: 0.91,
    betaLong: 1,
    betaShort: 1,
    hedgeRatio: 1,
    rSquared: 0.5,
    currentZ: -2.5,
    mean: 0,
    sd: 1,
    halfLife: 18,
    adfP: 0.01,
    fundingAprDifference: null,
    return30: null,
    return90: null,
  };

  beforeEach(() => answers(pair.facts, FACTS));

  test('comes along with the address, shows what is known of it and is added', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new' });
    open('/strategy/hedge?source=simulated&long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    const facts = await within(dialog).findByLabelText('配对指标');
    expect(facts).toHaveTextContent('-2.50');
    expect(facts).toHaveTextContent('18.0 h');
    await person.click(button(dialog, /^添\s?加$/));
    await waitFor(() => expect(written()[0]?.body).toEqual({ long: 'LTCUSDT', short: 'ADAUSDT' }));
    await waitFor(() => expect(place()).toBe('/strategy/hedge'));
  });

  test('asks before it is the reverse of another, and refuses a repetition by itself', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new' });
    const view = open('/strategy/hedge?long=LTCUSDT&short=DOGEUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(await within(dialog).findByText(/已有方向相反的交易对/)).toBeInTheDocument();
    await person.click(button(dialog, '仍然添加'));
    await waitFor(() =>
      expect(written()[0]?.body).toEqual({ long: 'LTCUSDT', short: 'DOGEUSDT', confirmReversed: true }),
    );
    view.unmount();
    open('/strategy/hedge?long=DOGEUSDT&short=LTCUSDT');
    const again = await dialogOf('添加交易对');
    await person.click(button(again, /^添\s?加$/));
    expect(await within(again).findByText('已有这个交易对')).toBeInTheDocument();
    expect(written()).toHaveLength(1);
  });

  test('shows what the server refuses at the side at fault', async () => {
    const message = '该币种已停止交易或没有最新价格：LTCUSDT';
    refuses(hedgeConfig.addPair, { code: 5014, message, data: { fields: [{ field: 'long', message }] } });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    await person.click(button(dialog, /^添\s?加$/));
    const shown = await within(dialog).findByText(message);
    expect(shown.closest('.ant-form-item-explain')).not.toBeNull();
  });

  test('says that a basket cannot be hedged and offers its coins', async () => {
    open('/strategy/hedge?long=LTCUSDT,SOLUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(within(dialog).getByText(/多头是一篮子币种：对冲的每一边只能是一个币种/)).toBeInTheDocument();
    await person.click(button(dialog, 'SOLUSDT'));
    expect(await within(dialog).findByLabelText('配对指标')).toBeInTheDocument();
    expect(sent.find(({ path }) => path === pair.facts.path)!.query.get('long')).toBe('SOLUSDT');
  });

  test('waits for the settings when there are none', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedge.list, listOf([]));
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    expect(await screen.findByText(/首次保存会开立一个模拟账户/)).toBeInTheDocument();
    expect(screen.queryByText('添加交易对')).not.toBeInTheDocument();
  });

  test('is removed, and opened once more, after asking; not while it is held', async () => {
    answers(
      hedgeConfig.desk,
      deskOf({ pairs: [pairOf('ETHUSDT', 'BTCUSDT', { block: 'used' }), ...deskOf().pairs.slice(0, 1)] }),
    );
    answers(hedgeConfig.removePair, { pairId: 'x' });
    answers(hedgeConfig.armPair, { pairId: 'x' });
    open();
    const held = await lineOf('查看对冲单');
    expect(button(held, /^移\s?除$/)).toBeDisabled();
    expect(button(held, '再开一次')).toBeDisabled();
    const line = await lineOf('已开过一次');
    await person.click(button(line, '再开一次'));
    await person.click(button(await dialogOf('再开一次：多 ETHUSDT / 空 BTCUSDT'), '再开一次'));
    await waitFor(() => expect(written()).toHaveLength(1));
    await person.click(button(line, /^移\s?除$/));
    await person.click(button(await dialogOf('移除：多 ETHUSDT / 空 BTCUSDT'), /^移\s?除$/));
    await waitFor(() => expect(written()).toHaveLength(2));
    expect(written().map(({ method, body }) => [method, body])).toEqual([
      ['POST', { pairId: 'pair-ETHUSDT-BTCUSDT' }],
      ['DELETE', { pairId: 'pair-ETHUSDT-BTCUSDT' }],
    ]);
  });
});
