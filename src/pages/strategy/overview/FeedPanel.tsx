import { Tag } from 'antd';
import { useState } from 'react';
import {
  FEED_KINDS,
  FEED_SEVERITIES,
  type FeedKind,
  type FeedRow,
  type FeedSeverity,
  type OverviewRow,
  strategyOverview,
} from '#contract/strategyOverview';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { timeColumn, wordColumn } from '@/table/columns';
import { FilterSelect } from '@/table/FilterSelect';
import { PlainTable } from '@/table/PlainTable';
import styles from './overview.module.css';

const KIND_LABEL: Record<FeedKind, string> = {
  entry: '开仓',
  exit: '平仓',
  funding: '资金费',
  config: '配置',
  breaker: '熔断',
  trouble: '异常',
};
const SEVERITY: Record<FeedSeverity, { label: string; color: string }> = {
  info: { label: '信息', color: 'default' },
  warning: { label: '警告', color: 'warning' },
  error: { label: '错误', color: 'error' },
};

const COLUMNS: Column<FeedRow>[] = [
  timeColumn<FeedRow>('at', '时间', { precision: 'second' }),
  {
    key: 'severity',
    title: '级别',
    width: 72,
    render: ({ severity }) => <Tag color={SEVERITY[severity].color}>{SEVERITY[severity].label}</Tag>,
  },
  wordColumn<FeedRow>('kind', '类别', 80, ({ kind }) => KIND_LABEL[kind]),
  wordColumn<FeedRow>('strategy', '策略', 150, ({ strategy }) => strategy),
  wordColumn<FeedRow>('user', '用户', 100, ({ user }) => user),
  wordColumn<FeedRow>('text', '内容', 420, ({ text }) => text),
];

/** What happened to strategies, the newest first. */
export function FeedPanel({ rows }: { rows: readonly OverviewRow[] }) {
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
    <section className={styles.panel} aria-label="事件">
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
            options={FEED_KINDS.map((value) => ({ value, label: KIND_LABEL[value] }))}
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
          columns={COLUMNS}
          rows={data?.list}
          loading={isLoading}
          empty={<EmptyState title="没有事件" description="开仓、平仓、资金费、配置修改与熔断会记在这里" />}
        />
      )}
    </section>
  );
}
