import { Link } from '@umijs/max';
import { Star } from '@/components/Star';
import type { Column } from '@/table/column';

interface Screen {
  source: string;
  /** `null` where the venue lists none: then the coin has no screen. */
  perpetual: string | null;
}

/** The coin, leading to its own screen at a venue. @param tab of that screen. */
export const coinColumn = <R extends { base: string }>(
  screenOf: (row: R) => Screen,
  { width = 116, tab }: { width?: number; tab?: string } = {},
): Column<R> => ({
  key: 'base',
  title: '币种',
  width,
  sort: 'ascend',
  fixed: 'left',
  render: (row) => {
    const { source, perpetual } = screenOf(row);
    const query = new URLSearchParams({ source, ...(tab !== undefined && { tab }) });
    return (
      <span style={{ whiteSpace: 'nowrap' }}>
        <Star coin={row.base} />
        {perpetual === null ? (
          row.base
        ) : (
          <Link to={`/indicator/symbol/detail/${encodeURIComponent(perpetual)}?${query}`}>{row.base}</Link>
        )}
      </span>
    );
  },
  csv: ({ base }) => base,
});
