import { createContext, use } from 'react';
import type { Direction, EvaluateRow } from '#contract/evaluate';
import type { NoteDraft } from '@/components/noteDraft';
import type { Baskets } from './useBaskets';

/** What the cells of the table need beside their row. */
export interface Selection {
  source: string;
  visitor: boolean;
  editable: boolean;
  baskets: Baskets;
  draftOf: (symbol: string) => NoteDraft | undefined;
  /** `null` takes it back. */
  setDirection: (row: EvaluateRow, direction: Direction | null) => void;
  /** `null` puts the draft away. */
  setDraft: (symbol: string, text: string | null) => void;
  saveNote: (row: EvaluateRow) => void;
  showHistory: (symbol: string) => void;
  /** Says what an account adds for something that a visitor may not do. */
  offerAccount: (what: string) => void;
}

export const SelectionContext = createContext<Selection | null>(null);

export function useSelection(): Selection {
  const selection = use(SelectionContext);
  if (selection === null) throw new Error('a cell of the selection is outside of it');
  return selection;
}
