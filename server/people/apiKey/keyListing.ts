import { ApiKeyRow, type apiKey } from '#contract/apiKey';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { rowOrder } from '../../base/http/rowOrder';

type Query = QueryOf<typeof apiKey.list>;

const NEWEST_FIRST = '-createdAt';

function isFound(row: ApiKeyRow, { exchange, state, keyRight, search }: Query): boolean {
  const texts = [row.name, row.maskedKey, row.subAccount ?? '', row.note];
  const wanted = search?.trim().toLowerCase() ?? '';
  return (
    (exchange === undefined || row.exchange === exchange) &&
    (state === undefined || row.state === state) &&
    (keyRight === undefined || (row.report?.rights?.includes(keyRight) ?? false)) &&
    texts.some((text) => text.toLowerCase().includes(wanted))
  );
}

/** The page of a user's keys that was asked for. A user has few of them: they are filtered and ordered here. */
export function keyListing(rows: ApiKeyRow[], query: Query): DataOf<typeof apiKey.list> {
  const { current, pageSize, sort = NEWEST_FIRST } = query;
  const found = rows.filter((row) => isFound(row, query)).sort(rowOrder(ApiKeyRow, sort, ({ id }) => id));
  return { list: found.slice((current - 1) * pageSize, current * pageSize), total: found.length };
}
