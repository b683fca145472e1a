export type Direction = 'ascend' | 'descend' | null;

/** Which way `field` or `-field` orders a column. */
export const directionIn = (sort: string, key: string): Direction =>
  sort === key ? 'ascend' : sort === `-${key}` ? 'descend' : null;

type Sorter = { columnKey?: React.Key; order?: Direction };

/** An order as the head of a table tells it: `field`, `-field`, or empty. */
export function sortOf(sorter: Sorter | Sorter[]): string {
  const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
  if (!order) return '';
  return order === 'descend' ? `-${String(columnKey)}` : String(columnKey);
}
