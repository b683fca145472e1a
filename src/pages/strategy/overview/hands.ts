import { createContext } from 'react';
import type { OverviewRow } from '#contract/strategyOverview';
import type { Notes } from '@/components/useNotes';

/** When the rows were read, UTC ms, for the cells that tell how long ago something was: the others are not drawn again for it. */
export const ReadAt = createContext(0);

/** What a row of the overview is drawn with, and what may be done to it. */
export interface Hands {
  /** When the rows were read, UTC ms. */
  readAt: () => number;
  isCompared: (id: string) => boolean;
  mayCompare: boolean;
  compare: (id: string) => void;
  limit: (row: OverviewRow) => void;
  edit: (row: OverviewRow) => void;
  clone: (row: OverviewRow) => void;
  notes: Notes;
  done: () => void;
}
