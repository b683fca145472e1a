import { waitFor, within } from '@testing-library/react';
import { type OkxDesk, okxDesk } from '#contract/kinds/okx/desk';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { scanPast } from '#contract/scanPast';
import { strategies } from '#contract/strategies';
import type { DealRow } from '#contract/strategyRow';
import { venueAccount } from '#contract/venueAccount';
import { gapOf } from '../support/scanFixtures';
import { dealLegOf, dealOf, strategyOf } from '../support/strategyFixtures';
import { answers, environmentIs, openConsole, person, screen, sent, sentTo } from '../support/webConsole';

const AT = Date.UTC(2026, 10, 20, 8);

const ROW = gapOf('GRASS');

const OWN = strategyOf('okx', {
  ...{ name: 'GRASS 套利', params: { ...DEFAULT_OKX, coins: ['GRASS'] }, running: 0, ended: 3, notional: 0 },
  ...{ pricePnl: 6, fees: 4, net: 2 },
});

const DESK: OkxDesk = {
  funnel: { seen: 9, attempted: 4, filled: 3, profitable: 2 },
  inventory: [
    {
      base: 'GRASS',
      source: 'simulated',
      symbol: 'GRASSUSDT_SPOT',
      quantity: '11700',
      arriving: '0',
      value: 3000,
      target: 5000,
      drift: -0.2,
    },
    {
      base: 'GRASS',
      source: 'simulated-okx',
      symbol: 'GRASSUSDT_SPOT',
      quantity: '27300',
      arriving: '0',
      value: 7000,
      target: 5000,
      drift: 0.2,
    },
  ],
  moves: [
    {
      base: 'GRASS',
      from: 'simulated-okx',
      to: 'simulated',
      quantity: 7800,
      value: 2000,
      fee: 1,
      minutes: 8,
      canMove: 'open',
      fromAccount: 'a2',
      toAccount: 'a1',
      network: 'ERC20',
      feeBps: 5,
    },
  ],
  totals: {
    ...{ notional: 6000, planned: 7.2, real: 6.5, transferFees: 2, transferBps: 3.33, netBps: 10.83, afterBps: 7.5 },
    ...{ stockValue: 10_020, stockPnl: 21.5, hedgePnl: -3.5, other: -6.5, net: 18 },
  },
  tradedToday: 1978,
  curve: { time: [AT - 1000, AT], planned: [2, 4.4], real: [2, 4.3] },
  trades: [
    {
      ...{ id: 'd1', at: AT, buy: 'simulated-okx', sell: 'simulated', symbol: 'GRASSUSDT_SPOT', quantity: '7751' },
      ...{ notional: 1978, plannedBps: 12, realBps: 11.7, net: 2.31, buyMs: 61, sellMs: 44, apartMs: 0, share: 1 },
      ...{ state: 'closed', closeReason: 'done' },
    },
  ],
};

beforeEach(() => {
  answers(scanPast.arbitrage, { time: [AT - 300_000, AT], netBps: [-3, 4], above: 1, share: 0.5 });
  answers(scanPast.arbitrageHours, {
    pairs: [{ one: 'simulated', other: 'simulated-okx' }],
    hours: [{ hour: 8, netBps: [-2.5] }],
    samples: 28,
  });
});

test('a row leads to a drawer for both venues; under 我的 what is held where, what would even it out, and each trade', async () => {
  answers(arbitrageScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [OWN] });
  answers(strategies.deals, { list: [] });
  answers(okxDesk.read, DESK);
  openConsole('/strategy/okx?tab=mine', 'master');
  const stock = await screen.findByRole('region', { name: '库存' });
  expect(await within(stock).findByText('27,300.0000')).toBeInTheDocument();
  expect(within(stock).getByText('建议划转：把币移回一半对一半')).toBeInTheDocument();
  expect(within(stock).getByText('扣划转后').closest('div')).toHaveTextContent('+7.50');
  expect(within(stock).getByText('看到').nextSibling).toHaveTextContent('9');
  const trades = screen.getByRole('region', { name: '套利成交' });
  expect(within(trades).getByText('两边成交')).toBeInTheDocument();

  await person.click(screen.getByRole('tab', { name: '机会' }));
  await person.click(await screen.findByRole('button', { name: `用 ${ROW.id} 新建策略` }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByRole('textbox', { name: '名称' })).toHaveValue('GRASS OKX-币安');
  // What may be chosen is what both venues list, within what a page of the list may hold.
  const asked = sent
    .filter(({ path, query }) => path === arbitrageScan.list.path && query.get('sort') === 'base')
    .at(-1)!;
  expect(Object.fromEntries(asked.query)).toMatchObject({ sources: 'simulated-okx,simulated', pageSize: '200' });
  // Twice what a trade takes, so that there is something to sell at either venue.
  expect(within(drawer).getByRole('spinbutton', { name: '每所库存' })).toHaveValue('20000');
  const place = {
    long: 'GRASSUSDT_SPOT',
    longSource: 'simulated',
    short: 'GRASSUSDT_SPOT',
    shortSource: 'simulated-okx',
  };
  answers(strategies.preview, {
    at: Date.now(),
    ...{ fees: 49, worst: null, accounts: [], signalIs: 'edge' },
    stock: { notional: 40_000, fees: 40, slippage: 12.5, hedge: 39_500, hedgeCost: 21, capital: 79_580 },
    targets: [
      { ...place, block: null, isStock: true, signal: -0.0019, cost: 0.0025, breakEven: null },
      {
        ...{ long: 'GRASSUSDT', longSource: 'simulated-okx', short: 'GRASSUSDT', shortSource: 'simulated-okx' },
        ...{ block: null, isStock: true, signal: null, cost: null, breakEven: null },
      },
    ],
  });
  expect(within(drawer).getByRole('switch', { name: '对冲库存' })).toBeChecked();
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const tried = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(tried).findByText('会补库存')).toBeInTheDocument();
  expect(within(tried).getByText('会对冲库存')).toBeInTheDocument();
  const cost = within(tried).getByLabelText('建库存的成本');
  expect(cost).toHaveTextContent(
    /建库存 40,000\.00.*手续费 40\.00.*滑点 12\.50.*对冲永续 39,500\.00.*对冲成本 21\.00.*需要余额 79,580\.00/,
  );
  expect(within(tried).getAllByText('净价差 bps').length).toBeGreaterThan(0);
  expect(within(tried).queryByText('净年化')).toBeNull();
});

