import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { freshNeeded } from '#contract/codes';
import { flatten } from '#contract/flatten';
import { type CexRateCandidate, cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { opening } from '#contract/opening';
import { secondFactor } from '#contract/secondFactor';
import { strategies } from '#contract/strategies';
import { type VenueAccount, venueAccount } from '#contract/venueAccount';
import { hold } from '../support/hedgeActs';
import { deskAnswers, deskOf, listOf, rowOf } from '../support/hedgeFixtures';
import { dueRow, openingsOf } from '../support/openingFixtures';
import { dealLegOf, dealOf, strategyOf, ticketOf } from '../support/strategyFixtures';
import { answers, environmentIs, network, openConsole, person, refuses, sentTo } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const REAL = { simulated: false, followed: ['binance' as const] };

const ACCOUNT: VenueAccount = {
  ...{ id: 'a1', name: '主账户', venue: 'binance-live', mode: 'live', latencyMs: 40, recordedAt: AT, pending: 0 },
  ...{
    equity: '900',
    available: '900',
    withdrawable: null,
    marginRatio: null,
    share: 1,
    positions: 0,
    state: 'ok',
    openedAt: AT,
  },
};

const LEGS = {
  ...{ long: 'XLMUSDT_SPOT', longSource: 'binance-live', short: 'XLMUSDT', shortSource: 'binance-live' },
};

const BETWEEN: CexRateCandidate = {
  ...{ id: 'BTC binance-live okx-live', base: 'BTC', long: 'binance-live', short: 'okx-live' },
  ...{ longSymbol: 'BTCUSDT', shortSymbol: 'BTCUSDT', longRate: -0.0006, shortRate: 0.0012 },
  ...{ longHours: 8, shortHours: 8, longNextAt: AT, shortNextAt: AT, rateGap: 0.0018, grossApr: 1.971 },
  ...{ quantity: 0.1, fees: 0.002, openEdge: 0, closeLevel: 0.0003, netApr: 1.37, capitalApr: 2.05 },
  ...{ netAprAtRate: 1.4, paybackDays: 0.4, capacity: 9_000_000, replay7: null, replay30: null },
  ...{ openInterest: 81_000_000, notes: [], obstacles: [] },
};

const OUTSIDE = [{ symbol: 'XLMUSDT', quantity: '500' }];
const MET = '账户里已有外部持仓 XLMUSDT 500：开仓会与它相抵，先平掉或接管';

const strategyIn = (mode: 'paper' | 'live') =>
  strategyOf('fundingRate', {
    ...{
      name: 'XLM 资金费',
      mode,
      params: { ...DEFAULT_FUNDING, source: 'binance-live', coins: ['XLM'] },
      state: 'stopped',
    },
    targets: [{ id: 't', ...LEGS, block: null, held: null, rounds: 0, triggeredAt: null }],
  });

const dealIn = (mode: 'paper' | 'live') => {
  const at = { source: 'binance-live' };
  return dealOf({ mode, legs: [dealLegOf('long', 'XLMUSDT_SPOT', at), dealLegOf('short', 'XLMUSDT', at)] });
};

function openFunding(mode: 'paper' | 'live') {
  environmentIs({ ...REAL, trading: mode });
  answers(venueAccount.list, { at: AT, list: [{ ...ACCOUNT, mode }], inTransit: '0', total: '900' });
  answers(fundingScan.list, { list: [], total: 0, all: 0, hidden: [], at: AT });
  answers(strategies.list, { list: [strategyIn(mode)] });
  answers(strategies.deals, { list: [dealIn(mode)] });
  answers(fundingRateDesk.figures, {
    ...{ real: false, hasReal: false },
    ...{ deals: 0, deployed: 0, notional: 0, weightedApr: null, capitalApr: null, cashToday: 0, cashMonth: 0 },
    ...{ predicted: 0, received: 0, receivedShare: null, hours: [] },
  });
  answers(fundingRateDesk.heat, { days: [], rows: [], bins: [] });
  openConsole('/strategy/fundingRate?tab=mine', 'master');
}

test('head, strategy and deal carry 实盘, and each dialog says whose real money it moves', async () => {
  openFunding('live');
  const row = (await screen.findByRole('button', { name: 'XLM 资金费' })).closest('tr')!;
  expect(within(row).getByText('实盘')).toBeVisible();
  expect(within((await screen.findByRole('button', { name: '外观' })).parentElement!).getByText('实盘')).toBeVisible();
  const deal = (await screen.findByRole('button', { name: /^平\s?仓$/ })).closest('tr')!;
  expect(within(deal).getByText('实盘')).toBeVisible();

  await person.click(within(row).getByRole('button', { name: /^启\s?动$/ }));
  const start = await screen.findByRole('dialog', { name: '启动：XLM 资金费' });
  expect(await within(start).findByText('真实资金：币安 · 实时，账户「主账户」')).toBeVisible();
  await person.click(await within(start).findByRole('button', { name: /^启\s?动$/ }));
  expect(await within(start).findByText('请输入 XLMUSDT_SPOT')).toBeVisible();
  expect(sentTo(strategies.start)).toEqual([]);
  // What the server holds against it stands at the field.
  const message = '与第一个标的的代码不同';
  refuses(strategies.start, { status: 200, code: 400, message, data: { fields: [{ field: 'typed', message }] } });
  await person.type(within(start).getByLabelText(/确认实盘/), 'XLM');
  await person.click(within(start).getByRole('button', { name: /^启\s?动$/ }));
  expect(await within(start).findByRole('alert')).toHaveTextContent(message);
  answers(strategies.start, { state: 'running' });
  await person.clear(within(start).getByLabelText(/确认实盘/));
  await person.type(within(start).getByLabelText(/确认实盘/), 'XLMUSDT_SPOT');
  await person.click(within(start).getByRole('button', { name: /^启\s?动$/ }));
  await waitFor(() => expect(start).not.toBeInTheDocument());
  const bodies = sentTo(strategies.start).map(({ body }) => body);
  expect(bodies).toMatchObject([{ typed: 'XLM' }, { typed: 'XLMUSDT_SPOT' }]);

  await person.click(within(deal).getByRole('button', { name: /^平\s?仓$/ }));
  const close = await screen.findByRole('dialog', { name: /^平仓：/ });
  expect(await within(close).findByText('真实资金：币安 · 实时，账户「主账户」')).toBeVisible();
});

test.each([
  ['of a real deal names its own account alone', 'live', '真实资金：币安 · 实时，账户「主账户」'],
  ['of a deal on paper tells of no real money', 'paper', null],
] as const)('the dialog of the limits %s, and what may be moved', async (_, mode, line) => {
  openFunding('live');
  const list = [ACCOUNT, { ...ACCOUNT, id: 'a2', name: '别处', venue: 'gate-live' }] as VenueAccount[];
  answers(venueAccount.list, { at: AT, list, inTransit: '0', total: '1800' });
  answers(strategies.deals, { list: [dealIn(mode)] });
  answers(strategies.dealOutlook, {
    ...{ rules: [], limits: { stopLoss: 0.05, maxHoldingHours: 720 }, limitBase: 10_000, netClosed: -1 },
    waterfall: { steps: [] },
  });
  await person.click(await screen.findByRole('button', { name: /展开/ }));
  await person.click(await screen.findByRole('button', { name: '改止损 / 最长持有' }));
  const dialog = await screen.findByRole('dialog', { name: /^改止损 \/ 最长持有：/ });
  expect(await within(dialog).findByLabelText('止损')).toBeVisible();
  if (line === null) expect(within(dialog).queryByText(/真实资金/)).toBeNull();
  else expect(await within(dialog).findByText(line)).toBeVisible();
});

test.each([
  ['of real deals names the account in which they are', 'live', '真实资金：币安 · 实时，账户「主账户」'],
  ['of deals on paper tells of no real money', 'paper', null],
] as const)('the dialog that looks after what was left again %s', async (_, mode, line) => {
  openFunding('live');
  const list = [ACCOUNT, { ...ACCOUNT, id: 'a2', name: '别处', venue: 'gate-live' }] as VenueAccount[];
  answers(venueAccount.list, { at: AT, list, inTransit: '0', total: '1800' });
  const left = { strategyId: 's1', kind: 'fundingRate', name: 'XLM 资金费', deals: 1, selfManaged: null } as const;
  answers(flatten.held, { deals: 1, unguarded: [{ ...left, mode, sources: ['binance-live'] }] });
  await person.click(await screen.findByRole('button', { name: '接管看护' }));
  const dialog = await screen.findByRole('dialog', { name: '接管看护：XLM 资金费' });
  expect(await within(dialog).findByText(/重新按规则看护/)).toBeVisible();
  if (line === null) await waitFor(() => expect(within(dialog).queryByText(/真实资金/)).toBeNull());
  else expect(await within(dialog).findByText(line)).toBeVisible();
});

test('what is opened again with real money is marked, and its symbol is typed', async () => {
  openFunding('live');
  const held = { hold: 'closed' as const, at: AT, by: 'master' };
  const own = { ...strategyIn('live'), state: 'running' as const };
  answers(strategies.list, { list: [{ ...own, targets: own.targets.map((target) => ({ ...target, held })) }] });
  answers(
    opening.preview,
    openingsOf([dueRow('XLMUSDT_SPOT', 'XLMUSDT', { targetId: 't', mode: 'live', outside: OUTSIDE })]),
  );
  answers(strategies.armTargets, { ids: ['t'] });
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 重新启用' }));
  const dialog = await screen.findByRole('dialog', { name: /^重新启用：XLM 资金费/ });
  expect(await within(dialog).findByText('真实资金：币安 · 实时，账户「主账户」')).toBeVisible();
  expect(within(await within(dialog).findByRole('region', { name: '将要开仓' })).getByText('实盘')).toBeVisible();
  expect(within(dialog).getByText(MET)).toBeVisible();
  const button = within(dialog).getByRole('button', { name: /按住 1 秒：重新启用/ });
  await hold(button, 1_100);
  expect(await within(dialog).findByText('请输入 XLMUSDT_SPOT')).toBeVisible();
  expect(sentTo(strategies.armTargets)).toEqual([]);
  await person.type(within(dialog).getByLabelText(/确认实盘/), 'XLMUSDT_SPOT');
  await hold(button, 1_100);
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sentTo(strategies.armTargets).map(({ body }) => body)).toMatchObject([{ ids: ['t'], typed: 'XLMUSDT_SPOT' }]);
});

