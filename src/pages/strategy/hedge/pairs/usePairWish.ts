import { useState } from 'react';
import { RATIO_RULES } from '#contract/kinds/hedge/config';
import { numberCodec, textCodec, useQueryState, wordCodec } from '@/components/useQueryState';
import type { PairWish } from './AddPairDialog';

const codecs = {
  long: textCodec(),
  short: textCodec(),
  source: textCodec(),
  leverage: numberCodec(null),
  ratio: wordCodec(RATIO_RULES, null),
};
const NOTHING = { long: '', short: '', source: '', leverage: null, ratio: null };

/** The pair that is to be added: what the address brought along, or what was asked for here; `null` when none is. */
export function usePairWish(): [PairWish | null, (wish: PairWish | null) => void] {
  const [{ long, short, source, leverage, ratio }, change] = useQueryState(codecs);
  const [here, setHere] = useState<PairWish | null>(null);
  const carried = { ...(leverage === null ? {} : { leverage }), ...(ratio === null ? {} : { ratio }) };
  const brought = long !== '' || short !== '' ? { long, short, source: source || null, carried } : null;
  const set = (wish: PairWish | null) => {
    setHere(wish);
    // What was taken up or put away must not come back with a reload.
    if (wish === null && brought) change(NOTHING, { replace: true });
  };
  return [here ?? brought, set];
}
