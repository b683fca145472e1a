import { Button, Tag } from 'antd';
import { useMemo } from 'react';
import { JOB_QUEUE_LABEL, JOB_STATE_LABEL, type JobQueue, JobQueueRow, JobRow, job } from '#contract/job';
import { confirmAction } from '@/components/confirmAction';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { toast } from '@/components/toast';
import { useNarrow } from '@/components/useNarrow';
import { call } from '@/services/call';
import { worded } from '@/services/modeLabel';
import { isAnswered } from '@/services/useCall';
import { optionsOf } from '@/table/FilterSelect';
import { ListPanel } from '@/table/ListPanel';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, Cards, columnsCard, RowCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { centerQuery, type PanelProps, toJobs } from './centerQuery';
import styles from './index.module.css';

/** Tries a job again at once. */
async function retryJob({ queue, id }: JobRow, done: () => void): Promise<void> {
  try {
    await call(job.retry, { body: { queue, id } });
    toast.success('正在重试');
  } catch {
    // The call has said what went wrong.
  }
  done();
}

/** Tries again at once all that failed of a queue. */
function confirmRetryAll({ queue, retrying, dead }: JobQueueRow, done: () => void): void {
  confirmAction({
    verb: '全部重试',
    subject: JOB_QUEUE_LABEL[queue],
    consequence: `立即重试 ${retrying + dead} 个失败的任务，其中已放弃的 ${dead} 个再试一次。`,
    run: async () => {
      const { retried } = await call(job.retry, { body: { queue } });
      toast.success(`正在重试 ${retried} 个任务`);
      done();
    },
  });
}

/** Takes a job away for good. */
function confirmDiscard({ queue, id, user, subject }: JobRow, done: () => void): void {
  confirmAction({
    verb: '丢弃任务',
    subject: [JOB_QUEUE_LABEL[queue], user, subject].filter(Boolean).join(' · '),
    consequence: '不再重试，也不能恢复；操作记入审计日志。',
    run: async () => {
      await call(job.discard, { body: { queue, id } });
      toast.success('已丢弃');
      done();
    },
  });
}

const REFRESH_MS = 5_000;
const QUEUES = optionsOf(JOB_QUEUE_LABEL);
const STATES = optionsOf(JOB_STATE_LABEL);
const STATE_COLOR = { retrying: 'warning', dead: 'error' } as const;

const triesText = ({ tries, mostTries }: JobRow) => `${tries} / ${mostTries}`;

const Actions = ({ row, done }: { row: JobRow; done: () => void }) => (
  <span>
    <Button size="small" onClick={() => retryJob(row, done)}>
      重试
    </Button>{' '}
    <Button size="small" danger onClick={() => confirmDiscard(row, done)}>
      丢弃
    </Button>
  </span>
);

const columnsWith = (reload: () => void) =>
  schemaColumns(JobRow, {
    widths: { queue: 120, user: 96, subject: 200, reason: 180, nextAt: 140, at: 140 },
    own: [
      { key: 'queue', fixed: 'left' },
      { key: 'state', render: ({ state }) => <Tag color={STATE_COLOR[state]}>{JOB_STATE_LABEL[state]}</Tag> },
      { key: 'tries', figure: false, render: triesText, csv: triesText },
      {
        key: 'actions',
        title: '操作',
        width: 128,
        fixed: 'right',
        render: (row) => <Actions row={row} done={reload} />,
      },
    ],
  });

/** What the server does in the background, and what failed of it. */
export function JobsPanel({ state, change }: PanelProps) {
  const list = useList(job.list, { query: toJobs(state) }, REFRESH_MS);
  const { reload } = list;
  const [columns, card] = useMemo(() => {
    const made = columnsWith(reload);
    return [
      made,
      columnsCard(made, {
        label: ({ queue, subject }) => `${JOB_QUEUE_LABEL[queue]} ${subject ?? ''}`,
        head: ['queue', 'state'],
        end: ['actions'],
        figures: ['reason', 'tries', 'nextAt', 'at', 'user', 'subject'],
      }),
    ] as const;
  }, [reload]);
  return (
    <>
      <JobQueues queues={list.data?.queues} done={reload} />
      {/* Below queues that are not read yet it would move. */}
      {isAnswered(list) && (
        <ListPanel
          name="jobs"
          title="失败的后台任务"
          columns={columns}
          list={list}
          query={centerQuery}
          {...{ state, change, card }}
          filters={[
            { key: 'queue', label: '队列', options: QUEUES },
            { key: 'jobState', label: '状态', options: STATES },
          ]}
          of="失败的任务"
          none={<EmptyState title="没有失败的任务" description="失败的任务会列在这里：原因、试了几次、下一次何时" />}
        />
      )}
    </>
  );
}

const QUEUE_REASON: Record<JobQueue, string> = {
  webhook: '把通知发到用户自己的推送地址；对方没有收下时，间隔越来越长地重试',
  'webhook-given-up': '多次推送都没有送达时，在站内告知该用户',
  retention: '每小时一次，分批删除超过保留期的数据',
  reconcile: '每天一次，把每个实盘账户的持仓、余额、手续费、资金费与交易所逐项核对；有差异时通知本人与管理员',
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

const queueColumns = (done: () => void) =>
  schemaColumns(JobQueueRow, {
    widths: { queue: 280 },
    own: [
      {
        key: 'queue',
        render: ({ queue }) => (
          <>
            {JOB_QUEUE_LABEL[queue]}
            <div className="soft">{worded(QUEUE_REASON[queue])}</div>
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
function JobQueues({ queues, done }: { queues: readonly JobQueueRow[] | undefined; done: () => void }) {
  const narrow = useNarrow();
  const columns = useMemo(() => queueColumns(done), [done]);
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
