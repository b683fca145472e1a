import { Select, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { isLiveSource } from '#contract/candle';
import type { OkxDesk } from '#contract/kinds/okx/desk';
import type { OkxParams } from '#contract/kinds/okx/params';
import { ARBITRAGE_DAYS, scanPast } from '#contract/scanPast';
import CurveChart from '@/chart/CurveChart';
import type { Curve } from '@/chart/curve';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { Heat } from '@/components/Heat';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import { GapPast } from './GapPast';
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
      {!isLiveSource(one) && <HoursMap base={base} />}
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

/** Which hours of the day gaps of a coin open in, between which venues. */
function HoursMap({ base }: { base: string }) {
  const { data, error, retry } = useCall(scanPast.arbitrageHours, { query: { base } });
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : <Skeleton active />;
  const all = data.hours.flatMap(({ netBps }) => netBps.filter((one) => one !== null));
  const full = Math.max(0, ...all.map(Math.abs));
  return (
    <section aria-label="小时与交易所">
      <h3 className={own.title}>
        小时 × 交易所
        <span className="soft">
          {' '}
          较好方向的净价差均值 bps，{ARBITRAGE_DAYS} 天，每格 {data.samples} 次抽样，UTC
        </span>
      </h3>
      <div className={own.map}>
        <table>
          <thead>
            <tr>
              <th scope="col">UTC</th>
              {data.hours.map(({ hour }) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.pairs.map(({ one, other }, i) => (
              <tr key={`${one} ${other}`}>
                <th scope="row">
                  {venueLabel(one)}-{venueLabel(other)}
                </th>
                {data.hours.map(({ hour, netBps }) => {
                  const value = netBps[i] ?? null;
                  return (
                    <td key={hour}>
                      {value !== null && <Heat value={value} full={full} />}
                      {value === null ? '-' : formatNumber(value, { digits: 1, signed: true })}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
