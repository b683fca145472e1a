import { DAY_MS, HOUR_MS } from '#contract/duration';

/** Futures end at 08:00 UTC on the last Friday of March, June, September and December. */
const EXPIRY_HOUR = 8;
const FRIDAY = 5;

/** @param quarter counted from the year 0, four a year. */
function expiryOf(quarter: number): number {
  const lastDay = Date.UTC(Math.floor(quarter / 4), (quarter % 4) * 3 + 3, 0);
  const back = (new Date(lastDay).getUTCDay() - FRIDAY + 7) % 7;
  return lastDay - back * DAY_MS + EXPIRY_HOUR * HOUR_MS;
}

function firstQuarterAfter(instant: number): number {
  const date = new Date(instant);
  const quarter = date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3);
  return expiryOf(quarter) > instant ? quarter : quarter + 1;
}

/** A future's term: listed when the one before the near one expires. UTC ms. */
export interface Term {
  listedAt: number;
  expiresAt: number;
}

const termOf = (quarter: number): Term => ({ listedAt: expiryOf(quarter - 2), expiresAt: expiryOf(quarter) });

/** The two terms that are traded at an instant, the near one first. */
export function termsAt(instant: number): [near: Term, far: Term] {
  const quarter = firstQuarterAfter(instant);
  return [termOf(quarter), termOf(quarter + 1)];
}

/** YYMMDD of the day a term ends. */
export const codeOf = ({ expiresAt }: Term): string =>
  new Date(expiresAt).toISOString().slice(2, 10).replaceAll('-', '');

/** The term of a code; `undefined` where no term ends on that day. */
export function termOfCode(code: string): Term | undefined {
  const day = Date.parse(`20${code.slice(0, 2)}-${code.slice(2, 4)}-${code.slice(4, 6)}T00:00:00Z`);
  if (Number.isNaN(day)) return undefined;
  const [term] = termsAt(day);
  return codeOf(term) === code ? term : undefined;
}
