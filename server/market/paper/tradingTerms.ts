import Big from 'big.js';
import type { Instrument, InstrumentTerms, Ticker } from '../exchange';
import type { TradingTerms } from '../venue';

/** For sources that do not say: fractions of the notional, USDT, and times the margin. */
const FEES = { makerFee: 0.0002, takerFee: 0.0005 };
const MIN_NOTIONAL = '5';
const MAX_LEVERAGE = 20;
/** Digits that a price derived from nothing but itself is quoted with. */
const PRICE_DIGITS = 5;

/** The larger the coin, the less has to be kept: turnover of a day in USDT from which a rate holds. */
const MAINTENANCE: readonly (readonly [from: number, rate: number])[] = [
  [1e9, 0.005],
  [2e8, 0.01],
  [5e7, 0.015],
  [1e7, 0.02],
];
/** That of the smallest coins. */
export const HIGHEST_MAINTENANCE_RATE = 0.025;

/** A power of ten as a plain decimal. */
const powerOfTen = (exponent: number): string => new Big(10).pow(exponent).toFixed();

/**
 * Steps and terms of a symbol. What the source does not know is derived from the price: a tick of five
 * significant digits and a lot that is worth about 1 USDT.
 */
export function tradingTerms(
  source: string,
  instrument: Instrument,
  { price, turnover24h }: Ticker,
  ofVenue: InstrumentTerms | null,
): TradingTerms {
  const { makerFee, takerFee } = ofVenue ?? FEES;
  const isSpot = instrument.kind === 'spot';
  const heldBack = MAINTENANCE.find(([from]) => (turnover24h ?? 0) >= from)?.[1] ?? HIGHEST_MAINTENANCE_RATE;
  return {
    source,
    symbol: instrument.symbol,
    kind: instrument.kind,
    base: instrument.base,
    expiresAt: instrument.expiresAt,
    tickSize: instrument.tickSize ?? powerOfTen(Math.floor(Math.log10(price)) - PRICE_DIGITS + 1),
    lotSize: instrument.lotSize ?? powerOfTen(-Math.round(Math.log10(price))),
    minNotional: instrument.minNotional ?? MIN_NOTIONAL,
    maxLeverage: isSpot ? 1 : (instrument.maxLeverage ?? MAX_LEVERAGE),
    makerFee,
    takerFee,
    deliveryFee: ofVenue?.deliveryFee ?? 0,
    maintenanceRate: isSpot ? 0 : heldBack,
    collateralRatio: isSpot ? (ofVenue?.collateralRatio ?? 0) : 0,
  };
}
