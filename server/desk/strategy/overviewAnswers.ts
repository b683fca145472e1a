import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { DataOf } from '#contract/endpoint';
import type { OverviewChange, OverviewRow, strategyOverview } from '#contract/strategyOverview';

type Answer = DataOf<typeof strategyOverview.list>;
type Overview = Pick<Answer, 'at' | 'today' | 'list'>;

/** Masters who look on at once, each with an answer that they have and one under way. */
const KEPT = 16;
/** Who asks again later than this has been away. */
const KEPT_MS = 60_000;

/** What each master was answered last: of hundreds of strategies most figures stay as they are between two looks. */
export class OverviewAnswers {
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
