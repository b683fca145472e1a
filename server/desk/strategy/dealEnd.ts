import { HEDGE_ENDS, type HedgeState, UNFREEZE_STATES } from '#contract/lifecycle';
import { isRechecked } from '../../engine/words';

interface DealEnd {
  state: string;
  frozen: string | null;
  closeAskedAt: number | null;
  flattenAskedAt: number | null;
}

/** Whether a deal that has not ended is to be closed because somebody asked for it. */
export const isCloseAsked = ({ state, closeAskedAt, flattenAskedAt }: Omit<DealEnd, 'frozen'>): boolean =>
  !HEDGE_ENDS.includes(state as HedgeState) && (closeAskedAt ?? flattenAskedAt) !== null;

/** Whether a person may let a deal go on: frozen, for nothing that the engine looks into by itself, and not at its end. */
export const mayUnfreeze = (deal: DealEnd): boolean =>
  deal.frozen !== null &&
  !isRechecked(deal.frozen) &&
  UNFREEZE_STATES.includes(deal.state as HedgeState) &&
  !isCloseAsked(deal);
