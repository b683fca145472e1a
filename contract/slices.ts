import type { FieldErrors } from './envelope';

/** Smallest notional of one part of an entry, USDT. */
const LEAST_SLICE = 20;

/** So many parts at most go into an entry, of those that were wanted. @param legNotional USDT */
export const fittingSlices = (legNotional: number, wanted: number): number =>
  Math.max(1, Math.min(wanted, Math.floor(legNotional / LEAST_SLICE)));

/** What is wrong with an entry that goes in by so many parts; told at `slices`. @param legNotional USDT */
export const sliceErrors = (legNotional: number, slices: number): FieldErrors['fields'] =>
  legNotional / slices < LEAST_SLICE ? [{ field: 'slices', message: `每份至少 ${LEAST_SLICE} USDT，请减少份数` }] : [];
