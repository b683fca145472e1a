import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { cexRateDesk, type RateDeal } from '#contract/kinds/cexRate/desk';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { type CexRateCandidate, cexRateScan } from '#contract/kinds/cexRate/scan';
import { scanPast } from '#contract/scanPast';
import { type LegsTicket, strategies } from '#contract/strategies';
import { venueAccount } from '#contract/venueAccount';
import { strategyOf } from '../support/strategyFixtures';
import { answers, environmentIs, openConsole, person, place, screen, sent, sentTo } from '../support/webConsole';

const AT = Date.UTC(2026, 10, 20, 8);
const ROW: CexRateCandidate = {
  id: 'SOL simulated simulated-okx',
  base: 'SOL',
  long: 'simulated-okx',
  short: 'simulated',
  longSymbol: 'SOLUSDT',
  shortSymbol: 'SOLUSDT',
  longRate: -0.0002,
  shortRate: 0.0001,
  longHours: 4,
  shortHours: 8,
  longNextAt: AT,
  shortNextAt: AT,
  rateGap: 0.0005,
  grossApr: 0.5475,
  quantity: 66.6,
  fees: 0.002,
  openEdge: -0.00012,
  closeLevel: 0.0003,
  netApr: 0.4312,
  capitalApr: 0.6468,
  netAprAtRate: 0.6118,
  paybackDays: 1.6,
  capacity: 452_000,
  replay7: -0.0012,
  replay30: null,
  openInterest: 81_000_000,
  notes: ['interval'],
  obstacles: [],
};
const CELL = { symbol: 'SOLUSDT', rate: 0.0001, rate8h: 0.0001, apr: 0.1095, hours: 8, nextAt: AT };

const lastAsked = (path: string) => sent.filter((call) => call.path === path).at(-1)!.query;

test('replays that are still being worked out say so, and those that cannot be are missing with the reason', async () => {
  const none = { replay7: null, replay30: null };
  const list = [
    { ...ROW, ...none, replaying: true },
    { ...ROW, ...none, id: 'ADA simulated simulated-okx', base: 'ADA', long: 'binance-live', short: 'bybit-live' },
  ];
  answers(cexRateScan.list, { list, total: 2, all: 2, hidden: [], at: AT });
  openConsole('/strategy/cexRate', 'master');
  const rowOf = async (base: string) => within((await screen.findByRole('link', { name: base })).closest('tr')!);
  expect((await rowOf('SOL')).getAllByText('计算中')).toHaveLength(2);
  // Names of venues that are followed keep to one line of their columns.
  expect((await rowOf('ADA')).getByText('币安·实时')).toBeInTheDocument();
  expect((await rowOf('ADA')).getAllByLabelText('缺失：那时未上市、没有足够的盘口或结算不齐')).toHaveLength(2);
});

