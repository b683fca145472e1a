import { DAY_MS, MINUTE_MS } from '#contract/duration';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { SymbolDetail, symbol } from '#contract/symbol';
import { firstSample, newestSamples } from '../../base/db/markets/sample';
import type { DeskDeps } from '../deps';

/** Of a day ago the first sample that is there: some may be missing. */
const NEAR_MS = 30 * MINUTE_MS;

type Sampled = { source: string; symbol: string };
type Changes = Pick<SymbolDetail, 'openInterestChange24h' | 'premiumChange24h' | 'borrowRate' | 'sampledAt'>;

/** How open interest and premium have changed up to the newest sample of a symbol; `null` where nothing was sampled. */
export async function sampledChanges({ db }: Pick<DeskDeps, 'db'>, of: Sampled): Promise<Changes | null> {
  const [last] = await newestSamples(db, of, 1);
  if (last === undefined) return null;
  const dayBefore = last.at - DAY_MS;
  const then = await firstSample(db, of, dayBefore, dayBefore + NEAR_MS);
  const between = (now: number | null, before: number | null, change: (now: number, before: number) => number) =>
    now === null || before === null ? null : change(now, before);
  return {
    openInterestChange24h: between(last.interestUsdt, then?.interestUsdt || null, (now, before) => now / before - 1),
    premiumChange24h: between(last.premium, then?.premium ?? null, (now, before) => now - before),
    borrowRate: last.borrow,
    sampledAt: last.at,
  };
}

/** What GET /api/symbol/sample answers with. */
export async function sampleColumns(
  { db }: Pick<DeskDeps, 'db'>,
  { limit, ...of }: QueryOf<typeof symbol.sample>,
): Promise<DataOf<typeof symbol.sample>> {
  const rows = await newestSamples(db, of, limit);
  return {
    time: rows.map(({ at }) => at),
    interest: rows.map(({ interest }) => interest),
    interestUsdt: rows.map(({ interestUsdt }) => interestUsdt),
    premium: rows.map((row) => row.premium),
  };
}
