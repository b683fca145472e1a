/** Whether a figure reaches a bound. One that is missing reaches none. */
export const atLeast = (figure: number | null, least: number | undefined): boolean =>
  least === undefined || (figure !== null && figure >= least);

/** Whether a figure keeps below a bound. One that is missing keeps below none. */
export const atMost = (figure: number | null, most: number | undefined): boolean =>
  most === undefined || (figure !== null && figure <= most);

/** Whether all of these sources are among those that are asked for, a list with commas. */
export function areAmong(wanted: string | undefined): (...sources: string[]) => boolean {
  const listed = wanted?.split(',');
  return (...sources) => listed === undefined || sources.every((source) => listed.includes(source));
}
