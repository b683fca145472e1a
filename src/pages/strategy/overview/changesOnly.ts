import type { DataOf, QueryOf } from '#contract/endpoint';
import type { strategyOverview } from '#contract/strategyOverview';
import type { GoOn } from '@/services/useCall';

type Overview = DataOf<typeof strategyOverview.list>;

/** After the first look only what changed since is read. */
export const changesOnly: GoOn<Overview, { query: QueryOf<typeof strategyOverview.list> }> = {
  input: ({ at }) => ({ query: { since: at } }),
  join: (held, answer) => {
    if (answer.since === null) return answer;
    const fields = new Map(answer.changed.map((change) => [change.id, change.fields]));
    const whole = new Map(answer.list.map((row) => [row.id, row]));
    const gone = new Set(answer.gone);
    const known = new Set(held.list.map(({ id }) => id));
    const kept = held.list
      .filter(({ id }) => !gone.has(id))
      .map((row) => whole.get(row.id) ?? (fields.has(row.id) ? { ...row, ...fields.get(row.id) } : row));
    return { ...answer, list: [...kept, ...answer.list.filter(({ id }) => !known.has(id))] };
  },
};
