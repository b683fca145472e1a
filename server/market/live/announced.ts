import type { Maintenance } from './adapter';
import { numberOf } from './heard';

const IS_TO_COME = ['scheduled', 'pre_open', 'ongoing'];
/** The market that people trade at, among those for trials. */
const PRODUCTION = '1';

/** What OKX and Bybit announce, row by row in the same words. */
export function announced(rows: readonly Readonly<Record<string, unknown>>[]): Maintenance[] {
  return rows.flatMap(({ begin, end, title, state, env }) => {
    const from = numberOf(begin);
    const isMeant = IS_TO_COME.includes(String(state)) && String(env ?? PRODUCTION) === PRODUCTION;
    return from === undefined || !isMeant ? [] : { from, until: numberOf(end) || null, title: String(title ?? '') };
  });
}
