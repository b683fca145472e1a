import { useState } from 'react';
import { textCodec, useQueryState } from '@/components/useQueryState';
import type { PairWish } from './AddPairDialog';

const codecs = { long: textCodec(), short: textCodec(), source: textCodec() };

/** The pair that is to be added: what the address brought along, or what was asked for here; `null` when none is. */
export function usePairWish(): [PairWish | null, (wish: PairWish | null) => void] {
  const [{ long, short, source }, change] = useQueryState(codecs);
  const [here, setHere] = useState<PairWish | null>(null);
  const brought = long !== '' || short !== '' ? { long, short, source: source || null } : null;
  const set = (wish: PairWish | null) => {
    setHere(wish);
    // What was taken up or put away must not come back with a reload.
    if (wish === null && brought) change({ long: '', short: '', source: '' }, { replace: true });
  };
  return [here ?? brought, set];
}
