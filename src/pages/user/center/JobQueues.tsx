import { Button } from 'antd';
import { useMemo } from 'react';
import { JOB_QUEUE_LABEL, type JobQueue, JobQueueRow } from '#contract/job';
import { DateTime } from '@/components/DateTime';
import { useNarrow } from '@/components/useNarrow';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, Cards, RowCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';
import { confirmRetryAll } from './jobActions';

const QUEUE_REASON: Record<JobQueue, string> = {
  webhook: '把通知发到用户自己的推送地址；对方没有收下时，间隔越来越长地重试',
  'webhook-given-up': '多次推送都没有送达时，在站内告知该用户',
  retention: '每小时一次，分批删除超过保留期的数据',
};

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

const columnsWith = (done: () => void) =>
  schemaColumns(JobQueueRow, {
    widths: { queue: 280 },
    own: [
      {
        key: 'queue',
        render: ({ queue }) => (
          <>
            {JOB_QUEUE_LABEL[queue]}
            <div className="soft">{QUEUE_REASON[queue]}</div>
          </>
        ),
      },
      { key: 'actions', title: '操作', width: 100, render: (row) => <RetryAll row={row} done={done} /> },
    ],
  });

/** A queue on a phone. */
const QueueCard = ({ row, done }: { row: JobQueueRow; done: () => void }) => (
  <RowCard
    label={JOB_QUEUE_LABEL[row.queue]}
    head={
      <>
        <strong>{JOB_QUEUE_LABEL[row.queue]}</strong>
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
