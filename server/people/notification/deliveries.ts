import type { Queries } from '../../base/db/client';
import { deliveriesBefore, openJobs } from '../../base/db/records/job';
import { webhookNews } from '../../base/db/records/webhook';
import type { Jobs } from '../../base/jobs/jobs';

/** Deliveries that may wait for one user, and those given up; the oldest give way. */
const MOST_WAITING = 200;

/** Sends these notifications on to the webhooks of their users, in the transaction that adds them. @returns whether there is anything to send */
export async function queueDeliveries(
  tx: Queries,
  jobs: Jobs,
  added: readonly { id: number; userId: string; kind: string }[],
): Promise<boolean> {
  const news = await webhookNews(tx, added);
  await jobs.add(
    tx,
    'webhook',
    news.map(({ id, userId }) => ({ data: { userId, notificationId: id }, key: userId })),
  );
  for (const userId of new Set(news.map((one) => one.userId))) await dropDeliveries(tx, jobs, userId, MOST_WAITING);
  return news.length > 0;
}

/** Takes away what waits for a user's webhook and what was given up, but for the newest `kept`. */
export async function dropDeliveries(tx: Queries, jobs: Jobs, userId: string, kept = 0): Promise<void> {
  await jobs.drop(tx, 'webhook', await deliveriesBefore(tx, userId, kept));
}

/** How many deliveries wait for a user. */
export const waitingDeliveries = (db: Queries, userId: string): Promise<number> => openJobs(db, 'webhook', userId);