test('a row at an exchange where the reader has no account says so, and leads to where one is opened', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  const own = { name: '首个账户', mode: 'paper', latencyMs: 2, recordedAt: null, pending: 0, equity: '1000' } as const;
  const rest = { share: 1, available: '1000', withdrawable: '1000', marginRatio: null, positions: 0 } as const;
  const at = (venue: string) => ({ id: venue, venue, ...own, ...rest, state: 'ok' as const, openedAt: AT });
  answers(venueAccount.list, { at: AT, inTransit: '0', total: '1000', list: [at('simulated')] });
  openConsole('/strategy/cexRate', 'master');
  const row = (await screen.findByRole('link', { name: 'SOL' })).closest('tr')!;
  expect(await within(row).findByRole('link', { name: '未开户 ›' })).toHaveAttribute(
    'href',
    '/?view=own&open=simulated-okx',
  );
  expect(within(row).queryByText('可开仓')).toBeNull();
  const saved: Blob[] = [];
  URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`;
  URL.revokeObjectURL = () => {};
  await person.click(screen.getByLabelText('导出 CSV'));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]!.text()).toContain('未开户 间隔不同');
  await person.click(within(row).getByRole('link', { name: '未开户 ›' }));
  await waitFor(() => expect(place()).toContain('open=simulated-okx'));
});

test('opportunities by size, hours and filter; the matrix beside them in the unit chosen', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(cexRateScan.matrix, {
    list: [
      {
        ...{ id: 'SOL', base: 'SOL' },
        cells: [
          { source: 'simulated', ...CELL },
          { source: 'simulated-okx', ...CELL, rate: -0.0002, rate8h: -0.0004, apr: -0.438, hours: 4 },
        ],
        bestLong: 'simulated-okx',
        bestShort: 'simulated',
        aprGap: 0.5475,
        openInterest: 120_000_000,
      },
      {
        ...{ id: 'SOL live', base: 'SOL' },
        cells: [{ source: 'binance-live', ...CELL }],
        ...{ bestLong: null, bestShort: null, aprGap: null, openInterest: null },
      },
    ],
    total: 2,
    at: AT,
  });
  // What no scanner takes is as if it were not there.
  openConsole('/strategy/cexRate?hours=72&size=-5', 'master');
  const row = (await screen.findByRole('link', { name: 'SOL' })).closest('tr')!;
  for (const text of ['OKX', '币安', '可开仓', '间隔不同', '20.0', '-0.12%', '+0.0500%', '45.20万'])
    expect(within(row).getByText(text)).toBeVisible();
  expect(within(row).getByLabelText('缺失：那时未上市、没有足够的盘口或结算不齐')).toBeVisible();
  expect(Object.fromEntries(lastAsked('/api/market/cexRate'))).toMatchObject({ size: '10000', hours: '72' });
  expect(screen.queryByLabelText('净年化（%）')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^更多 \d+$/ }));
  await userEvent.type(screen.getByLabelText('净年化（%）'), '5');
  await waitFor(() => expect(lastAsked('/api/market/cexRate').get('minNetApr')).toBe('0.05'));
  const saved: Blob[] = [];
  URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`;
  URL.revokeObjectURL = () => {};
  await person.click(screen.getByLabelText('导出 CSV'));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]!.text()).toContain('可开仓 间隔不同');
  // What is set stays in sight.
  await userEvent.click(screen.getByRole('button', { name: /^收\s?起$/ }));
  expect(screen.getByLabelText('净年化（%）')).toHaveValue('5');

  await userEvent.click(screen.getByRole('tab', { name: '矩阵' }));
  // What is real has a row of its own: nothing is said there of whether a simulated venue lists the coin.
  const real = (await screen.findByText('SOL · 实时')).closest('tr')!;
  expect(within(real).queryByText('无合约')).toBeNull();
  expect(await screen.findByText('无合约')).toBeVisible();
  expect(screen.getByText('-0.0200%')).toBeVisible();
  expect(screen.queryByLabelText('每腿名义（USDT）')).toBeNull();
  expect(lastAsked('/api/market/cexRate/matrix').has('minNetApr')).toBe(false);
  await userEvent.click(screen.getByText('每 8h'));
  expect(await screen.findByText('-0.0400%')).toBeVisible();
  expect(place()).toContain('tab=matrix');
});

test('the assumption bar re-prices all rows at once, and its choices live in the address', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  openConsole('/strategy/cexRate?exit=rolled&tier=9', 'master');
  await screen.findByRole('link', { name: 'SOL' });
  // A tier that no venue has is that of the accounts.
  const asked = () => Object.fromEntries(lastAsked('/api/market/cexRate'));
  expect(asked()).toMatchObject({ entry: 'taker', exit: 'rolled', tier: '0', hours: '168' });
  expect(screen.getByLabelText('持有（天）')).toHaveValue('7');
  expect(screen.getByText(/^策略的开仓条件仍按双市价、计入平仓、VIP 0 计算$/)).toBeVisible();

  await person.click(screen.getByText('挂单+对冲'));
  await waitFor(() => expect(asked()).toMatchObject({ entry: 'maker', exit: 'rolled' }));
  expect(screen.getByText(/VIP 0 计算，用行建的策略按挂单\+对冲下单/)).toBeVisible();
  await person.click(screen.getByRole('combobox', { name: '费率等级' }));
  await person.click(await screen.findByTitle('VIP 2'));
  await waitFor(() => expect(asked()).toMatchObject({ tier: '2' }));
  await person.clear(screen.getByLabelText('持有（天）'));
  await person.type(screen.getByLabelText('持有（天）'), '1.5');
  await waitFor(() => expect(asked()).toMatchObject({ hours: '36' }));
  for (const part of ['entry=maker', 'exit=rolled', 'tier=2', 'hours=36']) expect(place()).toContain(part);

  await person.click(screen.getByRole('button', { name: '按实际' }));
  await waitFor(() => expect(asked()).toMatchObject({ entry: 'taker', exit: 'counted', tier: '0', hours: '36' }));
  for (const part of ['entry', 'exit', 'tier']) expect(place()).not.toContain(part);
  expect(screen.queryByText(/开仓条件仍按/)).toBeNull();
});

