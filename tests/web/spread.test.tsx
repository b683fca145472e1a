import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { scanPast } from '#contract/scanPast';
import { type SpreadCandidate, spreadScan } from '#contract/spreadScan';
import { answers, openConsole, place, sent } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);

const QUARTER: SpreadCandidate = {
  id: 'simulated BTCUSDT_SPOT BTCUSDT_260327',
  source: 'simulated',
  base: 'BTC',
  type: 'spotFuture',
  near: 'BTCUSDT_SPOT',
  far: 'BTCUSDT_260327',
  perpetual: 'BTCUSDT',
  expiresAt: AT + 71 * 86_400_000,
  days: 71,
  nearBid: 49_999,
  nearAsk: 50_001,
  farBid: 50_998,
  farAsk: 51_002,
  basis: 1_000,
  basisRate: 0.02,
  annualised: 0.1028,
  direction: 'sellFar',
  quantity: 0.196,
  spread: 997,
  spreadShare: 0.01994,
  openEdge: 0.01994,
  closeLevel: 0.02006,
  expectedLevel: 0,
  fees: 0.00265,
  net: 0.01729,
  netApr: 0.0889,
  netFundingApr: 0.0889,
  borrowApr: null,
  fundingApr: null,
  z: 1.25,
  percentile: 0.9,
  past: 'known',
  depth: 2_000_000,
  turnover24h: 300_000_000,
  obstacles: [],
};
const YOUNG: SpreadCandidate = {
  ...QUARTER,
  id: 'simulated-okx NEWUSDT_SPOT NEWUSDT',
  source: 'simulated-okx',
  base: 'NEW',
  type: 'spotPerpetual',
  near: 'NEWUSDT_SPOT',
  far: 'NEWUSDT',
  perpetual: 'NEWUSDT',
  expiresAt: null,
  days: null,
  annualised: null,
  direction: 'buyFar',
  z: null,
  percentile: null,
  past: 'short',
  obstacles: ['borrow', 'young'],
};

const rowOf = async (coin: string) => (await screen.findByText(coin)).closest('tr')!;
const lastAsked = () => sent.filter(({ path }) => path === spreadScan.list.path).at(-1)!.query;

test('every pair with its direction, what is missing with its reason, at the size and filter asked for', async () => {
  answers(spreadScan.list, { list: [QUARTER, YOUNG], total: 2, at: AT });
  openConsole('/strategy/spread?type=spotFuture&minNetApr=0.05', 'master');
  const quarter = await rowOf('BTC');
  for (const text of ['期现', '卖远买近', '可做', 'BTCUSDT_260327', '71.0', '90%']) {
    expect(within(quarter).getByText(text)).toBeInTheDocument();
  }
  const young = await rowOf('NEW');
  expect(within(young).getByText('不可借')).toBeInTheDocument();
  expect(within(young).getAllByLabelText('缺失：两腿的共同历史不足 30 天')).toHaveLength(2);
  expect(Object.fromEntries(lastAsked())).toMatchObject({ type: 'spotFuture', minNetApr: '0.05', size: '10000' });
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  // A row opens to the past of its basis, with mean and bands.
  answers(scanPast.basis, { time: [AT - 14_400_000, AT], basis: [0.01, 0.02], mean: 0.015, sd: 0.004 });
  await user.click(within(quarter).getByRole('button', { name: '展开行' }));
  expect(await screen.findByRole('figure', { name: /90 天的基差/ })).toBeInTheDocument();
  expect(Object.fromEntries(sent.findLast(({ path }) => path === scanPast.basis.path)!.query)).toEqual({
    ...{ source: 'simulated', near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260327' },
  });
  await user.click(screen.getByText('100k'));
  await waitFor(() => expect(lastAsked().get('size')).toBe('100000'));
  expect(place()).toContain('size=100000');
});

test('an empty leg is asked for, and not called the same as the other', async () => {
  answers(spreadScan.list, { list: [QUARTER], total: 1, at: AT });
  openConsole('/strategy/spread', 'master');
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  await user.click(await screen.findByRole('button', { name: '新建策略' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^试\s?算$/ }));
  expect(await screen.findByText('请输入远腿')).toBeInTheDocument();
  expect(screen.queryByText('两腿不能是同一个标的')).not.toBeInTheDocument();
});
