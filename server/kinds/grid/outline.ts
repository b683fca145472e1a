import { DAY_MS } from '#contract/duration';
import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import type { Places } from '../../base/db/hedges/pairLegs';
import { evenStep, gridProfits, levelPrices, pairsCompleted, profitShares } from '../../base/maths/grid';
import { gridLiquidation, lossAtStops } from '../../base/maths/gridRisk';
import { noteAt } from '../../base/maths/gridStart';
import type { MarketSnapshot } from '../../engine/marketSnapshot';
import type { Outline } from '../../engine/runner';
import type { TradingTerms } from '../../market/venue';
import { gridNeeds, startCoin } from './note';

const PAST_DAYS = 14;
const BAR = '1h';
const HOURS = 24;

/** What a grid would be if it began now. */
export async function gridOutline(
  snapshot: MarketSnapshot,
  { long }: Places,
  params: GridParams,
  terms: TradingTerms | undefined,
): Promise<Outline | null> {
  const price = snapshot.of({ long, short: long }).long?.price;
  if (terms === undefined || price === undefined) return null;
  const { legNotional, leverage, stopLoss, stopLow, stopHigh } = params;
  const capital = legNotional / leverage;
  const inCoin = isSpotGrid(params);
  const levels = levelPrices(params, Number(terms.tickSize));
  const note = noteAt(params, terms, price);
  const quantity = Number(note.quantity);
  const stake = { shape: params, note, startPrice: price, capital };
  // Spot cannot be liquidated.
  const { low, high } = inCoin ? { low: null, high: null } : gridLiquidation(stake, terms.maintenanceRate);
  const { least, most } = gridProfits(levels, terms.makerFee, inCoin)!;
  const steps = levels.slice(1).map((upper, i) => upper / levels[i]! - 1);
  const dailyPairs = await pairsADay(snapshot, long, levels, note.anchor);
  const fee = terms.makerFee;
  const startFrom = inCoin && params.invest === 'base' ? 'account' : 'market';
  const worst = stopLoss === null ? lossAtStops(stake, { low: stopLow, high: stopHigh }) : stopLoss * capital;
  return {
    needs: gridNeeds(params, note, terms.takerFee, price),
    ...{ fees: 2 * legNotional * terms.takerFee, worst },
    atOnce: { leg: note.anchor > 0 ? 'long' : 'short', quantity: startFrom === 'market' ? startCoin(note) : 0 },
    ladder: {
      stepLeast: Math.min(...steps),
      stepMost: Math.max(...steps),
      ...profitShares(levels, fee, inCoin),
      breakEven: evenStep(fee, inCoin),
      capital,
      quantity,
      startCells: note.startCells,
      startCoin: startCoin(note),
      startFrom,
      market: inCoin ? 'spot' : 'perpetual',
      dailyPairs,
      dailyNet: dailyPairs === null ? null : dailyPairs * quantity * ((least + most) / 2),
      ...{ liquidationLow: low, liquidationHigh: high },
    },
  };
}

/** Pairs per day by the hourly bars of the last days; `null` where the source has none. */
async function pairsADay(
  snapshot: MarketSnapshot,
  { source, symbol }: Places['long'],
  levels: number[],
  anchor: number,
) {
  const range = { start: snapshot.at - PAST_DAYS * DAY_MS };
  const candles = await snapshot.marketOf(source)?.candles(symbol, BAR, range);
  if (!candles || candles.time.length === 0) return null;
  return (pairsCompleted(candles.low, candles.high, levels, anchor) * HOURS) / candles.time.length;
}
