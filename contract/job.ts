import { Array as Arr, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { listQuery } from './list';
import { Instant, Maybe, OneOf, Text } from './value';

/** What the server does later: sends news to webhooks, tells who got none of them, takes away what is old. */
export const JOB_QUEUES = ['webhook', 'webhook-given-up', 'retention'] as const;
export type JobQueue = (typeof JOB_QUEUES)[number];

/** `retrying`: failed, and is tried again. `dead`: failed too often, and is tried no more by itself. */
export const JOB_STATES = ['retrying', 'dead'] as const;
export type JobState = (typeof JOB_STATES)[number];

const Queue = OneOf(JOB_QUEUES, { title: '队列' });
const JobId = Text({ title: '任务', minLength: 1, maxLength: 64 });

export const JobQueueRow = Obj({
  queue: Queue,
  waiting: Integer({ description: '等待，还没有失败过' }),
  active: Integer({ description: '正在执行' }),
  retrying: Integer({ description: '失败过，等待重试' }),
  dead: Integer({ description: '多次失败，已放弃' }),
  done: Integer({ description: '近一天完成' }),
  doneAt: Maybe(Instant('最近完成')),
  nextAt: Maybe(Instant('下一次执行')),
});
export type JobQueueRow = Static<typeof JobQueueRow>;

/** A job that failed, and has not been done since. */
export const JobRow = Obj({
  id: Str(),
  queue: Queue,
  state: OneOf(JOB_STATES),
  user: Maybe(Str({ description: '为谁而做；不属于某个用户时为空' })),
  subject: Maybe(Str({ description: '通知的标题；已删除时为空' })),
  reason: Maybe(Str({ description: '最近一次失败的原因' })),
  tries: Integer({ description: '已试次数' }),
  mostTries: Integer({ description: '最多试几次，之后放弃' }),
  at: Instant('最近一次尝试'),
  nextAt: Maybe(Instant('下一次尝试；已放弃时为空')),
});
export type JobRow = Static<typeof JobRow>;

/** What a master sees of the server's work in the background, and does about what failed of it. */
export const job = {
  list: endpoint({
    method: 'GET',
    path: '/api/job',
    right: 'isMaster',
    tag: '后台任务',
    summary: '后台任务的队列，与失败的任务，新的在前；已放弃的保留 30 天',
    query: Obj({
      ...listQuery(50),
      queue: Optional(Queue),
      state: Optional(OneOf(JOB_STATES, { title: '状态' })),
    }),
    data: Obj({ list: Arr(JobRow), total: Integer(), queues: Arr(JobQueueRow) }),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/job/retry',
    right: 'isMaster',
    tag: '后台任务',
    summary: '立即重试失败的任务：给出 id 则一个，否则该队列的全部；已放弃的再试一次',
    body: Obj({ queue: Queue, id: Optional(JobId) }, { additionalProperties: false }),
    data: Obj({ retried: Integer() }),
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/api/job',
    right: 'isMaster',
    tag: '后台任务',
    summary: '丢弃一个失败的任务，不再重试',
    body: Obj({ queue: Queue, id: JobId }, { additionalProperties: false }),
    data: Obj({ id: Str() }),
  }),
};
