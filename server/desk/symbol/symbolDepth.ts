import Big from 'big.js';
import type { QueryOf } from '#contract/endpoint';
import { DEPTH_REACHES, type SymbolDepth, type symbol, type TakeCost } from '#contract/symbol';
import { floorTo, plain } from '../../base/maths/decimal';
import { depthWithin, type Side, slippageAt, vwap } from '../../base/maths/depth';
import type { Market } from '../../market/exchange';
import { Quoted } from '../../market/scan/sight';
import { instrumentOf } from './marketOf';

const BPS = 10_000;
/** Farther than any level. */
const EVERYTHING = Number.POSITIVE_INFINITY;

interface Size {
  mid: number;
  /** Base currency. */
  quantity: Big;
  /** Fraction; `null` where the source says none. */
  takerFee: number | null;
}

/** What taking so much from one side of the book costs. */
function takeCost(side: TakeCost['side'], book: Side, { mid, quantity, takerFee }: Size): TakeCost {
  const wanted = quantity.toNumber();
  const price = vwap(book, wanted);
  const slippage = price === null ? null : wanted * Math.abs(price - mid);
  const fee = price === null || takerFee === null ? null : wanted * price * takerFee;
  const cost = slippage === null || fee === null ? null : slippage + fee;
  const lots = book.levels.reduce((sum, level) => sum + level.lots, 0);
  return {
    side,
    quantity: plain(quantity),
    price,
    slippageBps: price === null ? null : slippageAt(price, mid) * BPS,
    slippage,
    fee,
    cost,
    costBps: cost === null ? null : (cost / (wanted * mid)) * BPS,
    held: wanted === 0 ? null : Math.min(1, (lots * book.lot) / wanted),
    depth: depthWithin(book, EVERYTHING),
    within: DEPTH_REACHES.map((reach) => depthWithin(book, reach)),
  };
}

/** What buying and selling a size at the market costs now (F9); `null` where the source has no book, or nobody is in it. */
export async function symbolDepth(
  market: Market,
  { symbol: name, size }: QueryOf<typeof symbol.depth>,
  now: number,
): Promise<SymbolDepth | null> {
  const instrument = await instrumentOf(market, name);
  const ticker = (await market.tickers(now)).find((row) => row.symbol === name);
  if (ticker === undefined) return null;
  const quoted = new Quoted(market, instrument, ticker, now);
  const { sides, mid, terms } = quoted;
  if (sides === null || mid === null) return null;
  const { bids, asks } = sides;
  const [bid, ask] = [bids.levels[0]!.ticks * bids.tick, asks.levels[0]!.ticks * asks.tick];
  const quantity = floorTo(new Big(size).div(mid), String(instrument.lotSize ?? asks.lot));
  const taken: Size = { mid, quantity, takerFee: terms?.takerFee ?? null };
  return {
    ...{ at: now, mid, bid, ask, spreadBps: ((ask - bid) / mid) * BPS },
    list: [takeCost('buy', asks, taken), takeCost('sell', bids, taken)],
  };
}
