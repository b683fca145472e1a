import { useMemo } from 'react';
import { scanPast } from '#contract/scanPast';
import type { Curve, Mark } from '@/chart/curve';
import { useCall } from '@/services/useCall';
import { PastFrame } from './PastFrame';

interface RatePastProps {
  /** Perpetuals that are held, by the leg's side: at a venue, and their name there. */
  long?: { source: string; symbol: string };
  short?: { source: string; symbol: string };
  /** What happened along the way. */
  marks?: readonly Mark[];
}

/** What holding the legs would have brought by funding in the last 90 days. */
export function RatePast({ long, short, marks }: RatePastProps) {
  const query = {
    ...(long ? { long: long.source, longSymbol: long.symbol } : {}),
    ...(short ? { short: short.source, shortSymbol: short.symbol } : {}),
  };
  const reading = useCall(scanPast.rates, { query });
  const { data } = reading;
  const curves = useMemo(
    (): Curve[] => [
      { name: '年化', values: data?.apr ?? [], shape: 'histogram', format: 'percent' },
      { name: '累计', values: data?.sum ?? [], color: 'blue', format: 'percent', scale: 'left' },
    ],
    [data],
  );
  return (
    <PastFrame
      label="90 天结算的资金费：每次的年化，与累计（占名义）"
      reading={reading}
      curves={curves}
      marks={marks}
    />
  );
}
