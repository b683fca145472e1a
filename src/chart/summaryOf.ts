import type { ChartTime } from './chartTime';
import type { Curve, Mark, Moment } from './curve';
import { formatFigure } from './formatFigure';

const knownOf = (values: Curve['values']) => values.filter((value): value is number => value !== null);

function lineOf(curve: Curve): string {
  const known = knownOf(curve.figures ?? curve.values);
  if (known.length === 0) return `${curve.name}：无数据`;
  let low = known[0]!;
  let high = known[0]!;
  for (const value of knownOf(curve.extent?.low ?? known)) if (value < low) low = value;
  for (const value of knownOf(curve.extent?.high ?? known)) if (value > high) high = value;
  const text = (value: number) => formatFigure(value, curve.format) + (curve.unit ? ` ${curve.unit}` : '');
  return `${curve.name}：起 ${text(known[0]!)}，末 ${text(known[known.length - 1]!)}，最低 ${text(low)}，最高 ${text(high)}`;
}

/** What a chart shows, in words, for those who do not see it. */
export function summaryOf(
  time: readonly number[],
  curves: readonly Curve[],
  chartTime: ChartTime,
  {
    marks = [],
    moments = [],
    forming = false,
    formingWord,
  }: { marks?: readonly Mark[]; moments?: readonly Moment[]; forming?: boolean; formingWord?: string | undefined } = {},
): string {
  if (time.length === 0) return '没有数据';
  const span = `${chartTime.labelOf(time[0]!)} 至 ${chartTime.labelOf(time[time.length - 1]!)}，共 ${time.length} 个点${forming ? `，最后一个${formingWord === undefined ? '未收盘' : `：${formingWord}`}` : ''}`;
  // The same event may be marked on several panes.
  const happened = new Set(marks.map(({ at, text }) => `${text}：${chartTime.labelOf(at)}`));
  for (const { at, name } of moments) happened.add(`${name}：${chartTime.labelOf(at)}`);
  return [span, ...happened, ...curves.filter(({ shape }) => shape !== 'bare').map(lineOf)].join('。');
}
