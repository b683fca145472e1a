import { Tag } from 'antd';
import type { FeedKind, FeedRow, FeedSeverity } from '#contract/strategyOverview';
import type { Column } from '@/table/column';
import { timeColumn, wordColumn } from '@/table/columns';
import { columnsCard } from '@/table/RowCard';

/** Kinds of events in words. */
export const FEED_LABEL: Record<FeedKind, string> = {
  entry: '开仓',
  exit: '平仓',
  funding: '资金费',
  config: '配置',
  breaker: '熔断',
  trouble: '异常',
};
export const SEVERITY: Record<FeedSeverity, { label: string; color: string }> = {
  info: { label: '信息', color: 'default' },
  warning: { label: '警告', color: 'warning' },
  error: { label: '错误', color: 'error' },
};

/** A line of the feed. */
export const FEED_COLUMNS: Column<FeedRow>[] = [
  timeColumn<FeedRow>('at', '时间', { precision: 'second' }),
  {
    key: 'severity',
    title: '级别',
    width: 72,
    render: ({ severity }) => <Tag color={SEVERITY[severity].color}>{SEVERITY[severity].label}</Tag>,
  },
  wordColumn<FeedRow>('kind', '类别', 80, ({ kind }) => FEED_LABEL[kind]),
  wordColumn<FeedRow>('strategy', '策略', 150, ({ strategy }) => strategy),
  wordColumn<FeedRow>('user', '用户', 100, ({ user }) => user),
  wordColumn<FeedRow>('text', '内容', 420, ({ text }) => text),
];

/** The same on a phone. */
export const feedCard = columnsCard(FEED_COLUMNS, {
  label: ({ text }) => text,
  head: ['kind', 'strategy', 'user'],
  end: ['severity'],
  figures: ['text', 'at'],
  wide: ['text', 'at'],
});