test('a row of exchanges that are followed says why nothing of the past can be replayed', async () => {
  const followed = { ...ROW, id: 'GRASS okx-live gate-live', buy: 'okx-live', sell: 'gate-live' };
  const row = { ...followed, ...{ replay7: null, replay30: null } };
  answers(arbitrageScan.list, { list: [row], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  answers(strategies.deals, { list: [] });
  openConsole('/strategy/okx', 'master');
  const line = (await screen.findByRole('button', { name: `用 ${row.id} 新建策略` })).closest('tr')!;
  expect(within(line).getAllByLabelText(/缺失：实时行情不保存过去的盘口/)).toHaveLength(2);
  expect(line).not.toHaveTextContent('计算中');
});

test.each([
  [0, '没有交易单，立即停止'],
  [1, '先平掉 1 张交易单'],
])(
  'with %d deals running, whoever stops it is told that the coins stay, and that nothing hedges them then',
  async (running, words) => {
    answers(strategies.list, { list: [{ ...OWN, running }] });
    answers(strategies.deals, { list: [] });
    answers(okxDesk.read, DESK);
    openConsole('/strategy/okx?tab=mine', 'master');
    await person.click(await screen.findByRole('button', { name: 'GRASS 套利 的更多操作' }));
    await person.click(await screen.findByRole('menuitem', { name: '停止' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(/库存的币不卖出，留在账户；没有对冲它的空头/)).toBeInTheDocument();
    expect(dialog).toHaveTextContent(words);
    expect(dialog).not.toHaveTextContent('没有持仓');
  },
);

test('a suggested move is carried out, one trade is asked for, and a coin is traded no more', async () => {
  answers(arbitrageScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [OWN] });
  answers(strategies.deals, { list: [] });
  answers(okxDesk.read, DESK);
  answers(venueAccount.transferCoin, { id: 't1', state: 'asked', fee: '1', minutes: 8, network: 'ERC20' });
  answers(okxDesk.once, { until: AT + 30_000 });
  answers(okxDesk.ban, { banned: ['GRASS'], version: 2 });
  openConsole('/strategy/okx?tab=mine', 'master');
  const confirm = async (button: HTMLElement, verb: string) => {
    await person.click(button);
    const dialog = (await screen.findAllByRole('dialog')).at(-1)!;
    const go = within(dialog).getByRole('button', { name: new RegExp(verb) });
    await person.pointer([{ keys: '[MouseLeft>]', target: go }]);
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await person.pointer([{ keys: '[/MouseLeft]' }]);
  };
  const stock = await screen.findByRole('region', { name: '库存' });
  await confirm(await within(stock).findByRole('button', { name: '划转 GRASS' }), '划转');
  expect(sentTo(venueAccount.transferCoin)[0]!.body).toEqual({
    ...{ from: 'a2', to: 'a1', coin: 'GRASS', quantity: 7800 },
  });
  await confirm(within(stock).getByRole('button', { name: '执行一次' }), '执行一次');
  expect(sentTo(okxDesk.once)[0]!.body).toEqual({ id: 's1' });
  await person.click(within(stock).getByRole('button', { name: '停用 GRASS 币安' }));
  const dialog = (await screen.findAllByRole('dialog')).at(-1)!;
  await person.click(within(dialog).getByRole('button', { name: '停用' }));
  await waitFor(() => expect(sentTo(okxDesk.ban)[0]?.body).toEqual({ id: 's1', word: 'GRASS', banned: true }));
  // A venue is stopped, where a coin is put on the black list.
  await person.click(within(stock).getByRole('button', { name: /停用\s?币安/ }));
  expect(await screen.findByRole('dialog', { name: /^停用：.* 的 币安$/ })).toBeInTheDocument();
  const hours = await screen.findByRole('region', { name: '小时与交易所' });
  expect(await within(hours).findByText('-2.5')).toBeInTheDocument();
});

const trade = (state: Partial<DealRow>, ...used: ('long' | 'short')[]): DealRow =>
  dealOf({
    ...{ id: used.join(), state: 'closed', closedAt: AT, closeReason: 'done', heldDays: 0, secondFillMs: 0 },
    ...{ pricePnl: 2, realised: 2, fees: 1, net: 1 },
    legs: (['long', 'short'] as const).map((leg) =>
      dealLegOf(leg, 'GRASSUSDT_SPOT', {
        ...{ isUsed: used.includes(leg), source: leg === 'long' ? 'simulated' : 'simulated-okx', mark: 0.25 },
        ...{ opened: used.includes(leg) ? '100' : '0', entry: used.includes(leg) ? 0.25 : null },
        ...{ pricePnl: 1, fees: 0.5 },
      }),
    ),
    ...state,
  });

test('what brought the inventory to what is wanted is not told as a trade at both venues', async () => {
  answers(arbitrageScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [OWN] });
  answers(strategies.deals, { list: [trade({}, 'long', 'short'), trade({}, 'long'), trade({}, 'short')] });
  answers(okxDesk.read, DESK);
  openConsole('/strategy/okx?tab=mine', 'master');
  const deals = await screen.findByRole('region', { name: '交易单' });
  const rows = await waitFor(() => {
    const found = within(deals)
      .getAllByRole('row')
      .filter((row) => /已平仓/.test(row.textContent ?? ''));
    expect(found).toHaveLength(3);
    return found;
  });
  expect(rows[0]).toHaveTextContent('已平仓：两边成交');
  expect(rows[1]).toHaveTextContent('已平仓：补库存');
  expect(rows[2]).toHaveTextContent('已平仓：卖出多余库存');
  expect(within(rows[1]!).getByLabelText('缺失：调整库存不看信号')).toBeInTheDocument();
  // As the scanner tells the gap.
  expect(within(deals).getByRole('columnheader', { name: /^开仓信号 bps/ })).toBeInTheDocument();
  expect(rows[0]).toHaveTextContent('+10.0');
  expect(within(rows[1]!).getAllByText(/GRASSUSDT_SPOT/)).toHaveLength(1);
  expect(within(rows[0]!).getAllByText(/GRASSUSDT_SPOT/)).toHaveLength(2);
});

test('rows keep their places for half a minute while their figures change, and are ordered anew then', async () => {
  const wide = gapOf('GRASS');
  const next = { ...gapOf('ARB'), netBps: wide.netBps! - 1 };
  answers(strategies.list, { list: [] });
  const now = jest.spyOn(Date, 'now');
  try {
    now.mockReturnValue(AT);
    answers(arbitrageScan.list, { list: [wide, next], total: 2, all: 2, hidden: [], at: AT });
    openConsole('/strategy/okx', 'master');
    const table = await screen.findByRole('region', { name: '机会' });
    const coins = () =>
      within(table)
        .getAllByRole('row')
        .flatMap((row) => /GRASS|ARB/.exec(row.textContent!)?.[0] ?? []);
    await waitFor(() => expect(coins()).toEqual(['GRASS', 'ARB']));

    const grown = { ...next, netBps: 77 };
    answers(arbitrageScan.list, { list: [grown, wide], total: 2, all: 2, hidden: [], at: AT });
    expect((await within(table).findAllByText(/77\.0/)).length).toBeGreaterThan(0);
    expect(coins()).toEqual(['GRASS', 'ARB']);

    now.mockReturnValue(AT + 30_000);
    await waitFor(() => expect(coins()).toEqual(['ARB', 'GRASS']));
  } finally {
    now.mockRestore();
  }
});

test('where others may trade for real this kind does not', async () => {
  environmentIs({ trading: 'live' });
  answers(arbitrageScan.list, { list: [ROW], total: 1, all: 1, hidden: [], at: AT });
  answers(strategies.list, { list: [] });
  openConsole('/strategy/okx', 'master');
  await person.click(await screen.findByRole('button', { name: `用 ${ROW.id} 新建策略` }));
  const drawer = await screen.findByRole('dialog');
  await person.click(within(drawer).getByRole('combobox', { name: '模式', hidden: true }));
  expect(await screen.findByTitle('实盘')).toHaveClass('ant-select-item-option-disabled');
});
