import { Array as Arr, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { At, Choice, ChoiceFilter, Count, MaybeWord, Moment } from './field';
import { listQuery } from './list';
import { Labelled, Text } from './value';
import { wordsOf } from './words';

/** What the server does later: sends news to webhooks, tells who got none of them, takes away what is old, holds real accounts against their exchange. */
export const JOB_QUEUE_LABEL = {
  webhook: '推送通知',
  'webhook-given-up': '告知推送失败',
  retention: '清理过期数据',
  reconcile: '每日对账',
} as const;
export const JOB_QUEUES = wordsOf(JOB_QUEUE_LABEL);
export type JobQueue = keyof typeof JOB_QUEUE_LABEL;

/** `retrying`: failed, and is tried again. `dead`: failed too often, and is tried no more by itself. */
export const JOB_STATE_LABEL = { retrying: '等待重试', dead: '已放弃' } as const;
export type JobState = keyof typeof JOB_STATE_LABEL;

const unsorted = { first: null } as const;

const Queue = Labelled(JOB_QUEUE_LABEL, { title: '队列' });
const JobId = Text({ title: '任务', minLength: 1, maxLength: 64 });

export const JobQueueRow = Obj({
  queue: Choice(JOB_QUEUE_LABEL, '队列'),
  waiting: Count('等待', '等待，还没有失败过'),
  active: Count('进行中', '正在执行'),
  retrying: Count('等待重试', '失败过，等待重试'),
  dead: Count('已放弃', '多次失败，已放弃'),
  done: Count('近一天完成', '近一天完成'),
  doneAt: Moment('最近完成', { seconds: true, missing: '近一天没有完成过' }),
  nextAt: Moment('下一次', { seconds: true, missing: '没有等待的任务' }),
});
export type JobQueueRow = Static<typeof JobQueueRow>;

/** A job that failed, and has not been done since. */
export const JobRow = Obj({
  id: Str(),
  queue: Choice(JOB_QUEUE_LABEL, '队列', unsorted),
  /** For whom; null where it is nobody's. */
  user: MaybeWord('用户', unsorted),
  /** Of what is told; null where that is deleted. */
  subject: MaybeWord('内容', unsorted),
  state: Choice(JOB_STATE_LABEL, '状态', unsorted),
  reason: MaybeWord('原因', unsorted),
  tries: Count('已试 / 最多', '已试次数', {
    ...{ first: null, text: '试满仍失败的不再自动重试，保留 30 天；手动重试已放弃的，再试一次' },
  }),
  mostTries: Integer({ description: '最多试几次，之后放弃' }),
  nextAt: Moment('下一次', { first: null, missing: '已放弃，不再自动重试' }),
  at: At('最近一次'),
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
      state: ChoiceFilter(JOB_STATE_LABEL, '状态'),
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
