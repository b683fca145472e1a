import { DAY_MS, MINUTE_MS } from '#contract/duration';
import type { Listing, Ticker } from '#server/market/exchange';
import { bracketsOf } from '../core/brackets';
import { INTERVAL_MS } from '../core/candles';
import { stretchAsked } from './marketData';
import type { Params } from './params';
import type { Part } from './part';
import { Refusal } from './refusal';
import { open, type Routes } from './routes';
import { futuresSymbol, spotSymbol } from './symbols';

const FIGURE_DIGITS = 8;
/** Interest part of funding, by which binance says what a rate is drawn to. */
const INTEREST = '0.00010000';
/** What funding is like where `fundingInfo` says nothing: not all symbols are in it. */
const USUAL_FUNDING = { hours: 8, cap: 0.02 };
const INTEREST_KEPT_MS = 30 * DAY_MS;

const RATE_LIMITS = {
  spot: [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 },
    { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 },
    { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: 200_000 },
  ],
  futures: [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
    { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
    { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
  ],
};

async function exchangeInfo(part: Part, isTraded = false) {
  const listed = await part.exchange.instruments(part.kinds);
  const instruments = listed.filter(({ symbol }) => !(isTraded && part.exchange.faults.delisted.has(symbol)));
  const nearest = Math.min(...instruments.flatMap(({ expiresAt }) => expiresAt ?? []));
  return {
    timezone: 'UTC',
    serverTime: part.exchange.now(),
    ...(part.name === 'futures' && {
      futuresType: 'U_MARGINED',
      assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
    }),
    rateLimits: RATE_LIMITS[part.name],
    exchangeFilters: [],
    symbols: instruments.map((instrument) => {
      const isOver = part.exchange.faults.delisted.has(instrument.symbol);
      if (part.name === 'spot') return spotSymbol(part, instrument, isOver ? 'BREAK' : 'TRADING');
      return futuresSymbol(part, instrument, isOver ? 'SETTLING' : 'TRADING', nearest);
    }),
  };
}

export const spotInfoRoutes = (part: Part): Routes => ({
  'GET /api/v3/exchangeInfo': open(20, (params) => exchangeInfo(part, params.text('symbolStatus') === 'TRADING')),
  'GET /sapi/v1/system/status': open(1, () => ({ status: 0, msg: 'normal' })),
});

/** Mark, index and what funding will be. A future has neither rate nor time of it. */
export function markFigures(part: Part, { instrument, ticker }: Listing) {
  const figure = (value: number | null) => (value ?? ticker.price).toFixed(FIGURE_DIGITS);
  const hasFunding = ticker.nextFundingAt !== null;
  return {
    symbol: part.idOf(instrument.symbol),
    mark: figure(ticker.mark),
    index: figure(ticker.index),
    rate: hasFunding ? ticker.fundingRate!.toFixed(FIGURE_DIGITS) : '',
    nextFundingTime: ticker.nextFundingAt ?? 0,
  };
}

function premiumRow(part: Part, listing: Listing) {
  const { symbol, mark, index, rate, nextFundingTime } = markFigures(part, listing);
  return {
    symbol,
    markPrice: mark,
    indexPrice: index,
    estimatedSettlePrice: index,
    lastFundingRate: rate,
    interestRate: rate === '' ? '' : INTEREST,
    nextFundingTime,
    time: part.exchange.now(),
  };
}

/** All symbols of futures, or one. */
async function rowsOf<T>(part: Part, params: Params, row: (listing: Listing) => T): Promise<T | T[]> {
  const symbol = params.text('symbol');
  if (symbol !== undefined) return row(part.listed(symbol));
  const all = await part.exchange.instruments(part.kinds);
  return all.flatMap((instrument) => part.exchange.listed(instrument.symbol) ?? []).map(row);
}

async function fundingRates(part: Part, params: Params) {
  const { market } = part.exchange;
  const limit = params.limit(100, 1000);
  const [start, end] = [params.integer('startTime'), params.integer('endTime')];
  const asked = params.text('symbol');
  const symbols = asked
    ? [part.listed(asked).instrument.symbol]
    : (await part.exchange.instruments(['perpetual'])).map(({ symbol }) => symbol);
  const rows: { symbol: string; fundingTime: number; fundingRate: string }[] = [];
  for (const symbol of symbols) {
    const history = await market.funding(symbol, { start, end: end === undefined ? undefined : end + 1 });
    history?.time.forEach((fundingTime, i) => {
      rows.push({ symbol: part.idOf(symbol), fundingTime, fundingRate: history.rate[i]!.toFixed(FIGURE_DIGITS) });
    });
  }
  rows.sort((a, b) => a.fundingTime - b.fundingTime);
  const chosen = start === undefined ? rows.slice(-limit) : rows.slice(0, limit);
  return chosen.map((row) => ({
    ...row,
    markPrice: (market.listed(part.symbolOf(row.symbol), row.fundingTime)?.ticker.mark ?? 0).toFixed(FIGURE_DIGITS),
  }));
}

async function fundingInfo(part: Part) {
  const instruments = await part.exchange.instruments(['perpetual']);
  return instruments.flatMap(({ symbol, fundingHours }) => {
    const cap = part.exchange.market.terms(symbol)?.fundingCap ?? USUAL_FUNDING.cap;
    if (fundingHours === USUAL_FUNDING.hours && cap === USUAL_FUNDING.cap) return [];
    return {
      symbol: part.idOf(symbol),
      adjustedFundingRateCap: cap.toFixed(FIGURE_DIGITS),
      adjustedFundingRateFloor: (-cap).toFixed(FIGURE_DIGITS),
      fundingIntervalHours: fundingHours,
      disclaimer: false,
    };
  });
}

/** In the base currency, which binance counts it in, and in the quote currency. */
const interestOf = (ticker: Ticker) => {
  const value = ticker.openInterest ?? 0;
  return { amount: value / ticker.price, value };
};

async function interestHistory(part: Part, params: Params) {
  const { instrument } = part.listed(params.needed('symbol'));
  const length = INTERVAL_MS[params.needed('period')];
  if (length === undefined || length < 5 * MINUTE_MS)
    throw new Refusal(-1130, `Data sent for parameter 'period' is not valid.`);
  const now = part.exchange.trueNow();
  const { from, until } = stretchAsked(params, params.limit(30, 500), length, now);
  if (from < now - INTEREST_KEPT_MS) throw new Refusal(-1130, `Data sent for parameter 'startTime' is not valid.`);
  const rows = [];
  for (let at = from; at <= until; at += length) {
    const ticker = part.exchange.market.listed(instrument.symbol, at)?.ticker;
    if (!ticker) continue;
    const { amount, value } = interestOf(ticker);
    rows.push({
      symbol: part.idOf(instrument.symbol),
      sumOpenInterest: part.quantity(amount, instrument),
      sumOpenInterestValue: value.toFixed(FIGURE_DIGITS),
      timestamp: at,
    });
  }
  return rows;
}

/** Klines of a figure that is no price that was paid: what stands for volume is 0. */
async function figureKlines(part: Part, params: Params, id: string, figure: (ticker: Ticker) => number | null) {
  const { instrument } = part.listed(params.needed(id));
  const interval = params.needed('interval');
  const length = INTERVAL_MS[interval];
  if (length === undefined) throw new Refusal(-1120, 'Invalid interval.');
  const now = part.exchange.trueNow();
  const { from, until } = stretchAsked(params, params.limit(500, 1500), length, now);
  const candles = part.exchange.candles.ofFigure(instrument.symbol, length, from, until, now, figure);
  return candles.map(({ time, open, high, low, close }) => {
    const [o, h, l, c] = [open, high, low, close].map((value) => value.toFixed(FIGURE_DIGITS));
    return [time, o, h, l, c, '0', time + length - 1, '0', Math.floor(length / 1000), '0', '0', '0'];
  });
}

export const futuresInfoRoutes = (part: Part): Routes => ({
  'GET /fapi/v1/exchangeInfo': open(1, () => exchangeInfo(part)),
  'GET /fapi/v1/premiumIndex': open(
    (params) => (params.text('symbol') ? 1 : 10),
    (params) => rowsOf(part, params, (listing) => premiumRow(part, listing)),
  ),
  'GET /fapi/v1/fundingRate': open(1, (params) => fundingRates(part, params)),
  'GET /fapi/v1/fundingInfo': open(1, () => fundingInfo(part)),
  'GET /fapi/v1/openInterest': open(1, (params) => {
    const { instrument, ticker } = part.listed(params.needed('symbol'));
    const openInterest = part.quantity(interestOf(ticker).amount, instrument);
    return { symbol: part.idOf(instrument.symbol), openInterest, time: part.exchange.now() };
  }),
  'GET /futures/data/openInterestHist': open(1, (params) => interestHistory(part, params)),
  'GET /fapi/v1/markPriceKlines': open(5, (params) => figureKlines(part, params, 'symbol', ({ mark }) => mark)),
  'GET /fapi/v1/indexPriceKlines': open(5, (params) => figureKlines(part, params, 'pair', ({ index }) => index)),
  'GET /fapi/v1/premiumIndexKlines': open(5, (params) =>
    figureKlines(part, params, 'symbol', ({ price, index }) => index && price / index - 1),
  ),
  'GET /fapi/v1/leverageBracket': {
    access: 'read',
    weight: 1,
    handle: (params) =>
      rowsOf(part, params, ({ instrument }) => ({
        symbol: part.idOf(instrument.symbol),
        notionalCoef: 1,
        brackets: bracketsOf(instrument.maxLeverage ?? 1).map(
          ({ maxLeverage, floor, cap, maintenance, deducted }, i) => ({
            bracket: i + 1,
            initialLeverage: maxLeverage,
            notionalCap: cap,
            notionalFloor: floor,
            maintMarginRatio: maintenance,
            cum: deducted,
          }),
        ),
      })),
  },
});
