import { Descriptions, Typography } from 'antd';
import { useState } from 'react';
import { type Direction, type EvaluateEdit, evaluate } from '#contract/evaluate';
import type { SymbolDetail } from '#contract/symbol';
import { DateTime } from '@/components/DateTime';
import { DirectionTag } from '@/components/DirectionTag';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { DIRECTION_LABEL } from '@/components/labels';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { useCall } from '@/services/useCall';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

const PAGE_SIZE = 20;

function Said({ edit, text }: { edit: EvaluateEdit; text: string }) {
  if (text === '') return <Missing reason="未填写" />;
  return (
    <Typography.Text className={styles.said}>
      {edit.field === 'direction' ? (DIRECTION_LABEL[text as Direction] ?? text) : text}
    </Typography.Text>
  );
}

const columns = [
  { title: '时间', dataIndex: 'at', render: (value: number) => <DateTime value={value} /> },
  { title: '项目', dataIndex: 'field', render: (field: string) => (field === 'direction' ? '方向' : '评价') },
  {
    title: '修改前',
    key: 'before',
    render: (_: unknown, edit: EvaluateEdit) => <Said edit={edit} text={edit.before} />,
  },
  { title: '修改后', key: 'after', render: (_: unknown, edit: EvaluateEdit) => <Said edit={edit} text={edit.after} /> },
  { title: '评价人', dataIndex: 'author' },
  {
    title: '当时价格',
    dataIndex: 'price',
    align: 'right' as const,
    render: (value: number | null) => <Price value={value} reason="当时没有价格" />,
  },
  {
    title: <Explained formula="现价 / 当时价格 − 1">至今涨跌</Explained>,
    dataIndex: 'changeSince',
    align: 'right' as const,
    render: (value: number | null) => <Pnl value={value} percent reason="当时或现在没有价格" />,
  },
];

/** What the team thinks of the coin, and every change of it with the price since. */
export default function EvaluateTab({ detail }: { detail: SymbolDetail }) {
  const { source, symbol, direction, note, noteBy, updatedAt } = detail;
  const [current, setCurrent] = useState(1);
  const query = { source, symbol, current, pageSize: PAGE_SIZE };
  const { data, error, isLoading, retry } = useCall(evaluate.history, { query }, { keepPreviousData: true });
  if (error) return <ErrorState error={error} onRetry={() => void retry()} />;
  const items = [
    {
      key: 'direction',
      label: '方向',
      children: direction ? <DirectionTag direction={direction} /> : <Missing reason="未标方向" />,
    },
    { key: 'note', label: '评价', children: note === '' ? <Missing reason="未填写" /> : note },
    { key: 'by', label: '评价人', children: noteBy ?? <Missing reason="无人评价" /> },
    { key: 'at', label: '更新时间', children: <DateTime value={updatedAt} reason="无人评价" /> },
  ];
  return (
    <div className={styles.tab}>
      <Descriptions size="small" bordered column={{ xs: 1, sm: 2 }} items={items} />
      <PlainTable<EvaluateEdit>
        rowKey="id"
        loading={isLoading}
        columns={columns}
        rows={data?.list}
        locale={{
          emptyText: (
            <EmptyState title="没有评价" description="编辑者在「中性选币」中给出方向或评价后，这里显示历史。" />
          ),
        }}
        pagination={{
          current,
          pageSize: PAGE_SIZE,
          total: data?.total,
          onChange: setCurrent,
          showSizeChanger: false,
          size: 'small',
        }}
        scroll={{ x: 'max-content' }}
      />
    </div>
  );
}
