import { assumedFees, assumedLevel } from '#server/base/maths/crossVenue';

const [one, other] = [
  { maker: 0.0002, taker: 0.0005 },
  { maker: 0.0002, taker: 0.00055 },
];

test.each([
  ['taker', 'counted', 2 * 0.00105],
  ['taker', 'rolled', 0.00105],
  // The second leg saves 3.5 bp, the first one 3.
  ['maker', 'counted', 2 * 0.00105 - 0.00035],
  ['maker', 'rolled', 0.00105 - 0.00035],
] as const)('fees of going in with %s, leaving %s', (entry, exit, fees) => {
  expect(assumedFees(one, other, { entry, exit })).toBeCloseTo(fees, 15);
  expect(assumedFees(other, one, { entry, exit })).toBeCloseTo(fees, 15);
});

test('nobody rests where it costs more than taking', () => {
  const dear = { maker: 0.0008, taker: 0.0005 };
  expect(assumedFees(dear, dear, { entry: 'maker', exit: 'rolled' })).toBeCloseTo(0.001, 15);
});

test('who holds on leaves the middles as far apart as they are', () => {
  const mids = { short: 100.25, long: 99.95 };
  expect(assumedLevel(0.004, mids, { entry: 'taker', exit: 'counted' })).toBe(0.004);
  expect(assumedLevel(0.004, mids, { entry: 'taker', exit: 'rolled' })).toBeCloseTo(0.3 / 99.95, 12);
});
