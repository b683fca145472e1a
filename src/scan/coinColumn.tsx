import { Link } from '@umijs/max';
import type { Column } from '@/table/column';

interface Screen {
  source: string;
  /** `null` where the venue lists none: then the coin has no screen. */
  perpetual: string | null;
}

/** The coin, leading to its own screen at a venue. @param tab of that screen. */
export const coinColumn = <R extends { base: string }>(
  screenOf: (row: R) => Screen,
  { width = 104, tab }: { width?: number; tab?: string } = {},
): Column<R> => ({
  key: 'base',
  title: '币种',
  width,
  sort: 'ascend',
  fixed: 'left',
  render: (row) => {
    const { source, perpetual } = screenOf(row);
    if (perpetual === null) return row.base;
    const query = new URLSearchParams({ source, ...(tab !== undefined && { tab }) });
    return <Link to={`/indicator/symbol/detail/${encodeURIComponent(perpetual)}?${query}`}>{row.base}</Link>;
  },
  csv: ({ base }) => base,
});
