import type { Instrument } from '#server/market/exchange';
import { digitsOf } from '../core/decimals';
import type { Part } from './part';

const ORDER_TYPES = ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'];
const FUTURES_ORDER_TYPES = ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'];
/** What a perpetual has in place of a day of delivery: the year 2100. */
const NEVER = 4_133_404_800_000;
const MOST_LOTS = 1_000_000;
/** How far from the price an order may be, as fractions: futures, and spot. */
export const FUTURES_BAND = { up: '1.0500', down: '0.9500' };
export const SPOT_BAND = { up: '5', down: '0.2' };

function sizeFilters({ tickSize, lotSize }: Instrument) {
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: tickSize,
      maxPrice: (Number(tickSize) * 1e8).toFixed(digitsOf(tickSize!)),
      tickSize,
    },
    ...['LOT_SIZE', 'MARKET_LOT_SIZE'].map((filterType) => ({
      filterType,
      minQty: lotSize,
      maxQty: (Number(lotSize) * MOST_LOTS).toFixed(digitsOf(lotSize!)),
      stepSize: lotSize,
    })),
  ];
}

/** One row of `/api/v3/exchangeInfo`. @param status `TRADING`, or why not */
export function spotSymbol(part: Part, instrument: Instrument, status: string) {
  return {
    symbol: part.idOf(instrument.symbol),
    status,
    baseAsset: instrument.base,
    baseAssetPrecision: 8,
    quoteAsset: instrument.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: [
      ...sizeFilters(instrument),
      {
        filterType: 'NOTIONAL',
        minNotional: instrument.minNotional,
        applyMinToMarket: true,
        maxNotional: '9000000.00000000',
        applyMaxToMarket: false,
        avgPriceMins: 5,
      },
      {
        filterType: 'PERCENT_PRICE_BY_SIDE',
        bidMultiplierUp: SPOT_BAND.up,
        bidMultiplierDown: SPOT_BAND.down,
        askMultiplierUp: SPOT_BAND.up,
        askMultiplierDown: SPOT_BAND.down,
        avgPriceMins: 5,
      },
      { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 200 },
    ],
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
  };
}

/** One row of `/fapi/v1/exchangeInfo`. @param nearest when the next future expires, UTC ms */
export function futuresSymbol(part: Part, instrument: Instrument, status: string, nearest: number) {
  const { kind, expiresAt, base, quote, tickSize, lotSize } = instrument;
  const quarter = expiresAt === nearest ? 'CURRENT_QUARTER' : 'NEXT_QUARTER';
  return {
    symbol: part.idOf(instrument.symbol),
    pair: base + quote,
    contractType: kind === 'perpetual' ? 'PERPETUAL' : quarter,
    deliveryDate: expiresAt ?? NEVER,
    onboardDate: instrument.listedAt,
    status,
    maintMarginPercent: '2.5000',
    requiredMarginPercent: '5.0000',
    baseAsset: base,
    quoteAsset: quote,
    marginAsset: instrument.settle,
    pricePrecision: digitsOf(tickSize!),
    quantityPrecision: digitsOf(lotSize!),
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: 'COIN',
    underlyingSubType: instrument.sector ? [instrument.sector] : [],
    triggerProtect: '0.0500',
    liquidationFee: '0.012500',
    marketTakeBound: '0.05',
    maxMoveOrderLimit: 10000,
    filters: [
      ...sizeFilters(instrument),
      { filterType: 'MAX_NUM_ORDERS', limit: 200 },
      { filterType: 'MAX_NUM_ALGO_ORDERS', limit: 10 },
      { filterType: 'MIN_NOTIONAL', notional: instrument.minNotional },
      {
        filterType: 'PERCENT_PRICE',
        multiplierUp: FUTURES_BAND.up,
        multiplierDown: FUTURES_BAND.down,
        multiplierDecimal: '4',
      },
    ],
    orderTypes: FUTURES_ORDER_TYPES,
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
  };
}
