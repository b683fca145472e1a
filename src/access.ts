import { accessOf, type Right } from '#contract/access';
import type { CurrentUser } from '#contract/user';

/** What the console knows before it shows its first page. */
export interface InitialState {
  /** Nobody for a visitor. */
  user?: CurrentUser;
}

/** Umi's access hook: the contract's rights of the signed-in role as booleans. */
export default function access(initialState: InitialState | undefined): Record<Right, boolean> {
  return accessOf(initialState?.user?.role);
}
