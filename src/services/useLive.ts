import { useSyncExternalStore } from 'react';
import { type Live, liveNow, onLive } from './stream';

/** The state of this browser's live connection. Renders anew with every event: for small parts only. */
export const useLive = (): Live => useSyncExternalStore(onLive, liveNow);

/** Whether live events come; renders anew only when that changes. A screen that hears nothing polls. */
export const useIsLive = (): boolean => useSyncExternalStore(onLive, () => liveNow().state === 'open');
