import { Suspense, useEffect, useState } from 'react';
import { askForProofBy } from '@/services/freshProof';
import { late } from './late';

const FreshDialog = late(() => import('@/profile/FreshDialog'));

/** Opens the question for a password or a code wherever a call needs it; the call goes on when it is answered. */
export function FreshProof() {
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
