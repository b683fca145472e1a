import { useMemo } from 'react';
import { BAR_MS } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import type { DataOf } from '#contract/endpoint';
import { scanPast } from '#contract/scanPast';
import { type Curve, LATEST_BARS, type Level, type Moment } from '@/chart/curve';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import { PastFrame } from './PastFrame';

const BANDS = [-2, -1, 0, 1, 2];

const STRETCH = [4, 1.5, 1.5];
/** Candles that can be told apart across a phone. */
const LATEST_NARROW = 60;

const NONE: readonly number[] = [];

type Data = DataOf<typeof scanPast.basis>;

const isYearly = (data: Data | undefined): boolean => data?.annualised.some((value) => value !== null) ?? false;

/** The legs are fine lines over the candles with an axis of their own; on a phone, where that leaves no room, in a pane. */
function curvesOf(data: Data | undefined, narrow: boolean): Curve[] {
  const { basis = NONE, open = NONE, high = NONE, low = NONE, annualised = [], near = NONE, far = NONE } = data ?? {};
  const yearly: Curve[] = isYearly(data)
    ? [{ name: '年化', values: annualised, format: 'percent', color: 'orange', pane: 1 }]
    : [];
  const leg: Pick<Curve, 'format' | 'thin' | 'labelled' | 'pane' | 'scale'> = {
    ...{ format: 'price', thin: true, labelled: true },
    ...(narrow ? { pane: 1 + yearly.length } : { scale: 'left' }),
  };
  return [
    { name: '基差', values: basis, shape: 'candle', extent: { open, high, low }, format: 'rate' },
    ...yearly,
    { name: '近腿', values: near, color: 'purple', ...leg },
    { name: '远腿', values: far, color: 'cyan', ...leg },
  ];
}

function labelOf(data: Data | undefined, narrow: boolean): string {
  const source = data ? `，开高低取自 ${BAR_MS[data.finest] / HOUR_MS} 小时收盘` : '';
  const below = [...(isYearly(data) ? ['年化（F4）'] : []), ...(narrow ? ['两腿价格'] : [])];
  const legs = narrow ? '' : '；左轴为两腿价格';
  return `90 天的基差，4 小时 K 线${source}${legs}${below.length > 0 ? `；下面是${below.join('与')}` : ''}`;
}

interface BasisPastProps {
  source: string;
  near: string;
  far: string;
  /** Instants that matter to the two, ahead of the curve too. */
  moments?: readonly Moment[];
}

/** The basis of two instruments over 90 days as candles, with mean and bands of one and two standard deviations. */
export function BasisPast({ source, near, far, moments }: BasisPastProps) {
  const reading = useCall(scanPast.basis, { query: { source, near, far } });
  const { data } = reading;
  const narrow = useNarrow();
  const curves = useMemo((): Curve[] => curvesOf(data, narrow), [data, narrow]);
  const levels = useMemo((): Level[] => {
    if (data?.mean == null || data.sd == null) return [];
    const { mean, sd } = data;
    return BANDS.map((times) => ({
      name: times === 0 ? '均值' : `${times > 0 ? '+' : '−'}${Math.abs(times)}σ`,
      value: mean + times * sd,
    }));
  }, [data]);
  return (
    <PastFrame
      label={labelOf(data, narrow)}
      reading={reading}
      curves={curves}
      levels={levels}
      moments={moments}
      height={isYearly(data) ? 440 : 360}
      stretch={STRETCH}
      latest={narrow ? LATEST_NARROW : LATEST_BARS}
    />
  );
}
