import { SECOND_MS } from '#contract/duration';
import type { SimulatedInstrument } from './instrument';
import { hourAt, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, floor, max, min, round } = Math;

/**
 * The first full second after `after` and not after `until` in which the best price on the other side comes to `price`: what fills an
 * order that rests there. Hours that never come near are passed over.
 * @returns UTC ms; `null` where it does not.
 */
export function meetingOf(
  instrument: SimulatedInstrument,
  side: 'buy' | 'sell',
  price: number,
  after: number,
  until: number,
): number | null {
  const ticks = round(price * instrument.desk.coin.priceUnits);
  for (let hour = hourAt(after); instantOf(hour) <= until; hour += 1) {
    const { lowest, highest } = instrument.rangeOf(hour);
    if (side === 'buy' ? lowest > ticks : highest < ticks) continue;
    const end = min(until, instantOf(hour + 1) - SECOND_MS);
    const first = max(instantOf(hour), (floor(after / SECOND_MS) + 1) * SECOND_MS);
    for (let at = ceil(first / SECOND_MS) * SECOND_MS; at <= end; at += SECOND_MS) {
      const { bid, ask } = instrument.bestAt(at);
      if (side === 'buy' ? ask <= ticks : bid >= ticks) return at;
    }
  }
  return null;
}
