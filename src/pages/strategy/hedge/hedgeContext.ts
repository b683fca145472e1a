import { createContext, use } from 'react';
import type { HedgePair, HedgeSettings } from '#contract/kinds/hedge/config';
import type { Notes } from '@/components/useNotes';
import type { Afterwards } from '@/strategy/AfterClose';

/** What the cells of the records need beside their row. */
export interface HedgeScreen {
  notes: Notes;
  /** Opens a hedge's detail, or there its backtest. */
  open: (id: string, part?: 'backtest') => void;
  /** Pairs that a person may tell to open once more, and what that is called. */
  reopenable: ReadonlyMap<string, Pick<HedgePair, 'block' | 'held'>>;
  /** What becomes of a pair whose hedge is closed, as the settings and the account are. */
  afterwards: Afterwards;
  /** By which pairs are opened; none before the first settings. */
  plan: HedgeSettings | null;
  /** Goes to where the ratio is chosen that z speaks of; absent where it is chosen already. */
  match: (() => void) | undefined;
  /** Reads again what a write has changed. */
  refresh: () => void;
}

export const HedgeContext = createContext<HedgeScreen | null>(null);

export function useHedgeScreen(): HedgeScreen {
  const screen = use(HedgeContext);
  if (screen === null) throw new Error('a cell of the hedges is outside of their screen');
  return screen;
}
