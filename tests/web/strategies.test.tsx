import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { account } from '#contract/account';
import { strategyLive } from '#contract/codes';
import { flatten } from '#contract/flatten';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { spreadScan } from '#contract/kinds/spread/scan';
import { market } from '#contract/market';
import { opening } from '#contract/opening';
import { strategies } from '#contract/strategies';
import type { DealRow } from '#contract/strategyRow';
import { user } from '#contract/user';
import { confirmSave, hold } from '../support/hedgeActs';
import { dueRow, openingsOf, waitingRow } from '../support/openingFixtures';
import { onPhone } from '../support/phone';
import { XLM } from '../support/scanFixtures';
import { dealLegOf, dealOf, strategyOf } from '../support/strategyFixtures';
import {
  accountOf,
  answers,
  environmentIs,
  openConsole,
  person,
  place,
  refuses,
  responds,
  sent,
  sentTo,
  toasts,
  visit,
} from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const XLM_LEGS = {
  ...{ long: 'XLMUSDT_SPOT', longSource: 'simulated', short: 'XLMUSDT', shortSource: 'simulated' },
};

const HELD = strategyOf('fundingRate', {
  ...{ name: 'XLM 资金费', version: 3, params: { ...DEFAULT_FUNDING, coins: ['XLM'] }, ended: 2, notional: 9_990 },
  ...{ pricePnl: -4.5, funding: 12, fees: 7, net: 0.5 },
  targets: [{ id: 't', ...XLM_LEGS, block: 'open', held: null, rounds: 3, triggeredAt: AT }],
});

const leg = (name: 'long' | 'short', symbol: string, pricePnl: number) =>
  dealLegOf(name, symbol, {
    ...{ opened: '2950', quantity: name === 'long' ? '2947.05' : '-2947', entry: 1.69, mark: 1.7, pricePnl },
    ...{ funding: name === 'long' ? 0 : 12, fees: 3.5 },
  });

const DEAL = dealOf({
  ...{ signalOpen: 0.42, settled: 2, leastSettled: 6, rateOpen: 0.0002, heldDays: 0.5, edgeTaken: 0.0001 },
  ...{ longFilled: 0.998, secondFillMs: 42, imbalance: 0.00002 },
  legs: [leg('long', 'XLMUSDT_SPOT', 25), leg('short', 'XLMUSDT', -29.5)],
  ...{ pricePnl: -4.5, funding: 12, fees: 7, net: 0.5, roi: 0.0001 },
});

beforeEach(() => {
  answers(fundingScan.list, { list: [XLM], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [HELD] });
  answers(strategies.deals, { list: [DEAL] });
  answers(fundingRateDesk.figures, {
    ...{ real: false, hasReal: false },
    ...{
      deals: 1,
      deployed: 7_490,
      notional: 4_990,
      weightedApr: 0.146,
      capitalApr: 0.0973,
      cashToday: 2.5,
      cashMonth: 61.25,
    },
    ...{ predicted: 70, received: 61.25, receivedShare: 0.875 },
    hours: Array.from({ length: 24 }, (_, i) => ({ at: AT + (i + 1) * 3_600_000, cash: i === 7 ? 0.7 : 0 })),
  });
  answers(fundingRateDesk.heat, {
    days: [AT - 86_400_000, AT],
    rows: [{ base: 'XLM', perpetual: 'XLMUSDT', apr: [0.21, null] }],
    bins: [
      { from: null, to: 0, count: 1 },
      { from: 0, to: null, count: 3 },
    ],
  });
});

