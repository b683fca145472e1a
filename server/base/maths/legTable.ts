import type { Holdings } from './simulation';

/**
 * Legs as columns: one per holding period between rebalances per symbol, in order of opening, then of symbol. They are
 * parts of the hedge, not trades of their own. A run that rebalances at every bar has as many legs as candles, so rows
 * are made only on demand by `legAt`.
 */
export interface LegTable {
  length: number;
  symbols: string[];
  /** +1 long, -1 short, per symbol. */
  sides: Int8Array;
  /** Closing instants of the whole run in UTC ms; starts and ends of the holdings are indices into it. */
  axis: Float64Array;
  prices: Float64Array[];
  holdings: Holdings;
  /** Costs per traded notional, fractions. */
  fee: number;
  slippage: number;
}

/** One holding period of one symbol between two rebalances. Instants in UTC ms, prices and money in the quote currency, costs positive. */
export interface Leg {
  symbol: string;
  side: 'long' | 'short';
  openAt: number;
  closeAt: number;
  openPrice: number;
  closePrice: number;
  /** Unsigned, base currency. */
  quantity: number;
  /** At the opening. */
  notional: number;
  /** q x (close - open) with the signed quantity. */
  pricePnl: number;
  /** Received is positive. */
  funding: number;
  /** Of the change of quantity that opened the period, and for the last period of a hedge also of its close. */
  fees: number;
  slippage: number;
  /** pricePnl + funding - fees - slippage. */
  net: number;
  /** net / notional, a fraction. */
  return: number | null;
  bars: number;
}

/**
 * Row `index` of the table.
 * @param index 0 to `table.length - 1`.
 */
export function legAt(table: LegTable, index: number): Leg {
  const { axis, holdings, prices, symbols, sides } = table;
  const s = index % symbols.length;
  const period = Math.floor(index / symbols.length);
  const from = holdings.starts[period]!;
  const to = holdings.ends[period]!;
  const signed = holdings.quantity[index]!;
  const openPrice = prices[s]![from]!;
  const closePrice = prices[s]![to]!;
  const notional = Math.abs(signed) * openPrice;
  const pricePnl = signed * (closePrice - openPrice);
  const funding = holdings.funding[index]!;
  const fees = holdings.traded[index]! * table.fee;
  const slippage = holdings.traded[index]! * table.slippage;
  const net = pricePnl + funding - fees - slippage;
  return {
    symbol: symbols[s]!,
    side: sides[s]! > 0 ? 'long' : 'short',
    openAt: axis[from]!,
    closeAt: axis[to]!,
    openPrice,
    closePrice,
    quantity: Math.abs(signed),
    notional,
    pricePnl,
    funding,
    fees,
    slippage,
    net,
    return: notional > 0 ? net / notional : null,
    bars: to - from,
  };
}

/** The periods `from` up to `to` (excluded) of a table. */
export function periodsOf(table: LegTable, from: number, to: number): LegTable {
  const { holdings, symbols } = table;
  const rows = (column: Float64Array) => column.subarray(from * symbols.length, to * symbols.length);
  const { starts, ends, quantity, funding, traded } = holdings;
  return {
    ...table,
    length: (to - from) * symbols.length,
    holdings: {
      periods: to - from,
      ...{ starts: starts.subarray(from, to), ends: ends.subarray(from, to) },
      ...{ quantity: rows(quantity), funding: rows(funding), traded: rows(traded) },
    },
  };
}

/** Price result of either side, quote currency. */
export interface PricePnl {
  long: number;
  short: number;
}

/** Sums q x (close - open) of all legs by side. */
export function pricePnl({ holdings, prices, sides }: LegTable): PricePnl {
  const { starts, ends, periods, quantity } = holdings;
  const symbols = prices.length;
  const result = { long: 0, short: 0 };
  for (let s = 0; s < symbols; s++) {
    const price = prices[s]!;
    let sum = 0;
    for (let period = 0; period < periods; period++) {
      sum += quantity[period * symbols + s]! * (price[ends[period]!]! - price[starts[period]!]!);
    }
    result[sides[s]! > 0 ? 'long' : 'short'] += sum;
  }
  return result;
}

/** The run's result by source, quote currency; costs are negative, so that the parts add up to `net`. */
export interface ResultSplit {
  price: number;
  funding: number;
  fees: number;
  slippage: number;
  /** What was lost beyond the equity and cut off at 0; 0 or above. */
  shortfall: number;
  /** Final equity - capital, taken from the equity and not from the parts. */
  net: number;
}

/** Splits the run's result (docs/formulas.md, step 5). */
export function resultSplit(table: LegTable, price: PricePnl, net: number, shortfall: number): ResultSplit {
  const funding = sum(table.holdings.funding.subarray(0, table.length));
  const traded = tradedNotional(table);
  // Adding 0 turns the -0 of a run without costs into 0.
  const costs = { fees: -traded * table.fee + 0, slippage: -traded * table.slippage + 0 };
  return { price: price.long + price.short, funding, ...costs, shortfall, net };
}

/** Sum of |dq| x p over the run, quote currency. */
export function tradedNotional({ holdings, length }: LegTable): number {
  return sum(holdings.traded.subarray(0, length));
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
