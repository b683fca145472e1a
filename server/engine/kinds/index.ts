import type { StrategyKind } from '#contract/strategy';
import { hedge } from './hedge';
import type { Runner } from './runner';

/** Who trades strategies of each kind. */
export const RUNNERS: { readonly [K in StrategyKind]: Runner<K> } = { hedge };
