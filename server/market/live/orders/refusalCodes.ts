import type { VenueRefusalReason } from '../../venue';
import type { Code } from '../ownClient';

/** What each code says for certain. */
export type Codes = Readonly<Record<Code, VenueRefusalReason>>;
/** What the words of an answer say beside a code that stands for many things. */
export type Words = Readonly<Record<Code, readonly (readonly [RegExp, VenueRefusalReason])[]>>;

/** An exchange's codes that mean the same to us. */
export const named = (reason: VenueRefusalReason, codes: readonly Code[]): Codes =>
  Object.fromEntries(codes.map((code) => [code, reason]));

/** Why an order was not taken for certain; null where that is not certain. */
export const refusalBy = (codes: Codes, words: Words) => (code: Code, text: string) =>
  codes[code] ?? words[code]?.find(([word]) => word.test(text))?.[1] ?? null;
