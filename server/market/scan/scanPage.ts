/** One page of a scanner's rows, and how many there are. */
export function scanPage<R>(rows: readonly R[], { current, pageSize }: { current: number; pageSize: number }) {
  return { list: rows.slice((current - 1) * pageSize, current * pageSize), total: rows.length };
}
