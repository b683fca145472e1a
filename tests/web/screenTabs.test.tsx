import { waitFor, within } from '@testing-library/react';
import { history } from '@umijs/max';
import { delay, HttpResponse } from 'msw';
import { cexRateDesk } from '#contract/kinds/cexRate/desk';
import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { gridDeal } from '#contract/kinds/grid/deal';
import { gridScan } from '#contract/kinds/grid/scan';
import { okxDesk } from '#contract/kinds/okx/desk';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { spreadScan } from '#contract/kinds/spread/scan';
import { strategies } from '#contract/strategies';
import { STRATEGY_KIND_LABEL, type StrategyKind } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { XLM } from '../support/scanFixtures';
import { strategyOf } from '../support/strategyFixtures';
import { answers, arrived, openConsole, person, place, refuses, responds, screen, sent } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const ownOf = (id: string, more: Partial<StrategyRow> = {}): StrategyRow =>
  strategyOf('fundingRate', {
    ...{ id, name: `策略 ${id}`, params: { ...DEFAULT_OKX, ...DEFAULT_FUNDING }, running: 2, notional: 1_000 },
    ...{ funding: 2, fees: 0.5, net: 12.5, ...more },
  });

/** Where the market of each kind is read. */
const SCANS: Partial<Record<StrategyKind, `/api/${string}`>> = {
  fundingRate: fundingScan.list.path,
  spread: spreadScan.list.path,
  cexRate: cexRateScan.list.path,
  okx: arbitrageScan.list.path,
  grid: gridScan.list.path,
};
const SCREENS = Object.keys(SCANS) as StrategyKind[];
const read = (path: string) => sent.filter((one) => one.path === path);
const mine = () => screen.findByRole('tab', { name: /^我的/ });
const panel = () => screen.findByRole('region', { name: '策略' });
const chosen = () => screen.getByRole('tab', { selected: true });

beforeEach(() => {
  answers(fundingScan.list, { list: [XLM], total: 1, all: 1, hidden: [], at: AT });
  answers(spreadScan.list, { list: [], total: 0, all: 0, hidden: [], at: AT });
  answers(arbitrageScan.list, { list: [], total: 0, all: 0, hidden: [], at: AT });
  answers(gridScan.list, { list: [], total: 0, all: 0, hidden: [], at: AT });
  answers(cexRateScan.list, { list: [], total: 0, all: 0, hidden: [], at: AT });
  answers(cexRateScan.matrix, { list: [], total: 0, at: AT });
  answers(gridDeal.list, { list: [] });
  answers(strategies.list, { list: [ownOf('s2'), ownOf('s1', { state: 'stopped', running: 1, net: -2 })] });
  answers(strategies.deals, { list: [] });
  // What each kind tells of its own is of other tests.
  for (const endpoint of [
    ...[fundingRateDesk.figures, fundingRateDesk.heat, cexRateDesk.deals, cexRateDesk.margins],
    ...[okxDesk.read, spreadDesk.figures],
  ]) {
    refuses(endpoint, { code: 404, message: '没有' });
  }
});

test.each(SCREENS)(
  '%s: the tab of what is mine tells of it while the market is open, and nothing else of it is read',
  async (kind) => {
    openConsole(`/strategy/${kind}`, 'master');
    const tab = await mine();
    await waitFor(() => expect(tab).toHaveTextContent('1 运行 · 3 单'));
    expect(within(tab).getByText('+10.50')).toBeVisible();
    expect(within(tab).queryByRole('img')).toBeNull();
    expect(chosen()).toHaveTextContent('机会');
    expect(screen.getByRole('region', { name: '机会' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: '策略' })).toBeNull();
    expect(read(strategies.deals.path)).toEqual([]);
    expect(read(gridDeal.list.path)).toEqual([]);

    await person.click(tab);
    expect(place()).toBe(`/strategy/${kind}?tab=mine`);
    expect(await within(await panel()).findByRole('button', { name: '策略 s1' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: '机会' })).toBeNull();
    history.back();
    expect(await screen.findByRole('region', { name: '机会' })).toBeInTheDocument();
    expect(place()).toBe(`/strategy/${kind}`);
  },
);

test.each(SCREENS)(
  '%s: a link that names a strategy or a deal opens what is mine, and its row stands out',
  async (kind) => {
    openConsole(`/strategy/${kind}?id=d1&strategy=s1`, 'master');
    const row = (await within(await panel()).findByRole('button', { name: '策略 s1' })).closest('tr')!;
    await waitFor(() => expect(row).toHaveAttribute('aria-current', 'true'));
    expect(chosen()).toHaveTextContent(/^我的/);
    expect(read(SCANS[kind]!)).toEqual([]);
    // The market can be opened all the same, and is again after a reload.
    await person.click(screen.getByRole('tab', { name: '机会' }));
    expect(await screen.findByRole('region', { name: '机会' })).toBeInTheDocument();
    expect(new URLSearchParams(history.location.search).get('tab')).toBe('market');
  },
);

