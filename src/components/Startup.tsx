import { history, useModel } from '@umijs/max';
import { type ReactNode, useEffect, useRef } from 'react';
import { onSession } from '@/services/sessionSignal';
import { LoadFailure } from './LoadFailure';

/**
 * Stands around all screens: nothing is shown until the user is known, a failure to learn it can be
 * retried, and what happens to the session here or in another tab is followed.
 */
export function Startup({ children }: { children: ReactNode }) {
  const { loading, error, refresh, setInitialState } = useModel('@@initialState');
  const actions = useRef({ refresh, setInitialState });
  actions.current = { refresh, setInitialState };
  useEffect(
    () =>
      onSession((event, fromOtherTab) => {
        if (event === 'signedIn') return void actions.current.refresh();
        void actions.current.setInitialState({ user: undefined });
        if (fromOtherTab) history.push('/login');
      }),
    [],
  );
  if (loading) return null;
  if (error) return <LoadFailure error={error} onRetry={refresh} />;
  return children;
}
