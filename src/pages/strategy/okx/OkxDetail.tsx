import { okxDesk } from '#contract/okxDesk';
import type { StrategyRow } from '#contract/strategies';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';
import { PlainTable } from '@/table/PlainTable';
import { INVENTORY_COLUMNS, MOVE_COLUMNS, TRADE_COLUMNS } from './deskColumns';
import own from './okx.module.css';

const REFRESH_MS = 3_000;
const FUNNEL = [
  ['seen', '看到'],
  ['attempted', '尝试'],
  ['filled', '两边成交'],
  ['profitable', '赚钱'],
] as const;

/** What an arbitrage strategy holds at both venues, and what became of the gaps that it saw. */
export function OkxDetail({ strategy }: { strategy: StrategyRow }) {
  const { data, error, isLoading, retry } = useCall(
    okxDesk.read,
    { query: { id: strategy.id } },
    { refreshInterval: REFRESH_MS },
  );
  if (error && !data) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      <section className={styles.panel} aria-label="库存">
        <header className={styles.head}>
          <h2>库存 · {strategy.name}</h2>
          <dl className={own.funnel}>
            {FUNNEL.map(([key, label]) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd className="figure">{data?.funnel[key] ?? '-'}</dd>
              </div>
            ))}
          </dl>
        </header>
        <PlainTable
          label="库存"
          rowKey={({ base, source }) => `${base} ${source}`}
          columns={INVENTORY_COLUMNS}
          rows={data?.inventory}
          loading={isLoading}
        />
        {data && data.moves.length > 0 && (
          <>
            <h3 className={own.title}>建议划转：把币移回一半对一半</h3>
            <PlainTable label="建议划转" rowKey="base" columns={MOVE_COLUMNS} rows={data.moves} />
          </>
        )}
      </section>
      <section className={styles.panel} aria-label="套利成交">
        <header className={styles.head}>
          <h2>套利成交 · {strategy.name}</h2>
        </header>
        <PlainTable
          label="套利成交"
          rowKey="id"
          columns={TRADE_COLUMNS}
          rows={data?.trades}
          loading={isLoading}
          empty={<EmptyState title="还没有套利成交" description="净价差连续达标、两边都有库存时由引擎同时发出两单" />}
        />
      </section>
    </>
  );
}
