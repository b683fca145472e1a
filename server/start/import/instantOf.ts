const NUMBER = /^\d+(\.\d+)?(e\+?\d+)?$/i;
const DATE = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Instant of a cell in UTC ms, or NaN: seconds, milliseconds, microseconds or nanoseconds since 1970,
 * told apart by their size (years 2001 to 2286), or an ISO date, in `ownZone` where it names none.
 */
export function instantOf(cell: string, ownZone = 'Z'): number {
  const text = cell.trim();
  if (NUMBER.test(text)) {
    const value = Number(text);
    if (value < 1e10) return value * 1e3;
    if (value < 1e13) return value;
    if (value < 1e16) return value / 1e3;
    return value / 1e6;
  }
  const [, year, month, day, time, zone] = DATE.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  const named = zone ?? ownZone;
  const offset = /^(z|utc)$/i.test(named) ? 'Z' : named.replace(/^(...)(\d\d)$/, '$1:$2');
  const instant = Date.parse(`${year}-${month}-${day}T${time ?? '00:00'}${offset}`);
  // 2024-02-31 would silently become the 2nd of March.
  const midnight = new Date(Date.parse(`${year}-${month}-${day}T00:00Z`));
  return midnight.getUTCDate() === Number(day) ? instant : Number.NaN;
}
