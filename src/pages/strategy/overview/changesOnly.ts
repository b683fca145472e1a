import type { DataOf, QueryOf } from '#contract/endpoint';
import type { strategyOverview } from '#contract/strategyOverview';
import type { GoOn } from '@/services/useCall';

type Overview = DataOf<typeof strategyOverview.list>;

/** After the first look only what changed since is read. */
export const changesOnly: GoOn<Overview, { query: QueryOf<typeof strategyOverview.list> }> = {
  input: ({ at }) => ({ query: { since: at } }),
  join: (held, answer) => {
    if (answer.since === null) return answer;
    const rows = new Map(held.list.map((row) => [row.id, row]));
    for (const id of answer.gone) rows.delete(id);
    for (const { id, fields } of answer.changed) rows.set(id, { ...rows.get(id)!, ...fields });
    for (const row of answer.list) rows.set(row.id, row);
    return { ...answer, list: [...rows.values()] };
  },
};
