/** What happened to the session: somebody signed in, or the account is gone. */
export type SessionEvent = 'signedIn' | 'signedOut';

type Listener = (event: SessionEvent, fromOtherTab: boolean) => void;

/** The browser tells the other tabs, and only those, of a changed value. */
const KEY = 'session';

const listeners = new Set<Listener>();

function tell(event: SessionEvent, fromOtherTab: boolean): void {
  for (const listener of [...listeners]) listener(event, fromOtherTab);
}

/** Tells this tab, and with `everywhere` the other tabs of the browser too. */
export function signalSession(event: SessionEvent, everywhere: boolean): void {
  if (everywhere) {
    try {
      // The instant makes each value a new one: an equal value would not be announced.
      localStorage.setItem(KEY, `${event} ${Date.now()}`);
    } catch {
      // Storage may be switched off; then the other tabs learn of it by their next 401.
    }
  }
  tell(event, false);
}

/** Listens for what happens to the session, here and in other tabs; returns how to stop. */
export function onSession(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== KEY || newValue === null) return;
  const event = newValue.split(' ')[0];
  if (event === 'signedIn' || event === 'signedOut') tell(event, true);
});