test('with play money nothing of it is on the screen, and nothing has to be typed', async () => {
  openFunding('paper');
  const row = (await screen.findByRole('button', { name: 'XLM 资金费' })).closest('tr')!;
  await person.click(within(row).getByRole('button', { name: /^启\s?动$/ }));
  const start = await screen.findByRole('dialog', { name: '启动：XLM 资金费' });
  expect(await within(start).findByRole('button', { name: /^启\s?动$/ })).toBeEnabled();
  expect(within(start).queryByLabelText(/确认实盘/)).toBeNull();
  expect(screen.queryByText(/真实资金/)).toBeNull();
  // What another server said before is shown until this one has answered.
  await waitFor(() => expect(screen.queryByText('实盘')).toBeNull());
});

test('who has to prove who they are does so above the confirmation that waits for it', async () => {
  openFunding('live');
  answers(secondFactor.state, { enabledAt: AT, recoveryLeft: 9, isDamaged: false });
  refuses(strategies.start, freshNeeded);
  const row = (await screen.findByRole('button', { name: 'XLM 资金费' })).closest('tr')!;
  await person.click(within(row).getByRole('button', { name: /^启\s?动$/ }));
  const start = await screen.findByRole('dialog', { name: '启动：XLM 资金费' });
  await person.type(await within(start).findByLabelText(/确认实盘/), 'XLMUSDT_SPOT');
  await person.click(await within(start).findByRole('button', { name: /^启\s?动$/ }));
  const proof = await screen.findByRole('dialog', { name: '请确认是本人' });
  const layerOf = (dialog: HTMLElement) => Number(dialog.closest<HTMLElement>('.ant-modal-wrap')!.style.zIndex);
  expect(layerOf(proof)).toBeGreaterThan(layerOf(start));
});

