import { roundTrip } from '../base/maths/basis';

/** Fractions of a leg's notional; `null` where the market does not say. */
interface Trip {
  fees: number | null;
  openEdge: number | null;
  closeLevel: number | null;
}

/** What is lost on the way in and out at once (F5): the four fees, and how far the level to leave at lies above that to enter at. */
export const tripCost = ({ fees, openEdge, closeLevel }: Trip): number | null =>
  fees === null || openEdge === null || closeLevel === null ? null : -roundTrip(openEdge, closeLevel, fees);
