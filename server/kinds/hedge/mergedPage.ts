import type { HedgeRow } from '#contract/kinds/hedge/desk';
import type { HedgeSortField } from '../../base/db/hedges/hedgeList';

type Key = string | number | null;

/** A row with what it is sorted by. */
export interface Keyed<Row> {
  id: string;
  key: Key;
  row: Row;
}

const DECIMAL_FIELDS: ReadonlySet<HedgeSortField> = new Set(['longQuantity', 'shortQuantity']);

/** What a running row is sorted by: as the database sees an ended one. */
export function sortKeyOf(row: HedgeRow, field: HedgeSortField): Key {
  const value = row[field];
  if (value !== null && typeof value === 'object') return value.left;
  if (DECIMAL_FIELDS.has(field)) return Number(value);
  return value === '' ? null : value;
}

function compareKeys(a: Key, b: Key, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

const comparing =
  (descending: boolean) =>
  (a: Keyed<unknown>, b: Keyed<unknown>): number =>
    compareKeys(a.key, b.key, descending) || (a.id < b.id ? -1 : 1);

/**
 * One page out of two sorted lists, of which the long one is read only around the page.
 * @param few all rows of the short list, in any order.
 * @param read rows of the long list by their place in it, in order (missing keys last, ties by id).
 */
export async function mergedPage<Row>(
  few: readonly Keyed<Row>[],
  read: (offset: number, limit: number) => Promise<Keyed<Row>[]>,
  descending: boolean,
  first: number,
  size: number,
): Promise<Row[]> {
  const compare = comparing(descending);
  // At most all of the short list comes before the page, so the page needs nothing before this place.
  const offset = Math.max(0, first - few.length);
  const many = await read(offset, size + first - offset);
  const head = many[0];
  const sorted = [...few].sort(compare);
  // Then both lists together end before the page.
  if (offset > 0 && head === undefined) return [];
  const before = offset === 0 || head === undefined ? [] : sorted.filter((one) => compare(one, head) < 0);
  const rest = [...sorted.slice(before.length), ...many].sort(compare);
  const from = first - offset - before.length;
  return rest.slice(from, from + size).map(({ row }) => row);
}
