import type { VenueRefusalReason } from '../../venue';

/**
 * Codes with which binance says for certain that it did not take an order. What is not here is no answer to the order:
 * -1000, -1001, -1006, -1007 and -1008 leave it open, -1003 and -1015 refuse who asks, -1021 and -5028 when.
 */
const CODES: Readonly<Record<number, VenueRefusalReason>> = {
  ...named('notPermitted', [-1002, -1022, -2008, -2014, -2015, -4087, -4088]),
  ...named('unknownSymbol', [-1121]),
  ...named('suspended', [-4108, -4140, -4141]),
  ...named('badStep', [-1100, -1102, -1111, -4001, -4002, -4003, -4004, -4005, -4013, -4014, -4023]),
  ...named('priceBand', [-4016, -4024, -4131]),
  ...named('belowMinNotional', [-4164]),
  ...named('insufficientMargin', [-2018, -2019]),
  ...named('nothingToReduce', [-2022]),
  ...named('tooMuchLeverage', [-2027, -2028, -4028]),
  ...named('twoWay', [-4061]),
  ...named('noLiquidity', [-5021]),
  ...named('wouldCross', [-5022]),
  ...named('duplicateClientId', [-4116]),
  ...named('rejected', [-4015, -1115, -1116, -1117]),
};

/** Two codes of spot stand for many things: the words tell which. */
const FILTERED = -1013;
const NOT_TAKEN = -2010;
const WORDS: Readonly<Record<number, readonly (readonly [RegExp, VenueRefusalReason])[]>> = {
  [FILTERED]: [
    [/NOTIONAL/, 'belowMinNotional'],
    [/PERCENT_PRICE/, 'priceBand'],
    [/LOT_SIZE|PRICE_FILTER/, 'badStep'],
    [/Market is closed/, 'suspended'],
    [/Filter failure/, 'rejected'],
  ],
  [NOT_TAKEN]: [
    [/insufficient balance/, 'insufficientBalance'],
    [/immediately match/, 'wouldCross'],
    [/Duplicate order/, 'duplicateClientId'],
    [/Market is closed/, 'suspended'],
    [/disabled on this account/, 'notPermitted'],
  ],
};

function named(reason: VenueRefusalReason, codes: readonly number[]): Record<number, VenueRefusalReason> {
  return Object.fromEntries(codes.map((code) => [code, reason]));
}

/** Why an order was not taken for certain; null where that is not certain. */
export function refusalOf(code: number | null, text: string): VenueRefusalReason | null {
  if (code === null) return null;
  return CODES[code] ?? WORDS[code]?.find(([words]) => words.test(text))?.[1] ?? null;
}
