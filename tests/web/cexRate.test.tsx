import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DEFAULT_CEX_RATE } from '#contract/cexRate';
import { cexRateDesk } from '#contract/cexRateDesk';
import { type CexRateCandidate, cexRateScan } from '#contract/cexRateScan';
import { scanPast } from '#contract/scanPast';
import { strategies } from '#contract/strategies';
import { answers, openConsole, place, screen, sent } from '../support/webConsole';

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
  paybackDays: 1.6,
  capacity: 452_000,
  replay: null,
  openInterest: 81_000_000,
  notes: ['interval'],
  obstacles: [],
};
const CELL = { symbol: 'SOLUSDT', rate: 0.0001, rate8h: 0.0001, apr: 0.1095, hours: 8, nextAt: AT };

const lastAsked = (path: string) => sent.filter((call) => call.path === path).at(-1)!.query;

test('opportunities by size, hours and filter; the matrix beside them in the unit chosen', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, at: AT });
  answers(cexRateScan.matrix, {
    list: [
      {
        base: 'SOL',
        cells: [
          { source: 'simulated', ...CELL },
          { source: 'simulated-okx', ...CELL, rate: -0.0002, rate8h: -0.0004, apr: -0.438, hours: 4 },
        ],
        bestLong: 'simulated-okx',
        bestShort: 'simulated',
        aprGap: 0.5475,
        openInterest: 120_000_000,
      },
    ],
    total: 1,
    at: AT,
  });
  openConsole('/strategy/cexRate?hours=72', 'master');
  const row = (await screen.findByRole('link', { name: 'SOL' })).closest('tr')!;
  for (const text of ['OKX', '币安', '可做', '间隔不同', '+0.0500%', '45.20万'])
    expect(within(row).getByText(text)).toBeVisible();
  expect(within(row).getByLabelText('缺失：7 天内的结算不齐，或没有完整的价格')).toBeVisible();
  expect(Object.fromEntries(lastAsked('/api/market/cexRate'))).toMatchObject({ size: '10000', hours: '72' });
  await userEvent.type(screen.getByLabelText('净年化（%）'), '5');
  await waitFor(() => expect(lastAsked('/api/market/cexRate').get('minNetApr')).toBe('0.05'));

  await userEvent.click(screen.getByRole('tab', { name: '矩阵' }));
  expect(await screen.findByText('无合约')).toBeVisible();
  expect(screen.getByText('-0.0200%')).toBeVisible();
  expect(screen.queryByLabelText('每腿规模（USDT）')).toBeNull();
  expect(lastAsked('/api/market/cexRate/matrix').has('minNetApr')).toBe(false);
  await userEvent.click(screen.getByText('每 8h'));
  expect(await screen.findByText('-0.0400%')).toBeVisible();
  expect(place()).toContain('tab=matrix');
});

test('the assumption bar re-prices all rows at once, and its choices live in the address', async () => {
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  answers(cexRateScan.list, { list: [ROW], total: 1, at: AT });
  openConsole('/strategy/cexRate?exit=rolled&tier=9', 'master');
  await screen.findByRole('link', { name: 'SOL' });
  // A tier that no venue has is that of the accounts.
  const asked = () => Object.fromEntries(lastAsked('/api/market/cexRate'));
  expect(asked()).toMatchObject({ entry: 'taker', exit: 'rolled', tier: '0', hours: '168' });
  expect(screen.getByLabelText('持有（天）')).toHaveValue('7');
  expect(screen.getByText(/策略仍按双市价、计入平仓、VIP 0 试算与下单/)).toBeVisible();

  await user.click(screen.getByText('挂单+对冲'));
  await waitFor(() => expect(asked()).toMatchObject({ entry: 'maker', exit: 'rolled' }));
  await user.click(screen.getByRole('combobox', { name: '费率等级' }));
  await user.click(await screen.findByTitle('VIP 2'));
  await waitFor(() => expect(asked()).toMatchObject({ tier: '2' }));
  await user.clear(screen.getByLabelText('持有（天）'));
  await user.type(screen.getByLabelText('持有（天）'), '1.5');
  await waitFor(() => expect(asked()).toMatchObject({ hours: '36' }));
  for (const part of ['entry=maker', 'exit=rolled', 'tier=2', 'hours=36']) expect(place()).toContain(part);

  await user.click(screen.getByRole('button', { name: '按实际' }));
  await waitFor(() => expect(asked()).toMatchObject({ entry: 'taker', exit: 'counted', tier: '0', hours: '36' }));
  for (const part of ['entry', 'exit', 'tier']) expect(place()).not.toContain(part);
  expect(screen.queryByText(/策略仍按/)).toBeNull();
});

