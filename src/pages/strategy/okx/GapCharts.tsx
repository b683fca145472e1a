import { Select } from 'antd';
import { useMemo, useState } from 'react';
import type { OkxDesk } from '#contract/kinds/okx/desk';
import type { OkxParams } from '#contract/kinds/okx/params';
import CurveChart from '@/chart/CurveChart';
import type { Curve } from '@/chart/curve';
import { EmptyState } from '@/components/EmptyState';
import { venueLabel } from '@/scan/venueLabel';
import { GapPast } from './GapPast';
import { HoursMap } from './HoursMap';
import own from './okx.module.css';

const HEIGHT = 240;

interface GapChartsProps {
  params: OkxParams;
  desk: OkxDesk;
}

/** When gaps open between the two venues of a strategy, and what its trades made beside what they promised. */
export default function GapCharts({ params, desk }: GapChartsProps) {
  const { coins, one, other } = params;
  const [base = '', choose] = useState<string | undefined>(coins[0]);
  const [isBack, turn] = useState(false);
  const [buy, sell] = isBack ? [other, one] : [one, other];
  return (
    <div className={own.charts}>
      <div className={own.choice}>
        <Select
          aria-label="图表的币种"
          value={base}
          onChange={choose}
          options={coins.map((coin) => ({ value: coin, label: coin }))}
        />
        <Select
          aria-label="图表的方向"
          value={isBack}
          onChange={turn}
          popupMatchSelectWidth={false}
          options={[false, true].map((back) => ({
            value: back,
            label: `${venueLabel(back ? other : one)}买 ${venueLabel(back ? one : other)}卖`,
          }))}
        />
      </div>
      <GapPast {...{ base, buy, sell, trades: desk.trades }} />
      <HoursMap base={base} />
      <MadeChart curve={desk.curve} />
    </div>
  );
}

function MadeChart({ curve }: Pick<OkxDesk, 'curve'>) {
  const curves = useMemo(
    (): Curve[] => [
      { name: '计划', values: curve.planned, color: 'muted', unit: 'USDT', dashed: true },
      { name: '实际', values: curve.real, color: 'blue', unit: 'USDT' },
    ],
    [curve],
  );
  return (
    <section aria-label="实际与计划">
      <h3 className={own.title}>实际与计划（累计，最近 100 笔）</h3>
      {curve.time.length < 2 ? (
        <EmptyState title="成交还不足两笔" />
      ) : (
        <CurveChart label="累计净利：计划与实际" time={curve.time} curves={curves} height={HEIGHT} />
      )}
    </section>
  );
}
