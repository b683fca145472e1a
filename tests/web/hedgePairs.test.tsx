import { act, screen, waitFor, within } from '@testing-library/react';
import { history } from '@umijs/max';
import { account } from '#contract/account';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { market } from '#contract/market';
import { opening } from '#contract/opening';
import { pair } from '#contract/pair';
import { button, choose, dialogOf, hold, lineOf, open, written } from '../support/hedgeActs';
import { AT, deskAnswers, deskOf, listOf, NEW_DESK, pairOf, quoteOf, rowOf } from '../support/hedgeFixtures';
import { dueRow, openingsOf } from '../support/openingFixtures';
import { factsOf } from '../support/scanFixtures';
import { answers, arrived, person, place, refuses, responds, sentTo, toasts } from '../support/webConsole';

// A full screen of tables on a busy machine.
jest.setTimeout(60_000);

beforeEach(deskAnswers);

describe('a new pair', () => {
  const FACTS = factsOf('LTCUSDT', 'DOGEUSDT', { time: [AT] });

  beforeEach(() => {
    answers(pair.facts, { ...FACTS, warnings: ['hedgeRatio', 'fit'] });
    answers(hedgeConfig.entryQuote, quoteOf({ warnings: ['hedgeRatio', 'fit'] }));
    answers(hedge.list, listOf([]));
  });

  // The first test waits for the whole console to be compiled.
  test('comes along with the address, shows what entering it takes and risks, and is held to be entered at once', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new', block: null });
    open('/strategy/hedge?source=simulated&long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    const facts = await within(dialog).findByLabelText('配对指标');
    expect(facts).toHaveTextContent('-2.50');
    // A cheap coin over a dear one keeps its digits.
    expect(facts).toHaveTextContent('0.000031415');
    expect(facts).toHaveTextContent('18.0 小时');
    expect(facts).toHaveTextContent('240 根 1h，b 1.000');
    const plan = within(within(dialog).getByLabelText('开仓报价'));
    expect(plan.getByText('关系不可靠：b ≤ 0、R² < 0.2')).toBeInTheDocument();
    expect(plan.getByText(/条件已满足：会立即建仓，两边共 4,000 USDT/)).toBeInTheDocument();
    expect(plan.getByLabelText('买入 LTCUSDT')).toHaveTextContent(
      /名义2,000\.80 USDT手续费 1\.00 USDT 5\.0 bps滑点 0\.80 USDT 4\.0 bps保证金 666\.93 USDT/,
    );
    const sums = plan.getByLabelText('两腿合计');
    expect(sums).toHaveTextContent(/最长持有\s*7\.0 天/);
    expect(sums).toHaveTextContent(/止损.*-200\.06 USDT比价 300\.9/);
    expect(sums).toHaveTextContent(/止盈.*\+320\.10 USDT比价 386\.2/);
    expect(sums).toHaveTextContent(/报价时间\s*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    // A mere click opens nothing.
    const verb = button(dialog, /按住 1 秒：添加并建仓/);
    await person.click(verb);
    await hold(verb, 300);
    expect(written()).toEqual([]);
    await hold(verb, 1100);
    // What was shown to speak against it is accepted with that.
    const accepts = ['hedgeRatio', 'fit'];
    await waitFor(() => expect(written()[0]?.body).toEqual({ long: 'LTCUSDT', short: 'ADAUSDT', arm: true, accepts }));
    await waitFor(() => expect(toasts()).toEqual(['已添加 多 LTCUSDT / 空 ADAUSDT，正在建仓']));
    await waitFor(() => expect(place()).toBe('/strategy/hedge'));
  });

  test('is only added when that is asked for, and says so', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new', block: 'unarmed' });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    await person.click(button(await dialogOf('添加交易对'), '添加，先不建仓'));
    await waitFor(() => expect(written()[0]?.body).toMatchObject({ arm: false }));
    await waitFor(() => expect(toasts()[0]).toMatch(/^已添加 多 LTCUSDT \/ 空 ADAUSDT，先不建仓/));
  });

  test('that waits for its z says so and needs no holding', async () => {
    const settings = { ...DEFAULT_SETTINGS, entry: 'z' as const };
    answers(hedgeConfig.entryQuote, quoteOf({ settings, block: 'waitsForZ', z: -0.4, warnings: [] }));
    answers(hedgeConfig.addPair, { pairId: 'new', block: 'waitsForZ' });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(await within(dialog).findByText(/z ≤ −2.*现在 z 为 -0\.40。现在不会建仓：等待 z 入场/)).toBeInTheDocument();
    await person.click(button(dialog, '添加并建仓'));
    await waitFor(() => expect(toasts()[0]).toMatch(/还没有建仓（等待 z 入场）：条件满足后自动建仓/));
    expect(written()[0]?.body).toMatchObject({ arm: true, accepts: [] });
  });

  test('out of a backtest brings leverage and ratio along, which are saved first when the reader takes them', async () => {
    answers(hedgeConfig.desk, deskOf({ settings: { ...DEFAULT_SETTINGS, ratio: 'beta' } }));
    answers(hedgeConfig.update, { version: 4, settings: { ...DEFAULT_SETTINGS, leverage: 5 } });
    answers(hedgeConfig.addPair, { pairId: 'new', block: 'unarmed' });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT&leverage=5&ratio=equal');
    const dialog = await dialogOf('添加交易对');
    expect(await within(dialog).findByText('杠杆：3 倍 → 5 倍')).toBeInTheDocument();
    expect(within(dialog).getByText('配比：beta → 等额')).toBeInTheDocument();
    await waitFor(() => {
      const asked = sentTo(hedgeConfig.entryQuote).at(-1)?.query;
      expect([asked?.get('leverage'), asked?.get('ratio')]).toEqual(['5', 'equal']);
    });
    await person.click(button(dialog, '添加，先不建仓'));
    await waitFor(() => expect(written()).toHaveLength(2));
    expect(written()[0]).toMatchObject({ method: 'PUT', body: { leverage: 5, ratio: 'equal', version: 3 } });
  });

  test('chosen by hand is not thrown away without a question, also on the way to another screen', async () => {
    open('/strategy/hedge?long=LTCUSDT,SOLUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    await person.click(button(dialog, 'SOLUSDT'));
    await choose('空头', 'BTCUSDT');
    await act(async () => history.push('/'));
    const question = await dialogOf('放弃修改：添加交易对');
    expect(question).toHaveTextContent('改过的 2 项不会保存：多头、空头');
    expect(place()).toMatch(/^\/strategy\/hedge/);
    await person.click(button(question, '放弃修改'));
    await arrived('/');
  });

  test('asks before it is the reverse of another, and refuses a repetition by itself', async () => {
    answers(hedgeConfig.addPair, { pairId: 'new', block: 'unarmed' });
    const view = open('/strategy/hedge?long=LTCUSDT&short=DOGEUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(await within(dialog).findByText(/已有方向相反的交易对/)).toBeInTheDocument();
    await person.click(button(dialog, '仍然添加，先不建仓'));
    await waitFor(() =>
      expect(written()[0]?.body).toEqual({ long: 'LTCUSDT', short: 'DOGEUSDT', arm: false, confirmReversed: true }),
    );
    view.unmount();
    open('/strategy/hedge?long=DOGEUSDT&short=LTCUSDT');
    const again = await dialogOf('添加交易对');
    await person.click(button(again, '添加，先不建仓'));
    expect(await within(again).findByText('已有这个交易对')).toBeInTheDocument();
    expect(written()).toHaveLength(1);
  });

  test('is added once where the first answer was lost', async () => {
    responds(hedgeConfig.addPair, () => Response.error());
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    await person.click(button(dialog, '添加，先不建仓'));
    expect(await within(dialog).findByText(/无法连接服务器/)).toBeInTheDocument();
    answers(hedgeConfig.addPair, { pairId: 'new', block: 'unarmed' });
    await person.click(button(dialog, '添加，先不建仓'));
    await waitFor(() => expect(written()).toHaveLength(2));
    const [first, second] = written().map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
  });

  test('shows what the server refuses at the side at fault', async () => {
    const message = '该币种已停止交易或没有最新价格：LTCUSDT';
    refuses(hedgeConfig.addPair, { code: 5014, message, data: { fields: [{ field: 'long', message }] } });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    await person.click(button(dialog, '添加，先不建仓'));
    const shown = await within(dialog).findByText(message);
    expect(shown.closest('.ant-form-item-explain')).not.toBeNull();
    await waitFor(() => expect(toasts()).toEqual([message]));
  });

  /** Coins of the list that is open. */
  const offered = () =>
    screen
      .queryAllByTitle(/USDT$/)
      .filter((element) => element.matches('.ant-select-item-option'))
      .map(({ title }) => title);

  test('finds the coin that was typed before those that only contain its name', async () => {
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    const box = within(dialog).getByLabelText('多头', { selector: 'input' });
    await person.click(box);
    await person.type(box, 'eth');
    await waitFor(() => expect(offered()).toEqual(['ETHUSDT', 'ETHFIUSDT']));
    for (const name of ['比特', 'bitebi', 'BTB']) {
      await person.clear(box);
      await person.type(box, name);
      await waitFor(() => expect(offered()).toContain('BTCUSDT'));
      expect(offered()).not.toContain('ETHUSDT');
    }
  });

  test('the coin of the very name comes before one whose name goes on', async () => {
    const shared = { exchange: 'simulated', sector: null, bars: ['1h' as const], listedAt: 0, lastAt: 0 };
    const list = [
      { ...shared, symbol: 'BCHUSDT', base: 'BCH', names: ['比特币现金', 'bitebixianjin', 'btbxj'] },
      { ...shared, symbol: 'BTCUSDT', base: 'BTC', names: ['比特币', 'bitebi', 'btb'] },
    ];
    answers(market.symbol, { list, total: 2 });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    const box = within(await dialogOf('添加交易对')).getByLabelText('多头', { selector: 'input' });
    await person.click(box);
    await person.type(box, 'bitebi');
    await waitFor(() => expect(offered()).toEqual(['BTCUSDT', 'BCHUSDT']));
  });

  test('says that a basket cannot be hedged and offers its coins', async () => {
    open('/strategy/hedge?long=LTCUSDT,SOLUSDT&short=ADAUSDT');
    const dialog = await dialogOf('添加交易对');
    expect(within(dialog).getByText(/多头是一篮子币种：对冲的每一边只能是一个币种/)).toBeInTheDocument();
    await person.click(button(dialog, 'SOLUSDT'));
    expect(await within(dialog).findByLabelText('配对指标')).toBeInTheDocument();
    expect(sentTo(pair.facts)[0]!.query.get('long')).toBe('SOLUSDT');
  });

  test('stands in the list with what its z was measured against and what speaks against it', async () => {
    answers(hedgeConfig.desk, deskOf({ pairs: [pairOf('ETHUSDT', 'BTCUSDT', { warnings: ['adf', 'againstZ'] })] }));
    open();
    const line = await lineOf('可以开仓');
    expect(within(line).getByText('关系不可靠')).toBeVisible();
    // It only waits: nothing stands against z yet.
    expect(within(line).getByText('z 为正，不利开仓')).toBeVisible();
    expect(within(line).queryByText('方向与 z 相反')).toBeNull();
    expect(line).toHaveTextContent('240 根 1h，b 0.875');
  });

  test('that was entered against z is warned of, for as long as it is held', async () => {
    const held = pairOf('SOLUSDT', 'ADAUSDT', { block: 'open', hedgeId: 'h1', warnings: ['againstZ'] });
    answers(hedgeConfig.desk, deskOf({ pairs: [held] }));
    answers(hedge.list, listOf([rowOf('h1')]));
    open();
    const line = (await screen.findByText('方向与 z 相反')).closest('tr')!;
    expect(line).toHaveTextContent('SOLUSDT');
    expect(within(line).queryByText('z 为正，不利开仓')).toBeNull();
  });

  test('waits in sight for the first settings, which mention it and begin with what it brought along', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedge.list, listOf([]));
    answers(account.state, { at: AT, account: null });
    open('/strategy/hedge?source=simulated&long=LTCUSDT&short=ADAUSDT&leverage=5&ratio=equal');
    expect(await screen.findByText('你带来的一对：做多 LTCUSDT / 做空 ADAUSDT')).toBeInTheDocument();
    expect(screen.getByText(/杠杆 5 倍、配比等额已从回测带入/)).toBeInTheDocument();
    expect(screen.queryByText('添加交易对')).not.toBeInTheDocument();
    await person.click(screen.getByText('第一步：设置参数'));
    expect(await screen.findByText('保存后接着添加做多 LTCUSDT / 做空 ADAUSDT。')).toBeInTheDocument();
    expect(screen.getByLabelText('杠杆', { selector: 'input' })).toHaveValue('5');
    // Who puts the settings away still has the pair.
    await person.click((await screen.findByText('检查并保存')).closest('[role=dialog]')!.querySelector('button')!);
    expect(await screen.findByText('第一步：设置参数')).toBeInTheDocument();
    await person.click(screen.getByText('放弃这一对'));
    expect(await screen.findByText('把一对币种当作一笔交易来做')).toBeInTheDocument();
    expect(place()).toBe('/strategy/hedge');
  });

  test('comes up with its quotation once the first settings are saved', async () => {
    answers(hedgeConfig.desk, NEW_DESK);
    answers(hedge.list, listOf([]));
    answers(account.state, { at: AT, account: null });
    answers(hedgeConfig.create, { version: 1, settings: DEFAULT_SETTINGS });
    open('/strategy/hedge?long=LTCUSDT&short=ADAUSDT');
    await person.click(await screen.findByText('第一步：设置参数'));
    await person.click(await screen.findByText('检查并保存'));
    answers(hedgeConfig.desk, deskOf({ pairs: [], running: 0 }));
    await person.click(await screen.findByText('确认保存'));
    const dialog = await dialogOf('添加交易对');
    expect(within(dialog).getAllByText('LTCUSDT').length).toBeGreaterThan(0);
    expect(place()).toContain('long=LTCUSDT&short=ADAUSDT');
  });

  test('that a person closed, or nobody has confirmed, says so and is let go on after asking', async () => {
    const at = AT - 3_600_000;
    const pairs = [
      pairOf('ETHUSDT', 'BTCUSDT', { block: 'closedByHand', held: { hold: 'closed', at, by: 'trader' } }),
      pairOf('DOGEUSDT', 'LTCUSDT', { block: 'unconfirmed', held: { hold: 'confirm', at, by: '引擎' } }),
    ];
    answers(hedgeConfig.desk, deskOf({ running: 0, pairs }));
    answers(hedgeConfig.armPair, { pairId: 'x' });
    open();
    const arm = async (tag: string, verb: string, long: string, short: string) => {
      answers(opening.preview, openingsOf([dueRow(long, short)]));
      await person.click(button(await lineOf(tag), verb));
      const dialog = await dialogOf(`${verb}：多 ${long} / 空 ${short}`);
      await within(dialog).findByLabelText('合计');
      await hold(button(dialog, new RegExp(`按住 1 秒：${verb}`)), 1100);
    };
    await arm('已手动平仓', '重新启用', 'ETHUSDT', 'BTCUSDT');
    await waitFor(() => expect(written()).toHaveLength(1));
    await person.hover(within(await lineOf('待确认')).getByText('待确认'));
    expect(await screen.findByText(/引擎：该开仓时没有空位.*要开仓请点「确认开仓」/)).toBeInTheDocument();
    await arm('待确认', '确认开仓', 'DOGEUSDT', 'LTCUSDT');
    await waitFor(() => expect(written()).toHaveLength(2));
    const [first, second] = pairs.map(({ pairId }) => ({ pairId, open: [pairId], openSeen: 7 }));
    expect(written().map(({ body }) => body)).toEqual([first, second]);
  });

  test('is removed, and opened once more, after asking; not while it is held', async () => {
    answers(
      hedgeConfig.desk,
      deskOf({ pairs: [pairOf('ETHUSDT', 'BTCUSDT', { block: 'used' }), ...deskOf().pairs.slice(0, 1)] }),
    );
    answers(hedgeConfig.removePair, { pairId: 'x' });
    answers(hedgeConfig.armPair, { pairId: 'x' });
    open();
    const held = await lineOf('进行中');
    expect(button(held, /^移\s?除$/)).toBeDisabled();
    expect(within(held).queryByText('再开一次')).toBeNull();
    const line = await lineOf('已开过一次');
    answers(opening.preview, openingsOf([dueRow('ETHUSDT', 'BTCUSDT')]));
    await person.click(button(line, '再开一次'));
    const dialog = await dialogOf('再开一次：多 ETHUSDT / 空 BTCUSDT');
    await within(dialog).findByLabelText('合计');
    await hold(button(dialog, /按住 1 秒：再开一次/), 1100);
    await waitFor(() => expect(written()).toHaveLength(1));
    await person.click(button(line, /^移\s?除$/));
    await person.click(button(await dialogOf('移除：多 ETHUSDT / 空 BTCUSDT'), /^移\s?除$/));
    await waitFor(() => expect(written()).toHaveLength(2));
    expect(written().map(({ method, body }) => [method, body])).toEqual([
      ['POST', { pairId: 'pair-ETHUSDT-BTCUSDT', open: ['pair-ETHUSDT-BTCUSDT'], openSeen: 7 }],
      ['DELETE', { pairId: 'pair-ETHUSDT-BTCUSDT' }],
    ]);
  });
});
