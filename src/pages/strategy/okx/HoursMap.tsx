import { Skeleton } from 'antd';
import { ARBITRAGE_DAYS, scanPast } from '#contract/scanPast';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { Heat } from '@/components/Heat';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import own from './okx.module.css';

/** Which hours of the day gaps of a coin open in, between which venues. */
export function HoursMap({ base }: { base: string }) {
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
