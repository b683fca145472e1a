import { useSyncExternalStore } from 'react';
import {
  NUMBER_STYLES,
  type NumberStyle,
  type Preference,
  RISES,
  type Rise,
  TIME_ZONES,
  type TimeZone,
} from '#contract/user';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

interface Appearance {
  theme: Theme;
  rise: Rise;
  numbers: NumberStyle;
  timeZone: TimeZone;
}

/** `public/early.js` reads the same keys before the first paint. */
const KEYS = { theme: 'theme', rise: 'rise', numbers: 'numbers', timeZone: 'timeZone' } as const;
const KEY_NAMES: readonly (string | null)[] = [...Object.values(KEYS), null];

const DARK = window.matchMedia('(prefers-color-scheme: dark)');

function stored<W extends string>(key: string, words: readonly W[], fallback: W): W {
  try {
    const text = localStorage.getItem(key) as W | null;
    return text !== null && words.includes(text) ? text : fallback;
  } catch {
    return fallback;
  }
}

const read = (): Appearance => ({
  theme: stored(KEYS.theme, THEMES, 'system'),
  rise: stored(KEYS.rise, RISES, 'green'),
  numbers: stored(KEYS.numbers, NUMBER_STYLES, 'auto'),
  timeZone: stored(KEYS.timeZone, TIME_ZONES, 'local'),
});

const isDark = ({ theme }: Appearance): boolean => theme === 'dark' || (theme === 'system' && DARK.matches);

type Snapshot = Appearance & { dark: boolean };

const snapshotOf = (appearance: Appearance): Snapshot => ({ ...appearance, dark: isDark(appearance) });

let now: Snapshot = snapshotOf(read());
const listeners = new Set<() => void>();

/** Puts it on the page: the style sheet takes its colours from there. */
function paint(): void {
  document.documentElement.dataset.theme = now.dark ? 'dark' : 'light';
  document.documentElement.dataset.rise = now.rise;
}

function renew(appearance: Appearance): void {
  now = snapshotOf(appearance);
  paint();
  for (const listener of listeners) listener();
}

DARK.addEventListener('change', () => renew(now));
window.addEventListener('storage', ({ key }) => {
  if (KEY_NAMES.includes(key)) renew(read());
});
paint();

/** Changes the theme or a habit, in all tabs, and keeps it for the next visit. */
export function setAppearance(change: Partial<Appearance>): void {
  for (const [name, value] of Object.entries(change)) {
    try {
      localStorage.setItem(KEYS[name as keyof Appearance], value);
    } catch {
      // Without storage it holds until the tab is closed.
    }
  }
  renew({ ...now, ...change });
}

/** Takes over what the account has chosen; of what it has not the browser keeps its own. */
export function adoptPreference(chosen: Preference): void {
  setAppearance(Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== null)));
}

/** How amounts of money are written now, for who is told of a change by no other way. */
export const numberStyle = (): NumberStyle => now.numbers;

/** The time zone that times are read in now; the screen is drawn anew when it changes. */
export const timeZone = (): TimeZone => now.timeZone;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Theme, habits, and whether it is dark right now. */
export function useAppearance(): Snapshot {
  return useSyncExternalStore(subscribe, () => now);
}