test('实盘 is chosen in the drawer where the server trades real money alone, and is confirmed by what is typed', async () => {
  openFunding('live');
  const list = [ACCOUNT, { ...ACCOUNT, id: 'a2', name: '别处', venue: 'gate-live' }] as VenueAccount[];
  answers(venueAccount.list, { at: AT, list, inTransit: '0', total: '1800' });
  const real = { cap: 1_000 };
  const needs = { cash: 1, margin: 1, spendable: 9, freeMargin: 9 };
  const accounts = [{ source: 'binance-live', ...needs, room: 250, notional: 20_000 }];
  const targets = [{ ...LEGS, block: null, signal: 0.42, cost: 0.0036, breakEven: 6, outside: OUTSIDE }];
  answers(strategies.preview, { at: AT, fees: 3, worst: 6, accounts, targets, real });
  const message = '输入 XLMUSDT_SPOT';
  refuses(strategies.create, { status: 200, code: 400, message, data: { fields: [{ field: 'typed', message }] } });
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByRole('menuitem', { name: '复制' }));
  const drawer = await screen.findByRole('dialog', { name: '新建策略' });
  const advanced = within(drawer).queryByText('高级');
  if (advanced) await person.click(advanced);
  await person.click(within(drawer).getByRole('combobox', { name: '模式' }));
  await person.click(await screen.findByTitle('实盘'));
  expect(await within(drawer).findByText('真实资金：币安 · 实时，账户「主账户」')).toBeVisible();
  // What would be opened is shown before anything is confirmed.
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const tried = within(await within(drawer).findByRole('region', { name: '试算' }));
  await person.click(await within(drawer).findByRole('button', { name: /^保\s?存$/ }));
  expect(await within(drawer).findByText('请输入标的代码')).toBeVisible();
  const dryRuns = sentTo(strategies.preview).length;
  await person.type(within(drawer).getByLabelText('确认实盘', { selector: 'input' }), 'XLM');
  // What is typed to confirm changes nothing of it.
  expect(sentTo(strategies.preview)).toHaveLength(dryRuns);
  expect(await tried.findByText(/超过账户的名义上限：还可用 250\.00 USDT/)).toBeVisible();
  expect(tried.getByText(MET)).toBeVisible();
  expect(tried.getByText('实盘')).toBeVisible();
  expect(sentTo(strategies.preview).at(-1)!.body).toMatchObject({ mode: 'live' });
  await person.click(await within(drawer).findByRole('button', { name: /^保\s?存$/ }));
  expect(await within(drawer).findByText(message)).toBeVisible();
  const body = sentTo(strategies.create).at(-1)!.body;
  expect(body).toMatchObject({ mode: 'live', typed: 'XLM' });
});

