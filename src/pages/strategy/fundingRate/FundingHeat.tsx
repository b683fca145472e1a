import { memo } from 'react';
import type { DataOf } from '#contract/endpoint';
import { fundingRateDesk } from '#contract/kinds/fundingRate/desk';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { Heat } from '@/components/Heat';
import { Percent } from '@/components/Percent';
import { coinColumn } from '@/scan/coinColumn';
import { venueLabel } from '@/scan/venueLabel';
import { HOME_SOURCE } from '@/services/home';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import own from './heat.module.css';

type HeatData = DataOf<typeof fundingRateDesk.heat>;
type Row = HeatData['rows'][number];
type Bin = HeatData['bins'][number];

/** A rate of the year that has the full colour. */
const FULL = 0.3;
const DAY = { month: '2-digit', day: '2-digit', timeZone: 'UTC' } as const;

const dayColumn = (day: number, i: number): Column<Row> => ({
  key: String(day),
  title: new Intl.DateTimeFormat('zh-CN', DAY).format(day),
  width: 64,
  figure: true,
  render: ({ apr }) => (
    <span className={own.cell}>
      {apr[i] != null && <Heat value={apr[i]} full={FULL} />}
      <Percent value={apr[i]} digits={0} signed reason="当日没有结算" />
    </span>
  ),
});

const percent = (value: number): string => `${formatNumber(value * 100, { digits: 0 })}%`;

const rangeOf = ({ from, to }: Bin): string => {
  if (from === null) return `< ${percent(to ?? 0)}`;
  return to === null ? `≥ ${percent(from)}` : `${percent(from)} – ${percent(to)}`;
};

function Distribution({ bins }: { bins: readonly Bin[] }) {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <dl className={own.bins} aria-label="结算年化的分布">
      {bins.map((bin) => (
        <div key={rangeOf(bin)}>
          <dt>{rangeOf(bin)}</dt>
          <dd>
            <span
              className={own.bar}
              style={{
                width: `${(bin.count / most) * 100}%`,
                background: (bin.to ?? 1) <= 0 ? 'var(--down)' : 'var(--up)',
              }}
            />
            <span>
              {bin.count} 次 <span className="soft">{total === 0 ? '-' : percent(bin.count / total)}</span>
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * What the busiest coins of a venue have paid, day by day, and how their settlements are spread. Its 600 cells are not
 * drawn again with every reading of the scanner above.
 */
export default memo(function FundingHeat({ source = HOME_SOURCE }: { source?: string }) {
  const { data, error, isLoading, retry } = useCall(fundingRateDesk.heat, { query: { source } });
  if (error && !data) return <ErrorState title="逐日资金费读取失败" error={error} onRetry={retry} />;
  const coin = coinColumn<Row>(({ perpetual }) => ({ source, perpetual }), { width: 88, tab: 'funding' });
  return (
    <section className={`card ${styles.panel}`} aria-label="资金费热力图">
      <header className={styles.head}>
        <h2>逐日资金费年化 · {venueLabel(source)}</h2>
        <span className="soft">
          成交额前 20 的币种，当日结算的费率之和 × 8760 / 覆盖的小时（今日只算已结算的），UTC 日，最近 30 天，新的在左
        </span>
      </header>
      <PlainTable
        label="逐日资金费年化"
        rowKey="base"
        columns={[coin, ...(data?.days.map(dayColumn).reverse() ?? [])]}
        rows={data?.rows}
        loading={isLoading}
        pagination={false}
        maxHeight={420}
        empty={<EmptyState title="还没有结算过" />}
      />
      {data && (
        <>
          <header className={`${styles.head} ${own.below}`}>
            <h2>结算年化的分布</h2>
            <span className="soft">上面币种最近 30 天的每次结算</span>
          </header>
          <Distribution bins={data.bins} />
        </>
      )}
    </section>
  );
});
