import { Button, Tag } from 'antd';
import { useMemo } from 'react';
import { type JobRow, job } from '#contract/job';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { timeColumn, wordColumn } from '@/table/columns';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { CardFigures, RowCard } from '@/table/RowCard';
import { useListed } from '@/table/useListed';
import { type CenterState, centerQuery, type PanelProps, toJobs } from './centerQuery';
import { JobQueues } from './JobQueues';
import { confirmDiscard, retryJob } from './jobActions';
import { JOB_STATE_COLOR, JOB_STATE_LABEL, QUEUE_LABEL } from './jobLabels';

const REFRESH_MS = 5_000;
const QUEUES = optionsOf(QUEUE_LABEL);
const STATES = optionsOf(JOB_STATE_LABEL);
const unsorted = { sort: undefined } as const;

const triesText = ({ tries, mostTries }: JobRow) => `${tries} / ${mostTries}`;
const StateTag = ({ state }: Pick<JobRow, 'state'>) => (
  <Tag color={JOB_STATE_COLOR[state]}>{JOB_STATE_LABEL[state]}</Tag>
);

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

const columnsWith = (reload: () => void): Column<JobRow>[] => [
  wordColumn<JobRow>('queue', '队列', 120, (row) => QUEUE_LABEL[row.queue], { ...unsorted, fixed: 'left' }),
  wordColumn<JobRow>('user', '用户', 96, (row) => row.user, unsorted),
  wordColumn<JobRow>('subject', '内容', 200, (row) => row.subject, unsorted),
  wordColumn<JobRow>('state', '状态', 92, (row) => JOB_STATE_LABEL[row.state], {
    ...unsorted,
    render: (row) => <StateTag state={row.state} />,
  }),
  wordColumn<JobRow>('reason', '原因', 180, (row) => row.reason, unsorted),
  wordColumn<JobRow>('tries', '已试 / 最多', 96, triesText, {
    ...unsorted,
    explain: { text: '试满仍失败的不再自动重试，保留 30 天；手动重试已放弃的，再试一次' },
  }),
  timeColumn<JobRow>('nextAt', '下一次', { ...unsorted, width: 140, reason: '已放弃，不再自动重试' }),
  timeColumn<JobRow>('at', '最近一次', { width: 140 }),
  {
    key: 'actions',
    title: '操作',
    width: 128,
    fixed: 'right',
    render: (row) => <Actions row={row} done={reload} />,
  },
];

/** A job on a phone. */
const JobCard = ({ row, done }: { row: JobRow; done: () => void }) => (
  <RowCard
    label={`${QUEUE_LABEL[row.queue]} ${row.subject ?? ''}`}
    head={
      <>
        <span>
          <strong>{QUEUE_LABEL[row.queue]}</strong> <StateTag state={row.state} />
        </span>
        <Actions row={row} done={done} />
      </>
    }
  >
    <CardFigures
      columns={2}
      figures={[
        ['原因', row.reason ?? '-'],
        ['已试 / 最多', triesText(row)],
        ['下一次', <DateTime key="next" value={row.nextAt} reason="已放弃，不再自动重试" />],
        ['最近一次', <DateTime key="at" value={row.at} />],
        ['用户', row.user ?? '-'],
        ['内容', row.subject ?? '-'],
      ]}
    />
  </RowCard>
);

/** What the server does in the background, and what failed of it. */
export function JobsPanel({ state, change }: PanelProps) {
  const { listed } = useListed(useCall(job.list, { query: toJobs(state) }, { refreshInterval: REFRESH_MS }), 'id');
  const { reload } = listed;
  const columns = useMemo(() => columnsWith(reload), [reload]);
  const filtered = centerQuery.isFiltered(state);
  const clear = () => change(centerQuery.clear);
  const filter = (next: Partial<CenterState>) => change({ ...next, current: 1 });
  return (
    <>
      <JobQueues queues={listed.data?.queues} done={reload} />
      <ListTable<JobRow>
        name="jobs"
        title="失败的后台任务"
        columns={columns}
        rowKey="id"
        list={listed}
        readPage={(page) => call(job.list, { query: { ...toJobs(state), ...page } })}
        place={state}
        onPlace={change}
        card={(row) => <JobCard row={row} done={reload} />}
        filters={
          <FilterBar filtered={filtered} onClear={clear}>
            <FilterSelect label="队列" options={QUEUES} value={state.queue} onChange={(queue) => filter({ queue })} />
            <FilterSelect
              label="状态"
              options={STATES}
              value={state.jobState}
              onChange={(jobState) => filter({ jobState })}
            />
          </FilterBar>
        }
        empty={
          <NoRows of="失败的任务" filtered={filtered} onClear={clear}>
            <EmptyState title="没有失败的任务" description="失败的任务会列在这里：原因、试了几次、下一次何时" />
          </NoRows>
        }
      />
    </>
  );
}
