import { invalid } from './refusal';

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
