import { history, useModel } from '@umijs/max';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { askForProofBy } from '@/services/freshProof';
import { onSession } from '@/services/sessionSignal';
import { ErrorState } from './ErrorState';
import { late } from './late';
import { SCREEN_TARGET } from './screenTarget';

const FreshDialog = late(() => import('@/profile/FreshDialog'));

/** Opens the question for a password or a code wherever a call needs it; the call goes on when it is answered. */
function FreshProof() {
  const [asked, setAsked] = useState<{ end: (proved: boolean) => void } | null>(null);
  useEffect(
    () =>
      askForProofBy(
        () =>
          new Promise((resolve) => {
            const end = (proved: boolean) => {
              setAsked(null);
              resolve(proved);
            };
            setAsked({ end });
          }),
      ),
    [],
  );
  if (asked === null) return null;
  return (
    <Suspense fallback={null}>
      <FreshDialog onProved={() => asked.end(true)} onClose={() => asked.end(false)} />
    </Suspense>
  );
}

const FactorGate = late(() => import('@/profile/FactorGate'));

/**
 * Stands around all screens: nothing is shown until the user is known, a failure to learn it can be
 * retried, a master who has to set up a second factor first is led to it, and what happens to the session here or in another tab is followed.
 */
export function Startup({ children }: { children: ReactNode }) {
  const model = useModel('@@initialState');
  const { initialState, loading, error, refresh } = model;
  const latest = useRef(model);
  latest.current = model;
  // Umi tells its screens of a new state a moment late: until then no screen may act on the old one.
  const [outdated, setOutdated] = useState<typeof initialState>();
  useEffect(
    () =>
      onSession((event, fromOtherTab) => {
        setOutdated(latest.current.initialState);
        if (event === 'signedIn') return void latest.current.refresh();
        void latest.current.setInitialState({});
        if (fromOtherTab) history.push('/login');
      }),
    [],
  );
  if (loading) return null;
  // The server is down, too slow, or answers something else.
  if (error) {
    return (
      <main {...SCREEN_TARGET} className="whole-screen">
        <ErrorState title="无法加载控制台" error={error} onRetry={refresh} />
      </main>
    );
  }
  if (initialState === undefined || initialState === outdated) return null;
  const { user } = initialState;
  if (user?.factorNeeded === true) {
    return (
      <Suspense fallback={null}>
        <FactorGate name={user.name} />
      </Suspense>
    );
  }
  return (
    <>
      {children}
      {user && <FreshProof />}
    </>
  );
}
