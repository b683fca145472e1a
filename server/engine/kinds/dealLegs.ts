import { LEGS, type Leg } from '#contract/lifecycle';
import { wishedNotional } from '../governor';
import type { LegNow } from '../legsNow';
import type { DealBook } from '../tradingBook';
import type { Sight } from './runner';

type LegsSight = Pick<Sight, 'long' | 'short' | 'terms' | 'gone' | 'room' | 'account'>;

/** Both legs of a deal as its plan sees them. */
export const legsOfDeal = (deal: DealBook, sight: LegsSight): LegNow<Leg>[] =>
  LEGS.map((leg) => ({
    leg,
    side: leg,
    weight: deal.legs[leg].weight,
    wished: wishedNotional(deal, leg),
    book: deal.legs[leg],
    view: sight[leg],
    terms: sight.terms[leg],
    gone: sight.gone[leg],
    room: sight.room[leg],
    account: sight.account[leg],
  }));
