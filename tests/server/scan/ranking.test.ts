import { Number as Num, Object as Obj, String as Str } from 'typebox';
import { SCAN_INTERVAL_MS } from '#contract/scan';
import { createRanking } from '#server/market/scan/ranking';
import { waitFor } from '../../support/waitFor';

interface Asked {
  size: number;
  sort?: string;
  least?: number;
  search?: string;
  actionable?: boolean;
}

/** A scanner of two rows whose figure is the beat they were worked out in, and a clock by hand. */
function ranked() {
  let beat = 1_000;
  let works = 0;
  const read = createRanking(
    { sight: async () => ({ at: beat * SCAN_INTERVAL_MS, venues: [] }), clock: () => beat * SCAN_INTERVAL_MS + 1 },
    {
      row: Obj({ figure: Num() }),
      bestFirst: '-figure',
      planOf: ({ size }: Asked) => ({ size }),
      rowsOf: async (seen, { size }) => {
        works += 1;
        const at = seen.at / SCAN_INTERVAL_MS;
        return [
          { id: 'a', base: 'BTC', obstacles: [], figure: at + size },
          { id: 'b', base: 'ETH', obstacles: ['depth'], figure: at + 2 * size },
        ];
      },
      filtersOf: () => ({ least: ({ figure }, least) => figure >= least }),
    },
  );
  const figures = async (query: Asked) => (await read(query)).rows.map(({ figure }) => figure);
  const pass = (beats: number): void => {
    beat += beats;
  };
  return { figures, works: () => works, pass };
}

test('rows are worked out once a beat and plan, whatever is asked of them', async () => {
  const { figures, works } = ranked();
  expect(await Promise.all([figures({ size: 1 }), figures({ size: 1, sort: 'figure' })])).toEqual([
    [1002, 1001],
    [1001, 1002],
  ]);
  expect(await figures({ size: 1, least: 1002 })).toEqual([1002]);
  expect(await figures({ size: 1, search: ' bt' })).toEqual([1001]);
  expect(await figures({ size: 1, actionable: true })).toEqual([1001]);
  expect(await figures({ size: 1, actionable: false })).toEqual([1002]);
  expect(works()).toBe(1);
  expect(await figures({ size: 10 })).toEqual([1020, 1010]);
  expect(works()).toBe(2);
});

test('who comes back soon does not wait for the newest; who was away for longer does', async () => {
  const { figures, works, pass } = ranked();
  await figures({ size: 1 });
  pass(2);
  expect(await figures({ size: 1 })).toEqual([1002, 1001]);
  await waitFor('the newest', 60_000, async () => works() === 2);
  expect(await figures({ size: 1 })).toEqual([1004, 1003]);
  pass(3);
  expect(await figures({ size: 1 })).toEqual([1007, 1006]);
});

test('rows where who asks has no account are not among those to act on, unless he could act on none', async () => {
  const row = (id: string, ...places: string[]) => ({ id, base: id, obstacles: [] as string[], places });
  const rows = [row('a', 'simulated', 'simulated-okx'), row('b', 'simulated', 'imported'), row('c', 'simulated-bybit')];
  const read = createRanking(
    { sight: async () => ({ at: 0, venues: [] }), clock: () => 0 },
    {
      ...{
        row: Obj({ id: Str() }),
        bestFirst: 'id',
        planOf: () => ({}),
        rowsOf: async () => rows,
        filtersOf: () => ({}),
      },
      placesOf: ({ places }) => places,
    },
  );
  const ids = async (actionable?: boolean, ...opened: string[]) =>
    (await read({ actionable }, new Set(opened))).rows.map(({ id }) => id).join('');
  // What is imported trades at any account.
  expect(await ids(true, 'simulated')).toBe('b');
  expect(await ids(false, 'simulated')).toBe('ac');
  expect(await ids(true, 'simulated', 'simulated-okx')).toBe('ab');
  const { hidden } = await read({ actionable: true }, new Set(['simulated']));
  expect(hidden).toEqual([{ filter: 'actionable', rows: 2, unopened: 2 }]);
  expect(await ids(true)).toBe('abc');
  expect(await ids(undefined, 'simulated')).toBe('abc');
  expect((await read({ actionable: true })).rows.length).toBe(3);
});
