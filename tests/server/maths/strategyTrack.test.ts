import { riskShares } from '#server/base/maths/strategyTrack';

const DAYS = 20;
const days = (of: (day: number) => number | null) => Array.from({ length: DAYS }, (_none, day) => of(day));

/** Up and down by one, every other day. */
const swing = days((day) => (day % 2 === 0 ? 1 : -1));

test('of two that swing together the one of twice the size has two thirds of the risk', () => {
  const shares = riskShares([swing, swing.map((result) => 2 * result!)]);
  expect(shares[0]).toBeCloseTo(1 / 3, 12);
  expect(shares[1]).toBeCloseTo(2 / 3, 12);
});

test('what goes against all others takes risk away, and all add up to one', () => {
  const shares = riskShares([swing.map((result) => 3 * result!), swing.map((result) => -result!), days(() => 5)]);
  expect(shares[0]).toBeCloseTo(1.5, 12);
  expect(shares[1]).toBeCloseTo(-0.5, 12);
  expect(shares[2]).toBeCloseTo(0, 12);
});

test('one with fewer than twenty days has none, and nobody has where nothing moves', () => {
  const young = days((day) => (day === 0 ? null : 7));
  expect(riskShares([swing, young])).toEqual([1, null]);
  expect(riskShares([days(() => 1), days(() => 2)])).toEqual([null, null]);
  expect(riskShares([])).toEqual([]);
});
