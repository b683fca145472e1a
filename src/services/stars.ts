import { useAccess } from '@umijs/max';
import { useEffect, useSyncExternalStore } from 'react';
import { MOST_STARS, star } from '#contract/star';
import { call } from './call';
import { onSession } from './sessionSignal';

/** Where a browser keeps those of a visitor. */
const KEY = 'stars';

/** After that what failed is read again. */
const AGAIN_MS = 5_000;

const listeners = new Set<() => void>();
/** `undefined` while they are read. */
let stars: ReadonlySet<string> | undefined;
/** For whom they are read, or were: what one account watches is not told to the next. */
let readFor: { signedIn: boolean } | undefined;

function put(coins: readonly string[] | undefined): void {
  stars = coins && new Set(coins);
  for (const listener of [...listeners]) listener();
}

function ofVisitor(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    // Storage may be switched off; then they last until the page is loaded again.
    return [];
  }
}

function keepOfVisitor(coins: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(coins));
  } catch {
    // As above.
  }
}

/** Those of the account; what the visitor had starred before the login goes over to it, as much as fits. */
async function ofAccount(): Promise<string[]> {
  const { coins } = await call(star.list, {}, { quiet: () => true });
  const brought = ofVisitor().filter((coin) => !coins.includes(coin));
  const fitting = brought.slice(0, MOST_STARS - coins.length);
  const all = fitting.length === 0 ? coins : (await call(star.add, { body: { coins: fitting } })).coins;
  // They are of this account now, and of no other that signs in here later.
  keepOfVisitor([]);
  return all;
}

function read(signedIn: boolean): void {
  if (readFor?.signedIn === signedIn) return;
  const reading = { signedIn };
  readFor = reading;
  if (!signedIn) put(ofVisitor());
  else {
    ofAccount().then(
      (coins) => readFor === reading && put(coins),
      () => {
        if (readFor !== reading) return;
        readFor = undefined;
        // A list of the watched alone waits for them.
        setTimeout(() => readFor === undefined && listeners.size > 0 && read(signedIn), AGAIN_MS);
      },
    );
  }
}

onSession(() => {
  readFor = undefined;
  put(undefined);
});

// Another tab has changed them.
window.addEventListener('storage', ({ key }) => {
  if (key === KEY && readFor?.signedIn === false) put(ofVisitor());
});

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The coins that the viewer watches, by base coin; `undefined` while they are read. */
export function useStars(): ReadonlySet<string> | undefined {
  const { signedIn } = useAccess();
  const held = useSyncExternalStore(listen, () => stars);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session has put them away.
  useEffect(() => read(signedIn === true), [held, signedIn]);
  return held;
}

/** As the API is asked for them. */
export const starredCoins = (): string => [...(stars ?? [])].join();

/** Watches a coin, or no more. @returns false where a visitor has as many as there may be; an account is told so by the server. */
export async function toggleStar(coin: string, signedIn: boolean): Promise<boolean> {
  const isOn = stars?.has(coin) ?? false;
  if (!signedIn) {
    const next = isOn ? [...stars!].filter((one) => one !== coin) : [...(stars ?? []), coin];
    if (next.length > MOST_STARS) return false;
    keepOfVisitor(next);
    put(next);
    return true;
  }
  const asker = readFor;
  const { coins } = await (isOn ? call(star.remove, { body: { coin } }) : call(star.add, { body: { coins: [coin] } }));
  if (readFor === asker) put(coins);
  return true;
}
