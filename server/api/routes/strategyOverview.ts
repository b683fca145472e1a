import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { DataOf } from '#contract/endpoint';
import { strategyOverview as api, type OverviewChange, type OverviewRow } from '#contract/strategyOverview';
import { changeStrategy, strategyById } from '../../base/db/strategies/strategy';
import { noteChange } from '../../base/http/auditTrail';
import { notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import type { OpeningActs } from '../../desk/openingActs';
import { strategyFeed } from '../../desk/strategy/strategyFeed';
import { limitStrategy, mustOwn } from '../../desk/strategy/strategyIntents';
import { overviewDays, strategyOverview, usedBy } from '../../desk/strategy/strategyOverview';
import { runningDealRows, runningDeals } from '../../desk/strategy/strategyRows';
import type { Deps } from '../deps';

/** Everybody's strategies, for masters. */
export function strategyOverviewRoutes(app: FastifyInstance, deps: Deps, opens: OpeningActs): void {
  const { db, clock } = deps;
  const answers = new OverviewAnswers();

  route(app, api.list, async ({ user, query }) =>
    answers.next(user.id, await strategyOverview(deps, user.id, clock()), query.since),
  );

  route(app, api.days, () => overviewDays(deps, clock()));

  route(app, api.deals, async ({ query }) => {
    const row = await strategyById(db, query.id);
    if (row === null) throw notFound('没有这个策略');
    return { list: await runningDealRows(deps, row.id, clock()) };
  });

  route(app, api.running, async ({ query }) => {
    const list = await runningDeals(deps, clock(), query.userId);
    return { list, total: list.length };
  });

  route(app, api.feed, async ({ query }) => ({ list: await strategyFeed(db, query) }));

  // Nothing that the engine goes by: it is not woken.
  route(app, api.note, async ({ user, body, request }) => {
    const row = await mustOwn(db, user.id, body.id);
    const written = { note: body.note, noteBy: user.name, noteAt: clock() };
    await changeStrategy(db, row.id, written);
    noteChange(request, { note: row.note }, { note: body.note });
    return { id: row.id, ...written };
  });

  opens.serve(app, 'limit', api.limit, {
    about:
      ({ body }) =>
      (strategy) =>
        strategy.id === body.id,
    opens: ({ body }) => body.resume === true,
    prepare: async ({ body }) => (body.resume ? usedBy(deps, body.id, clock()) : undefined),
    write: (tx, { user, body }, used) => limitStrategy(tx, { user, now: clock() }, body.id, body.limits, used),
  });
}

type Answer = DataOf<typeof api.list>;
type Overview = Pick<Answer, 'at' | 'today' | 'list'>;

/** Masters who look on at once, each with an answer that they have and one under way. */
const KEPT = 16;
/** Who asks again later than this has been away. */
const KEPT_MS = 60_000;

/** What each master was answered last: of hundreds of strategies most figures stay as they are between two looks. */
class OverviewAnswers {
  readonly #rows = new LRUCache<string, ReadonlyMap<string, OverviewRow>>({ max: KEPT, ttl: KEPT_MS });

  /** @param since `at` of the answer that the caller has; one that is not known here is answered with everything. */
  next(viewerId: string, { at, today, list }: Overview, since: number | undefined): Answer {
    const known = since === undefined ? undefined : this.#rows.get(`${viewerId} ${since}`);
    const rows = new Map(list.map((row) => [row.id, row]));
    this.#rows.set(`${viewerId} ${at}`, rows);
    if (known === undefined) return { at, today, since: null, list, changed: [], gone: [] };
    const whole: OverviewRow[] = [];
    const changed: OverviewChange[] = [];
    for (const row of list) {
      const before = known.get(row.id);
      const fields = before && changesOf(before, row);
      if (fields === undefined) whole.push(row);
      else if (Object.keys(fields).length > 0) changed.push({ id: row.id, fields });
    }
    const gone = [...known.keys()].filter((id) => !rows.has(id));
    return { at, today, since: since!, list: whole, changed, gone };
  }
}

/** The fields that differ; undefined where a field is there no more, which only the whole row can tell. */
function changesOf(before: OverviewRow, row: OverviewRow): Partial<OverviewRow> | undefined {
  if (Object.keys(before).some((field) => !(field in row))) return undefined;
  return Object.fromEntries(
    Object.entries(row).filter(([field, value]) => !isDeepStrictEqual(value, before[field as keyof OverviewRow])),
  );
}
