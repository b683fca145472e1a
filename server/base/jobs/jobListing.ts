import type { DataOf, QueryOf } from '#contract/endpoint';
import { JOB_QUEUES, type job } from '#contract/job';
import type { Deps } from '../../api/deps';
import { countFailing, failingJobs, jobQueues } from '../db/records/job';
import { byTime, listPage } from '../http/listPage';
import { failureOf } from './jobs';

/** The queues, and a page of what failed in them. @throws 400 at `sort`. */
export async function jobListing(
  { db }: Pick<Deps, 'db'>,
  query: QueryOf<typeof job.list>,
): Promise<DataOf<typeof job.list>> {
  const page = listPage(query, '-at', byTime);
  const [rows, total, queues] = await Promise.all([
    failingJobs(db, query, page),
    countFailing(db, query),
    jobQueues(db),
  ]);
  const list = rows.map(({ output, failure, ...row }) => ({ ...row, reason: failureOf(output) ?? failure }));
  return { list, total, queues: JOB_QUEUES.flatMap((name) => queues.find(({ queue }) => queue === name) ?? []) };
}
