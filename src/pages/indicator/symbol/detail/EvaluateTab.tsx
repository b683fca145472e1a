import { Descriptions, Typography } from 'antd';
import { useState } from 'react';
import { type Direction, type EvaluateEdit, evaluate } from '#contract/evaluate';
import { DIRECTION_LABEL } from '#contract/lifecycle';
import type { SymbolDetail } from '#contract/symbol';
import { DateTime } from '@/components/DateTime';
import { DirectionTag } from '@/components/DirectionTag';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Missing } from '@/components/Missing';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { changeColumn, priceColumn, timeColumn } from '@/table/columns';
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

const COLUMNS: Column<EvaluateEdit>[] = [
  timeColumn<EvaluateEdit>('at', '时间'),
  { key: 'field', title: '项目', width: 72, render: ({ field }) => (field === 'direction' ? '方向' : '评价') },
  { key: 'before', title: '修改前', width: 220, render: (edit) => <Said edit={edit} text={edit.before} /> },
  { key: 'after', title: '修改后', width: 220, render: (edit) => <Said edit={edit} text={edit.after} /> },
  { key: 'author', title: '评价人', width: 96, render: ({ author }) => author },
  priceColumn<EvaluateEdit>('price', '当时价格', { reason: '当时没有价格' }),
  changeColumn<EvaluateEdit>('changeSince', '至今涨跌', {
    reason: '当时或现在没有价格',
    explain: { formula: '现价 / 当时价格 − 1' },
  }),
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
      <PlainTable
        label="评价历史"
        rowKey="id"
        loading={isLoading}
        columns={COLUMNS}
        rows={data?.list}
        empty={<EmptyState title="没有评价" description="编辑者在「中性选币」中给出方向或评价后，这里显示历史。" />}
        pagination={{
          current,
          pageSize: PAGE_SIZE,
          total: data?.total,
          onChange: setCurrent,
          showSizeChanger: false,
          size: 'small',
        }}
      />
    </div>
  );
}
