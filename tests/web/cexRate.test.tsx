import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type CexRateCandidate, cexRateScan } from '#contract/cexRateScan';
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
