import { HOUR_MS } from '#contract/duration';
import { crossPaybackHours } from '#server/base/maths/crossPayback';
import { assumedFees, assumedLevel } from '#server/base/maths/crossVenue';

/** Of which every settlement is expected at one rate. */
const steady = (rate: number, hours: number, nextIn: number) => ({
  ...{ rate, hours, toNext: nextIn * HOUR_MS },
  trend: { mean: rate, phi: 0.5 },
});

// Short: 5 bp every 8 h, next in 2 h. Long: 1 bp every 4 h, next in 3 h.
const short = steady(0.0005, 8, 2);
const long = steady(0.0001, 4, 3);

test('the costs are paid by the settlement that brings the rest of them', () => {
  // 2: +5, 3: 4, 7: 3, 10: 8, 11: 7, 15: 6, 18: 11 bp.
  expect(crossPaybackHours(short, long, 0.0005)).toBe(2);
  expect(crossPaybackHours(short, long, 0.0008)).toBe(10);
  expect(crossPaybackHours(short, long, 0.00085)).toBe(18);
  expect(crossPaybackHours(short, long, 0)).toBe(0);
});

test('what brings nothing in the long run, or not enough within a year, is never paid back', () => {
  expect(crossPaybackHours(long, short, 0.0005)).toBeNull();
  // 0.3285 a year.
  expect(crossPaybackHours(short, long, 0.4)).toBeNull();
  expect(crossPaybackHours(short, long, 0.328)).not.toBeNull();
  expect(crossPaybackHours(steady(0.00025, 4, 3), short, 0.0003)).toBeNull();
});

test('a rate that decays pays back later than one that stays, or never (F29)', () => {
  const nothing = { rate: 0, hours: 8, toNext: 2 * HOUR_MS, trend: { mean: 0, phi: 0 } };
  // 5, 2.5, 1.25 ... bp: 10 bp in all, of which the fourth brings 9.375.
  const fading = { rate: 0.001, hours: 8, toNext: 2 * HOUR_MS, trend: { mean: 0, phi: 0.5 } };
  expect(crossPaybackHours(fading, nothing, 0.0009)).toBe(26);
  expect(crossPaybackHours(fading, nothing, 0.00101)).toBeNull();
  // Negative now, 2 bp in the long run: -1 - 2 x 0.5, ...: -4.5+... 1.5 x 0.5^k below 2 bp.
  const turning = { rate: -0.0001, hours: 8, toNext: 0, trend: { mean: 0.0002, phi: 0.5 } };
  // 0.5, 1.25, 1.625 bp: 1.75 after the second, 3.375 after the third.
  expect(crossPaybackHours(turning, nothing, 0.0003)).toBe(16);
});

test('is the hour that is found settlement by settlement, however far ahead', () => {
  let state = 9;
  const draw = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const leg = () => {
    const hours = [1, 4, 8][Math.floor(draw() * 3)]!;
    const [mean, rate] = [(draw() - 0.5) * 2e-4, (draw() - 0.5) * 2e-3];
    return { rate, hours, toNext: draw() * hours * HOUR_MS, trend: { mean, phi: 0.98 * draw() } };
  };
  let found = 0;
  for (let turn = 0; turn < 300; turn += 1) {
    const [receives, pays, cost] = [leg(), leg(), 0.03 * draw()];
    const settlements = [receives, pays].flatMap(({ rate, hours, toNext, trend: { mean, phi } }, i) =>
      Array.from({ length: Math.ceil(8760 / hours) }, (_, n) => ({
        at: toNext / HOUR_MS + n * hours,
        brings: (i === 0 ? 1 : -1) * (mean + (rate - mean) * phi ** (n + 1)),
      })),
    );
    settlements.sort((a, b) => a.at - b.at);
    let sum = 0;
    const paid = settlements.find(({ at, brings }) => {
      sum += brings;
      return at <= 8760 && sum >= cost;
    });
    const hours = crossPaybackHours(receives, pays, cost);
    if (paid === undefined) expect(hours).toBeNull();
    else expect(hours).toBeCloseTo(paid.at, 6);
    found += Number((hours ?? 0) > 1000);
  }
  expect(found).toBeGreaterThan(20);
});

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