test('a row of the scanner leads to a filled drawer, which is tried before it is saved', async () => {
  answers(strategies.preview, {
    at: Date.UTC(2026, 0, 2, 3, 4, 5),
    ...{ fees: 36, worst: 600 },
    accounts: [{ source: 'simulated', cash: 10_000, margin: 5_000, spendable: 80_000, freeMargin: 70_000 }],
    targets: [{ ...XLM_LEGS, block: 'waitsForApr', signal: 0.42, cost: 0.0036, breakEven: 6 }],
  });
  responds(strategies.create, () => Response.error());
  openConsole('/strategy/fundingRate?size=10000&hours=168', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByRole('spinbutton', { name: '每腿名义' })).toHaveValue('10000');
  expect(within(drawer).getByRole('spinbutton', { name: '计划持有' })).toHaveValue('168');

  // A contradiction is told at its field, and nothing is asked of the server.
  const slices = within(drawer).getByRole('spinbutton', { name: '单币上限' });
  await person.clear(slices);
  await person.type(slices, '60');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  expect(await within(drawer).findByText('单币上限不能小于每腿名义')).toBeInTheDocument();
  expect(sentTo(strategies.preview)).toEqual([]);
  await person.clear(slices);

  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(preview).findByText('净年化未到开仓值')).toBeInTheDocument();
  expect(within(preview).getByText('-600.00')).toBeInTheDocument();
  expect(within(preview).getByText(/的行情/)).toHaveTextContent('按 2026-01-02 03:04:05 的行情');
  expect(sentTo(strategies.create)).toEqual([]);
  await person.click(within(drawer).getByRole('button', { name: /^保\s?存$/ }));
  expect(await within(drawer).findByText(/无法连接服务器/)).toBeInTheDocument();
  // It may have been set up all the same: asked for again it is the same one, not a second.
  answers(strategies.create, { id: 's2', version: 1 });
  await person.click(within(drawer).getByRole('button', { name: /^保\s?存$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const [saved, again] = sentTo(strategies.create);
  expect(again!.headers.get('idempotency-key')).toBe(saved!.headers.get('idempotency-key'));
  expect(saved!.body).toMatchObject({
    ...{ kind: 'fundingRate', name: 'XLM 资金费', mode: 'paper' },
    params: { coins: ['XLM'], legNotional: 10_000, planHours: 168, coinCap: null, entryApr: 0.03, stopLoss: 0.03 },
  });
});

test('what cannot be tried is not saved, and two clicks save once', async () => {
  refuses(strategies.preview, { code: 5101, message: '最窄一格不够付手续费' });
  answers(strategies.create, { id: 's2', version: 1 });
  openConsole('/strategy/fundingRate?size=10000&hours=168', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' }));
  const drawer = within(await screen.findByRole('dialog'));
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  expect(await drawer.findByText('不能试算：最窄一格不够付手续费')).toBeInTheDocument();
  expect(drawer.queryByRole('button', { name: /^保\s?存/ })).toBeNull();
  answers(strategies.preview, { at: Date.now(), fees: 36, worst: 600, accounts: [], targets: [] });
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  await person.dblClick(await drawer.findByRole('button', { name: /^保\s?存$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sentTo(strategies.create)).toHaveLength(1);
});

test('coins are found by Chinese names, Tab goes on without taking one, and digits may be typed in full width', async () => {
  const shared = { exchange: 'simulated', sector: null, bars: ['1h' as const], listedAt: 0, lastAt: 0 };
  answers(market.symbol, {
    list: [{ ...shared, symbol: 'BTCUSDT', base: 'BTC', names: ['比特币', 'bitebi'] }],
    total: 1,
  });
  const rows = ['ADA', 'BTC', 'XLM'].map((base) => ({ ...XLM, base }));
  answers(fundingScan.list, { list: rows, total: 3, all: 3, hidden: [], at: AT });
  answers(strategies.preview, { at: Date.now(), fees: 36, worst: 600, accounts: [], targets: [] });
  openConsole('/strategy/fundingRate?size=10000&hours=168', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' }));
  const drawer = within(await screen.findByRole('dialog'));
  const coins = drawer.getByRole('combobox', { name: '币种' });
  await person.click(coins);
  await person.type(coins, '比特');
  await screen.findByTitle('BTC');
  fireEvent.keyDown(coins, { key: 'Enter', keyCode: 13 });
  await waitFor(() => expect(coins).toHaveValue(''));
  fireEvent.keyDown(coins, { key: 'Tab', keyCode: 9 });
  const size = drawer.getByRole('spinbutton', { name: '每腿名义' });
  await person.clear(size);
  await person.type(size, '５０００。５');
  await person.tab();
  expect(size).toHaveValue('5000.5');
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  await waitFor(() =>
    expect(sentTo(strategies.preview).map(({ body }) => body)).toMatchObject([
      { params: { coins: ['XLM', 'BTC'], legNotional: 5000.5 } },
    ]),
  );
});

test('a new strategy is saved and started in one go, with what it would open told before', async () => {
  answers(strategies.preview, { at: Date.now(), fees: 36, worst: 600, accounts: [], targets: [] });
  answers(strategies.create, { id: 's2', version: 1 });
  answers(opening.preview, openingsOf([dueRow('XLMUSDT_SPOT', 'XLMUSDT', { kind: 'fundingRate' })]));
  answers(strategies.start, { state: 'running' });
  openConsole('/strategy/fundingRate?size=10000&hours=168', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).queryByRole('button', { name: '保存并启动' })).toBeNull();
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  await person.click(await within(drawer).findByRole('button', { name: '保存并启动' }));
  const start = await screen.findByRole('dialog', { name: '启动：XLM 资金费' });
  expect(sentTo(strategies.create)).toHaveLength(1);
  expect(sentTo(strategies.start)).toEqual([]);
  await hold(await within(start).findByRole('button', { name: '按住 1 秒：启动并开仓 1 个' }), 1_100);
  await waitFor(() => expect(sentTo(strategies.start).map(({ body }) => body)).toMatchObject([{ id: 's2' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('the usual filters stand, are said with what each keeps away, can be taken off one by one, and come back', async () => {
  const hidden = [
    { filter: 'maxBreakEvenHours', rows: 190 },
    { filter: 'actionable', rows: 180, unopened: 12 },
    { filter: 'minApr', rows: 171 },
  ] as const;
  answers(fundingScan.list, { list: [], total: 0, all: 214, hidden: [...hidden], at: AT });
  openConsole('/strategy/fundingRate', 'master');
  const asked = () => sentTo(fundingScan.list).at(-1)!.query;
  const list = await screen.findByRole('list', { name: '挡住机会的筛选' });
  expect(asked().get('minApr')).toBe('0.05');
  expect(asked().get('maxBreakEvenHours')).toBe('168');
  expect(asked().get('actionable')).toBe('true');
  expect(place()).toBe('/strategy/fundingRate');
  expect(screen.getByLabelText('净年化（%）')).toHaveValue('5');
  expect(screen.getByLabelText('回本小时（小时）')).toHaveValue('168');
  expect(screen.queryByRole('button', { name: '恢复默认筛选' })).toBeNull();
  expect(screen.getByText('共 214 行，每一条筛选各挡住：')).toBeVisible();
  expect(list).toHaveTextContent('回本 ≤ 168 小时190 行');
  expect(list).toHaveTextContent('净年化 ≥ 5 %171 行');
  expect(list).toHaveTextContent('180 行，其中 12 行只差开户');

  await person.click(within(list).getByRole('button', { name: '去掉 回本 ≤ 168 小时' }));
  await waitFor(() => expect(asked().has('maxBreakEvenHours')).toBe(false));
  expect(asked().get('minApr')).toBe('0.05');
  expect(place()).toBe('/strategy/fundingRate?maxBreakEvenHours=none');
  await person.clear(screen.getByLabelText('净年化（%）'));
  await waitFor(() => expect(asked().has('minApr')).toBe(false));
  expect(place()).toContain('minApr=none');

  await person.click(screen.getByRole('button', { name: '恢复默认筛选' }));
  await waitFor(() => expect(asked().get('maxBreakEvenHours')).toBe('168'));
  expect(place()).toBe('/strategy/fundingRate');
  await person.click(await screen.findByRole('button', { name: '全部去掉' }));
  await waitFor(() => expect(place()).toBe('/strategy/fundingRate?actionable=none&minApr=none&maxBreakEvenHours=none'));
  expect(asked().has('actionable')).toBe(false);
});

test('rows that are not actionable are folded under those that are, with the filter that keeps each away', async () => {
  const hidden = [{ filter: 'actionable', rows: 3 }];
  answers(spreadScan.list, { list: [], total: 0, all: 3, hidden, at: AT });
  answers(fundingScan.list, { list: [XLM], total: 1, all: 4, hidden, at: AT });
  openConsole('/strategy/fundingRate?minApr=none&maxBreakEvenHours=none', 'master');
  const fold = await screen.findByText('另有 3 行不符合筛选');
  expect(screen.getByRole('button', { name: '用 simulated XLM 新建策略' })).toBeVisible();
  expect(screen.getByRole('button', { name: '去掉 无阻碍', hidden: true })).not.toBeVisible();
  await person.click(fold);
  const list = screen.getByRole('list', { name: '挡住机会的筛选' });
  expect(list).toHaveTextContent('无阻碍3 行');
  await person.click(within(list).getByRole('button', { name: '去掉 无阻碍' }));
  await waitFor(() => expect(place()).toContain('actionable=none'));

  // Every scanner does so.
  openConsole('/strategy/spread', 'master');
  expect(await screen.findByText('共 3 行，每一条筛选各挡住：')).toBeVisible();
  expect(sentTo(spreadScan.list).at(-1)!.query.get('actionable')).toBe('true');
});

test('what a strategy made is drawn from funding over fees and price to its net', async () => {
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const parts = within(await screen.findByRole('region', { name: '盈亏构成' }));
  const lines = parts.getAllByRole('row').map(({ textContent }) => textContent);
  // 12 of funding, 7 of fees and -4.5 of price are 0.5.
  expect(lines).toEqual([
    expect.stringMatching(/^已收资金费.*\+12\.00/),
    expect.stringMatching(/^手续费.*-7\.00/),
    expect.stringMatching(/^价格变动.*-4\.50/),
    expect.stringMatching(/^净盈亏.*\+0\.50/),
  ]);
});

test('what a strategy on paper has shown, and what it lacks to trade real money', async () => {
  const fact = { value: null, wanted: null, reason: '' };
  answers(strategies.liveReadiness, {
    at: Date.UTC(2026, 0, 15, 6),
    checks: [
      { ...fact, check: 'promise', state: 'unmet', value: 0.3124, wanted: 0.5 },
      { ...fact, check: 'slippage', state: 'met', value: 0.000_082, wanted: 0.001 },
      { ...fact, check: 'refusals', state: 'unknown', wanted: 0.02 },
      { ...fact, check: 'account', state: 'unmet', reason: '密钥被交易所拒绝' },
      { ...fact, check: 'server', state: 'unmet' },
    ],
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('实盘准备'));
  const dialog = within(await screen.findByRole('dialog', { name: '实盘准备：XLM 资金费' }));
  expect(await dialog.findByText(/5 项中 1 项达到/)).toBeInTheDocument();
  const lines = dialog.getAllByRole('row').map(({ textContent }) => textContent);
  for (const line of [
    /承诺兑现.*未达到31\.2%≥ 50\.0%/,
    /滑点.*达到0\.82 bps≤ 10\.00 bps/,
    /拒单.*没有数据还没有委托≤ 2\.0%/,
    /实盘账户.*未达到密钥被交易所拒绝/,
    /服务器.*未达到只做模拟/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(line));
  expect(sentTo(strategies.liveReadiness)[0]!.query.get('id')).toBe('s1');
});

/** What a strategy on paper has, and what it lacks. */
const readiness = (checks: { check: string; state: string; value?: number | null }[]) => ({
  at: AT,
  checks: checks.map((one) => ({ value: null, wanted: null, reason: '', ...one })) as never,
});

test('it is made real at a part of its size, tried before and with its symbol typed, and stays held against the one on paper', async () => {
  environmentIs({ simulated: false, followed: ['binance'], trading: 'live' });
  answers(
    strategies.liveReadiness,
    readiness([
      { check: 'days', state: 'unmet', value: 3 },
      { check: 'server', state: 'met' },
      { check: 'minimum', state: 'met', value: 0.03 },
    ]),
  );
  answers(strategies.preview, { at: AT, ...{ fees: null, worst: null }, accounts: [], targets: [] });
  answers(strategies.create, { id: 's2', version: 1 });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('实盘准备'));
  const promotion = within(await screen.findByRole('region', { name: '按比例转实盘' }));
  expect(promotion.getByText('每腿名义 5,000.00 → 500.00 USDT')).toBeVisible();
  expect(promotion.getByText('模拟记录有 1 项没有达到要求。')).toBeVisible();
  const typed = promotion.getByRole('spinbutton', { name: '比例（%）' });
  await person.clear(typed);
  await person.type(typed, '2');
  expect(await promotion.findByRole('alert')).toHaveTextContent('还不能转：最小规模：至少 3.0%');
  expect(promotion.getByRole('button', { name: '转实盘' })).toBeDisabled();
  await person.click(promotion.getByText('25%'));
  // Whoever presses on at once means what was typed.
  await person.clear(typed);
  await person.type(typed, '40');
  await person.click(promotion.getByRole('button', { name: '转实盘' }));

  const drawer = within(await screen.findByRole('dialog', { name: '转实盘：XLM 资金费' }));
  expect(drawer.getByRole('spinbutton', { name: '每腿名义' })).toHaveValue('2000');
  expect(drawer.queryByLabelText('模式')).toBeNull();
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  await drawer.findByRole('region', { name: '试算' });
  expect(sentTo(strategies.preview).at(-1)!.body).toMatchObject({ mode: 'live', params: { legNotional: 2_000 } });
  const save = await drawer.findByRole('button', { name: /^保\s?存$/ });
  await person.click(save);
  expect(await drawer.findByText('请输入标的代码')).toBeVisible();
  await person.type(drawer.getByLabelText('确认实盘'), 'XLMUSDT_SPOT');
  await person.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sentTo(strategies.create)[0]!.body).toMatchObject({
    ...{ name: 'XLM 资金费 实盘', mode: 'live', twin: 's1', typed: 'XLMUSDT_SPOT' },
    params: {
      legNotional: 2_000,
      coinCap: 8_000,
      dailyLossLimit: 200,
      leverage: DEFAULT_FUNDING.leverage,
      coins: ['XLM'],
    },
  });
});

test('where real orders cannot be sent the button says what stands in the way', async () => {
  answers(
    strategies.liveReadiness,
    readiness([
      { check: 'server', state: 'unmet' },
      { check: 'secondFactor', state: 'unmet' },
      { check: 'balance', state: 'unknown' },
    ]),
  );
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('实盘准备'));
  const promotion = within(await screen.findByRole('region', { name: '按比例转实盘' }));
  expect(promotion.getByRole('alert')).toHaveTextContent('还不能转：服务器：只做模拟；两步验证：没有启用。');
  expect(promotion.getByRole('button', { name: '转实盘' })).toBeDisabled();
});

test('on test networks the way there, what stops it and why it is refused call nothing real', async () => {
  environmentIs({ simulated: false, followed: ['binance'], trading: 'testnet' });
  answers(user.current, { ...accountOf('master'), testnet: true });
  answers(account.stops, {
    ...{ pausedForAll: null, paused: null, dailyLossLimit: null, unvalued: null, unvaluedLive: 'LOSTUSDT' },
    ...{ tripped: [], unjudged: [], troubles: [], outages: [] },
  });
  answers(
    strategies.liveReadiness,
    readiness([
      { check: 'server', state: 'met' },
      { check: 'balance', state: 'unknown' },
    ]),
  );
  answers(strategies.preview, { at: AT, ...{ fees: null, worst: null }, accounts: [], targets: [] });
  refuses(strategies.create, strategyLive);
  visit('/strategy/fundingRate?tab=mine');
  expect(await screen.findByText(/估值缺失：LOSTUSDT/)).toHaveTextContent('测试网策略都不开新仓');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('测试网准备'));
  const dialog = within(await screen.findByRole('dialog', { name: '测试网准备：XLM 资金费' }));
  expect(await dialog.findByText('没有测试网账户，或交易所没有回答')).toBeVisible();
  await person.hover(within(dialog.getByText('服务器')).getByLabelText('说明'));
  expect(await screen.findByText(/以 TRADING=testnet 启动的服务器/)).toBeVisible();
  const promotion = within(await dialog.findByRole('region', { name: '按比例转测试网' }));
  await person.click(promotion.getByRole('button', { name: '转测试网' }));
  const drawer = within(await screen.findByRole('dialog', { name: '转测试网：XLM 资金费' }));
  expect(drawer.getByRole('textbox', { name: '名称' })).toHaveValue('XLM 资金费 测试网');
  await person.type(drawer.getByLabelText('确认测试网'), 'XLMUSDT_SPOT');
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  await drawer.findByRole('region', { name: '试算' });
  await person.click(drawer.getByRole('button', { name: /^保\s?存$/ }));
  expect(await drawer.findByText(/目前可用于测试网的是/)).toBeVisible();
  expect(document.body).not.toHaveTextContent(/(?<!中性)实盘/);
});

const side = { state: 'running' as const, removed: false, net: 1, capital: 100, heldDays: 3, deals: 2, carried: 0 };

test('a real strategy and the one on paper are drawn in one chart, with the difference in bps', async () => {
  const live = { ...HELD, id: 's2', name: 'XLM 实盘', mode: 'live' as const, twin: { id: 's1', name: HELD.name } };
  answers(strategies.list, { list: [live, { ...HELD, twin: { id: 's2', name: live.name } }] });
  const results = {
    ...{ at: AT, startedAt: AT - 86_400_000, share: 0.1, time: [AT - 86_400_000, AT] },
    live: { ...side, id: 's2', name: live.name, values: [0, 0.0032] },
    paper: { ...side, id: 's1', name: HELD.name, net: 15, values: [0, 0.0041], deals: 4 },
  };
  answers(strategies.twin, results);
  openConsole('/strategy/fundingRate?tab=mine&strategy=s2', 'master');
  // What is real and what is not are no one sum.
  const own = within(within(await screen.findByRole('region', { name: '策略' })).getByRole('table'));
  const totals = own.getAllByRole('row').map(({ textContent }) => textContent);
  expect(totals).toContainEqual(expect.stringMatching(/^实盘合计模拟合计.*\+0\.50.*\+0\.50/));
  expect(screen.getByRole('tab', { name: /我的/ })).toHaveTextContent(/实盘.*\+0\.50模拟.*\+0\.50/);
  const panel = within(await screen.findByRole('region', { name: '实盘与模拟对照' }));
  const lines = (await panel.findAllByRole('row')).map(({ textContent }) => textContent);
  expect(lines).toContainEqual(expect.stringMatching(/^实盘 运行XLM 实盘.*\+0\.320%.*\+1\.00.*3\.0 天.*2$/));
  expect(lines).toContainEqual(expect.stringMatching(/^模拟对照 运行XLM 资金费.*\+0\.410%.*\+15\.00.*4$/));
  expect(panel.getByText(/^实盘 − 模拟对照/)).toHaveTextContent(/-9\.0 bps.*实盘规模为模拟的 10\.0%/);
  expect(await panel.findByRole('figure', { name: /实盘与模拟对照的收益率/ })).toBeVisible();

  // The same stands at the one on paper, which is a click away.
  answers(strategies.twin, {
    ...results,
    share: null,
    paper: { ...results.paper, state: 'stopped' as const, carried: 1 },
  });
  await person.click(panel.getByRole('button', { name: '看模拟对照：XLM 资金费' }));
  await waitFor(() => expect(place()).toContain('strategy=s1'));
  const other = within(await screen.findByRole('region', { name: '实盘与模拟对照' }));
  expect(await other.findByRole('button', { name: '看实盘：XLM 实盘' })).toBeVisible();
  expect(
    await other.findByText(
      /有 1 张在此前已开仓，它们的开仓成本不在对照里；模拟对照不在运行（停止），不再开仓；规模以外的参数已不相同/,
    ),
  ).toBeVisible();
});

test('what carries hold is added up of real money where somebody has some, and of play money where that is asked', async () => {
  const none = {
    deals: 0,
    notional: 0,
    weightedApr: null,
    capitalApr: null,
    cashToday: 0,
    cashMonth: 0,
    predicted: 0,
    received: 0,
  };
  answers(fundingRateDesk.figures, ({ url }) => {
    const real = new URL(url).searchParams.get('real') !== 'false';
    return { ...none, receivedShare: null, hours: [], real, hasReal: true, deployed: real ? 410 : 7_490 };
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const sums = within(await screen.findByRole('region', { name: '资金费合计' }));
  expect(await sums.findByText('410.00')).toBeVisible();
  await person.click(sums.getByText('模拟'));
  expect(await sums.findByText('7,490.00')).toBeVisible();
});

const unheld = { ...side, net: 0, capital: null, heldDays: 0, deals: 0 };

test('before the first start there is nothing to hold against, and one on paper that is gone is said to be', async () => {
  answers(strategies.list, { list: [{ ...HELD, mode: 'live', twin: { id: 'p', name: null } }] });
  answers(strategies.twin, {
    ...{ at: AT, startedAt: null, share: 0.1, time: [] },
    live: { ...unheld, id: 's1', name: HELD.name, values: [] },
    paper: { ...unheld, id: 'p', name: '旧的', removed: true, values: [] },
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const panel = within(await screen.findByRole('region', { name: '实盘与模拟对照' }));
  expect(await panel.findByText('实盘还没有启动过')).toBeVisible();
  expect(panel.getByText('模拟对照已删除，它的结果停在那时。')).toBeVisible();
  expect(panel.queryByRole('button', { name: /^看/ })).toBeNull();
});

test('what is held against each other is read anew once the real one was started', async () => {
  const live = { ...HELD, mode: 'live' as const, twin: { id: 'p', name: '模拟' } };
  const results = {
    ...{ at: AT, startedAt: null, share: 0.1, time: [] },
    live: { ...unheld, id: 's1', name: HELD.name, values: [] },
    paper: { ...unheld, id: 'p', name: '模拟', values: [] },
  };
  answers(strategies.list, { list: [{ ...live, state: 'stopped' }] });
  answers(strategies.twin, results);
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  expect(await screen.findByText('实盘还没有启动过')).toBeVisible();
  // What was read within two seconds is not read again, and the list is read by itself too.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  answers(strategies.list, { list: [{ ...live, state: 'running' }] });
  answers(strategies.twin, { ...results, startedAt: AT });
  await person.click(within(await screen.findByRole('region', { name: '策略' })).getByRole('button', { name: '刷新' }));
  expect(await screen.findByText('自实盘启动以来两者都没有持有过')).toBeVisible();
});

test('before the first deal there is no chart and no difference', async () => {
  answers(strategies.list, { list: [{ ...HELD, mode: 'live', twin: { id: 'p', name: '模拟' } }] });
  const values = [null, null];
  answers(strategies.twin, {
    ...{ at: AT + 1, startedAt: AT, share: 0.1, time: [AT, AT + 1] },
    live: { ...unheld, id: 's1', name: HELD.name, values },
    paper: { ...unheld, id: 'p', name: '模拟', values },
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const panel = within(await screen.findByRole('region', { name: '实盘与模拟对照' }));
  expect(await panel.findByText('自实盘启动以来两者都没有持有过')).toBeVisible();
  expect(panel.getByText(/^实盘 − 模拟对照/)).not.toHaveTextContent('bps');
  expect(panel.queryByRole('figure')).toBeNull();
});

test('on a phone the real one and the one on paper are cards, one below the other', async () => {
  onPhone();
  answers(strategies.list, { list: [{ ...HELD, mode: 'live', twin: { id: 'p', name: '模拟' } }] });
  answers(strategies.twin, {
    ...{ at: AT, startedAt: AT - 86_400_000, share: 0.1, time: [AT] },
    live: { ...side, id: 's1', name: HELD.name, values: [0.0032] },
    paper: { ...side, id: 'p', name: '模拟', values: [0.0041] },
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const panel = within(await screen.findByRole('region', { name: '实盘与模拟对照' }));
  const paper = within(await panel.findByRole('article', { name: '模拟对照' }));
  expect(paper.getByText(/0\.410%/)).toBeVisible();
  // The unit stands at the figure alone.
  expect(paper.getByText('持有')).toBeVisible();
  expect(panel.queryByRole('columnheader')).toBeNull();
});

test('what the server refuses is told at its field, and what was typed stays', async () => {
  answers(strategies.preview, { at: Date.now(), ...{ fees: null, worst: null }, accounts: [], targets: [] });
  refuses(strategies.update, {
    ...{ code: 5106, message: '还有交易单的标的不能从参数中去掉，平仓后再改' },
    data: { fields: [{ field: 'params.coins', message: '还有交易单的标的不能从参数中去掉，平仓后再改' }] },
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('修改'));
  const drawer = await screen.findByRole('dialog');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  await within(drawer).findByRole('region', { name: '试算' });
  await person.click(within(drawer).getByRole('button', { name: /^保\s?存$/ }));
  await confirmSave();
  expect(await within(drawer).findByText('还有交易单的标的不能从参数中去掉，平仓后再改')).toBeInTheDocument();
  expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ id: 's1', version: 3 });
});

test('all that keeps strategies from opening stands above them and in the dry run, each with the way back', async () => {
  const at = Date.UTC(2026, 0, 15, 6);
  answers(account.stops, {
    pausedForAll: { at, by: 'master', reason: '行情异常' },
    paused: { at, by: '风控', reason: '账户单日亏损达到上限 500 USDT' },
    ...{ dailyLossLimit: 500, unvalued: 'GONEUSDT', unvaluedLive: 'LOSTUSDT' },
    tripped: [
      { id: 's1', name: 'XLM 资金费', kind: 'fundingRate', reason: '单日亏损 510.00 USDT 达到限额 500.00 USDT', at },
      { id: 'g1', name: '别的网格', kind: 'grid', reason: '回撤', at },
    ],
    unjudged: [{ id: 's1', name: 'XLM 资金费', kind: 'fundingRate' }],
    troubles: [
      {
        account: '币安实盘',
        what: 'keyRefused',
        reason: '密钥没有 IP 白名单，不能用来交易',
        held: '其中不开新仓，平仓照常发出',
        at,
      },
    ],
    outages: ['gate-live', 'simulated-okx'],
  });
  answers(strategies.list, { list: [{ ...HELD, heldBack: 'pausedForAll' }] });
  const targets = [{ ...XLM_LEGS, block: null, signal: 0.42, cost: 0.0036, breakEven: 6 }];
  answers(strategies.preview, { at: Date.now(), fees: null, worst: null, accounts: [], targets });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  expect(await screen.findByText(/管理员已暂停所有用户开仓/)).toBeInTheDocument();
  expect(screen.getByText(/模拟账户已达单日最大亏损/)).toHaveTextContent('500.00 USDT');
  expect(screen.getByText(/估值缺失：GONEUSDT/)).toHaveTextContent('模拟策略都不开新仓');
  expect(screen.getByText(/估值缺失：LOSTUSDT/)).toHaveTextContent('实盘策略都不开新仓');
  expect(screen.getByText(/策略「XLM 资金费」已熔断/)).toHaveTextContent('达到限额 500.00 USDT');
  expect(screen.queryByText(/别的网格/)).not.toBeInTheDocument();
  expect(screen.getByText(/策略「XLM 资金费」缺少价格/)).toBeInTheDocument();
  expect(screen.getByText(/^Gate · 实时、OKX 没有应答/)).toHaveTextContent('平仓与止损要等它恢复');
  expect(screen.getByText(/实盘账户「币安实盘」密钥被拒绝/)).toHaveTextContent('没有 IP 白名单');
  const line = (await screen.findByRole('button', { name: HELD.name })).closest('tr')!;
  expect(within(line).getByText('不开新仓')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '去恢复' })).toHaveAttribute('href', '/strategy/hedge');
  expect(screen.getByRole('link', { name: '改上限' })).toHaveAttribute('href', '/');
  // All of it stands above the strategies, and above the market.
  const rows = screen.getByRole('region', { name: '策略' });
  for (const banner of document.querySelectorAll('.ant-alert-error'))
    expect(banner.compareDocumentPosition(rows)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await person.click(screen.getByRole('tab', { name: '机会' }));
  expect(await screen.findByText(/策略「XLM 资金费」已熔断/)).toBeInTheDocument();
  // What this screen is for is done right here.
  const tripped = screen.getByText(/策略「XLM 资金费」已熔断/).closest<HTMLElement>('.ant-alert')!;
  await person.click(within(tripped).getByRole('button', { name: '去恢复' }));
  const start = await screen.findByRole('dialog', { name: '启动：XLM 资金费' });
  await person.click(await within(start).findByRole('button', { name: /^返\s?回$/ }));
  await waitFor(() => expect(start).not.toBeInTheDocument());
  await person.click(screen.getByRole('tab', { name: /^我的/ }));
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('修改'));
  const drawer = await screen.findByRole('dialog');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = within(await within(drawer).findByRole('region', { name: '试算' }));
  expect(await preview.findByText(/管理员已暂停所有用户开仓/)).toBeInTheDocument();
  expect(preview.getByText(/账户已达单日最大亏损/)).toBeInTheDocument();
  expect(preview.getByText(/估值缺失：GONEUSDT/)).toBeInTheDocument();
  expect(preview.getByText(/已熔断/)).toBeInTheDocument();
  expect(preview.getByText('已暂停开仓')).toBeInTheDocument();
  expect(preview.queryByText('会开仓')).toBeNull();

  // What stops another strategy says nothing of one that is still to be made.
  await person.click(within(drawer).getAllByRole('button', { name: /^关\s?闭$/ })[0]!);
  await waitFor(() => expect(drawer).not.toBeInTheDocument());
  await person.click(screen.getByRole('tab', { name: '机会' }));
  await person.click(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' }));
  const anew = within(await screen.findByRole('dialog'));
  await person.click(anew.getByRole('button', { name: /^试\s?算$/ }));
  const dryRun = within(await anew.findByRole('region', { name: '试算' }));
  expect(await dryRun.findByText(/管理员已暂停所有用户开仓/)).toBeInTheDocument();
  expect(dryRun.queryByText(/已熔断/)).toBeNull();
});

test('where nothing can be sent no banner promises that what is held is looked after', async () => {
  const at = Date.UTC(2026, 0, 15, 6);
  const reason = '密钥已失效、没有交易权限，或本服务的地址不在白名单里';
  const held = '其中不开新仓，平仓与止损也发不出去，请尽快更正或更换密钥';
  answers(account.stops, {
    ...{ pausedForAll: { at, by: 'master', reason: '' }, paused: { at, by: 'trader', reason: '' } },
    ...{ dailyLossLimit: null, unvalued: null, unvaluedLive: null },
    tripped: [{ id: 's1', name: 'XLM 资金费', kind: 'fundingRate', reason: `币安实盘：密钥被拒绝（${reason}）`, at }],
    ...{ unjudged: [{ id: 's1', name: 'XLM 资金费', kind: 'fundingRate' }], outages: [] },
    troubles: [{ account: '币安实盘', what: 'keyRefused', reason, held, at }],
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  expect(await screen.findByText(/实盘账户「币安实盘」密钥被拒绝/)).toHaveTextContent('平仓与止损也发不出去');
  expect(screen.getByText(/策略「XLM 资金费」已熔断/)).toHaveTextContent('它不再开新仓，平仓与止损不因熔断停止');
  expect(document.body).not.toHaveTextContent('照常看护');
});

test('an order that the list does not have is dropped from the address, and the rows come in their own', async () => {
  const message = '不能按 foo 排序';
  refuses(fundingScan.list, { code: 400, message, status: 400, data: { fields: [{ field: 'sort', message }] } });
  openConsole('/strategy/fundingRate?sort=-foo&current=2&minApr=0.1', 'master');
  await waitFor(() => expect(place()).toBe('/strategy/fundingRate?minApr=0.1'));
  answers(fundingScan.list, { list: [XLM], total: 1, all: 1, hidden: [], at: AT });
  expect(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' })).toBeVisible();
});

test('a row says what keeps it from opening where that is so', async () => {
  answers(strategies.list, {
    list: [
      { ...HELD, id: 'paper', name: '模拟的', heldBack: 'lossLimit' },
      { ...HELD, id: 'live', name: '实盘的', mode: 'live' },
      { ...HELD, id: 'unvalued', name: '缺价的', heldBack: 'unvalued' },
      // What does not run opens nothing anyway.
      { ...HELD, id: 'stopped', name: '停止的', state: 'stopped', heldBack: 'paused' },
    ],
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  await screen.findByRole('button', { name: '模拟的' });
  const held = ['模拟的', '实盘的', '缺价的', '停止的'].map((name) => {
    const line = screen.getByRole('button', { name }).closest('tr')!;
    return within(line).queryByText(/^(不开新仓|估值缺失)$/)?.textContent;
  });
  expect(held).toEqual(['不开新仓', undefined, '估值缺失', undefined]);
});

test('what a leg holds is told to its last digit, however little a fee in coin has left of it', async () => {
  const held = { ...leg('long', 'BTCUSDT_SPOT', 0), quantity: '0.018981' };
  answers(strategies.deals, { list: [{ ...DEAL, legs: [held, leg('short', 'BTCUSDT', 0)] }] });
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  expect(await within(deals).findByText('0.018981')).toBeInTheDocument();
});

test('a strategy says what it holds and made, leg by leg, and offers what its state allows', async () => {
  const [target] = HELD.targets;
  answers(strategies.list, {
    list: [
      { ...HELD, id: 's0', name: '另一个', running: 0 },
      { ...HELD, targets: [{ ...target!, block: 'disabled' }] },
    ],
  });
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  expect(await within(deals).findByText('XLMUSDT_SPOT')).toBeInTheDocument();
  expect(within(deals).getByText('2 / 6')).toBeInTheDocument();
  expect(within(deals).getByText('99.8%')).toBeInTheDocument();
  const sums = await screen.findByRole('region', { name: '资金费合计' });
  expect(await within(sums).findByText('87.5%')).toBeInTheDocument();
  expect(await within(sums).findByRole('figure', { name: /未来 24 小时/ })).toBeInTheDocument();
  expect(within(deals).getByText('-29.50')).toBeInTheDocument();
  const own = screen.getByRole('region', { name: '策略' });
  // The totals of two, and the one that the address names.
  expect(within(own).getByText('合计').closest('tr')).toHaveTextContent('2.00万');
  expect(screen.getByRole('heading', { name: '交易单 · XLM 资金费' })).toBeInTheDocument();
  expect(within(own).getByText('策略未启动')).toBeInTheDocument();
  expect(within(own).queryByRole('button', { name: /^启\s?动$/ })).not.toBeInTheDocument();
  await person.click(within(own).getByRole('button', { name: 'XLM 资金费 的更多操作' }));
  // Only what stands still and holds nothing can be removed: what stands in the way is said.
  expect(await screen.findByText('停止')).toBeInTheDocument();
  expect(screen.getByRole('menuitem', { name: /^删除（还有 \d+ 张交易单，平仓后才能删除）$/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('what a strategy holds stands above what has ended, and what still waits for the market is folded beside it', async () => {
  const ended = (id: string, at: number) => dealOf({ id, state: 'closed', createdAt: at, openedAt: at });
  answers(strategies.list, { list: [HELD] });
  answers(strategies.deals, {
    list: [ended('new', AT), dealOf({ id: 'held', createdAt: AT - 1 }), ended('old', AT - 2)],
  });
  answers(opening.queue, openingsOf([], [waitingRow('ADAUSDT_SPOT', 'ADAUSDT')]));
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  await within(deals).findByText('持有');
  const heads = (table: HTMLElement) =>
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
      .filter((text) => text !== '');
  const own = screen.getByRole('region', { name: '策略' });
  expect(heads(own).slice(0, 10)).toEqual([
    ...['策略', '状态', '净盈亏', '今日', '净敞口', '限额已用', '价格盈亏', '资金费', '手续费', '持有'],
  ]);
  expect(heads(deals).slice(0, 8)).toEqual([
    ...['标的', '状态', '净盈亏', '现在平得', '为何持有 / 何时平', '资金费', '持有时长', '距强平'],
  ]);
  const states = within(deals).getAllByText(/^(持有|已平仓)$/);
  expect(states.map(({ textContent }) => textContent)).toEqual(['持有', '已平仓', '已平仓']);
  const waiting = await screen.findByText(/^还在等的/);
  expect(waiting.closest('details')).not.toHaveAttribute('open');
});

test('a row says why its deal is held, what closes it, what closing it brings and how far its venue is from that', async () => {
  const rule = { falls: true, isMet: false, gate: null };
  const rules = [
    { ...rule, reason: 'stopLoss', by: 'net', now: -3.5, at: -120 },
    { ...rule, reason: 'maxHolding', by: 'held', now: 24, at: 168, falls: false },
    { ...rule, reason: 'rateGap', by: 'apr', now: 0.083, at: 0.02, gate: { is: 'breakEven', now: 3, at: 9 } },
  ] satisfies DealRow['rules'];
  const deal = (id: string, more: Partial<DealRow>) => dealOf({ id, netClosed: -4.25, ...more });
  answers(strategies.list, { list: [HELD] });
  answers(strategies.deals, {
    list: [
      deal('rate', { rules, liquidationDistance: 0.35, fees: 1.25, roi: 0.012 }),
      deal('limits', { rules: rules.slice(0, 1) }),
      deal('met', { rules: [{ ...rules[2]!, gate: null, isMet: true }] }),
      deal('frozen', { rules, frozen: '查不到委托' }),
      deal('hand', {}),
      deal('ended', { state: 'closed', closedAt: AT, netClosed: null }),
    ],
  });
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const deals = within(await screen.findByRole('region', { name: '交易单' }));
  await deals.findByText('费率年化 8.30%，≤ 2.00% 平（回本前不看）');
  const row = (text: RegExp | string) => deals.getByText(text).closest('tr');
  const held = row(/^费率年化/);
  for (const text of ['最迟 6.0 天后平', '-4.25', '35.00%', '手续费 1.25', '+1.20%'])
    expect(held).toHaveTextContent(text);
  expect(row('净盈亏 -3.50 USDT，≤ -120.00 平')).toHaveTextContent('-4.25');
  expect(row('「费率收窄」的条件已到，等待平仓')).toBeInTheDocument();
  expect(row(/^已冻结：不发送委托/)).toBeInTheDocument();
  expect(row('没有设自动平仓的条件，只会由人平仓')).toBeInTheDocument();
  expect(row(/^已平仓/)).toHaveTextContent(/2026/);
});

test('on a phone a strategy and each of its deals are a card with what may be done, which opens', async () => {
  onPhone();
  answers(strategies.dealOutlook, {
    ...{ rules: [], limits: { stopLoss: null, maxHoldingHours: null }, limitBase: 10_000, netClosed: -8.25 },
    waterfall: { steps: [] },
  });
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const own = within(await screen.findByRole('region', { name: '策略' }));
  const strategy = within(await own.findByRole('article', { name: 'XLM 资金费' }));
  expect(strategy.getByText(/^净盈亏/)).toBeInTheDocument();
  expect(strategy.getByRole('button', { name: 'XLM 资金费 的更多操作' })).toBeEnabled();
  const deals = within(await screen.findByRole('region', { name: '交易单' }));
  const deal = within(await deals.findByRole('article', { name: /XLMUSDT/ }));
  expect(deal.getByText('XLMUSDT_SPOT')).toBeInTheDocument();
  expect(deals.queryByRole('table')).not.toBeInTheDocument();
  await person.click(deal.getByRole('button', { name: /^展\s?开$/ }));
  expect(await deal.findByText('现在平得')).toBeInTheDocument();
  await person.click(deal.getByRole('button', { name: /^平\s?仓$/ }));
  expect(await screen.findByRole('dialog', { name: /^平仓：XLMUSDT/ })).toBeInTheDocument();
});

test('below the market is what each coin has paid, day by day', async () => {
  openConsole('/strategy/fundingRate', 'master');
  const heat = await screen.findByRole('region', { name: '资金费热力图' });
  expect(await within(heat).findByText('+21%')).toBeInTheDocument();
  expect(within(heat).getByLabelText('缺失：当日没有结算')).toBeInTheDocument();
  expect(within(heat).getByText('3 次')).toBeInTheDocument();
});

test('what a person closed stays closed unless that is chosen otherwise, says so, and is armed again after asking', async () => {
  const closed = { hold: 'closed', at: AT, by: 'master' } as const;
  const [target] = HELD.targets;
  const other = { ...target!, id: 't2', long: 'ADAUSDT_SPOT', short: 'ADAUSDT' };
  const targets = [
    { ...target!, block: 'closedByHand', held: closed } as const,
    { ...other, block: 'unconfirmed', held: { ...closed, hold: 'confirm' } } as const,
    { ...other, id: 't3', long: 'SOLUSDT_SPOT', short: 'SOLUSDT', block: 'closedByHand', held: closed } as const,
  ];
  answers(strategies.list, { list: [{ ...HELD, targets }] });
  answers(strategies.closeDeal, { id: 'd1' });
  const sold = { source: 'simulated', quantity: '4000', left: '0', mid: 0.1, unpriced: null };
  answers(strategies.closeQuote, {
    ...{ id: 'd1', percent: 100, maker: false, refusal: null, held: { long: '4000', short: '-4000' } },
    legs: [
      {
        ...sold,
        leg: 'long',
        symbol: 'XLMUSDT_SPOT',
        side: 'sell',
        price: 0.0999,
        slippage: 0.4,
        fee: 0.4,
        left: '0.4',
      },
      { ...sold, leg: 'short', symbol: 'XLMUSDT', side: 'buy', price: 0.1001, slippage: 0.4, fee: 0.2 },
    ],
    cost: 1.23,
    realised: -4.56,
    net: 7.89,
    priceAt: AT,
  });
  answers(strategies.armTargets, { ids: ['t'] });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const own = await screen.findByRole('region', { name: '策略' });
  expect(await within(own).findByText('已手动平仓 2')).toBeInTheDocument();
  expect(within(own).getByRole('button', { name: 'XLM 资金费 确认开仓' })).toBeInTheDocument();
  // The sum is of those that are chosen, in the same dialog.
  const dueOf = (targetId: string, long: string) => dueRow(long, 'XLMUSDT', { targetId, kind: 'fundingRate' });
  answers(opening.preview, openingsOf([dueOf('t', 'XLMUSDT_SPOT'), dueOf('t3', 'SOLUSDT_SPOT')]));
  await person.click(within(own).getByRole('button', { name: 'XLM 资金费 重新启用' }));
  const dialog = await screen.findByRole('dialog', { name: '重新启用：XLM 资金费' });
  await waitFor(() => expect(within(dialog).getByLabelText('合计')).toHaveTextContent(/8,000\.00.*最坏情况-400\.00/));
  answers(opening.preview, openingsOf([dueOf('t', 'XLMUSDT_SPOT')]));
  await person.click(within(dialog).getByLabelText(/^多 SOLUSDT_SPOT/));
  await waitFor(() => expect(within(dialog).getByLabelText('合计')).toHaveTextContent('4,000.00'));
  await person.click(within(dialog).getByLabelText(/^多 XLMUSDT_SPOT/));
  expect(within(dialog).getByText('请至少选一个标的。')).toBeInTheDocument();
  expect(within(dialog).getByRole('button', { name: '重新启用' })).toBeDisabled();
  await person.click(within(dialog).getByLabelText(/^多 XLMUSDT_SPOT/));
  await within(dialog).findByLabelText('合计');
  await hold(within(dialog).getByRole('button', { name: /按住 1 秒：重新启用/ }), 1_100);
  const bodies = (path: string) => sent.filter((one) => one.path === path).map(({ body }) => body);
  await waitFor(() => expect(bodies(strategies.armTargets.path)).toEqual([{ ids: ['t'], open: ['t'], openSeen: 7 }]));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());

  const deals = await screen.findByRole('region', { name: '交易单' });
  const freed = (opens: boolean) =>
    answers(
      opening.preview,
      openingsOf([
        dueRow('SOLUSDT', 'ADAUSDT', { opens }),
        dueRow('DOGEUSDT', 'XRPUSDT', { opens: false, warnings: ['fit'] }),
      ]),
    );
  for (const keepArmed of [false, true]) {
    freed(false);
    await person.click(await within(deals).findByRole('button', { name: /^平\s?仓$/ }));
    const closing = await screen.findByRole('dialog', { name: /^平仓：/ });
    expect(await within(closing).findByLabelText(/^平掉并停用该标的/)).toBeChecked();
    // What closing costs and brings is told before the hold.
    for (const figure of ['0.60', '0.80', '-4.56', '+7.89'])
      expect(await within(closing).findByText(figure)).toBeInTheDocument();
    // Nor is it all that is sold: what stays, and where.
    const staying = within(closing).getByText(/^XLMUSDT_SPOT 余 0\.4（约 0\.04 USDT）不足.*转为账户持仓/);
    // What is to be chosen stands above what is only told, however long that gets.
    const choice = within(closing).getByRole('radiogroup', { name: '平掉之后' });
    expect(choice.compareDocumentPosition(staying)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    // What takes the room is told before the hold: it waits for a person, or opens where that is chosen.
    expect(await within(closing).findByText(/空出的位置轮到 2 个：不会自动开，都转为待确认/)).toBeInTheDocument();
    if (keepArmed) {
      freed(true);
      await person.click(within(closing).getByLabelText(/^平掉后继续/));
      expect(await within(closing).findByText('平掉后按规则接着开 1 个：')).toBeInTheDocument();
      expect(within(closing).getByText('有风险标记的 1 个：不会自动开，都转为待确认')).toBeInTheDocument();
      expect(within(closing).getByLabelText('合计')).toHaveTextContent('4,000.00');
    }
    await hold(within(closing).getByRole('button', { name: /按住 1 秒：平仓/ }), 1_100);
    await waitFor(() => expect(closing).not.toBeInTheDocument());
    const told = await screen.findAllByText(/^平仓已提交.*；XLMUSDT_SPOT 余 0\.4（约 0\.04 USDT）.*留在账户$/);
    expect(told.length).toBeGreaterThan(0);
  }
  expect(bodies(strategies.closeDeal.path)).toEqual([{ id: 'd1' }, { id: 'd1', keepArmed: true }]);
  const asked = bodies(opening.preview.path).slice(-2);
  expect(asked).toEqual([
    { act: 'closeDeal', input: { id: 'd1' } },
    { act: 'closeDeal', input: { id: 'd1', keepArmed: true } },
  ]);
});

test('what closes or opens at two venues says both by their names, both sides, and quantities in groups', async () => {
  const sides = { long: 'XLMUSDT', longSource: 'simulated-okx', short: 'XLMUSDT', shortSource: 'simulated' };
  const [target] = HELD.targets;
  const held = { hold: 'closed', at: AT, by: 'master' } as const;
  const targets = [{ ...target!, ...sides, block: 'closedByHand', held } as const];
  answers(strategies.list, { list: [{ ...HELD, running: 0, state: 'paused', targets }] });
  const legs = [{ ...leg('long', 'XLMUSDT', 25), source: 'simulated-okx' }, leg('short', 'XLMUSDT', -29.5)];
  answers(strategies.deals, { list: [{ ...DEAL, legs }] });
  const sold = { quantity: '14749.5', left: '0', mid: 0.1, symbol: 'XLMUSDT', slippage: 0.4, fee: 0.4, unpriced: null };
  answers(strategies.closeQuote, {
    ...{ percent: 100, maker: false, refusal: null, held: { long: '14749.5', short: '-14749.5' } },
    ...{ id: 'd1', cost: 1.6, realised: -4.56, net: -6, priceAt: AT },
    legs: [
      { ...sold, leg: 'long', source: 'simulated-okx', side: 'sell', price: 0.0999 },
      { ...sold, leg: 'short', source: 'simulated', side: 'buy', quantity: '-14749.5', price: 0.1001 },
    ],
  });
  answers(opening.preview, openingsOf([dueRow('XLMUSDT', 'XLMUSDT', { ...sides, targetId: 't', kind: 'cexRate' })]));
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  const close = await within(deals).findByRole('button', { name: /^平\s?仓$/ });
  expect(close.closest('tr')).toHaveTextContent('12.0 小时');
  await person.click(close);
  const closing = await screen.findByRole('dialog', { name: /^平仓：/ });
  // What is sold is the leg that is long.
  expect(await within(closing).findByRole('region', { name: '卖出 XLMUSDT' })).toHaveTextContent(
    /OKX平多头.*预计均价0\.0999.*名义1,473\.48 USDT手续费0\.40 USDT 2\.7 bps滑点 0\.40 USDT 2\.7 bps/,
  );
  expect(within(closing).getByRole('region', { name: '买入 XLMUSDT' })).toHaveTextContent(/币安平空头/);
  expect(within(closing).getByLabelText('两腿合计')).toHaveTextContent(
    /手续费0\.80 USDT 2\.7 bps滑点 0\.80 USDT 2\.7 bps/,
  );
  expect(within(closing).getAllByText('14,749.5')).toHaveLength(2);
  expect(closing).toHaveTextContent('按市价平掉两腿');
  expect(closing).not.toHaveTextContent('simulated');
  await person.click(within(closing).getByRole('button', { name: /^返\s?回$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const own = await screen.findByRole('region', { name: '策略' });
  await person.click(within(own).getByRole('button', { name: 'XLM 资金费 重新启用' }));
  const arming = await screen.findByRole('dialog', { name: '重新启用：XLM 资金费 多 XLMUSDT / 空 XLMUSDT' });
  expect(await within(arming).findByText(/^OKX \/ 币安 · /)).toBeInTheDocument();
  await person.click(within(arming).getByRole('button', { name: /^返\s?回$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  // What holds nothing has nothing that goes on.
  await person.click(within(own).getByRole('button', { name: /^启\s?动$/ }));
  const starting = await screen.findByRole('dialog', { name: /^启动：/ });
  expect(starting).toHaveTextContent('启动后达到开仓条件的标的会自动开仓。');
  expect(starting).not.toHaveTextContent('0 张');
  await person.click(within(starting).getByRole('button', { name: /^返\s?回$/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a limit that is raised lets its strategy go on only where that is ticked, after what would open was listed', async () => {
  answers(strategies.list, { list: [{ ...HELD, state: 'tripped' }] });
  answers(strategies.preview, {
    at: Date.now(),
    ...{ fees: null, worst: null, accounts: [] },
    targets: [{ ...XLM_LEGS, block: 'waitsForApr', lacking: 'margin', signal: null, cost: null, breakEven: null }],
  });
  answers(strategies.update, { id: 's1', version: 4, resumed: true });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByText('修改'));
  const drawer = within(await screen.findByRole('dialog'));
  fireEvent.change(drawer.getByRole('spinbutton', { name: '单日最大亏损' }), { target: { value: '900' } });
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  const preview = within(await drawer.findByRole('region', { name: '试算' }));
  expect(await preview.findByText('净年化未到开仓值、可用保证金不足')).toBeInTheDocument();
  await person.click(drawer.getByRole('button', { name: /^保\s?存$/ }));
  const asked = await screen.findByRole('dialog', { name: '保存：XLM 资金费' });
  const blocks = ['paused', 'slots'] as const;
  const waiting = [waitingRow('ADAUSDT_SPOT', 'ADAUSDT', { block: 'paused', blocks: [...blocks] })];
  answers(opening.preview, { ...openingsOf([dueRow('XLMUSDT_SPOT', 'XLMUSDT')], waiting), closed: 2 });
  await person.click(await within(asked).findByLabelText(/^提高上限后恢复/));
  expect(await within(asked).findByText(/已暂停开仓（1 个标的）：在多空对冲写明原因恢复/)).toBeInTheDocument();
  expect(within(asked).getByText('已暂停开仓、并行数已满')).toBeInTheDocument();
  expect(within(asked).getByText(/另有 2 个已手动平仓的标的不会开/)).toBeInTheDocument();
  await hold(await within(asked).findByRole('button', { name: '按住 1 秒：保存并开仓 1 个' }), 1_100);
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      ...{ id: 's1', version: 3, resume: true, open: ['pair-XLMUSDT_SPOT-XLMUSDT'], openSeen: 7 },
      params: { dailyLossLimit: 900 },
    }),
  );
  await waitFor(() => expect(toasts().join()).toContain('已保存并恢复：1 个标的正在开仓'));
});

test('a frozen deal is let go on alone, with a reason; one that the engine compares by itself is not', async () => {
  const frozen = { ...DEAL, frozen: '风控拦截：XLMUSDT 一分钟内已发出 30 笔委托', mayThaw: true };
  const doubted = { ...DEAL, id: 'd2', frozen: '订单结果不明', state: 'opening', mayThaw: false } as const;
  answers(strategies.deals, { list: [frozen, doubted, { ...DEAL, id: 'd3' }] });
  answers(strategies.unfreezeDeal, { id: 'd1' });
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  const menus = await within(deals).findAllByRole('button', { name: 'XLMUSDT_SPOT / XLMUSDT 的更多操作' });
  await person.click(menus[1]!);
  expect(await screen.findByRole('menuitem', { name: '恢复（正在自动核对）' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await person.keyboard('{Escape}');
  await person.click(menus[0]!);
  await person.click(await screen.findByRole('menuitem', { name: '恢复' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('恢复：XLMUSDT_SPOT / XLMUSDT');
  await waitFor(() => expect(dialog).toHaveTextContent('冻结的原因：风控拦截：XLMUSDT 一分钟内已发出 30 笔委托'));
  await person.type(within(dialog).getByLabelText('原因'), '对过持仓');
  await hold(within(dialog).getByRole('button', { name: /恢复/ }), 1_100);
  await waitFor(() =>
    expect(sentTo(strategies.unfreezeDeal)[0]?.body).toEqual({
      id: 'd1',
      reason: '对过持仓',
    }),
  );
});

test('of a deal that nobody looks after only its end is offered, and the way back above it', async () => {
  const unguarded = { deals: 1, selfManaged: null };
  answers(strategies.list, { list: [{ ...HELD, state: 'stopped', unguarded }] });
  answers(strategies.deals, { list: [{ ...DEAL, frozen: '风控拦截', unguarded: true }] });
  answers(flatten.held, {
    deals: 1,
    unguarded: [
      { strategyId: 's1', kind: 'fundingRate', name: HELD.name, mode: 'paper', sources: ['simulated'], ...unguarded },
    ],
  });
  openConsole('/strategy/fundingRate?strategy=s1', 'master');
  const deals = within(await screen.findByRole('region', { name: '交易单' }));
  expect(await deals.findByText('无人看护')).toBeVisible();
  expect(deals.getByRole('button', { name: /^平\s?仓$/ })).toBeEnabled();
  expect(deals.queryByRole('button', { name: /的更多操作$/ })).not.toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: '策略' })).getByText('无人看护 1')).toBeVisible();
  answers(strategies.guard, { state: 'paused' });
  await person.click(await screen.findByRole('button', { name: '接管看护' }));
  const dialog = (await screen.findAllByText(`接管看护：${HELD.name}`))[0]!.closest<HTMLElement>('[role=dialog]')!;
  await hold(within(dialog).getByRole('button', { name: '按住 1 秒：接管看护' }), 1_100);
  await waitFor(() => expect(sentTo(strategies.guard)[0]?.body).toEqual({ id: 's1' }));
});

test('a deal opened up says why it is held, when it closes, and what it is made up of', async () => {
  const gate = { is: 'breakEven' as const, now: 2, at: 6 };
  answers(strategies.dealOutlook, {
    rules: [
      { reason: 'stopLoss', by: 'net', now: 0.5, at: -500, falls: true, isMet: false, gate: null },
      { reason: 'rateFlip', by: 'rate', now: 0.0002, at: -0.0003, falls: true, isMet: false, gate },
    ],
    limits: { stopLoss: 0.05, maxHoldingHours: 720 },
    limitBase: 10_000,
    netClosed: -8.25,
    waterfall: {
      steps: [
        { step: 'funding', amount: 12, sum: 12 },
        { step: 'gap', amount: -11.5, sum: 0.5 },
        { step: 'exit', amount: -8.75, sum: -8.25 },
      ],
    },
  });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  await userEvent.click(await within(deals).findByRole('button', { name: /展开/ }));
  expect(await within(deals).findByText('2 个平仓条件都还没有到')).toBeVisible();
  const rules = within(deals).getByRole('table', { name: '何时会平' });
  expect(within(rules).getByRole('row', { name: /止损/ })).toHaveTextContent('净盈亏 ≤ -500.00 USDT0.50 USDT');
  expect(within(rules).getByRole('row', { name: /费率反转/ })).toHaveTextContent(
    '预测费率 ≤ -0.0300%0.0200%开仓成本赚回之前不看：已结算 2 / 6 次',
  );
  const parts = within(deals).getByRole('table', { name: '盈亏瀑布，USDT' });
  expect(within(parts).getByRole('row', { name: /现在平掉/ })).toHaveTextContent('-8.25');
});

test('the limits of a deal are moved in a dialog that says what they come to and what would close at once', async () => {
  answers(strategies.dealOutlook, {
    rules: [{ reason: 'stopLoss', by: 'net', now: -120, at: -500, falls: true, isMet: false, gate: null }],
    limits: { stopLoss: 0.05, maxHoldingHours: 720 },
    bounds: { stopLoss: { minimum: 0.001, maximum: 0.9 }, maxHoldingHours: { minimum: 8, maximum: 8760 } },
    limitBase: 10_000,
    netClosed: -130,
    waterfall: { steps: [] },
  });
  answers(strategies.setLimits, { id: 'd1' });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  await person.click(await within(deals).findByRole('button', { name: /展开/ }));
  await person.click(await within(deals).findByRole('button', { name: '改止损 / 最长持有' }));
  const dialog = await screen.findByRole('dialog', { name: /^改止损/ });
  expect(dialog).toHaveTextContent('净盈亏 ≤ -500.00 USDT 时平');
  expect(within(dialog).queryByLabelText('止盈')).toBeNull();
  const save = within(dialog).getByRole('button', { name: '按住 1 秒：保存' });
  // There is nothing to be saved yet.
  expect(save).toBeDisabled();
  const stop = within(dialog).getByLabelText('止损');
  await person.clear(stop);
  await person.type(stop, '0');
  expect(dialog).toHaveTextContent('止损不能小于 0.1');
  expect(save).toBeDisabled();
  // As in the strategy's own form: the bounds of its kind, in percent, where it was typed.
  await person.clear(stop);
  await person.type(stop, '250');
  expect(stop).toHaveAccessibleDescription(/^止损不能大于 90/);
  expect(save).toBeDisabled();
  await person.clear(stop);
  await person.type(stop, '1');
  expect(dialog).toHaveTextContent('净盈亏 ≤ -100.00 USDT 时平；原来 5 %');
  expect(dialog).toHaveTextContent('按现在的净亏损，保存后会立即平仓。');
  await person.clear(stop);
  await person.type(stop, '2.5');
  expect(dialog).not.toHaveTextContent('立即平仓');
  // Hours are whole: what is read beside the field is what stands in it, and what is saved.
  const longest = within(dialog).getByLabelText('最长持有');
  await person.clear(longest);
  await person.type(longest, '8.5');
  await person.tab();
  expect(longest).toHaveValue('9');
  expect(dialog).toHaveTextContent('9.0 小时；原来 720 小时');
  await hold(within(dialog).getByRole('button', { name: '按住 1 秒：保存' }), 1_100);
  const saved = () => sentTo(strategies.setLimits).map(({ body }) => body);
  await waitFor(() =>
    expect(saved()).toEqual([
      {
        id: 'd1',
        limits: { stopLoss: 0.025, maxHoldingHours: 9 },
        was: { stopLoss: 0.05, maxHoldingHours: 720 },
      },
    ]),
  );
});

test('limits that somebody has moved meanwhile are shown as they are now, and can be moved from there', async () => {
  const known = (stopLoss: number) => ({
    ...{ rules: [], limits: { stopLoss, maxHoldingHours: 720 }, limitBase: 10_000, netClosed: -130 },
    waterfall: { steps: [] },
  });
  answers(strategies.dealOutlook, known(0.05));
  openConsole('/strategy/fundingRate?tab=mine', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  await person.click(await within(deals).findByRole('button', { name: /展开/ }));
  await person.click(await within(deals).findByRole('button', { name: '改止损 / 最长持有' }));
  const dialog = await screen.findByRole('dialog', { name: /^改止损/ });
  const longest = within(dialog).getByLabelText('最长持有');
  await person.clear(longest);
  await person.type(longest, '800');
  const save = () => hold(within(dialog).getByRole('button', { name: '按住 1 秒：保存' }), 1_100);
  refuses(strategies.setLimits, { code: 409, message: '止损刚刚已改为 15%，请看过再改' });
  answers(strategies.dealOutlook, known(0.15));
  await save();
  expect(await within(dialog).findByText('止损刚刚已改为 15%，请看过再改')).toBeVisible();
  // What nobody has touched here follows, what was typed stays.
  await waitFor(() => expect(within(dialog).getByLabelText('止损')).toHaveValue('15.0'));
  expect(longest).toHaveValue('800');
  answers(strategies.setLimits, { id: 'd1' });
  await save();
  await waitFor(() =>
    expect(sentTo(strategies.setLimits).at(-1)?.body).toEqual({
      id: 'd1',
      limits: { stopLoss: 0.15, maxHoldingHours: 800 },
      was: { stopLoss: 0.15, maxHoldingHours: 720 },
    }),
  );
});
