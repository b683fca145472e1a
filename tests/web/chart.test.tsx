import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createChart } from 'lightweight-charts';
import type { EquityCurve } from '#contract/account';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { addCurve, fillCurve, reachingLevels } from '@/chart/addCurve';
import CandleChart from '@/chart/CandleChart';
import CurveChart from '@/chart/CurveChart';
import { ChartTime } from '@/chart/chartTime';
import { formatTicks } from '@/chart/formatFigure';
import type { ChartTheme } from '@/chart/useChartTheme';
import { addMarks } from '@/chart/useCurves';
import { instantsAhead } from '@/chart/useMoments';
import { marksOf } from '@/pages/overview/equityCurves';

const START = Date.UTC(2025, 0, 1);
const time = [0, 1, 2, 3].map((n) => START + n * DAY_MS);

describe('CurveChart', () => {
  const curves = [
    { name: '权益', values: [100, 110, null, 121], unit: 'USDT' },
    { name: '回撤', values: [0, -0.05, -0.1, 0], format: 'percent' as const, shape: 'area' as const, pane: 1 },
  ];

  test('has a name, says its figures in words and shows the newest ones in the legend', () => {
    render(<CurveChart label="权益曲线" time={time} curves={curves} />);
    const chart = screen.getByRole('figure', { name: '权益曲线' });
    expect(chart).toHaveAccessibleDescription(
      /权益：起 100.00 USDT，末 121.00 USDT，最低 100.00 USDT，最高 121.00 USDT/,
    );
    expect(chart).toHaveAccessibleDescription(/回撤：起 0.00%，末 0.00%，最低 -10.00%，最高 0.00%/);
    expect(screen.getByText('121.00 USDT')).toBeVisible();
  });

  test('candles tell all four figures of a bar, and their extremes in words', () => {
    const extent = { open: [1, 2, 3, 4], high: [2, 3, 9, 5], low: [1, 0.5, 3, 3.5] };
    const basis = { name: '基差', values: [2, 3, 4, 4.5], shape: 'candle' as const, extent };
    const leg = { name: '近腿', values: [5, 6, 7, 8], scale: 'left' as const };
    render(<CurveChart label="基差" time={time} curves={[basis, leg]} forming formingWord="今日（未完）" />);
    const chart = screen.getByRole('figure', { name: '基差' });
    expect(chart).toHaveAccessibleDescription(/最后一个：今日（未完）。基差：起 2.00，末 4.50，最低 0.50，最高 9.00/);
    for (const text of ['2025-01-04 今日（未完）', '基差 开 4.00', '高 5.00', '低 3.50', '收 4.50', '近腿 8.00']) {
      expect(screen.getByText((_, node) => node?.tagName === 'SPAN' && node.textContent === text)).toBeVisible();
    }
  });

  test('a bare curve carries levels and marks, and is neither drawn nor told', () => {
    const bare = { name: '收盘', values: [1, 2, 3, 4], shape: 'bare' as const };
    const marks = [{ at: START + DAY_MS, text: '买' }];
    render(<CurveChart label="曲线" time={time} curves={[bare, curves[0]!]} marks={marks} />);
    const chart = screen.getByRole('figure', { name: '曲线' });
    expect(chart).toHaveAccessibleDescription(/买：2025-01-02/);
    expect(chart).not.toHaveAccessibleDescription(/收盘/);
    expect(screen.queryByText('收盘')).toBeNull();
    expect(screen.getByText('121.00 USDT')).toBeVisible();
  });

  test('draws new figures and other curves without being made anew, and goes away clean', () => {
    const view = render(<CurveChart label="曲线" time={time} curves={curves} />);
    view.rerender(
      <CurveChart label="曲线" time={time} curves={[{ name: 'z', values: [1, 2, 3, -4], shape: 'baseline' }]} />,
    );
    expect(screen.getByText('-4.00')).toBeVisible();
    expect(screen.queryByText('121.00 USDT')).not.toBeInTheDocument();
    view.unmount();
    expect(document.querySelector('canvas')).toBeNull();
  });

  test('marks what happened, on the nearest point that has a figure, and says it in words', () => {
    const marks = [
      { at: START + DAY_MS + 5, text: '开仓', side: 'below' as const, color: 'up' as const },
      { at: START + 2 * DAY_MS, text: '平仓', side: 'above' as const, pane: 1 },
      { at: START, text: '无处', pane: 7 },
    ];
    const view = render(<CurveChart label="曲线" time={time} curves={curves} marks={marks} />);
    const chart = screen.getByRole('figure', { name: '曲线' });
    expect(chart).toHaveAccessibleDescription(/开仓：2025-01-02。平仓：2025-01-03/);
    view.rerender(<CurveChart label="曲线" time={time} curves={curves} marks={[]} />);
    expect(chart).not.toHaveAccessibleDescription(/开仓/);
    view.unmount();
    expect(document.querySelector('canvas')).toBeNull();
  });

  test('draws a line where something matters, ahead of the curves too, and says it in words', () => {
    const moments = [
      { at: START + DAY_MS, name: '移仓' },
      { at: START + 9 * DAY_MS, name: '到期' },
    ];
    const view = render(<CurveChart label="曲线" time={time} curves={curves} moments={moments} />);
    const chart = screen.getByRole('figure', { name: '曲线' });
    expect(chart).toHaveAccessibleDescription(/移仓：2025-01-02。到期：2025-01-10/);
    // The newest figures stay those of the last point, not of the days ahead.
    expect(screen.getByText('121.00 USDT')).toBeVisible();
    view.rerender(<CurveChart label="曲线" time={time} curves={curves.slice(0, 1)} moments={moments.slice(1)} />);
    expect(chart).not.toHaveAccessibleDescription(/移仓/);
    view.unmount();
    expect(document.querySelector('canvas')).toBeNull();
  });

  test('the days ahead take a fifth of the axis at most, with each moment a point of it', () => {
    const days = Array.from({ length: 50 }, (_, n) => START + n * DAY_MS);
    const at = (n: number) => START + n * DAY_MS;
    expect(instantsAhead(days, [{ at: at(3), name: '过去' }])).toEqual([]);
    expect(instantsAhead(days, [{ at: at(52), name: '近' }])).toEqual([at(50), at(51), at(52)]);
    const far = instantsAhead(days, [
      { at: at(249), name: '远' },
      { at: at(60) + 400, name: '近' },
    ]);
    expect(far).toHaveLength(11);
    expect(far).toEqual(expect.arrayContaining([at(60), at(249)]));
    expect(instantsAhead([], [{ at: START, name: '无' }])).toEqual([]);
  });

  test('says so when there is nothing to draw', () => {
    render(<CurveChart label="空" time={[]} curves={[{ name: '权益', values: [] }]} />);
    expect(screen.getByRole('figure', { name: '空' })).toHaveAccessibleDescription('没有数据');
  });
});

