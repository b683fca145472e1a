import { JOB_QUEUE_LABEL, type JobQueueRow, type JobRow, job } from '#contract/job';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';

/** Tries a job again at once. */
export async function retryJob({ queue, id }: JobRow, done: () => void): Promise<void> {
  try {
    await call(job.retry, { body: { queue, id } });
    toast.success('正在重试');
  } catch {
    // The call has said what went wrong.
  }
  done();
}

/** Tries again at once all that failed of a queue. */
export function confirmRetryAll({ queue, retrying, dead }: JobQueueRow, done: () => void): void {
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
export function confirmDiscard({ queue, id, user, subject }: JobRow, done: () => void): void {
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
