import { Button } from 'antd';
import { useMemo } from 'react';
import type { JobQueueRow } from '#contract/job';
import { DateTime } from '@/components/DateTime';
import { useNarrow } from '@/components/useNarrow';
import type { Column } from '@/table/column';
import { numberColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, Cards, RowCard } from '@/table/RowCard';
import styles from './index.module.css';
import { confirmRetryAll } from './jobActions';
import { QUEUE_LABEL, QUEUE_REASON } from './jobLabels';

const failing = ({ retrying, dead }: JobQueueRow) => retrying + dead;

const RetryAll = ({ row, done }: { row: JobQueueRow; done: () => void }) => (
  <Button
    size="small"
    disabled={failing(row) === 0}
    title={failing(row) === 0 ? '没有失败的任务' : undefined}
    onClick={() => confirmRetryAll(row, done)}
  >
    全部重试
  </Button>
);

const count = { digits: 0, width: 84 } as const;
const columnsWith = (done: () => void): Column<JobQueueRow>[] => [
  wordColumn<JobQueueRow>('queue', '队列', 280, (row) => QUEUE_LABEL[row.queue], {
    render: ({ queue }) => (
      <>
        {QUEUE_LABEL[queue]}
        <div className="soft">{QUEUE_REASON[queue]}</div>
      </>
    ),
  }),
  numberColumn<JobQueueRow>('waiting', '等待', count),
  numberColumn<JobQueueRow>('active', '进行中', count),
  numberColumn<JobQueueRow>('retrying', '等待重试', count),
  numberColumn<JobQueueRow>('dead', '已放弃', count),
  numberColumn<JobQueueRow>('done', '近一天完成', { ...count, width: 100 }),
  timeColumn<JobQueueRow>('doneAt', '最近完成', { precision: 'second', reason: '近一天没有完成过' }),
  timeColumn<JobQueueRow>('nextAt', '下一次', { precision: 'second', reason: '没有等待的任务' }),
  { key: 'actions', title: '操作', width: 100, render: (row) => <RetryAll row={row} done={done} /> },
];

/** A queue on a phone. */
const QueueCard = ({ row, done }: { row: JobQueueRow; done: () => void }) => (
  <RowCard
    label={QUEUE_LABEL[row.queue]}
    head={
      <>
        <strong>{QUEUE_LABEL[row.queue]}</strong>
        <RetryAll row={row} done={done} />
      </>
    }
  >
    <CardFigures
      columns={3}
      figures={[
        ['等待', row.waiting],
        ['进行中', row.active],
        ['等待重试', row.retrying],
        ['已放弃', row.dead],
        ['近一天完成', row.done],
        ['下一次', <DateTime key="next" value={row.nextAt} reason="没有等待的任务" />, true],
      ]}
    />
  </RowCard>
);

/** How much there is in each queue. */
export function JobQueues({ queues, done }: { queues: readonly JobQueueRow[] | undefined; done: () => void }) {
  const narrow = useNarrow();
  const columns = useMemo(() => columnsWith(done), [done]);
  if (narrow) {
    return (
      <div className={styles.queues}>
        <Cards>
          {queues?.map((row) => (
            <QueueCard key={row.queue} row={row} done={done} />
          ))}
        </Cards>
      </div>
    );
  }
  return (
    <PlainTable<JobQueueRow>
      label="队列"
      columns={columns}
      rows={queues}
      rowKey="queue"
      loading={queues === undefined}
      pagination={false}
    />
  );
}
