import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { SimulatedInstrument } from './instrument';

const AVERAGED_MS = 30 * MINUTE_MS;

/** Price at which a future is delivered: the mean of the index over the last half hour, each second of it. */
export function deliveredAt({ desk }: SimulatedInstrument, expiresAt: number): number {
  let sum = 0;
  for (let at = expiresAt - AVERAGED_MS + SECOND_MS; at <= expiresAt; at += SECOND_MS)
    sum += Math.exp(desk.indexLevelAt(at));
  return desk.coin.round(sum / (AVERAGED_MS / SECOND_MS));
}
