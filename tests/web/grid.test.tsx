import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { DEFAULT_GRID } from '#contract/grid';
import { type GridLevel, type GridRow, gridDeal } from '#contract/gridDeal';
import { type GridCandidate, gridScan } from '#contract/gridScan';
import { type StrategyRow, strategies } from '#contract/strategies';
import { symbol } from '#contract/symbol';
import { answers, openConsole, sent } from '../support/webConsole';

const AT = Date.UTC(2026, 0, 15);
const reader = () => userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });

const BTC: GridCandidate = {
  ...{ id: 'simulated BTCUSDT', source: 'simulated', base: 'BTC', symbol: 'BTCUSDT', price: 95_000 },
  ...{ lower: 90_000, upper: 100_000, width: 0.111, position: 0.5, volatility: 0.42, step: 0.0026, profit: 0.0022 },
  ...{ dailyPairs: 18.4, inRange: 1, dailyNet: 9.2, gridApr: 0.336, fundingApr: 0.07, turnover24h: 1e9, depth: 5e6 },
  ...{ adl: 2, past: 'known', obstacles: [] },
};
const NEW: GridCandidate = {
  ...{ ...BTC, id: 'simulated NEWUSDT', base: 'NEW', symbol: 'NEWUSDT', lower: null, upper: null, position: null },
  ...{ dailyNet: null, past: 'short', obstacles: ['incomplete', 'young'] },
};

const HELD: StrategyRow = {
  ...{ id: 's1', kind: 'grid', name: 'BTC 网格', mode: 'paper', state: 'running', version: 1 },
  ...{ params: { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 90_000, upper: 100_000 } },
  ...{ createdAt: AT, updatedAt: AT, updatedBy: 'master', switchedAt: AT, switchedBy: 'master' },
  ...{ running: 1, ended: 0, notional: 500, pricePnl: 10, funding: -0.2, fees: 1.3, net: 8.5, targets: [] },
};

const ROW: GridRow = {
  ...{ strategyId: 's1', dealId: 'd1', state: 'open', symbol: 'BTCUSDT', direction: 'neutral', price: 95_000 },
  ...{ lower: 90_000, upper: 100_000, position: 0.5, cells: 3, stepLeast: 0.034, stepMost: 0.037 },
  ...{ profitLeast: 0.0336, profitMost: 0.0366, capital: 5_000, leverage: 2, pairs24h: 4, pairs: 31 },
  ...{ gridProfit: 23.75, floating: -15.25, net: 8.5, gridApr: 0.2, netApr: 0.07, fees: 1.3, funding: -0.2 },
  ...{
    held: '0.01',
    liquidationLow: null,
    liquidationHigh: 160_000,
    ordersLive: 1,
    ordersDue: 2,
    spacing: 'geometric',
  },
  ...{ openedAt: AT, endedAt: null },
};

const level = (cell: number, state: GridLevel['state'], over: Partial<GridLevel> = {}): GridLevel => ({
  ...{ cell, leg: 'long', lower: 90_000 + cell * 3_000, upper: 93_000 + cell * 3_000, held: '0', side: 'buy' },
  ...{
    price: 90_000 + cell * 3_000,
    quantity: '0.03',
    state,
    orders: state === 'resting' ? 1 : 0,
    pairs: 0,
    profit: 0,
    lastBuy: null,
  },
  ...over,
});

beforeEach(() => {
  answers(gridScan.list, { list: [BTC, NEW], total: 2, at: AT });
  answers(gridDeal.list, { list: [ROW] });
  answers(strategies.list, { list: [HELD] });
  answers(strategies.deals, { list: [] });
  answers(symbol.candle, {
    ...{ symbol: 'BTCUSDT', bar: '1h', time: [AT], open: [1], high: [1], low: [1], close: [1] },
    ...{ volume: [1], turnover: [1], formingAt: null, ma7: [null], ma25: [null], bollUpper: [null] },
    ...{ bollMiddle: [null], bollLower: [null], compare: null },
  });
  answers(gridDeal.record, {
    ...{ inRange: 0.875, fillsPerDay: 6.5, mostHeld: 0.09, mostHeldValue: 8_500, drawdown: -0.031, drawdownUsdt: -155 },
    ...{ hold: 120, versusHold: -111.5, awayShare: 0.125, pairs: [] },
    away: [{ from: AT, until: null, side: 'above' }],
  });
  answers(gridDeal.ladder, {
    levels: [
      level(2, 'resting', { side: 'sell', held: '0.03', pairs: 31, profit: 23.75 }),
      level(1, 'suspended'),
      level(0, 'missing'),
    ],
    trades: [],
  });
});

