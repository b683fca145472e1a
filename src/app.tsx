import { history, type RequestConfig } from '@umijs/max';
import type { ReactNode } from 'react';
import { user } from '#contract/user';
import type { InitialState } from './access';
import { AppearanceProvider } from './components/AppearanceProvider';
import { explainFailure, isChunkFailure } from './components/chunkFailure';
import { ScreenBoundary } from './components/ScreenBoundary';
import { Startup } from './components/Startup';
import { toast } from './components/toast';
import { adoptPreference } from './components/useAppearance';
import { useFrame } from './components/useFrame';
import { isOpenPage, routeOf } from './routeOf';
import { CallError } from './services/CallError';
import { call } from './services/call';
import { envelopeConfig } from './services/envelope';
import { setTestnet } from './services/modeLabel';
import { onSession, signalSession } from './services/sessionSignal';
import { setViewing } from './services/viewing';

/** Umi calls it while the frame renders. */
export const layout = useFrame;

/** Whether somebody was signed in: a 401 then means that the session has run out. */
let signedIn = false;
/** Whether it is known that a master has to set up the second factor first. */
let isGated = false;
onSession((event) => {
  if (event === 'signedOut') signedIn = false;
});

const isVisitor = ({ code }: CallError): boolean => code === 401;

// A click was to load what did not come: whoever clicked is told.
window.addEventListener('unhandledrejection', ({ reason }) => {
  if (reason instanceof Error && isChunkFailure(reason)) toast.error(explainFailure(reason).message);
});

/** Login and register read nothing, and are to be there first. */
function beginReads(): void {
  const { location } = history;
  if (routeOf(location.pathname)?.layout === false) return;
  // Whoever comes from there gets the empty frame as well, see public/early.js.
  delete document.documentElement.dataset.bare;
  // Who cannot load it reads when the screen is there.
  void import('./firstReads').then((reads) => reads.beginReads(location)).catch(() => {});
}

/** Loads the user, once. A visitor is nobody; any other failure ends in the retry screen. */
export async function getInitialState(): Promise<InitialState> {
  beginReads();
  try {
    const account = await call(user.current, {}, { quiet: isVisitor });
    signedIn = true;
    isGated = account.factorNeeded === true;
    setTestnet(account.testnet === true);
    setViewing(account.viewer !== null);
    // Who looks on as another keeps the own habits.
    if (account.viewer === null) adoptPreference(account.preference);
    return { user: account };
  } catch (error) {
    if (!(error instanceof CallError && isVisitor(error))) throw error;
    setViewing(false);
    return {};
  }
}

export const request: RequestConfig = envelopeConfig({
  complain: toast.error,
  arrive: (path) => {
    history.replace(path);
    signalSession('signedIn', true);
  },
  leave: (path) => {
    const expired = signedIn;
    if (expired) signalSession('signedOut', false);
    if (path !== undefined) history.replace(path, { expired });
  },
  lead: () => {
    if (isGated) return;
    isGated = true;
    signalSession('signedIn', true);
  },
  here: () => {
    const { pathname, search } = history.location;
    return { pathname, search, open: isOpenPage(pathname) };
  },
});

export function innerProvider(container: ReactNode) {
  return (
    <AppearanceProvider>
      <ScreenBoundary>
        <Startup>{container}</Startup>
      </ScreenBoundary>
    </AppearanceProvider>
  );
}