test('a row leads to a drawer filled with both venues; what an account lacks is said before it is saved', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  const legs = { long: 'SOLUSDT', longSource: 'simulated-okx', short: 'SOLUSDT', shortSource: 'simulated' };
  const need = { cash: 0, margin: 3_400 };
  answers(strategies.preview, {
    at: Date.now(),
    ...{ fees: 30, worst: 400 },
    accounts: [
      { source: 'simulated-okx', ...need, spendable: null, freeMargin: null },
      { source: 'simulated', ...need, spendable: 90_000, freeMargin: 90_000 },
    ],
    targets: [{ ...legs, block: null, signal: 0.43, cost: 0.0024, breakEven: null }],
  });
  openConsole('/strategy/cexRate', 'master');
  await person.click(await screen.findByRole('button', { name: `用 ${ROW.id} 新建策略` }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByRole('textbox', { name: '名称' })).toHaveValue('SOL 多 OKX 空 币安');
  // Rows that assume that both legs take make a strategy of which both take.
  expect(within(drawer).getByRole('spinbutton', { name: '挂单转市价' })).toBeDisabled();
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(preview).findByText('全部开满时：OKX 还没有账户')).toBeInTheDocument();
  expect(within(preview).getByRole('link', { name: '去 OKX 开户' })).toHaveAttribute(
    'href',
    '/?view=own&open=simulated-okx',
  );
  expect(within(preview).getByText('SOLUSDT · OKX')).toBeInTheDocument();
  expect(sentTo(strategies.preview)[0]?.body).toMatchObject({
    params: {
      ...{ long: 'simulated-okx', short: 'simulated', coins: ['SOL'], legNotional: 10_000 },
      orderType: 'market',
    },
  });
});

const LEG: LegsTicket['legs'][number] = {
  ...{ leg: 'long', source: 'simulated-okx', symbol: 'SOLUSDT', way: 'rests', quantity: '66.6', held: '66.6' },
  ...{ partQuantity: '66.6', lotSize: '0.1', price: 150.1, limitPrice: 150.1, fillable: null },
  ...{ notional: 9_996.66, fee: 2, slippage: -0.5 },
};
const HEDGE = { ...LEG, leg: 'short', source: 'simulated', way: 'hedges', fillable: '66.6', fee: 5 } as const;
const TICKET: LegsTicket = {
  legs: [LEG, HEDGE],
  ...{ gap: 0, slices: 1, sliceSeconds: 15, payUpTicks: null, convertSeconds: 45 },
};

test('rows that assume a resting leg make a strategy of which one rests; its ticket says it in the same words', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  const legsOf = (symbol: string) => ({
    ...{ long: symbol, longSource: 'simulated-okx', short: symbol, shortSource: 'simulated' },
    ...{ block: null, signal: 0.43, cost: 0.0024, breakEven: null },
  });
  const named = (symbol: string) => ({ ...TICKET, legs: TICKET.legs.map((leg) => ({ ...leg, symbol })) });
  const preview = { fees: 30, worst: 400, accounts: [] };
  answers(strategies.preview, {
    at: Date.now(),
    ...preview,
    targets: [{ ...legsOf('SOLUSDT'), ticket: named('SOLUSDT') }],
  });
  openConsole('/strategy/cexRate?entry=maker', 'master');
  await person.click(await screen.findByRole('button', { name: `用 ${ROW.id} 新建策略` }));
  const drawer = await screen.findByRole('dialog');
  const seconds = within(drawer).getByRole('spinbutton', { name: '挂单转市价' });
  expect(seconds).toBeEnabled();
  await person.clear(seconds);
  await person.type(seconds, '4');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  expect(await within(drawer).findByText('挂单转市价不能小于 5')).toBeInTheDocument();
  expect(sentTo(strategies.preview)).toEqual([]);
  await person.type(seconds, '5');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const ticket = await within(drawer).findByRole('region', { name: '下单' });
  expect(sentTo(strategies.preview)[0]?.body).toMatchObject({
    params: { orderType: 'maker', convertSeconds: 45 },
  });
  const bought = within(ticket).getByRole('region', { name: '买入 SOLUSDT' });
  for (const text of ['OKX', '挂单', '挂单价']) expect(within(bought).getByText(text)).toBeInTheDocument();
  const sold = within(ticket).getByRole('region', { name: '卖出 SOLUSDT' });
  for (const text of ['币安', '随成交市价对冲']) expect(within(sold).getByText(text)).toBeInTheDocument();
  const plan = '挂单+对冲，每 20 秒按最优价重挂，挂 45 秒未成交转市价；一次进；超价只按滑点上限';
  expect(within(ticket).getByText(plan)).toBeInTheDocument();

  // Those of several coins are opened one by one.
  const two = ['SOLUSDT', 'XRPUSDT'].map((symbol) => ({ ...legsOf(symbol), ticket: named(symbol) }));
  answers(strategies.preview, { at: Date.now(), ...preview, targets: two });
  await person.clear(seconds);
  await person.type(seconds, '50');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const folded = await within(drawer).findByText('XRPUSDT · OKX / XRPUSDT · 币安');
  const of = within(folded.closest('details')!);
  expect(of.getByText(plan)).not.toBeVisible();
  await person.click(folded);
  expect(of.getByText(plan)).toBeVisible();
});

