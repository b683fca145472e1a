/** Largest page a list answers. */
const PAGE_SIZE = 200;

export interface ListPage<R> {
  list: R[];
  total: number;
  /** How many rows there are about, where the list has the newest of them only. */
  about?: number;
}

/** All rows of a filter, page by page; `read` asks for one page. */
export async function everyPage<R>(
  read: (page: { current: number; pageSize: number }) => Promise<ListPage<R>>,
): Promise<R[]> {
  const rows: R[] = [];
  for (let current = 1; ; current += 1) {
    const { list, total } = await read({ current, pageSize: PAGE_SIZE });
    rows.push(...list);
    if (rows.length >= total || list.length === 0) return rows;
  }
}
