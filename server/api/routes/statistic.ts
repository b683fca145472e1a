import type { FastifyInstance } from 'fastify';
import { statistic } from '#contract/statistic';
import { route } from '../../base/http/route';
import { createWorkPool } from '../../base/work/workPool';
import type { PairRunResult, PairRunsTask } from '../../desk/statistic/pairRuns';
import { comparisonOf, statisticOf } from '../../desk/statistic/statistic';
import type { Deps } from '../deps';

/** GET /api/hedge/statistic and /compare: what all accounts have done, for masters. */
export function statisticRoutes(app: FastifyInstance, { db, clock, markets }: Pick<Deps, 'db' | 'clock' | 'markets'>) {
  const work = createWorkPool();
  app.addHook('onClose', () => work.close());
  const compute = (task: PairRunsTask) => work.run<PairRunsTask, PairRunResult[]>('desk/statistic/pairRuns', task);

  route(app, statistic.all, ({ query }) => statisticOf(db, query, clock()));

  route(app, statistic.compare, ({ query, user }) =>
    work.hold(user.id, () => comparisonOf({ db, markets, compute }, query, clock())),
  );
}