/** The row of a difference of rates between two exchanges, of which one has a real account, as the third has. */
async function openRates() {
  environmentIs({ simulated: false, followed: ['binance', 'okx', 'bybit'], trading: 'live' });
  const list = [ACCOUNT, { ...ACCOUNT, id: 'a2', name: '别处', venue: 'bybit-live' }] as VenueAccount[];
  answers(venueAccount.list, { at: AT, list, inTransit: '0', total: '1800' });
  answers(cexRateScan.list, { list: [BETWEEN], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  answers(strategies.preview, { at: AT, fees: 3, worst: 6, accounts: needsOf({}), targets: [], real: { cap: 9_000 } });
  openConsole('/strategy/cexRate', 'master');
  return (await screen.findByRole('link', { name: 'BTC' })).closest('tr')!;
}

const needsOf = (more: object) => [
  { source: 'binance-live', cash: 0, margin: 1, spendable: 9, freeMargin: 9, room: 9_000, notional: 2_000 },
  { source: 'okx-live', cash: 0, margin: 1, spendable: null, freeMargin: null, notional: 2_000, ...more },
];

test('of two exchanges a new real strategy names their accounts alone, and leads to the real one that is lacking', async () => {
  const row = await openRates();
  await person.click(within(row).getByRole('button', { name: /新建策略$/ }));
  const drawer = within(await screen.findByRole('dialog', { name: '新建策略' }));
  await person.click(drawer.getByRole('combobox', { name: '模式' }));
  await person.click(await screen.findByTitle('实盘'));
  expect(await drawer.findByText('真实资金：币安 · 实时，账户「主账户」；OKX · 实时')).toBeVisible();
  await person.type(drawer.getByLabelText('确认实盘', { selector: 'input' }), 'BTCUSDT');
  await person.click(drawer.getByRole('button', { name: /^试\s?算$/ }));
  expect(await drawer.findByText('全部开满时：OKX · 实时 还没有实盘账户')).toBeVisible();
  expect(drawer.getByRole('link', { name: '去 OKX · 实时 开实盘账户' })).toHaveAttribute(
    'href',
    '/?view=own&openLive=okx-live',
  );
  // One that is silent has an account.
  answers(strategies.preview, {
    ...{ at: AT, fees: 3, worst: 6, accounts: needsOf({ isSilent: true }), targets: [], real: { cap: 9_000 } },
  });
  await person.clear(drawer.getByRole('spinbutton', { name: '每腿名义' }));
  await person.type(drawer.getByRole('spinbutton', { name: '每腿名义' }), '3000');
  await person.click(await drawer.findByRole('button', { name: /^试\s?算$/ }));
  expect(await drawer.findByText('全部开满时：OKX · 实时 没有应答，余额读不到：恢复后再试算')).toBeVisible();
  expect(drawer.queryByRole('link', { name: /开实盘账户/ })).toBeNull();
});

const RATE_TICKET = ticketOf(['binance-live', 'okx-live'], 'BTCUSDT', 'BTCUSDT');

test('one deal is opened with real money where that is chosen, by what is typed, and within what its accounts may hold', async () => {
  const row = await openRates();
  const target = {
    ...{ long: 'BTCUSDT', longSource: 'binance-live', short: 'BTCUSDT', shortSource: 'okx-live' },
    ...{ block: null, signal: 0.9, cost: 0.002, breakEven: 3, ticket: RATE_TICKET },
  };
  const preview = { at: AT, fees: 3, worst: 6, accounts: needsOf({ room: 3_000 }), targets: [target] };
  answers(strategies.preview, preview);
  answers(strategies.single, { id: 'only' });
  await person.click(within(row).getByRole('button', { name: /^开一笔/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /^开这一笔：/ }));
  await dialog.findByRole('region', { name: '买入 BTCUSDT' });
  expect(dialog.queryByText(/^真实资金/)).toBeNull();
  answers(strategies.preview, { ...preview, real: { cap: 9_000 } });
  await person.click(dialog.getByText('实盘'));
  expect(await dialog.findByText('真实资金：币安 · 实时，账户「主账户」；OKX · 实时')).toBeVisible();
  await waitFor(() => expect(sentTo(strategies.preview).at(-1)?.body).toMatchObject({ mode: 'live' }));
  expect(dialog.getByLabelText('成本与风险')).toHaveTextContent(
    /OKX · 实时名义 \/ 上限还剩2,000\.00 \/ 3,000\.00 USDT/,
  );
  const verb = dialog.getByRole('button', { name: '按住 1 秒：开这一笔' });
  await waitFor(() => expect(verb).toBeEnabled());
  await person.type(dialog.getByLabelText('输入 BTCUSDT 确认实盘'), 'BTCUSDT');
  await hold(verb, 1_100);
  await waitFor(() =>
    expect(sentTo(strategies.single).map(({ body }) => body)).toMatchObject([
      { kind: 'cexRate', mode: 'live', typed: 'BTCUSDT', accepts: [], worst: { long: 50_012 * 1.001 } },
    ]),
  );
});

test('one hedge of a pair is opened beside the desk in a size of its own, with what speaks against it', async () => {
  deskAnswers();
  environmentIs({ ...REAL, trading: 'live' });
  answers(venueAccount.list, { at: AT, list: [ACCOUNT], inTransit: '0', total: '900' });
  const [pair] = deskOf().pairs;
  answers(hedgeConfig.desk, deskOf());
  answers(hedge.list, listOf([]));
  const target = {
    ...{ long: pair!.long, longSource: 'binance-live', short: pair!.short, shortSource: 'binance-live' },
    ...{ block: null, signal: -2.1, cost: 0.002, breakEven: null, warnings: ['adf' as const] },
    ticket: ticketOf(['binance-live', 'binance-live'], pair!.long, pair!.short),
  };
  const preview = {
    at: AT,
    fees: 3,
    worst: 6,
    accounts: needsOf({}).slice(0, 1),
    targets: [target],
    signalIs: 'z' as const,
  };
  answers(hedge.singlePreview, preview);
  answers(hedge.single, { id: 'only' });
  openConsole('/strategy/hedge', 'trader');
  await person.click((await screen.findAllByRole('button', { name: `${pair!.long} / ${pair!.short} 的更多操作` }))[0]!);
  await person.click(await screen.findByRole('menuitem', { name: '开这一笔' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^开这一笔：/ }));
  expect(await dialog.findByText(/关系不可靠/)).toBeVisible();
  const verb = dialog.getByRole('button', { name: '按住 1 秒：开这一笔' });
  // What it is closed by at a z has no say over what is opened at once.
  expect(dialog.queryByText('出场 z')).toBeNull();
  expect(dialog.getByText('再平衡阈值')).toBeVisible();
  const size = dialog.getByRole('spinbutton', { name: '每腿名义' });
  await person.clear(size);
  await waitFor(() => expect(verb).toBeDisabled());
  // Without a ticket of what was typed there is nothing to confirm, whatever the one before it said.
  refuses(hedge.singlePreview, { code: 400, message: '每腿名义太小' });
  await person.type(size, '300');
  expect(await dialog.findByText(/^没有票据：.*每腿名义太小/)).toBeVisible();
  expect(verb).toBeDisabled();
  await person.clear(size);
  await person.type(size, '400');
  answers(hedge.singlePreview, { ...preview, real: { cap: 1_000 } });
  await person.click(dialog.getByText('实盘'));
  await waitFor(() =>
    expect(sentTo(hedge.singlePreview).at(-1)?.body).toMatchObject({ mode: 'live', params: { legNotional: 400 } }),
  );
  await waitFor(() => expect(verb).toBeEnabled());
  await person.type(dialog.getByLabelText(`输入 ${pair!.long} 确认实盘`), pair!.long);
  await hold(verb, 1_100);
  await waitFor(() =>
    expect(sentTo(hedge.single).map(({ body }) => body)).toMatchObject([
      { long: pair!.long, short: pair!.short, mode: 'live', accepts: ['adf'], params: { legNotional: 400 } },
    ]),
  );
});

test('one hedge whose z is not there yet waits for it with real money, is seen on the desk, and is called off', async () => {
  deskAnswers();
  environmentIs({ ...REAL, trading: 'live' });
  answers(venueAccount.list, { at: AT, list: [ACCOUNT], inTransit: '0', total: '900' });
  const desk = deskOf();
  const [pair] = desk.pairs;
  answers(hedgeConfig.desk, desk);
  answers(hedge.list, listOf([]));
  const places = { long: pair!.long, longSource: 'binance-live', short: pair!.short, shortSource: 'binance-live' };
  const target = {
    ...places,
    ...{ block: 'waitsForZ' as const, signal: -1.1, cost: 0.002, breakEven: null },
    ticket: ticketOf(['binance-live', 'binance-live'], pair!.long, pair!.short),
  };
  const preview = { at: AT, fees: 3, worst: 6, accounts: needsOf({}).slice(0, 1), signalIs: 'z' as const };
  answers(hedge.singlePreview, { ...preview, targets: [target] });
  answers(hedge.single, { id: 'only' });
  openConsole('/strategy/hedge', 'trader');
  await person.click((await screen.findAllByRole('button', { name: `${pair!.long} / ${pair!.short} 的更多操作` }))[0]!);
  await person.click(await screen.findByRole('menuitem', { name: '开这一笔' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^开这一笔：/ }));
  await person.click(dialog.getByText('实盘'));
  const hours = await dialog.findByRole('spinbutton', { name: '最多等' });
  expect(dialog.queryByText('买入最差价')).toBeNull();
  const verb = await dialog.findByRole('button', { name: '按住 1 秒：等到了再开' });
  await person.clear(hours);
  await waitFor(() => expect(verb).toBeDisabled());
  await person.type(hours, '48');
  await waitFor(() => expect(verb).toBeEnabled());
  const waits = {
    ...{ id: 'only', mode: 'live' as const, source: 'binance-live', long: pair!.long, short: pair!.short },
    ...{
      legNotional: 400,
      entryZ: 2,
      z: -1.1,
      until: Date.now() + 3_600_000,
      block: 'overCap' as const,
      refused: null,
    },
  };
  answers(hedge.waiting, { list: [waits, { ...waits, id: 'late', refused: 'waitsForZ' }] });
  await person.type(dialog.getByLabelText(`输入 ${pair!.long} 确认实盘`), pair!.long);
  // The answer is lost, and z arrives before the next try: it is the same wish, by the same name.
  const key = 'idempotency-key';
  let first: string | null = null;
  const isLost = ({ request }: { request: Request }) => {
    first = request.headers.get(key);
    return HttpResponse.error();
  };
  network.use(http.post(`*${hedge.single.path}`, isLost, { once: true }));
  await hold(verb, 1_100);
  expect(await dialog.findByText(/^ERR_NETWORK/)).toBeVisible();
  answers(hedge.singlePreview, { ...preview, targets: [{ ...target, block: null }] });
  const now = await dialog.findByRole('button', { name: '按住 1 秒：开这一笔' });
  await waitFor(() => expect(now).toBeEnabled());
  await hold(now, 1_100);
  await waitFor(() => expect(sentTo(hedge.single)).toHaveLength(1));
  expect(sentTo(hedge.single)[0]!.body).toMatchObject({ waitHours: 48, mode: 'live' });
  expect(sentTo(hedge.single)[0]!.body).not.toHaveProperty('worst');
  expect(first).not.toBeNull();
  expect(sentTo(hedge.single)[0]!.headers.get(key)).toBe(first);

  const list = within(await screen.findByRole('region', { name: '等待中的单笔' }, { timeout: 20_000 }));
  expect(list.getByText(/^等 z ≤ -2\.00/)).toHaveTextContent('现在 -1.10');
  expect(list.getByText('没有等到，已放弃：等待 z 入场')).toBeVisible();
  expect(list.getByText(/^现在不会开仓：/)).toHaveTextContent(/上限/);
  answers(hedge.cancelSingle, { id: 'only' });
  await person.click(list.getByRole('button', { name: /^撤\s?销$/ }));
  const sure = within(await screen.findByRole('dialog', { name: /^撤销等待：/ }));
  answers(hedge.waiting, { list: [] });
  await person.click(await sure.findByRole('button', { name: '撤销等待' }));
  await waitFor(() => expect(sentTo(hedge.cancelSingle).map(({ body }) => body)).toEqual([{ id: 'only' }]));
  await waitFor(() => expect(screen.queryByRole('region', { name: '等待中的单笔' })).toBeNull());
});

test('实盘 cannot be chosen where the server trades play money alone', async () => {
  openFunding('paper');
  await person.click(await screen.findByRole('button', { name: 'XLM 资金费 的更多操作' }));
  await person.click(await screen.findByRole('menuitem', { name: '复制' }));
  const drawer = await screen.findByRole('dialog', { name: '新建策略' });
  const advanced = within(drawer).queryByText('高级');
  if (advanced) await person.click(advanced);
  await person.click(within(drawer).getByRole('combobox', { name: '模式' }));
  expect(await screen.findByTitle('实盘')).toHaveAttribute('aria-disabled', 'true');
});

test('a hedge with real money is marked on the desk and in the dialog that closes it', async () => {
  deskAnswers();
  environmentIs({ ...REAL, trading: 'live' });
  answers(venueAccount.list, { at: AT, list: [ACCOUNT], inTransit: '0', total: '900' });
  answers(hedgeConfig.desk, deskOf());
  answers(hedge.list, listOf([rowOf('h1', { mode: 'live', source: 'binance-live' })]));
  openConsole('/strategy/hedge', 'trader');
  const row = (await screen.findByRole('button', { name: /^平\s?仓$/ })).closest('tr')!;
  expect(within(row).getByText('实盘')).toBeVisible();
  await person.click(within(row).getByRole('button', { name: /^平\s?仓$/ }));
  const close = await screen.findByRole('dialog', { name: /^平仓：/ });
  expect(await within(close).findByText('真实资金：币安 · 实时，账户「主账户」')).toBeVisible();
});