test('a row leads to a drawer filled with both venues; what an account lacks is said before it is saved', async () => {
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  answers(cexRateScan.list, { list: [ROW], total: 1, at: AT });
  answers(strategies.list, { list: [] });
  const legs = { long: 'SOLUSDT', longSource: 'simulated-okx', short: 'SOLUSDT', shortSource: 'simulated' };
  const need = { cash: 0, margin: 3_400 };
  answers(strategies.preview, {
    ...{ fees: 30, worst: 400 },
    accounts: [
      { source: 'simulated-okx', ...need, spendable: null, freeMargin: null },
      { source: 'simulated', ...need, spendable: 90_000, freeMargin: 90_000 },
    ],
    targets: [{ ...legs, block: null, signal: 0.43, cost: 0.0024, breakEven: null }],
  });
  openConsole('/strategy/cexRate', 'master');
  await user.click(await screen.findByRole('button', { name: `用 ${ROW.id} 建策略` }));
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByRole('textbox', { name: '名称' })).toHaveValue('SOL OKX多币安空');
  await user.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(preview).findByText('全部开满时：OKX 还没有账户，先在账户总览开户')).toBeInTheDocument();
  expect(within(preview).getByText('SOLUSDT · OKX')).toBeInTheDocument();
  expect(sent.find(({ path }) => path === strategies.preview.path)?.body).toMatchObject({
    params: { long: 'simulated-okx', short: 'simulated', coins: ['SOL'], legNotional: 10_000 },
  });
});

test('a strategy says how safe both venues are, and what to move where one is much nearer to its limit', async () => {
  answers(cexRateScan.list, { list: [ROW], total: 1, at: AT });
  const params = { ...DEFAULT_CEX_RATE, coins: ['SOL'] };
  answers(strategies.list, {
    list: [
      {
        ...{ id: 's1', kind: 'cexRate', name: 'SOL 两所', mode: 'paper', state: 'running', version: 1, params },
        ...{ createdAt: AT, updatedAt: AT, updatedBy: 'master', switchedAt: AT, switchedBy: 'master', targets: [] },
        ...{ running: 1, ended: 0, notional: 10_000, pricePnl: 0, funding: 3, fees: 5, net: -2 },
      },
    ],
  });
  answers(strategies.deals, { list: [] });
  answers(cexRateDesk.margins, {
    venues: [
      { source: 'simulated', equity: 3000, free: 2500, marginRatio: 0.0667 },
      { source: 'simulated-okx', equity: 1000, free: 400, marginRatio: 0.6 },
    ],
    move: { from: 'simulated', to: 'simulated-okx', amount: 2000 },
  });
  const leg = { symbol: 'SOLUSDT', filled: 1, entry: 150, mark: 151, liquidationPrice: 90, liquidationDistance: 0.4 };
  answers(cexRateDesk.deals, {
    list: [
      {
        ...{ id: 'd1', state: 'open', openedAt: AT, days: 3.2, balance: 'unbalanced', attempts: 0, frozen: null },
        legs: [
          {
            ...leg,
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
            ...leg,
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
          ...{ netNow: 3, netClosed: -4, netHorizon: 18.5 },
        },
      },
    ],
  });
  answers(strategies.mendDeal, { id: 'd1' });
  answers(scanPast.rates, { time: [AT, AT + 1], apr: [0.4, 0.5], sum: [0, 0.001] });
  openConsole('/strategy/cexRate', 'master');
  const deal = await screen.findByRole('region', { name: '持有' });
  expect(within(deal).getByText('不平衡')).toBeInTheDocument();
  const steps = within(deal).getByRole('table', { name: '盈亏瀑布，USDT' });
  expect(within(steps).getByText('期满净值').closest('tr')).toHaveTextContent('+18.50');
  expect(within(steps).getByText('现在平掉').closest('tr')).toHaveTextContent('-4.00');
  await userEvent.click(within(deal).getByRole('button', { name: /^补\s?齐$/ }));
  const asked = await screen.findByRole('dialog');
  expect(asked).toHaveTextContent('补上较小的一腿');
  const panel = await screen.findByRole('region', { name: '两所保证金' });
  expect(await within(panel).findByText('60.00%')).toBeInTheDocument();
  expect(within(panel).getByText(/OKX 的保证金率高出 20 个百分点：建议从 币安 划转/)).toBeInTheDocument();
  expect(within(panel).getByText('2,000.00')).toBeInTheDocument();
});
