import { useMemo } from 'react';
import { scanPast } from '#contract/scanPast';
import type { Curve, Level } from '@/chart/curve';
import { useCall } from '@/services/useCall';
import { PastFrame } from './PastFrame';

const BANDS = [-2, -1, 0, 1, 2];

/** The basis of two instruments over 90 days, with mean and bands of one and two standard deviations. */
export function BasisPast({ source, near, far }: { source: string; near: string; far: string }) {
  const reading = useCall(scanPast.basis, { query: { source, near, far } });
  const { data } = reading;
  const curves = useMemo((): Curve[] => [{ name: '基差', values: data?.basis ?? [], format: 'rate' }], [data]);
  const levels = useMemo((): Level[] => {
    if (data?.mean == null || data.sd == null) return [];
    const { mean, sd } = data;
    return BANDS.map((times) => ({
      name: times === 0 ? '均值' : `${times > 0 ? '+' : '−'}${Math.abs(times)}σ`,
      value: mean + times * sd,
    }));
  }, [data]);
  return <PastFrame label="90 天的基差，4 小时收盘" reading={reading} curves={curves} levels={levels} />;
}