test('what a person should look at is marked on the tab and said by what it is', async () => {
  const held = { hold: 'confirm', at: AT, by: null } as const;
  const target = { id: 't', long: 'A', longSource: 'simulated', short: 'B', shortSource: 'simulated' };
  answers(strategies.list, {
    list: [
      ownOf('s4', { alerts: 2, net: null }),
      ownOf('s3', { state: 'tripped' }),
      ownOf('s2', { state: 'stopped', unguarded: { deals: 3, selfManaged: null } }),
      ownOf('s1', { targets: [{ ...target, block: 'unconfirmed', held, rounds: 0, triggeredAt: null }] }),
    ],
  });
  openConsole('/strategy/fundingRate', 'master');
  const tab = await mine();
  const mark = await within(tab).findByRole('img', {
    name: '2 条提醒，1 个策略熔断，3 张交易单无人看护，1 个标的待确认',
  });
  expect(mark).toHaveTextContent('7');
  // There is no sum where a part of it has no price.
  expect(within(tab).getByLabelText(/没有价格/)).toBeInTheDocument();
});

test('who has no strategy is told so on the tab', async () => {
  answers(strategies.list, { list: [] });
  openConsole('/strategy/fundingRate', 'master');
  await waitFor(async () => expect(await mine()).toHaveTextContent('还没有策略'));
});

test('tabs are reached by arrow keys; filters, order and page of the market are there again', async () => {
  answers(fundingScan.list, { list: [XLM], total: 60, all: 60, hidden: [], at: AT });
  openConsole('/strategy/fundingRate?minApr=0.1&sort=-netApr&current=2', 'master');
  await screen.findByRole('region', { name: '机会' });
  screen.getByRole('tab', { name: '机会' }).focus();
  await person.keyboard('{ArrowRight}{Enter}');
  await panel();
  const asked = read(fundingScan.list.path).length;
  await person.click(screen.getByRole('tab', { name: '机会' }));
  expect(await screen.findByLabelText('净年化（%）')).toHaveValue('10');
  expect(place()).toBe('/strategy/fundingRate?minApr=0.1&sort=-netApr&current=2');
  await waitFor(() => expect(read(fundingScan.list.path).length).toBeGreaterThan(asked));
});

test('the order of the matrix is there again after a look at what is mine, and is not that of the other market', async () => {
  openConsole('/strategy/cexRate?tab=matrix&sort=-aprGap', 'master');
  await person.click(await mine());
  await panel();
  await person.click(screen.getByRole('tab', { name: '矩阵' }));
  expect(place()).toBe('/strategy/cexRate?tab=matrix&sort=-aprGap');
  await person.click(screen.getByRole('tab', { name: '机会' }));
  expect(place()).toBe('/strategy/cexRate');
});

test('a strategy that was set up from the market is shown among those that are mine, and stands out for a moment', async () => {
  answers(strategies.preview, { at: Date.now(), fees: null, worst: null, accounts: [], targets: [] });
  answers(strategies.create, { id: 's3', version: 1 });
  openConsole('/strategy/fundingRate?size=10000', 'master');
  await person.click(await screen.findByRole('button', { name: '用 simulated XLM 新建策略' }));
  const drawer = await screen.findByRole('dialog');
  await person.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  await within(drawer).findByRole('region', { name: '试算' });
  answers(strategies.list, { list: [ownOf('s3'), ownOf('s2')] });
  await person.click(within(drawer).getByRole('button', { name: /^保\s?存$/ }));
  const row = (await within(await panel()).findByRole('button', { name: '策略 s3' })).closest('tr')!;
  await waitFor(() => expect(row).toHaveAttribute('aria-current', 'true'));
  expect(place()).toBe('/strategy/fundingRate?size=10000&tab=mine&strategy=s3');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(row).not.toHaveAttribute('aria-current'), { timeout: 6_000 });
});

test.each(SCREENS)('%s: shows what was read of its market when somebody pointed at its link', async (kind) => {
  const told = HttpResponse.json({
    code: 200,
    message: 'ok',
    data: { list: [], total: 0, all: 0, hidden: [], at: AT },
  });
  const answered: Response[] = [told];
  // Whoever asks once more waits for ever.
  responds({ method: 'GET', path: SCANS[kind]! }, async () => answered.shift() ?? delay('infinite').then(() => told));
  openConsole('/user/apiKey', 'master');
  await person.click(await screen.findByRole('menuitem', { name: /策略管理/ }));
  const link = await screen.findByRole('link', { name: STRATEGY_KIND_LABEL[kind] });
  await person.hover(link);
  await waitFor(() => expect(answered).toEqual([]));
  await person.click(link);
  await arrived(`/strategy/${kind}`);
  expect(await screen.findByText(/^没有可/)).toBeVisible();
});
