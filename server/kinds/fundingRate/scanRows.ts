import type { QueryOf } from '#contract/endpoint';
import {
  FUNDING_FILTERS,
  FundingCandidate,
  type FundingFilter,
  type fundingScan,
} from '#contract/kinds/fundingRate/scan';
import { mapYielding } from '../../base/work/loopTurns';
import { fundingPastOf } from '../../market/scan/fundingPast';
import { canBeActedOn, createRanking, isNamed, type ReadRanking, type ScanDeps } from '../../market/scan/ranking';
import { atLeast, atMost } from '../../market/scan/rowFilters';
import { fundingCandidate, fundingPairs } from './scan';

type Query = QueryOf<typeof fundingScan.list>;

const LOW_ADL = 2;

/** Reads the rows of GET /api/market/fundingRate. */
export function createFundingRows(deps: ScanDeps): ReadRanking<Query, FundingCandidate> {
  return createRanking(deps, {
    row: FundingCandidate,
    bestFirst: '-netApr',
    planOf: ({ size, hours }) => ({ size, hours }),
    rowsOf: async (seen, plan) => {
      const pairs = fundingPairs(seen);
      const pasts = await mapYielding(pairs, ({ perpetual }) => fundingPastOf(perpetual, seen.at));
      return mapYielding(pairs, (pair, i) => fundingCandidate(pair, pasts[i]!, plan, seen.at));
    },
    passes,
  });
}

/** What a coin must turn over to be among so many. */
function turnoverOfPlace(rows: readonly FundingCandidate[], top: number): number {
  const turnovers = rows.map(({ turnover24h }) => turnover24h ?? 0).sort((a, b) => b - a);
  return turnovers[top - 1] ?? 0;
}

type Test = (row: FundingCandidate) => boolean;

/** What each filter that is set asks of a row; those of every scanner stand in the ranking. */
function testsOf(query: Query, all: readonly FundingCandidate[]): Partial<Record<FundingFilter, Test>> {
  const { source, direction, minApr, maxBreakEvenHours, minTurnover, minDepth, top, lowAdl } = query;
  const isThere: Test = (row) => source === undefined || row.source === source;
  return {
    ...(source !== undefined && { source: isThere }),
    ...(direction !== undefined && { direction: (row) => row.direction === direction }),
    ...(minApr !== undefined && { minApr: ({ expectedApr }) => atLeast(expectedApr, minApr) }),
    ...(maxBreakEvenHours !== undefined && {
      maxBreakEvenHours: ({ breakEvenHours }) => atMost(breakEvenHours, maxBreakEvenHours),
    }),
    ...(minTurnover !== undefined && { minTurnover: ({ turnover24h }) => (turnover24h ?? 0) >= minTurnover }),
    ...(minDepth !== undefined && { minDepth: ({ depth }) => atLeast(depth, minDepth) }),
    ...(top !== undefined && { top: isAmongFirst(all.filter(isThere), top) }),
    ...(lowAdl === true && { lowAdl: ({ adl }) => atMost(adl, LOW_ADL) }),
  };
}

function isAmongFirst(rows: readonly FundingCandidate[], top: number): Test {
  const least = turnoverOfPlace(rows, top);
  return ({ turnover24h }) => (turnover24h ?? 0) >= least;
}

function passes(query: Query, all: readonly FundingCandidate[]): Test {
  const tests = Object.values(testsOf(query, all));
  return (row) => tests.every((test) => test(row));
}

/** How many rows each filter of a query keeps away, whatever the others do; the one that keeps most away first. */
export function hiddenRows(query: Query, all: readonly FundingCandidate[]): { filter: FundingFilter; rows: number }[] {
  const tests: Partial<Record<FundingFilter, Test>> = {
    search: isNamed(query),
    actionable: canBeActedOn(query),
    ...testsOf(query, all),
  };
  return (['search', ...Object.keys(FUNDING_FILTERS)] as FundingFilter[])
    .map((filter) => {
      const test = tests[filter];
      return { filter, rows: test === undefined ? 0 : all.filter((row) => !test(row)).length };
    })
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
}
