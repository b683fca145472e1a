import type { StrategyKind } from '#contract/strategy';
import { cexRate } from './cexRate';
import { fundingRate } from './fundingRate';
import { grid } from './grid';
import { hedge } from './hedge';
import { okx } from './okx';
import type { Runner } from './runner';
import { spread } from './spread';

const RUNNERS: { readonly [K in StrategyKind]: Runner<K> } = { hedge, fundingRate, spread, cexRate, okx, grid };

/** Who trades strategies of a kind. What belongs to the kind (params, what it sees and notes) is handed to it as it came from it. */
export const runnerOf = <K extends StrategyKind>(kind: K): Runner<StrategyKind> =>
  RUNNERS[kind] as unknown as Runner<StrategyKind>;
