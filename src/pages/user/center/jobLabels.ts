import type { JobQueue, JobState } from '#contract/job';

export const QUEUE_LABEL: Record<JobQueue, string> = {
  webhook: '推送通知',
  'webhook-given-up': '告知推送失败',
  retention: '清理过期数据',
};
export const QUEUE_REASON: Record<JobQueue, string> = {
  webhook: '把通知发到用户自己的推送地址；对方没有收下时，间隔越来越长地重试',
  'webhook-given-up': '多次推送都没有送达时，在站内告知该用户',
  retention: '每小时一次，分批删除超过保留期的数据',
};

export const JOB_STATE_LABEL: Record<JobState, string> = { retrying: '等待重试', dead: '已放弃' };
export const JOB_STATE_COLOR: Record<JobState, string> = { retrying: 'warning', dead: 'error' };
