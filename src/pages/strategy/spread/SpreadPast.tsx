import { Alert, Skeleton } from 'antd';
import { useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import { spreadDesk } from '#contract/kinds/spread/desk';
import type { Moment } from '@/chart/curve';
import { BasisPast } from '@/scan/BasisPast';
import { useCall } from '@/services/useCall';

type Dates = DataOf<typeof spreadDesk.dates>;

const NONE: Moment[] = [];

function momentsOf({ expiries, rolls }: Dates): Moment[] {
  return [
    ...rolls.map(
      ({ at, way, from, to }): Moment => ({
        at,
        name: way === 'in' ? `移仓，自 ${from}` : `移仓到 ${to}`,
        color: 'gold',
      }),
    ),
    ...expiries.map(({ symbol, at }): Moment => ({ at, name: `${symbol} 到期`, color: 'magenta' })),
  ];
}

interface SpreadPastProps {
  source: string;
  near: string;
  far: string;
}

/** The basis of a pair, with when its legs expire and when one's own deals rolled into it or out of it. */
export function SpreadPast({ source, near, far }: SpreadPastProps) {
  const { data, error } = useCall(spreadDesk.dates, { query: { source, near, far } });
  const moments = useMemo(() => (data ? momentsOf(data) : NONE), [data]);
  // The axis reaches as far as the dates do from the start: it would move under the reader's eyes otherwise.
  if (data === undefined && error === undefined) return <Skeleton active title={false} />;
  return (
    <>
      {data === undefined && error && (
        <Alert type="warning" showIcon title={`没有读到到期与移仓的日期：${error.text}`} />
      )}
      <BasisPast source={source} near={near} far={far} moments={moments} />
    </>
  );
}