const DEAL_LEG = {
  symbol: 'SOLUSDT',
  filled: 1,
  entry: 150,
  mark: 151,
  liquidationPrice: 90,
  liquidationDistance: 0.4,
};
const DEAL: RateDeal = {
  ...{ id: 'd1', state: 'open', openedAt: AT, days: 3.2, balance: 'unbalanced', attempts: 0, frozen: null },
  legs: [
    {
      ...DEAL_LEG,
      leg: 'long',
      source: 'simulated-okx',
      quantity: '66',
      rate: 0.0001,
      hours: 4,
      nextAt: AT,
      funding: 2,
      free: 400,
    },
    {
      ...DEAL_LEG,
      leg: 'short',
      source: 'simulated',
      quantity: '-60',
      rate: 0.0002,
      hours: 8,
      nextAt: AT,
      funding: 1,
      free: 2500,
    },
  ],
  ...{
    lacking: { leg: 'short', quantity: 6, value: 906 },
    oneLegSince: null,
    completesAt: null,
    unwindsAt: null,
  },
  resting: null,
  ...{ gapOpen: 0.002, gapNow: 0.0011, aprOpen: 0.6, aprNow: 0.42, horizonAt: AT + 604_800_000 },
  waterfall: {
    steps: [
      { step: 'funding', amount: 3, sum: 3 },
      { step: 'fees', amount: -5, sum: -2 },
      { step: 'slippage', amount: -1, sum: -3 },
      { step: 'gap', amount: 6, sum: 3 },
      { step: 'exit', amount: -7, sum: -4 },
      { step: 'expected', amount: 22.5, sum: 18.5 },
    ],
  },
};

