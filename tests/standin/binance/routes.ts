import type { ApiKey } from '../core/keys';
import type { Params } from './params';

/** `none` for everybody; `key` names one; `read`, `trade` and `transfer` are signed, and ask for that right. */
export type Access = 'none' | 'key' | 'read' | 'trade' | 'transfer';

export interface Route {
  access: Access;
  /** What it takes of the minute's allowance; by what is asked for where that differs. */
  weight: number | ((params: Params) => number);
  handle(params: Params, key: ApiKey | null): unknown;
}

/** By method and path: `GET /api/v3/depth`. */
export type Routes = Record<string, Route>;

/** A route that everybody may ask. */
export const open = (weight: Route['weight'], handle: Route['handle']): Route => ({ access: 'none', weight, handle });
