import type { JobQueue } from '#contract/job';

/** What is done later, by the queue that it waits in, and what a job of it knows: never what is secret. The migrations make the queues. */
export interface QueueData extends Record<JobQueue, object> {
  /** A notification on its way to the webhook of its user. */
  webhook: { userId: string; notificationId: number };
  /** Dead letters of the one before: its owner is to be told. */
  'webhook-given-up': { userId: string };
  /** Takes away what is older than it is kept. */
  retention: object;
}

export type QueueName = JobQueue;