test('figures of an axis have as many digits as tell them apart, and no more', () => {
  expect(formatTicks([40_000, 20_000], 'amount')).toEqual(['4.00万', '2.00万']);
  expect(formatTicks([40_000, 39_998, 39_996], 'amount')).toEqual(['4.0000万', '3.9998万', '3.9996万']);
  expect(formatTicks([0.000_02, 0.000_01, 0], 'percent')).toEqual(['0.002%', '0.001%', '0.000%']);
  // Two that are one stay one.
  expect(formatTicks([1, 1], 'number')[0]).toBe('1.000000');
});

describe('a drawdown', () => {
  // Filled from the pane's bottom it was all red at 0 %.
  test('is filled from 0 down, and its scale holds the 0', () => {
    const chart = createChart(document.createElement('div'));
    const values = [-0.05, -0.1];
    const theme = { color: {} } as ChartTheme;
    const series = addCurve(chart, { name: '回撤', values, shape: 'area', format: 'percent' }, '#ff0000', theme);
    const options = series.options() as ReturnType<typeof series.options> & Record<string, unknown>;
    expect(series.seriesType()).toBe('Baseline');
    expect(options).toMatchObject({ baseValue: { price: 0 }, topLineColor: '#ff0000', bottomLineColor: '#ff0000' });
    const seen = options.autoscaleInfoProvider!(() => ({ priceRange: { minValue: -0.1, maxValue: -0.05 } }));
    expect(seen!.priceRange).toEqual({ minValue: -0.1, maxValue: 0 });
    chart.remove();
  });
});

describe('marks on both sides of few points', () => {
  // The room that they took of a low pane was more than it has: the dearest point stood at its foot.
  test('leave the scale the right way up', async () => {
    const chart = createChart(document.createElement('div'), { width: 1200, height: 140 });
    const theme = { color: { muted: '#888888' } } as ChartTheme;
    const curve = { name: '权益', values: [100, 110, 90, 121] };
    const series = addCurve(chart, curve, '#0000ff', theme);
    fillCurve(series, curve, time, new ChartTime(time), theme);
    const marks = (['above', 'below'] as const).map((side) => ({ at: time[2]!, text: side, side }));
    addMarks([series], [curve], marks, time, new ChartTime(time), theme);
    chart.timeScale().fitContent();
    const heightOf = (value: number) => series.priceToCoordinate(value);
    await waitFor(() => expect(heightOf(90)).not.toBe(heightOf(121)));
    expect(heightOf(121)!).toBeLessThan(heightOf(90)!);
    chart.remove();
  });
});

