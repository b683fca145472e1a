import type { QueryOf } from '#contract/endpoint';
import { EvaluateRow, type evaluate } from '#contract/evaluate';
import { rowOrder } from '../../base/http/rowOrder';

type Query = QueryOf<typeof evaluate.list>;

/** The rows that the filters leave, in the order asked for (by rank unless told), all pages. */
export function queryRows(rows: EvaluateRow[], query: Query): EvaluateRow[] {
  const left = rows.filter((row) => passes(row, query));
  return query.sort === undefined ? left : left.sort(rowOrder(EvaluateRow, query.sort, ({ symbol }) => symbol));
}

function passes(row: EvaluateRow, query: Query): boolean {
  const { search, direction, suggestion, hasNote, minTurnover, minListedDays } = query;
  return (
    (search === undefined || matches(row, search)) &&
    (direction === undefined || (row.direction ?? 'none') === direction) &&
    (suggestion === undefined || row.suggestion === suggestion) &&
    (hasNote === undefined || (row.note !== '') === hasNote) &&
    // An unknown turnover does not reach a minimum.
    (minTurnover === undefined || minTurnover === 0 || (row.turnover24h ?? -1) >= minTurnover) &&
    (minListedDays === undefined || row.listedDays >= minListedDays)
  );
}

function matches({ symbol, base, sector }: EvaluateRow, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [symbol, base, sector ?? ''].some((text) => text.toLowerCase().includes(wanted));
}
