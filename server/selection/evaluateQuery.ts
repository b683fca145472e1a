import type { QueryOf } from '#contract/endpoint';
import { EvaluateRow, type evaluate } from '#contract/evaluate';
import { invalid } from '../http/refusal';

type Query = QueryOf<typeof evaluate.list>;
type Field = Exclude<keyof EvaluateRow, 'factors'>;

const SORTABLE = new Set(Object.keys(EvaluateRow.properties).filter((name) => name !== 'factors'));

/** The rows that the filters leave, in the order asked for (by rank unless told), all pages. */
export function queryRows(rows: EvaluateRow[], query: Query): EvaluateRow[] {
  const order = orderOf(query.sort);
  const left = rows.filter((row) => passes(row, query));
  return order ? left.sort(order) : left;
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

function orderOf(sort: string | undefined): ((a: EvaluateRow, b: EvaluateRow) => number) | undefined {
  if (sort === undefined) return undefined;
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  if (!SORTABLE.has(name)) throw invalid('sort', `不能按 ${name} 排序`);
  const field = name as Field;
  return (a, b) => compareNullable(cellOf(a, field), cellOf(b, field), descending) || compare(a.symbol, b.symbol);
}

/** An empty text says as little as a missing number, and comes last with it. */
function cellOf(row: EvaluateRow, field: Field): string | number | null {
  const value = row[field];
  return value === '' ? null : value;
}

function compareNullable(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? compare(b, a) : compare(a, b);
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
