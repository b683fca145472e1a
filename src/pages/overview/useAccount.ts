import { useEffect, useRef, useState } from 'react';
import { account } from '#contract/account';
import { useCall } from '@/services/useCall';
import { useStream } from '@/services/useStream';

const REFRESH_MS = 5_000;
/** What happens within so long of a reading is in the next one. */
const PAUSE_MS = 2_000;
const MINUTE_MS = 60_000;

/** The instant at which the viewer's day began, UTC ms. */
const localMidnight = (): number => new Date().setHours(0, 0, 0, 0);

function useMidnight(): number {
  const [midnight, setMidnight] = useState(localMidnight);
  useEffect(() => {
    const timer = setInterval(() => setMidnight(localMidnight()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return midnight;
}

/** The caller's account: read every five seconds, and sooner when something has happened to it. */
export function useAccount() {
  const dayStart = useMidnight();
  const options = { refreshInterval: REFRESH_MS, keepPreviousData: true };
  const state = useCall(account.state, { query: { dayStart } }, options);
  const readAt = useRef(0);
  useStream(['account', 'hedge'], () => {
    if (Date.now() - readAt.current < PAUSE_MS) return;
    readAt.current = Date.now();
    void state.mutate();
  });
  return state;
}
