import type { StrategyKind } from '#contract/strategy';
import type { Runner } from '../engine/runner';
import { cexRate } from './cexRate/runner';
import { fundingRate } from './fundingRate/runner';
import { grid } from './grid/runner';
import { hedge } from './hedge/runner';
import { okx } from './okx/runner';
import { spread } from './spread/runner';

const RUNNERS: { readonly [K in StrategyKind]: Runner<K> } = { hedge, fundingRate, spread, cexRate, okx, grid };

/** Who trades strategies of a kind. What belongs to the kind (params, what it sees and notes) is handed to it as it came from it. */
export const runnerOf = <K extends StrategyKind>(kind: K): Runner<StrategyKind> =>
  RUNNERS[kind] as unknown as Runner<StrategyKind>;
