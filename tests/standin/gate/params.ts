import { SECOND_MS } from '#contract/duration';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';

export const wrong = (name: string, text: string) =>
  new Refusal('INVALID_PARAM_VALUE', `Invalid parameter \`${name}\` with value: ${text}`, 400);
export const WORDS = {
  missing: (name: string) => new Refusal('MISSING_REQUIRED_PARAM', `Missing required parameter: ${name}`, 400),
  wrong,
};

/** @param usual where it is not sent */
export function whole(params: Params, name: string, usual: number, most = Number.MAX_SAFE_INTEGER): number {
  const text = params.text(name);
  if (!/^\d{0,15}$/.test(text) || Number(text) > most) throw wrong(name, text);
  return text === '' ? usual : Number(text);
}

/** UTC ms of a time in seconds; undefined where it is not sent. */
export const timeOf = (params: Params, name: string): number | undefined =>
  params.text(name) === '' ? undefined : whole(params, name, 0) * SECOND_MS;

/** A page of them: so many, after so many. */
export function pageOf<T>(params: Params, rows: readonly T[]): T[] {
  const limit = whole(params, 'limit', 100, 1000);
  const offset = whole(params, 'offset', (whole(params, 'page', 1) - 1) * limit);
  return rows.slice(offset, offset + limit);
}
