import { accessOf, type Right } from '#contract/access';
import type { InitialState } from './app';

export type AccessKey = Right;

/** Umi's access hook: the contract's rights of the signed-in role as booleans. */
export default function access(initialState: InitialState | undefined): Record<AccessKey, boolean> {
  return accessOf(initialState?.user?.role);
}