test('a coin’s range leads to a filled drawer; what contradicts is told at its field, what each cell makes is tried', async () => {
  const user = reader();
  answers(strategies.preview, {
    ...{ fees: 10, worst: 1_000, accounts: [], targets: [] },
    ladder: {
      ...{
        stepLeast: 0.0026,
        stepMost: 0.0027,
        profitLeast: 0.0022,
        profitMost: 0.0023,
        breakEven: 0.0004,
        capital: 10_000,
      },
      ...{
        quantity: 0.0025,
        startCells: 0,
        dailyPairs: 18.4,
        dailyNet: 9.2,
        liquidationLow: null,
        liquidationHigh: null,
      },
    },
  });
  openConsole('/strategy/grid?size=20000&cells=50', 'master');
  const young = (await screen.findByText('NEW')).closest('tr')!;
  expect(within(young).getAllByLabelText('缺失：历史不足 3 天').length).toBeGreaterThan(0);
  await user.click(await screen.findByRole('button', { name: '用 simulated BTCUSDT 建策略' }));
  const drawer = await screen.findByRole('dialog');
  const asked = sent.filter(({ path }) => path === gridScan.list.path).at(-1)!.query;
  expect(Object.fromEntries(asked)).toMatchObject({ size: '20000', cells: '50', days: '14', range: 'lowHigh' });
  for (const [name, value] of [
    ['区间下限', '90000'],
    ['区间上限', '100000'],
    ['格数', '50'],
    ['网格名义', '20000'],
  ]) {
    expect(within(drawer).getByRole('spinbutton', { name })).toHaveValue(value);
  }
  const stop = within(drawer).getByRole('spinbutton', { name: '跌破离场' });
  await user.type(stop, '91000');
  await user.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  expect(await within(drawer).findByText('跌破离场要低于区间下限')).toBeInTheDocument();
  await user.clear(stop);
  await user.type(stop, '85000');
  await user.click(within(drawer).getByRole('button', { name: /^试\s?算$/ }));
  const preview = await within(drawer).findByRole('region', { name: '试算' });
  expect(await within(preview).findByText('保本间距（两笔手续费）')).toBeInTheDocument();
  expect(within(preview).getByText('0.220%')).toBeInTheDocument();
  expect(sent.find(({ path }) => path === strategies.preview.path)!.body).toMatchObject({
    ...{ kind: 'grid', params: { symbol: 'BTCUSDT', stopLow: 85_000, legNotional: 20_000, cells: 50 } },
  });
});

test('grid profit and floating profit stand apart, and what is missing in the ladder can be repaired', async () => {
  const user = reader();
  answers(gridDeal.repair, { id: 'd1' });
  openConsole('/strategy/grid', 'master');
  const own = await screen.findByRole('region', { name: '策略' });
  expect(await within(own).findByText('+23.75')).toBeInTheDocument();
  for (const text of ['-15.25', '4 / 31', '1 / 2']) expect(within(own).getByText(text)).toBeInTheDocument();
  const ladder = await screen.findByRole('region', { name: '档位' });
  expect(await within(ladder).findByText('缺失 1 档，人手撤下 1 档')).toBeInTheDocument();
  await user.click(within(ladder).getByRole('button', { name: /^修\s?复$/ }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: /修\s?复/ }));
  await waitFor(() => expect(sent.find(({ path }) => path === gridDeal.repair.path)?.body).toEqual({ id: 'd1' }));
});

test('how it did is told beside what a person may do: move the range, put in more, replay the same params', async () => {
  const user = reader();
  answers(gridDeal.shift, { lower: 91_000, upper: 101_000 });
  answers(gridDeal.replay, {
    ...{ inRange: 0.6, fillsPerDay: 5, mostHeld: 0.1, mostHeldValue: 9_000, drawdown: -0.05, drawdownUsdt: -250 },
    ...{ hold: 300, versusHold: -262.5, startedAt: AT, endedAt: null, endReason: null, bars: 720, pairCount: 44 },
    ...{
      gridProfit: 61,
      floating: -23.5,
      funding: -2,
      fees: 9,
      net: 37.5,
      apr: 0.09,
      time: [AT, AT + 1],
      netCurve: [0, 37.5],
    },
  });
  openConsole('/strategy/grid', 'master');
  const panel = await screen.findByRole('region', { name: '档位' });
  const figures = await within(panel).findByLabelText('网格表现');
  for (const text of ['87.5%', '-111.50', '-3.10%']) expect(within(figures).getByText(text)).toBeInTheDocument();
  await user.click(within(panel).getByRole('button', { name: '移动区间' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('spinbutton', { name: '移动' }), '2');
  await user.click(within(dialog).getByRole('button', { name: '移动区间' }));
  await waitFor(() =>
    expect(sent.find(({ path }) => path === gridDeal.shift.path)?.body).toEqual({ id: 'd1', cells: 2 }),
  );
  await user.click(within(panel).getByRole('button', { name: /^回\s?测$/ }));
  const replay = await within(panel).findByRole('region', { name: '回测同一组参数' });
  expect(await within(replay).findByText('+37.50')).toBeInTheDocument();
  await user.click(within(replay).getByText('90 天'));
  await waitFor(() =>
    expect(sent.filter(({ path }) => path === gridDeal.replay.path).at(-1)!.body).toMatchObject({
      ...{ days: 90, params: { symbol: 'BTCUSDT', lower: 90_000 } },
    }),
  );
});
