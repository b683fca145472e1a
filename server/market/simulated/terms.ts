import { DAY_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { InstrumentTerms } from '../exchange';
import type { Tier } from './coins';
import type { SimulatedInstrument } from './instrument';
import { streamKey, uniform, wave } from './noise';

const { exp, max, min, round } = Math;

const COLLATERAL: Record<Tier, readonly [from: number, to: number]> = {
  major: [0.9, 0.975],
  middle: [0.7, 0.85],
  small: [0.4, 0.6],
};
/** Interest a year in quiet times; it goes up to about the threefold. */
const BORROW: Record<Tier, readonly [from: number, to: number]> = {
  major: [0.02, 0.05],
  middle: [0.06, 0.15],
  small: [0.12, 0.3],
};
const MOODS_MS = 5 * DAY_MS;

/** Terms of an instrument at an instant, UTC ms. */
export function termsOf({ kind, desk, venue, symbol, funding }: SimulatedInstrument, at: number): InstrumentTerms {
  const { coin } = desk;
  const key = streamKey(coin.seed, `${venue.source} ${coin.symbol}/terms`);
  const drawn = ([from, to]: readonly [number, number], n: number) => from + (to - from) * uniform(key, n);
  const { maker, taker } = kind === 'spot' ? venue.spotFee : venue.derivativeFee;
  const crowding = wave(streamKey(coin.seed, `${venue.source} ${symbol}/adl`), at / MOODS_MS);
  return {
    makerFee: maker,
    takerFee: taker,
    deliveryFee: kind === 'future' ? venue.deliveryFee : null,
    fundingCap: funding?.cap ?? null,
    collateralRatio: round(drawn(COLLATERAL[coin.tier], 1) * 1000) / 1000,
    borrowApr: round(drawn(BORROW[coin.tier], 2) * exp(0.4 * wave(key, at / MOODS_MS)) * 1e4) / 1e4,
    adl: kind === 'spot' ? null : max(1, min(5, round(2 + 1.2 * crowding))),
  };
}

const AVERAGED_MS = 30 * MINUTE_MS;

/** Price at which a future is delivered: the mean of the index over the last half hour, each second of it. */
export function deliveredAt({ desk }: SimulatedInstrument, expiresAt: number): number {
  let sum = 0;
  for (let at = expiresAt - AVERAGED_MS + SECOND_MS; at <= expiresAt; at += SECOND_MS)
    sum += Math.exp(desk.indexLevelAt(at));
  return desk.coin.round(sum / (AVERAGED_MS / SECOND_MS));
}