describe('candles of a curve', () => {
  const extent = { open: [1, 2], high: [3, 4], low: [0.5, null] };
  const curve = { name: '基差', values: [2, 3], shape: 'candle' as const, extent };
  const theme = { color: { up: '#00ff00', down: '#ff0000' } } as ChartTheme;

  test('are drawn by their four figures, the close in place of one that is not known', () => {
    const chart = createChart(document.createElement('div'));
    const series = addCurve(chart, { ...curve, scale: 'left', labelled: true }, '#0000ff', theme);
    fillCurve(series, curve, time.slice(0, 2), new ChartTime(time.slice(0, 2)), theme);
    expect(series.seriesType()).toBe('Candlestick');
    expect(series.options()).toMatchObject({ borderUpColor: '#00ff00', upColor: 'transparent', title: '基差' });
    expect(series.data()).toMatchObject([
      { open: 1, high: 3, low: 0.5, close: 2 },
      { open: 2, high: 4, low: 3, close: 3 },
    ]);
    chart.remove();
  });

  test('share their scale with the levels that they stand between, not with all of them', () => {
    const at = (minValue: number, maxValue: number, levels: number[]) =>
      reachingLevels(levels)(() => ({ priceRange: { minValue, maxValue } }))!.priceRange;
    expect(at(2.2, 3.6, [1, 2, 3, 4, 5])).toEqual({ minValue: 2, maxValue: 4 });
    expect(at(0.5, 6, [1, 2, 3, 4, 5])).toEqual({ minValue: 0.5, maxValue: 6 });
    expect(at(2, 3, [])).toEqual({ minValue: 2, maxValue: 3 });
    expect(reachingLevels([1])(() => null)).toBeNull();
  });
});

test('the only bar of a chart of days is a day, and money moved is told in cents', () => {
  expect(new ChartTime([START]).labelOf(START)).toBe('2025-01-01');
  const [mark] = marksOf({ marks: [{ at: START, kind: 'transfer', text: '39993.0699625' }] } as EquityCurve);
  expect(mark!.text).toBe('划转 +39,993.07');
});

describe('the present', () => {
  test('says that it has not closed, and when it was, among days too', () => {
    const withNow = [...time, START + 3 * DAY_MS + 5 * HOUR_MS];
    render(<CurveChart label="比价" time={withNow} curves={[{ name: '比价', values: [1, 2, 3, 4, 5] }]} forming />);
    expect(screen.getByText('2025-01-04 05:00 UTC 未收盘')).toBeVisible();
    expect(screen.getByRole('figure', { name: '比价' })).toHaveAccessibleDescription(
      /2025-01-01 至 .*，最后一个未收盘/,
    );
  });
});

describe('the wheel', () => {
  const turn = (change: WheelEventInit) => {
    const canvas = document.querySelector('canvas')!;
    const event = createEvent.wheel(canvas, { bubbles: true, cancelable: true, deltaY: 100, ...change });
    fireEvent(canvas, event);
    return event.defaultPrevented;
  };

  test('scrolls the page; with Ctrl it is the chart that takes it', () => {
    render(<CurveChart label="曲线" time={time} curves={[{ name: '权益', values: [1, 2, 3, 4] }]} />);
    expect(turn({})).toBe(false);
    expect(turn({ ctrlKey: true })).toBe(true);
    expect(screen.getByText(/Ctrl \+ 滚轮/)).toBeInTheDocument();
  });
});

describe('CandleChart', () => {
  test('shows the newest candle with its change and what is laid over it', () => {
    const candles = {
      time,
      open: [1, 1.1, 1.2, 1.3],
      high: [1.2, 1.3, 1.4, 1.5],
      low: [0.9, 1, 1.1, 1.2],
      close: [1.1, 1.2, 1.3, 1.43],
      volume: [10_000, 20_000, 30_000, 45_000],
    };
    const view = render(
      <CandleChart
        label="BTCUSDT 日线"
        candles={candles}
        curves={[{ name: 'MA7', values: [null, null, 1.2, 1.35], format: 'price' }]}
      />,
    );
    expect(screen.getByText('+10.00%')).toBeVisible();
    expect(screen.getByText('4.50万')).toBeVisible();
    expect(screen.getByText('1.3500')).toBeVisible();
    expect(screen.getByRole('figure', { name: 'BTCUSDT 日线' })).toHaveAccessibleDescription(
      /共 4 个点.*收盘价：起 1.1000，末 1.4300/,
    );
    view.unmount();
    expect(document.querySelector('canvas')).toBeNull();
  });
});

describe('stacked bars', () => {
  test('tell the figure of each part, not the height it is drawn at', () => {
    const parts = [
      {
        name: '资金费',
        values: [null, 3, 5, 7],
        figures: [null, 1, 2, 3],
        shape: 'histogram' as const,
        color: 'gold' as const,
      },
    ];
    render(<CurveChart label="每日盈亏" time={time} curves={parts} />);
    expect(screen.getByText('3.00')).toBeVisible();
    expect(screen.getByRole('figure', { name: '每日盈亏' })).toHaveAccessibleDescription(/资金费：起 1.00，末 3.00/);
  });
});
