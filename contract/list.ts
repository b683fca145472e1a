import { Array as Arr, Integer, Object as Obj, Optional, String as Str, type TSchema } from 'typebox';

/** Query values of every list: page from 1, rows a page, `field` or `-field`. */
export const listQuery = (pageSize = 50) => ({
  current: Integer({ title: '页码', minimum: 1, maximum: 1_000_000, default: 1 }),
  pageSize: Integer({ title: '每页条数', minimum: 1, maximum: 200, default: pageSize }),
  sort: Optional(Str({ title: '排序', pattern: '^-?[A-Za-z0-9]{1,40}$', description: '字段名，前加 - 为降序' })),
});

/** Of more rows than that a list of what was traded has the newest ones. */
export const LISTED_ROWS = 100_000;

/** A page of rows and how many there are in all. */
export const listOf = <T extends TSchema>(row: T) => Obj({ list: Arr(row), total: Integer() });
