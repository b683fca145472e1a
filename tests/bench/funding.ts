import { DAY_MS } from '#contract/duration';
import { expectedFunding, fundingTrend } from '../../server/base/maths/expectedFunding';
import { correlation } from '../../server/base/maths/statistics';
import type { FundingHistory } from '../../server/market/exchange';
import { createSimulatedVenues } from '../../server/market/simulated';
import type { Figure } from './figure';

const NOW = Date.UTC(2026, 8, 1);
/** What a week promises is held against what came in it, so many weeks. */
const WEEKS = 12;
const PAST_DAYS = 30;
const TOP = 10;

/** Funding of one coin over the week that followed a moment, fractions of the notional. */
interface Week {
  atRate: number;
  expected: number;
  came: number;
}

/** How far the funding that a scanner promises comes in: the rate of now for ever, and F29, on the history of the simulated venues. */
export async function fundingFigures(): Promise<Figure[]> {
  const histories = await historiesOf();
  const weeks = Array.from({ length: WEEKS }, (_, i) => {
    const at = NOW - (i + 1) * 7 * DAY_MS;
    return histories.flatMap((history) => weekOf(history, at) ?? []);
  });
  return (['atRate', 'expected'] as const).flatMap((by) => {
    const name = by === 'atRate' ? 'funding, the rate of now for ever' : 'funding, expected (F29)';
    return [
      { name: `${name}: promised by the first ${TOP}, times what came`, value: promisedOf(weeks, by), unit: 'x' },
      { name: `${name}: earned by the first ${TOP} in a week`, value: earnedOf(weeks, by), unit: 'bps' },
      {
        name: `${name}: rank correlation with what came`,
        value: meanOf(weeks.map((week) => rankOf(week, by))),
        unit: '',
      },
    ];
  });
}

async function historiesOf(): Promise<FundingHistory[]> {
  const venues = createSimulatedVenues({ clock: () => NOW });
  const found = await Promise.all(
    venues.map(async (venue) => {
      const coins = (await venue.instruments(['perpetual'])).map(({ symbol }) => symbol);
      return Promise.all(coins.map((symbol) => venue.funding(symbol)));
    }),
  );
  return found.flat().filter((history) => history !== null);
}

function weekOf({ time, rate, hours }: FundingHistory, at: number): Week | null {
  const next = time.findIndex((instant) => instant > at);
  const end = time.findIndex((instant) => instant > at + 7 * DAY_MS);
  const first = time.findIndex((instant) => instant > at - PAST_DAYS * DAY_MS);
  if (next < 1 || end < 0 || first >= next) return null;
  const [now, count] = [rate[next - 1]!, end - next];
  const seen = {
    time: time.subarray(first, next),
    rate: rate.subarray(first, next),
    hours: hours.subarray(first, next),
  };
  return {
    atRate: count * now,
    expected: expectedFunding(now, fundingTrend(seen, hours[next - 1]!, at), count),
    came: rate.subarray(next, end).reduce((sum, one) => sum + one, 0),
  };
}

type By = 'atRate' | 'expected';

/** The ten coins that promise most of a week, each held on the side that receives. */
const firstOf = (week: readonly Week[], by: By) =>
  week
    .map((one) => ({ promised: Math.abs(one[by]), came: Math.sign(one[by]) * one.came }))
    .sort((a, b) => b.promised - a.promised)
    .slice(0, TOP);

function promisedOf(weeks: readonly Week[][], by: By): number {
  const first = weeks.flatMap((week) => firstOf(week, by));
  return meanOf(first.map(({ promised }) => promised)) / meanOf(first.map(({ came }) => came));
}

const earnedOf = (weeks: readonly Week[][], by: By): number =>
  meanOf(weeks.flatMap((week) => firstOf(week, by)).map(({ came }) => came)) * 1e4;

/** Spearman. */
function rankOf(week: readonly Week[], by: By): number {
  const ranks = (of: (one: Week) => number) => {
    const order = week.map((one, i) => [of(one), i] as const).sort(([a], [b]) => a - b);
    const found = new Float64Array(week.length);
    for (const [rank, [, i]] of order.entries()) found[i] = rank;
    return found;
  };
  return (
    correlation(
      ranks((one) => one[by]),
      ranks(({ came }) => came),
    ) ?? 0
  );
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
