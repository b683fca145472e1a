import { useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import { scanPast } from '#contract/scanPast';
import type { Curve, Level, Moment } from '@/chart/curve';
import { useCall } from '@/services/useCall';
import { PastFrame } from './PastFrame';

const BANDS = [-2, -1, 0, 1, 2];

const STRETCH = [3, 2, 2];

function curvesOf(data: DataOf<typeof scanPast.basis> | undefined): Curve[] {
  const annualised = data?.annualised ?? [];
  const isYearly = annualised.some((value) => value !== null);
  const legs = isYearly ? 2 : 1;
  return [
    { name: '基差', values: data?.basis ?? [], format: 'rate' },
    ...(isYearly ? [{ name: '年化', values: annualised, format: 'percent', pane: 1 } as const] : []),
    { name: '近腿', values: data?.near ?? [], format: 'price', pane: legs },
    { name: '远腿', values: data?.far ?? [], format: 'price', pane: legs },
  ];
}

interface BasisPastProps {
  source: string;
  near: string;
  far: string;
  /** Instants that matter to the two, ahead of the curve too. */
  moments?: readonly Moment[];
}

/** The basis of two instruments over 90 days, with mean and bands of one and two standard deviations. */
export function BasisPast({ source, near, far, moments }: BasisPastProps) {
  const reading = useCall(scanPast.basis, { query: { source, near, far } });
  const { data } = reading;
  const curves = useMemo((): Curve[] => curvesOf(data), [data]);
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
      label="90 天的基差，4 小时收盘；下面是年化（F4）与两腿价格"
      reading={reading}
      curves={curves}
      levels={levels}
      moments={moments}
      height={curves.length === 4 ? 420 : 340}
      stretch={STRETCH}
    />
  );
}
