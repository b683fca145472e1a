import type { Column } from './column';

/** What a row is judged by stands before the rest, so that it is in view without moving the table. @param keys in their order */
export function decidingFirst<R>(columns: readonly Column<R>[], keys: readonly string[]): Column<R>[] {
  const rest = columns.filter(({ key }) => !keys.includes(key));
  return [...[...new Set(keys)].flatMap((wanted) => columns.find(({ key }) => key === wanted) ?? []), ...rest];
}
