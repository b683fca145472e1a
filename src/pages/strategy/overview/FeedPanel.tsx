import { memo, useState } from 'react';
import {
  FEED_KINDS,
  FEED_SEVERITIES,
  type FeedKind,
  type FeedSeverity,
  strategyOverview,
} from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import { FilterSelect } from '@/table/FilterSelect';
import { PlainTable } from '@/table/PlainTable';
import { FEED_COLUMNS, FEED_LABEL, feedCard, SEVERITY } from './feedColumns';
import type { Named } from './groups';
import styles from './overview.module.css';

/** What happened to strategies, the newest first. */
export const FeedPanel = memo(function FeedPanel({ rows }: { rows: readonly Named[] }) {
  const [id, setId] = useState<string | null>(null);
  const [kind, setKind] = useState<FeedKind | null>(null);
  const [severity, setSeverity] = useState<FeedSeverity | null>(null);
  const query = {
    ...(id === null ? {} : { id }),
    ...(kind === null ? {} : { kind }),
    ...(severity === null ? {} : { severity }),
  };
  const { data, error, isLoading, retry } = useCall(strategyOverview.feed, { query }, { refreshInterval: 5_000 });
  return (
    <section className={`card ${styles.panel}`} aria-label="事件">
      <header className={styles.tools}>
        <h2>事件</h2>
        <div className={styles.filters}>
          <FilterSelect
            label="事件的策略"
            searchable
            options={rows.map((row) => ({ value: row.id, label: `${row.name} · ${row.user}` }))}
            value={id}
            onChange={setId}
          />
          <FilterSelect<FeedKind>
            label="类别"
            options={FEED_KINDS.map((value) => ({ value, label: FEED_LABEL[value] }))}
            value={kind}
            onChange={setKind}
          />
          <FilterSelect<FeedSeverity>
            label="级别"
            options={FEED_SEVERITIES.map((value) => ({ value, label: SEVERITY[value].label }))}
            value={severity}
            onChange={setSeverity}
          />
        </div>
      </header>
      {error && !data ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <PlainTable
          label="事件"
          rowKey="id"
          columns={FEED_COLUMNS}
          card={feedCard}
          rows={data?.list}
          loading={isLoading}
          empty={<EmptyState title="没有事件" description="开仓、平仓、资金费、配置修改与熔断会记在这里" />}
        />
      )}
    </section>
  );
});
