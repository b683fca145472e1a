import { createContext, use } from 'react';
import type { OneTimeCode, UserRow } from '#contract/userAdmin';
import type { Tab } from './centerQuery';

/** What a dialog is open about: making a user, one's role, or a code that is shown once. */
export type Dialog = { what: 'create' } | { what: 'role'; row: UserRow } | { what: 'code'; code: OneTimeCode };

interface Center {
  /** Reads the users again. */
  reload: () => void;
  ask: (dialog: Dialog) => void;
  /** Turns to another tab, for one user. */
  show: (tab: Tab, userId: string) => void;
}

export const CenterContext = createContext<Center | null>(null);

export function useCenter(): Center {
  const center = use(CenterContext);
  if (center === null) throw new Error('a part of the user table is outside of it');
  return center;
}
