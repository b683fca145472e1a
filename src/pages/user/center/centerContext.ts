import { createContext, use } from 'react';
import type { OneTimeCode, UserRow } from '#contract/userAdmin';
import type { Tab } from './centerQuery';

/** A dialog about a user. */
export interface Ask {
  what: 'role' | 'reset';
  row: UserRow;
}

/** What a dialog is open about: making a user, one of a user's, or a code that is shown once. */
export type Dialog = { what: 'create' } | Ask | { what: 'code'; code: OneTimeCode };

interface Center {
  /** Reads the users again. */
  reload: () => void;
  ask: (ask: Ask) => void;
  /** Turns to another tab, for one user. */
  show: (tab: Tab, userId: string) => void;
}

export const CenterContext = createContext<Center | null>(null);

export function useCenter(): Center {
  const center = use(CenterContext);
  if (center === null) throw new Error('a part of the user table is outside of it');
  return center;
}
