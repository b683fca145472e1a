import type { TObject } from 'typebox';
import { invalid } from './refusal';

type Cell = string | number | boolean | null | undefined;

/**
 * How rows of a list are ordered by `sort` (a field of `row`, or `-field`): what is missing comes last either way, and
 * `key` settles what is equal. @throws a refusal at `sort` for a field that the rows have not, or not as one value.
 */
export function rowOrder<R extends object>(
  row: TObject,
  sort: string,
  key: (row: R) => string,
): (a: R, b: R) => number {
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  const schema = row.properties[field] as { type?: string } | undefined;
  if (!Object.hasOwn(row.properties, field) || schema?.type === 'array') throw invalid('sort', `不能按 ${field} 排序`);
  const cellOf = (of: R) => cell(of[field as keyof R] as Cell);
  return (a, b) => compareMissingLast(cellOf(a), cellOf(b), descending) || compare(key(a), key(b));
}

/** An empty text says as little as a missing number, and comes last with it. */
const cell = (value: Cell): string | number | null =>
  value === '' || value === undefined || value === null ? null : typeof value === 'boolean' ? Number(value) : value;

function compareMissingLast(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? compare(b, a) : compare(a, b);
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Asked {
  current: number;
  pageSize: number;
  sort?: string;
}

/** Where a page begins and how it is ordered, by a field that `isField` knows. @throws 400 at `sort`. */
export function listPage<F extends string>(
  { current, pageSize, sort }: Asked,
  fallback: string,
  isField: (name: string) => name is F,
) {
  const order = sort ?? fallback;
  const descending = order.startsWith('-');
  const field = descending ? order.slice(1) : order;
  if (!isField(field)) throw invalid('sort', `不能按 ${field} 排序`);
  return { sort: field, descending, offset: (current - 1) * pageSize, limit: pageSize };
}

/** A list that is only ever in order of time. */
export const byTime = (name: string): name is 'at' => name === 'at';
