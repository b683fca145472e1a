import type { CandleColumns } from '#contract/symbol';
import type { Curve } from '@/chart/curve';

/** What is laid over and under the candles by the toggles; all of it was computed by the server. */
export function curvesOf(columns: CandleColumns, { ma, boll }: { ma: boolean; boll: boolean }): Curve[] {
  const price = { format: 'price' as const, pane: 0 };
  const averages: Curve[] = [
    { ...price, name: 'MA7', values: columns.ma7, color: 'orange' },
    { ...price, name: 'MA25', values: columns.ma25, color: 'blue' },
  ];
  const bands: Curve[] = [
    { ...price, name: '布林上轨', values: columns.bollUpper, color: 'purple', dashed: true },
    { ...price, name: '布林中轨', values: columns.bollMiddle, color: 'purple' },
    { ...price, name: '布林下轨', values: columns.bollLower, color: 'purple', dashed: true },
  ];
  const change = { format: 'percent' as const, pane: 2 };
  const compared: Curve[] = columns.compare
    ? [
        { ...change, name: `${columns.symbol} 涨跌`, values: columns.compare.own, color: 'cyan' },
        {
          ...change,
          name: `${columns.compare.symbol} 涨跌`,
          values: columns.compare.other,
          color: 'magenta',
          dashed: true,
        },
      ]
    : [];
  return [...(ma ? averages : []), ...(boll ? bands : []), ...compared];
}
