import type { Instrument } from './exchange';

/** The perpetual that stands for a coin: quoted in USDT where there is one. `null` where the source has none. */
export function perpetualOf(instruments: readonly Instrument[], base: 'BTC' | 'ETH'): Instrument | null {
  const all = instruments.filter((instrument) => instrument.base === base);
  return all.find(({ quote }) => quote === 'USDT') ?? all[0] ?? null;
}
