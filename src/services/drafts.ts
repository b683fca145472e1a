import dayjs from 'dayjs';
import { useSyncExternalStore } from 'react';

/** What somebody had typed into a form when the session ended or the page was left; kept in the tab, for the same person alone. */
export interface Draft {
  /** The form, as its title calls it. */
  title: string;
  /** Where it was open: path and query. */
  place: string;
  /** Whose it is. */
  userId: string;
  /** The form's values; they survive JSON, no secrets among them. */
  values: object;
  /** UTC ms. */
  at: number;
}

const KEY = 'drafts';
/** Older ones are of another day's market. */
const KEPT_DAYS = 1;

const listeners = new Set<() => void>();

const pathOf = (place: string): string => place.replace(/\?.*/, '');
const isSame = (one: Draft, other: Pick<Draft, 'title' | 'place'>): boolean =>
  one.title === other.title && pathOf(one.place) === pathOf(other.place);

/** What the tab keeps, read again only where its text is another: whoever listens compares lists by identity. */
let kept: { text: string | null; drafts: readonly Draft[] } = { text: null, drafts: [] };

function all(): readonly Draft[] {
  try {
    const text = sessionStorage.getItem(KEY);
    if (text !== kept.text) {
      const drafts: Draft[] = JSON.parse(text ?? '[]');
      kept = { text, drafts: drafts.filter(({ at }) => dayjs().diff(at, 'day') < KEPT_DAYS) };
    }
  } catch {
    // Storage may be switched off, or hold what an older console wrote.
  }
  return kept.drafts;
}

function keepAll(drafts: readonly Draft[]): void {
  let { text } = kept;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(drafts));
    text = sessionStorage.getItem(KEY);
  } catch {
    // Without storage, or where it is full, they last until the page is loaded again.
  }
  kept = { text, drafts };
  for (const listener of [...listeners]) listener();
}

export const drafts = {
  keep: (draft: Draft): void => keepAll([...all().filter((one) => !isSame(one, draft)), draft]),
  drop: (draft: Pick<Draft, 'title' | 'place'>): void => keepAll(all().filter((one) => !isSame(one, draft))),
  /** What this person had typed into a form at this path. */
  find: (userId: string | undefined, form: Pick<Draft, 'title' | 'place'>): Draft | undefined =>
    all().find((draft) => draft.userId === userId && isSame(draft, form)),
};

function onDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The drafts of a person in this tab. */
export const useDrafts = (userId: string | undefined): Draft[] =>
  useSyncExternalStore(onDrafts, all).filter((draft) => draft.userId === userId);
