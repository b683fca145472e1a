import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { SimulatedInstrument } from './instrument';
import { hourAt, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { floor, max, min, round } = Math;

type Side = 'buy' | 'sell';

/**
 * The first full second after `after` and not after `until` in which the best price on the other side comes to `price`: what fills an
 * order that rests there. Hours and minutes that never come near are passed over.
 * @returns UTC ms; `null` where it does not.
 */
export function meetingOf(
  instrument: SimulatedInstrument,
  side: Side,
  price: number,
  after: number,
  until: number,
): number | null {
  const ticks = round(price * instrument.desk.coin.priceUnits);
  for (let hour = hourAt(after); instantOf(hour) <= until; hour += 1) {
    const { lowest, highest } = instrument.rangeOf(hour);
    if (side === 'buy' ? lowest > ticks : highest < ticks) continue;
    const first = max(instantOf(hour), (floor(after / SECOND_MS) + 1) * SECOND_MS);
    const met = firstMet(instrument, side, ticks, first, min(until, instantOf(hour + 1) - SECOND_MS));
    if (met !== null) return met;
  }
  return null;
}

/** Between two full seconds, both included. */
function firstMet(
  instrument: SimulatedInstrument,
  side: Side,
  ticks: number,
  first: number,
  last: number,
): number | null {
  for (let at = first; at <= last; ) {
    const isWhole = at % MINUTE_MS === 0 && at + MINUTE_MS - SECOND_MS <= last;
    const second = isWhole ? metInMinute(instrument, side, ticks, at) : isMetAt(instrument, side, ticks, at) ? 0 : -1;
    if (second >= 0) return at + second * SECOND_MS;
    at += isWhole ? MINUTE_MS : SECOND_MS;
  }
  return null;
}

function isMetAt(instrument: SimulatedInstrument, side: Side, ticks: number, at: number): boolean {
  const { bid, ask } = instrument.bestAt(at);
  return side === 'buy' ? ask <= ticks : bid >= ticks;
}

/** The second of it; below zero where there is none. */
function metInMinute(instrument: SimulatedInstrument, side: Side, ticks: number, at: number): number {
  const { bids, asks, highest, lowest } = instrument.minuteOf(at / MINUTE_MS);
  if (side === 'buy') return lowest > ticks ? -1 : asks.findIndex((ask) => ask <= ticks);
  return highest < ticks ? -1 : bids.findIndex((bid) => bid >= ticks);
}
