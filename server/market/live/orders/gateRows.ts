import { DAY_MS, SECOND_MS } from '#contract/duration';
import type { Raw } from '../ownClient';
import type { RealLine } from './realExchange';
import { Unanswered } from './unanswered';

/** Rows of one answer. */
const MOST = 100;
/** What one question about times may span, within what is let. */
const SPAN_MS = 29 * DAY_MS;

export const secondOf = (ms: number): number => Math.floor(ms / SECOND_MS);

/** What a question asks for: times are seconds; spot counts pages, the others rows. */
interface Page {
  from: number;
  to: number;
  limit: number;
  page: number;
  offset: number;
}

/**
 * Rows of a stretch of time, UTC ms, of all pages: one that came meanwhile moves the others on.
 * @param id which column tells them apart
 */
export async function allRows(
  line: RealLine<'gate'>,
  what: string,
  id: string,
  { from, until }: { from: number; until: number },
  ask: (page: Page) => Promise<unknown>,
): Promise<Raw[]> {
  const found = new Map<string, Raw>();
  for (let start = from; start <= until; start += SPAN_MS) {
    const span = { from: secondOf(start), to: secondOf(Math.min(until, start + SPAN_MS)) + 1, limit: MOST };
    for (let turn = 0, isMore = true; isMore; turn += 1) {
      const rows = await line.asked<Raw[]>(what, () => ask({ ...span, page: turn + 1, offset: turn * MOST }));
      if (!Array.isArray(rows)) throw new Unanswered(what);
      for (const row of rows) found.set(String(row[id]), row);
      isMore = rows.length === MOST;
    }
  }
  return [...found.values()];
}
