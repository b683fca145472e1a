import { act, screen, waitFor, within } from '@testing-library/react';
import { account } from '#contract/account';
import { flatten } from '#contract/flatten';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { opening } from '#contract/opening';
import { service } from '#contract/service';
import { strategies } from '#contract/strategies';
import { signalSession } from '@/services/sessionSignal';
import { previewOf, reportOf } from '../support/flattenFixtures';
import { button, choose, deskTable, dialogOf, hold, lineOf, lists, more, open, written } from '../support/hedgeActs';
import { AT, deskAnswers, deskOf, listOf, NEW_DESK, pairOf, rowOf } from '../support/hedgeFixtures';
import { dueRow, openingsOf, waitingRow } from '../support/openingFixtures';
import { answers, person, place, refuses, toasts } from '../support/webConsole';

// A full screen of tables on a busy machine.
jest.setTimeout(60_000);

beforeEach(deskAnswers);

const rowKeys = () => [...document.querySelectorAll('tr[data-row-key]')].map((row) => row.getAttribute('data-row-key'));

describe('the desk', () => {
  test('says in red that nobody looks after what a stop kept', async () => {
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
    open();
    const told = (await screen.findByText(/无人看护：多空对冲 · 对冲/)).closest<HTMLElement>('.ant-alert')!;
    expect(told).toHaveClass('ant-alert-error');
    expect(within(told).getByRole('button', { name: '接管看护' })).toBeInTheDocument();
  });

  test('says how it stands, with pairs and hedges in one table, open ones first, and why the others do not open', async () => {
    answers(hedgeConfig.desk, deskOf({ settings: { ...DEFAULT_SETTINGS, entry: 'z' } }));
    open();
    expect(await screen.findByText(/由 trader 操作/)).toHaveTextContent(/已启用.*进行中 1 张/);
    const desk = await deskTable();
    await desk.findByText('等待 z 入场');
    // A pair that is held is one row with its hedge; one that waits for a person comes last.
    expect(rowKeys()).toEqual(['h1', 'pair-DOGEUSDT-LTCUSDT', 'pair-ETHUSDT-BTCUSDT']);
    expect(desk.getByText('已开过一次')).toBeInTheDocument();
    const held = desk.getByText('SOLUSDT').closest('tr')!;
    expect(held).toHaveTextContent(
      /总敞口 4,012\.50.*持有.*\+26\.80.*\+19\.40.*\+1\.75.*-1\.25.*3 个平仓条件都还没有到.*5\.0 小时/,
    );
    const line = desk.getByText('DOGEUSDT').closest('tr')!;
    expect(line).toHaveTextContent('-1.25');
    expect(line).toHaveTextContent(
      /z ≤ −2 建仓，每腿 2,000 USDT.*平仓：止损 5\.0%，止盈 8\.0%，z ≥ −0\.5，最长 7\.0 天/,
    );
    expect(line).toHaveTextContent('+3.50%');
    expect(within(line).getByLabelText(/缺失：不回归/)).toHaveTextContent('-');
    // The first test waits for the whole console to be compiled.
  }, 90_000);

  test('says where z speaks of another spread than the one that is held, and offers the ratio that matches', async () => {
    answers(
      hedgeConfig.desk,
      deskOf({ pairs: [pairOf('SOLUSDT', 'ADAUSDT', { hedgeRatio: 0.62 }), pairOf('LTCUSDT', 'DOGEUSDT')] }),
    );
    open();
    // 1 against 0.875 is within a fifth.
    expect(await screen.findAllByText('z 非所持价差')).toHaveLength(1);
    await person.click(screen.getByRole('button', { name: '以后改用协整配比' }));
    expect(await screen.findByText(/^协整：空头 = b × 多头/)).toBeInTheDocument();
    expect(screen.getByText(/^已填入要改的：配比。/)).toHaveTextContent('进行中的保持开仓时的参数');
    expect(written()).toEqual([]);
  });

  test('says which exchanges do not answer', async () => {
    answers(account.stops, {
      ...{ pausedForAll: null, paused: null, dailyLossLimit: null, unvalued: null, unvaluedLive: null },
      ...{ tripped: [], unjudged: [], troubles: [], outages: ['okx-live'] },
    });
    open();
    expect(await screen.findByText(/^OKX · 实时 没有应答/)).toHaveTextContent('平仓与止损要等它恢复');
  });

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

  test('that has tripped is enabled with a reason only, which is asked', async () => {
    answers(hedgeConfig.desk, deskOf({ enabled: false, tripped: '单日亏损 510.00 USDT', trippedAt: AT }));
    answers(hedgeConfig.enable, { enabled: true, running: 1 });
    open();
    await person.click(await screen.findByLabelText('启用对冲'));
    const dialog = await dialogOf('恢复：多空对冲');
    await within(dialog).findByText(/没有标的会马上开仓/);
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    await person.click(button(dialog, /^恢\s?复$/));
    await waitFor(() => expect(written()[0]?.body).toEqual({ reason: '已核对', open: [], openSeen: 7 }));
  });

  test('always shows how much of the daily loss is used, and since when', async () => {
    const day = { start: Date.UTC(2026, 0, 14, 16), end: Date.UTC(2026, 0, 15, 16) };
    answers(
      hedgeConfig.desk,
      deskOf({ day, dayPnl: -120, loss: { result: -120, used: 120, limit: 500, share: 0.24 } }),
    );
    open();
    const loss = within(await screen.findByLabelText('单日亏损'));
    const bar = loss.getByLabelText('今日已用 / 上限');
    expect(bar).toHaveAttribute('value', '24');
    expect(bar).toHaveAttribute('aria-valuetext', '120.00 / 500.00 USDT');
    expect(loss.getByText(/自 16:00 UTC \/ 00:00 北京时间/)).toHaveTextContent('-120.00 USDT');
  });

  test('tells nothing of the day while the past of a demo is made', async () => {
    const demo = { demo: true, simulated: true, trading: 'paper' as const, followed: [], accounts: [] };
    answers(service.environment, { ...demo, preparing: true, told: { day: 23, days: 60 } });
    answers(hedgeConfig.desk, deskOf({ loss: { result: -1_156.23, used: 1_156.23, limit: 500, share: 1 } }));
    open();
    const loss = await screen.findByLabelText('单日亏损');
    await waitFor(() => expect(loss).toHaveTextContent(/生成中.*演示交易还在生成/));
    expect(loss).not.toHaveTextContent('1,156.23');
    expect(within(loss).getByLabelText('今日已用 / 上限')).toHaveAttribute('value', '0');
  });

  test('a hedge of which a limit is reached is held until the engine closes it, in its state and in words', async () => {
    answers(hedge.list, listOf([rowOf('h1', { net: -230, stop: { limit: -200, left: -30, used: 1 } })]));
    open();
    const line = (await (await deskTable()).findByText('SOLUSDT')).closest('tr')!;
    expect(line).toHaveTextContent(/持有.*「止损」的条件已到，等待平仓/);
    expect(line).not.toHaveTextContent('正在平仓');
    // It is on its way out in both, as soon as it is.
    answers(
      hedge.list,
      listOf([rowOf('h1', { net: -230, state: 'closing', stop: { limit: -200, left: -30, used: 1 } })]),
    );
    await waitFor(() => expect(line).toHaveTextContent(/平仓中.*正在平仓，还没有平完/), { timeout: 10_000 });
  });

  test('a leg of which a part was traded away by hand is said in its state and in words', async () => {
    const taken = '账户里 SOLUSDT 只剩 6 可平，4 已被外部成交抵掉';
    answers(hedge.list, listOf([rowOf('h1', { taken })]));
    open();
    const line = (await (await deskTable()).findByText('SOLUSDT')).closest('tr')!;
    expect(line).toHaveTextContent(/持有.*腿被抵掉.*SOLUSDT 只剩 6 可平，4 已被外部成交抵掉/);
  });

  test('says why nothing is opened, and resumes only with a reason', async () => {
    const pause = { at: AT, by: 'master', reason: '行情异常' };
    answers(hedgeConfig.desk, deskOf({ lossLimitHit: true, dayPnl: -512.5, pausedForAll: pause }));
    open();
    expect(await screen.findByText(/管理员已暂停所有用户开仓/)).toHaveTextContent(/由 master 暂停，原因：行情异常/);
    expect(screen.getByText(/已达单日最大亏损/)).toHaveTextContent(/500\.00 USDT.*-512\.50/);
    // Where it is resumed, the banner does what the head does.
    expect(screen.queryByRole('link', { name: '去恢复' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: '改上限' })).toHaveAttribute('href', '/');
    await person.click(screen.getByText('去恢复').closest('button')!);
    await person.click(await within(await dialogOf('恢复我的全部开仓')).findByText(/^返\s?回$/));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await person.click(screen.getByText('恢复开仓').closest('button')!);
    const dialog = await dialogOf('恢复我的全部开仓');
    // Nothing would open: a click is enough.
    expect(await within(dialog).findByText(/没有标的会马上开仓/)).toBeInTheDocument();
    await person.click(button(dialog, '恢复开仓'));
    expect(await within(dialog).findByText('请输入原因')).toBeInTheDocument();
    expect(written()).toHaveLength(0);
    answers(hedge.resume, { paused: false });
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    await person.click(button(dialog, '恢复开仓'));
    await waitFor(() => expect(written()[0]?.body).toEqual({ reason: '已核对', open: [], openSeen: 7 }));
    await waitFor(() => expect(toasts()).toEqual(['已恢复开仓：现在没有标的开仓']));
  });

  test('is resumed by holding, after what would open was chosen: what is flagged is left out unless it is ticked', async () => {
    answers(hedgeConfig.desk, deskOf({ paused: { at: AT, by: 'trader', reason: '' } }));
    const due = [
      dueRow('SOLUSDT', 'ADAUSDT'),
      dueRow('LTCUSDT', 'BTCUSDT', { opens: false, warnings: ['againstZ', 'adf'] }),
      dueRow('DOGEUSDT', 'BTCUSDT', { slippage: null }),
    ];
    const unconfirmed = waitingRow('XRPUSDT', 'ETHUSDT', { unconfirmed: true, gauge: null, blocks: ['slots'] });
    answers(opening.preview, openingsOf(due, [waitingRow('BNBUSDT', 'ETHUSDT'), unconfirmed]));
    open();
    await person.click((await screen.findByText('恢复开仓')).closest('button')!);
    const dialog = await dialogOf('恢复我的全部开仓');
    const sums = within(await within(dialog).findByLabelText('合计'));
    const tick = (sides: string) => within(dialog).getByLabelText(`开仓 ${sides}`);
    expect(tick('多 LTCUSDT / 空 BTCUSDT')).not.toBeChecked();
    expect(tick('多 LTCUSDT / 空 BTCUSDT').closest('li')).toHaveTextContent(/关系不可靠：ADF p > 0.1.*方向与 z 相反/);
    expect(sums.getByText('名义合计 USDT').closest('div')).toHaveTextContent('8,000.00');
    // Of what the book does not hold nobody knows the price.
    expect(sums.getByText('滑点').closest('div')).toHaveTextContent('-');
    expect(
      within(dialog)
        .getByText(/还在等的 1 个/)
        .closest('details'),
    ).toHaveTextContent(/等待 z 入场.*z -1\.50，到 -2\.00 建仓/);
    expect(
      within(dialog)
        .getByText(/待确认的 1 个：条件满足也不会自动开/)
        .closest('details'),
    ).toHaveTextContent('多 XRPUSDT / 空 ETHUSDT');
    await person.click(tick('多 DOGEUSDT / 空 BTCUSDT'));
    await person.click(tick('多 LTCUSDT / 空 BTCUSDT'));
    expect(sums.getByText('滑点').closest('div')).toHaveTextContent('1.00');

    answers(hedge.resume, { paused: false });
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    const verb = button(dialog, '按住 1 秒：恢复开仓并开仓 2 个');
    await person.click(verb);
    expect(written()).toEqual([]);
    await hold(verb, 1_100);
    await waitFor(() =>
      expect(written()[0]?.body).toEqual({ reason: '已核对', open: [due[0]!.targetId, due[1]!.targetId], openSeen: 7 }),
    );
    await waitFor(() => expect(toasts()).toEqual(['已恢复开仓：2 个标的正在开仓，1 个待确认']));
  });

  test('is asked for under a name of what was chosen: another choice is another call, the same twice is one', async () => {
    answers(hedgeConfig.desk, deskOf({ paused: { at: AT, by: 'trader', reason: '' } }));
    answers(opening.preview, openingsOf([dueRow('SOLUSDT', 'ADAUSDT'), dueRow('DOGEUSDT', 'BTCUSDT')]));
    refuses(hedge.resume, { status: 503, code: 503, message: '服务器繁忙' });
    open();
    await person.click((await screen.findByText('恢复开仓')).closest('button')!);
    const dialog = await dialogOf('恢复我的全部开仓');
    const tick = (sides: string) => person.click(within(dialog).getByLabelText(`开仓 ${sides}`));
    await within(dialog).findByLabelText('合计');
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    const calls = () => written().map(({ body, headers }) => [body, headers.get('idempotency-key')] as const);
    const isReady = (verb: string) => waitFor(() => expect(button(dialog, verb)).not.toHaveClass(/loading/));
    const holdAll = async (verb: string) => {
      const before = calls().length;
      await isReady(verb);
      await hold(button(dialog, verb), 1_100);
      await waitFor(() => expect(calls()).toHaveLength(before + 1));
      await isReady(verb);
      return calls().at(-1)!;
    };
    const both = await holdAll('按住 1 秒：恢复开仓并开仓 2 个');
    expect(await holdAll('按住 1 秒：恢复开仓并开仓 2 个')).toEqual(both);
    await tick('多 DOGEUSDT / 空 BTCUSDT');
    const one = await holdAll('按住 1 秒：恢复开仓并开仓 1 个');
    expect(one[0]).not.toEqual(both[0]);
    expect(one[1]).not.toBe(both[1]);
    await tick('多 SOLUSDT / 空 ADAUSDT');
    const verb = button(dialog, '恢复开仓');
    act(() => {
      verb.click();
      verb.click();
    });
    await waitFor(() => expect(calls().length).toBeGreaterThan(3));
    const last = calls().slice(3);
    expect(last[0]![0]).toMatchObject({ open: [] });
    expect(new Set(last.map(([, name]) => name)).size).toBe(1);
    expect([both[1], one[1]]).not.toContain(last[0]![1]);
    await isReady('恢复开仓');
    await person.click(within(dialog).getByText(/^返\s?回$/));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('may be resumed where nobody knows what would open; all of it then waits to be confirmed', async () => {
    answers(hedgeConfig.desk, deskOf({ paused: { at: AT, by: 'trader', reason: '' } }));
    refuses(opening.preview, { status: 503, code: 503, message: '暂时不能试算' });
    open();
    await person.click((await screen.findByText('恢复开仓')).closest('button')!);
    const dialog = await dialogOf('恢复我的全部开仓');
    expect(await within(dialog).findByText(/读不到将要开仓的标的/)).toBeInTheDocument();
    answers(hedge.resume, { paused: false });
    await person.type(within(dialog).getByLabelText('原因'), '已核对');
    await person.click(button(dialog, '恢复开仓'));
    await waitFor(() => expect(written()[0]?.body).toEqual({ reason: '已核对', open: [] }));
  });

  test('says why it would be refused, and is not to be clicked', async () => {
    answers(hedgeConfig.desk, deskOf({ paused: { at: AT, by: 'trader', reason: '' } }));
    refuses(opening.preview, { code: 5031, message: '并行对数已满' });
    open();
    await person.click((await screen.findByText('恢复开仓')).closest('button')!);
    const dialog = await dialogOf('恢复我的全部开仓');
    expect(await within(dialog).findByText('现在不能恢复开仓：并行对数已满')).toBeInTheDocument();
    expect(button(dialog, '恢复开仓')).toBeDisabled();
    expect(toasts().join()).not.toContain('并行对数已满');
  });

  test('nets what is held by coin, says which coin is in too many, and what rests on its way out', async () => {
    const coins = [
      { coin: 'SOL', net: 6_000.4, hedges: 3 },
      { coin: 'ADA', net: null, hedges: 2 },
      { coin: 'BTC', net: -2_000, hedges: 1 },
    ];
    answers(hedgeConfig.desk, deskOf({ running: 5, coins, pairs: [] }));
    const resting = { legs: ['long' as const, 'short' as const], isOut: true, convertsAt: Date.now() + 45_000 };
    const part = rowOf('h4', { pairId: 'p4', reducing: 50, resting });
    answers(
      hedge.list,
      listOf([
        rowOf('h5', { pairId: 'p5', state: 'opening', net: null }),
        rowOf('h3', { pairId: 'p3', state: 'closing', closeAsked: true }),
        part,
        rowOf('h1'),
      ]),
    );
    open();
    const netted = await screen.findByLabelText('按币种轧差');
    expect(netted).toHaveTextContent(/SOL \+6,000.*ADA -.*BTC -2,000/);
    expect(within(netted).getByText('5 笔对冲中有 3 笔含 SOL')).toBeInTheDocument();
    // Two of five are no concentration.
    expect(netted).not.toHaveTextContent('含 ADA');
    await waitFor(() => expect(netted).toHaveTextContent('2 张正在平仓（1 张挂单中），1 张正在建仓'));
    expect(rowKeys()).toEqual(['h4', 'h1', 'h5', 'h3']);
    const line = await lineOf('正在平 50%');
    expect(line).toHaveTextContent(/两腿挂单平仓，.* 后转市价/);
  });

  test('its rows are ordered by a head within what is open and what waits, and the list is not asked for that', async () => {
    const pairs = [
      pairOf('ETHUSDT', 'BTCUSDT', { correlation: 0.5 }),
      pairOf('DOGEUSDT', 'LTCUSDT', { correlation: 0.9 }),
      pairOf('SOLUSDT', 'ADAUSDT', { block: 'open', hedgeId: 'h1', correlation: 0.1 }),
    ];
    answers(hedgeConfig.desk, deskOf({ pairs }));
    open('/strategy/hedge?sort=-correlation');
    await waitFor(() => expect(rowKeys()).toEqual(['h1', 'pair-DOGEUSDT-LTCUSDT', 'pair-ETHUSDT-BTCUSDT']));
    expect(lists().map(({ query }) => [query.get('state'), query.get('sort')])).toContainEqual(['running', null]);
    expect(lists().every(({ query }) => query.get('sort') === null)).toBe(true);
  });

  test('a filter that a hedge alone can meet leaves the pairs out; one of a coin keeps those with it', async () => {
    open('/strategy/hedge?pnl=profit');
    await waitFor(() => expect(rowKeys()).toEqual(['h1']));
    await choose('含币种', 'DOGEUSDT');
    answers(hedge.list, listOf([]));
    await person.click(await screen.findByText('清除筛选'));
    await choose('含币种', 'DOGEUSDT');
    await waitFor(() => expect(rowKeys()).toEqual(['pair-DOGEUSDT-LTCUSDT']));
  });

  test('the limits of a hedge that is held are moved from its row', async () => {
    answers(strategies.dealOutlook, {
      ...{
        rules: [],
        limits: { stopLoss: 0.05, takeProfit: null, maxHoldingHours: 168 },
        limitBase: 4000,
        netClosed: 19.4,
      },
      waterfall: { steps: [] },
    });
    answers(hedge.setLimits, { id: 'h1' });
    open();
    await more(await lineOf('+26.80'), '改止损 / 止盈 / 最长持有');
    const dialog = await dialogOf('改止损 / 止盈 / 最长持有：多 SOLUSDT / 空 ADAUSDT');
    const stop = within(dialog).getByLabelText(/^止损/);
    await person.clear(stop);
    await person.type(stop, '4');
    await hold(button(dialog, /按住 1 秒：保存/), 1_100);
    await waitFor(() =>
      expect(written()[0]).toMatchObject({
        path: hedge.setLimits.path,
        body: { id: 'h1', limits: { stopLoss: 0.04 } },
      }),
    );
  });

  test('what closing everything brings is told of real and of play money apart', async () => {
    open();
    await person.click((await screen.findByText('全部平仓')).closest('button')!);
    const [hedges, grids] = previewOf().kinds;
    const of = ({ deals, notional, cost, net, unpriced }: NonNullable<typeof grids>) =>
      ({ deals, notional, cost, net, unpriced }) as const;
    answers(
      flatten.preview,
      previewOf({
        kinds: [hedges!, { ...grids!, mode: 'live' }],
        modes: [
          { mode: 'paper', ...of(hedges!) },
          { mode: 'live', ...of(grids!) },
        ],
      }),
    );
    const dialog = await dialogOf('全部平仓：我的全部交易单');
    const said = within(await within(dialog).findByRole('table', { name: '会平掉的' }));
    await waitFor(() =>
      expect(said.getAllByRole('row').map((row) => row.textContent)).toEqual([
        expect.stringContaining('类型'),
        expect.stringMatching(/^多空对冲 · 模拟2/),
        expect.stringMatching(/^花式网格 · 实盘1/),
      ]),
    );
  });

  test('closes everything only when the button is held; Enter and a click do nothing', async () => {
    open();
    await person.click((await screen.findByText('全部平仓')).closest('button')!);
    answers(flatten.preview, previewOf());
    const dialog = await dialogOf('全部平仓：我的全部交易单');
    // What it says is of every kind, with what does not close at once.
    const said = within(await within(dialog).findByRole('table', { name: '会平掉的' }));
    expect(said.getAllByRole('row').map((row) => row.textContent)).toEqual([
      expect.stringContaining('类型'),
      expect.stringMatching(/^多空对冲2.*3,000/),
      expect.stringMatching(/^花式网格1.*1,000/),
      expect.stringMatching(/^合计3.*4,000.*6\.50.*-12\.50/),
    ]);
    expect(dialog).toHaveTextContent(/1 张不能立即平掉.*BTC 网格.*交易所没有回应/);
    answers(flatten.ask, { id: 'f1', deals: 3 });
    answers(flatten.report, reportOf());
    const held = button(dialog, '按住 1 秒：全部平仓');
    held.focus();
    await person.keyboard('{Enter}');
    await person.click(held);
    await hold(held, 300);
    expect(written()).toHaveLength(0);
    await hold(held, 1_100);
    await waitFor(() => expect(written().map(({ path, body }) => [path, body])).toEqual([[flatten.ask.path, {}]]));
    // It ends in a report that goes on while something is left.
    const report = await dialogOf('平仓报告');
    expect(await within(report).findByText(/已结束 1 \/ 2 张，剩 1 张/)).toBeVisible();
    const closed = within(report).getByText('ETHUSDT').closest('tr')!;
    expect(closed).toHaveTextContent(
      /多空对冲.*卖出 0\.5.*2,000.*2,002.*1\.00.*10\.0 bps.*2\.5 秒.*-3\.00.*已平仓：全部平仓/,
    );
    expect(within(report).getByText('BTCUSDT').closest('tr')).toHaveTextContent(
      /剩 0\.01.*交易所没有回应，恢复后继续平/,
    );
    answers(flatten.report, reportOf({ left: 0, closed: 2, seconds: 12.4 }));
    expect(await within(report).findByText('2 张全部结束，用时 12.4 秒')).toBeVisible();
    // It stands outside of the screens, and goes with the session all the same.
    act(() => signalSession('signedOut', false));
    await waitFor(() => expect(screen.queryByText('平仓报告')).toBeNull());
  });

  test('leaves the shorts that hedge stock unless they are to go too, and says what becomes of the stock', async () => {
    open();
    answers(flatten.preview, previewOf({ hedges: { deals: 2, notional: 11_100 } }));
    answers(flatten.ask, { id: null, deals: 0 });
    const ask = async () => {
      await person.click((await screen.findByText('全部平仓')).closest('button')!);
      return dialogOf('全部平仓：我的全部交易单');
    };
    let dialog = await ask();
    await within(dialog).findByText(/有 2 张空头对冲套利策略的库存/);
    expect(dialog).toHaveTextContent(/名义 11,100 USDT。库存不属于交易单，不会卖出/);
    expect(within(dialog).getByRole('radio', { name: /^保留这些空头/ })).toBeChecked();
    await hold(button(dialog, '按住 1 秒：全部平仓'), 1_100);
    await waitFor(() => expect(written().map(({ body }) => body)).toEqual([{ keepsHedges: true }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    dialog = await ask();
    await person.click(await within(dialog).findByRole('radio', { name: /^一起平掉，库存的涨跌由账户承担/ }));
    await hold(button(dialog, '按住 1 秒：全部平仓'), 1_100);
    await waitFor(() => expect(written().map(({ body }) => body)).toEqual([{ keepsHedges: true }, {}]));
  });

  test('leaves them where nothing can be read of them, and says so', async () => {
    open();
    refuses(flatten.preview, { status: 503, code: 503, message: '服务器繁忙' });
    answers(flatten.ask, { id: null, deals: 0 });
    await person.click((await screen.findByText('全部平仓')).closest('button')!);
    const dialog = await dialogOf('全部平仓：我的全部交易单');
    expect(await within(dialog).findByText(/仍可平仓.*对冲套利库存的空头保留/)).toBeVisible();
    await hold(button(dialog, '按住 1 秒：全部平仓'), 1_100);
    await waitFor(() => expect(written().map(({ body }) => body)).toEqual([{ keepsHedges: true }]));
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