/** A strategy that runs and holds this one deal. */
function answersDeal(deal: RateDeal, mode: 'paper' | 'live' = 'paper'): void {
  answers(cexRateScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  const params = { ...DEFAULT_CEX_RATE, coins: ['SOL'] };
  answers(strategies.list, {
    list: [strategyOf('cexRate', { name: 'SOL 两所', mode, params, pricePnl: 0, funding: 3, fees: 5, net: -2 })],
  });
  answers(strategies.deals, { list: [] });
  answers(cexRateDesk.margins, {
    venues: [
      { source: 'simulated', balance: 3000, free: 2500, marginRatio: 0.0667 },
      { source: 'simulated-okx', balance: 1000, free: 400, marginRatio: 0.6 },
    ],
    move: { from: 'simulated', to: 'simulated-okx', amount: 2000 },
  });
  answers(cexRateDesk.deals, { list: [deal] });
  answers(scanPast.rates, { time: [AT, AT + 1], apr: [0.4, 0.5], sum: [0, 0.001] });
}

test('a strategy says how safe both venues are, and what to move where one is much nearer to its limit', async () => {
  answersDeal(DEAL);
  answers(strategies.rebalanceLegs, { id: 'd1' });
  openConsole('/strategy/cexRate?tab=mine', 'master');
  const deal = await screen.findByRole('region', { name: '持有' });
  expect(within(deal).getByText('不平衡')).toBeInTheDocument();
  const steps = within(deal).getByRole('table', { name: '盈亏瀑布，USDT' });
  expect(within(steps).getByText('期满净值').closest('tr')).toHaveTextContent('+18.50');
  expect(within(steps).getByText('现在平掉').closest('tr')).toHaveTextContent('-4.00');
  await userEvent.click(within(deal).getByRole('button', { name: /^补\s?齐$/ }));
  const asked = await screen.findByRole('dialog');
  expect(await within(asked).findByText(/补上较小的一腿/)).toBeInTheDocument();
  const panel = await screen.findByRole('region', { name: '两所保证金' });
  expect(await within(panel).findByText('60.00%')).toBeInTheDocument();
  expect(within(panel).getByText(/OKX 的保证金率高出 20 个百分点：建议从 币安 划转/)).toBeInTheDocument();
  expect(within(panel).getByText('2,000.00')).toBeInTheDocument();
});

test.each([
  ['of a real deal names its own accounts alone', 'live', '真实资金：币安 · 实时，账户「主账户」；OKX · 实时'],
  ['of a deal on paper tells of no real money', 'paper', null],
] as const)('the dialog that brings the legs together %s', async (_, mode, line) => {
  environmentIs({ simulated: false, followed: ['binance', 'okx', 'bybit'], trading: 'live' });
  const own = { name: '主账户', mode: 'live', latencyMs: 2, recordedAt: null, pending: 0, equity: '1000' } as const;
  const rest = { share: 1, available: '1000', withdrawable: '1000', marginRatio: null, positions: 0 } as const;
  const at = (venue: string) => ({ id: venue, venue, ...own, ...rest, state: 'ok' as const, openedAt: AT });
  const list = [at('binance-live'), at('bybit-live')];
  answers(venueAccount.list, { at: AT, inTransit: '0', total: '2000', list });
  const legs = DEAL.legs.map((leg, i) => ({ ...leg, source: ['binance-live', 'okx-live'][i]! }));
  answersDeal({ ...DEAL, legs }, mode);
  openConsole('/strategy/cexRate?tab=mine', 'master');
  const deal = await screen.findByRole('region', { name: '持有' });
  await person.click(within(deal).getByRole('button', { name: /^退\s?回$/ }));
  const dialog = await screen.findByRole('dialog', { name: /^退回：/ });
  expect(await within(dialog).findByText(/减少较大的一腿/)).toBeInTheDocument();
  if (line === null) await waitFor(() => expect(within(dialog).queryByText(/真实资金/)).toBeNull());
  else expect(await within(dialog).findByText(line)).toBeInTheDocument();
});

test('a leg that was traded away by hand is no neutral one, and a contract that is not read has no interval', async () => {
  const taken = '账户里 SOLUSDT 只剩 40 可平，20 已被外部成交抵掉';
  const legs = DEAL.legs.map((leg) => ({ ...leg, rate: null, hours: null, nextAt: null }));
  answersDeal({ ...DEAL, legs, balance: 'neutral', lacking: null, taken });
  openConsole('/strategy/cexRate?tab=mine', 'master');
  const deal = await screen.findByRole('region', { name: '持有' });
  expect(within(deal).getByText('腿被抵掉')).toBeInTheDocument();
  expect(within(deal).getByText(taken)).toBeInTheDocument();
  expect(within(deal).queryByText('中性')).toBeNull();
  expect(within(deal).queryByText('h')).toBeNull();
});

test('a leg that rests is shown with the time that is left to it, and how far both legs have come', async () => {
  const { legs, ...rest } = DEAL;
  const opening: RateDeal = {
    ...{ ...rest, state: 'opening', openedAt: null, days: null, balance: null, lacking: null, horizonAt: null },
    resting: { legs: ['long'], isOut: false, convertsAt: Date.now() + 95_000 },
    legs: legs.map((leg) => ({ ...leg, quantity: '0', filled: 0 })),
  };
  answersDeal(opening);
  openConsole('/strategy/cexRate?tab=mine', 'master');
  const deal = await screen.findByRole('region', { name: '持有' });
  const told = await within(deal).findByText(/多头腿挂单，每 20 秒按最优价重挂/);
  expect(told).toHaveTextContent(/00:0[01]:\d\d 后转市价，成交多少另一腿按市价对冲多少$/);
  expect(within(deal).getAllByText('0%')).toHaveLength(2);
  // What is read next is shown in its place.
  answers(cexRateDesk.deals, { list: [{ ...opening, resting: { legs: ['short'], isOut: false, convertsAt: null } }] });
  expect(await within(deal).findByText(/空头腿挂单，.*不转市价/)).toBeInTheDocument();
  answers(cexRateDesk.deals, { list: [DEAL] });
  await waitFor(() => expect(within(deal).queryByText(/挂单，/)).toBeNull());
}, 20_000);
