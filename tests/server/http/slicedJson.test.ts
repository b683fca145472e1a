import { Array as Arr, Integer, Number as Num, Object as Obj, Optional, String as Str } from 'typebox';
import { Maybe } from '#contract/value';
import { slicedJson } from '#server/base/http/slicedJson';

const Row = Obj({ id: Integer(), note: Maybe(Str()) });
const schema = Obj({
  code: Integer(),
  data: Obj({
    rows: Arr(Row),
    column: Arr(Maybe(Num())),
    none: Arr(Num()),
    more: Optional(Arr(Row)),
    total: Integer(),
  }),
});
const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, note: id % 2 ? null : `"${id}"` }));

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString();

test('what is written in slices is the data, cut to the fields of the schema', async () => {
  const rows = rowsOf(1_001);
  const data = { rows, column: [1.5, null, 3], none: [], total: 7 };
  const secret = { ...data, hidden: 1, rows: rows.map((row) => ({ ...row, password: 'x' })) };
  const text = await slicedJson(schema)({ code: 200, data: secret });
  expect(JSON.parse(textOf(text))).toEqual({ code: 200, data });
  const lists = Obj({ rows: Arr(Row) });
  expect(JSON.parse(textOf(await slicedJson(lists)({ rows: rowsOf(2) })))).toEqual({ rows: rowsOf(2) });
});

test('what is long comes in pieces that are sent one by one, whole characters of each', async () => {
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, note: '多头与空头' }));
  const pieces = await slicedJson(Obj({ rows: Arr(Row) }))({ rows });
  expect(pieces.length).toBeGreaterThan(5);
  expect(JSON.parse(pieces.map(String).join(''))).toEqual({ rows });
});

test('a list that is missing is a failure', async () => {
  const data = { rows: [], column: [], total: 7 };
  await expect(slicedJson(schema)({ code: 200, data })).rejects.toThrow('none');
});
