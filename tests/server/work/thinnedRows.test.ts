import fc from 'fast-check';
import { thinnedRows } from '../../../server/base/work/thinnedRows';

const column = (length: number, value: (i: number) => number) => Float64Array.from({ length }, (_, i) => value(i));

describe('thinned rows', () => {
  test('a short curve keeps every row', () => {
    expect([...thinnedRows([column(5, (i) => i)], 10)]).toEqual([0, 1, 2, 3, 4]);
    expect([...thinnedRows([new Float64Array(0)], 10)]).toEqual([]);
  });

  test('one spike up in one curve and one down in another survive', () => {
    const equity = column(20_000, (i) => (i === 12_345 ? 900 : 100));
    const leg = column(20_000, (i) => (i === 7_777 ? -900 : Math.sin(i / 50)));
    const rows = [...thinnedRows([equity, leg], 3000)];
    expect(rows).toContain(12_345);
    expect(rows).toContain(7_777);
    expect(rows.length).toBeLessThanOrEqual(3000);
  });

  test('values that are not there are passed over', () => {
    const late = column(10_000, (i) => (i < 5_000 ? Number.NaN : i));
    expect([...thinnedRows([late], 100)]).toContain(5_000);
  });

  test('whatever the curves, rows ascend, stay within the limit and keep both ends and the extremes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 60, maxLength: 400 }),
        (values) => {
          const curve = Float64Array.from(values);
          const rows = [...thinnedRows([curve], 50)];
          expect(rows.length).toBeLessThanOrEqual(50);
          expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
          expect(rows[0]).toBe(0);
          expect(rows.at(-1)).toBe(values.length - 1);
          const kept = rows.map((row) => curve[row]!);
          expect(Math.max(...kept)).toBe(Math.max(...values));
          expect(Math.min(...kept)).toBe(Math.min(...values));
        },
      ),
    );
  });
});
