import { useRef } from 'react';
import { account } from '#contract/account';
import { useCall } from '@/services/useCall';
import { useStream } from '@/services/useStream';

const REFRESH_MS = 5_000;
/** What happens within so long of a reading is in the next one. */
const PAUSE_MS = 2_000;

/** The caller's accounts together, or one of them: read every five seconds, and sooner when something has happened to it. */
export function useAccount(accountId: string) {
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const state = useCall(account.state, { query: accountId === '' ? {} : { accountId } }, options);
  const readAt = useRef(0);
  useStream(['account', 'hedge'], () => {
    if (Date.now() - readAt.current < PAUSE_MS) return;
    readAt.current = Date.now();
    void state.mutate();
  });
  return state;
}
