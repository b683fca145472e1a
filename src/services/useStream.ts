import { useAccess } from '@umijs/max';
import { useEffect, useRef } from 'react';
import type { Topic } from '#contract/stream';
import { type LiveEvent, subscribe } from './stream';

/**
 * Hears the live events of topics while the screen is there and somebody is signed in. After a `reset`
 * everything that was read must be read again.
 */
export function useStream(topics: readonly Topic[], handler: (event: LiveEvent) => void): void {
  const { signedIn } = useAccess();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  // The list is a new one at every rendering; what it says is not.
  const wanted = topics.join();
  useEffect(() => {
    if (!signedIn || wanted === '') return;
    return subscribe(wanted.split(',') as Topic[], (event) => latest.current(event));
  }, [signedIn, wanted]);
}
