import { Button, Tag } from 'antd';
import { useMemo } from 'react';
import { JOB_QUEUE_LABEL, JOB_STATE_LABEL, JobRow, job } from '#contract/job';
import { EmptyState } from '@/components/EmptyState';
import { optionsOf } from '@/table/FilterSelect';
import { ListPanel } from '@/table/ListPanel';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { centerQuery, type PanelProps, toJobs } from './centerQuery';
import { JobQueues } from './JobQueues';
import { confirmDiscard, retryJob } from './jobActions';

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
    </>
  );
}
