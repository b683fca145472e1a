import { DAY_MS, YEARLY_FROM_MS } from '#contract/duration';
/** One leg: signed quantity held, its signed cost (quantity x entry price), what was realised. USDT, base currency. */
export interface LegValue {
  quantity: number;
  cost: number;
  realised: number;
}

/** Price PnL of a leg (F11), USDT: realised plus open at `mark`. `null` where a held leg has no mark. */
export function legPnl({ quantity, cost, realised }: LegValue, mark: number | null): number | null {
  if (quantity === 0) return realised;
  return mark === null ? null : realised + quantity * mark - cost;
}

/** Less of a part is a fee in coin, or a lot that evened the legs. */
const LEAST_PART = 0.01;

/** What part of what both legs once held is closed, of the one of which less is, a fraction; `null` where nothing is. */
export function closedPart(legs: readonly { quantity: number; opened: number }[]): number | null {
  const part = Math.min(...legs.map(({ quantity, opened }) => (opened > 0 ? 1 - Math.abs(quantity) / opened : 0)));
  return part < LEAST_PART ? null : part;
}

/** Net PnL of a hedge (F11), USDT: price PnL and funding received less fees paid; `null` where a part is unknown. */
export function netPnl(
  price: readonly (number | null)[],
  { funding, fees }: { funding: number; fees: number },
): number | null {
  return price.reduce((net, part) => (net === null || part === null ? null : net + part), funding - fees);
}

/** Net exposure (F10) over two signed values, USDT, and its share of the gross; `null` when nothing is held. */
export function neutralityOf(longValue: number, shortValue: number): number | null {
  const gross = Math.abs(longValue) + Math.abs(shortValue);
  return gross === 0 ? null : (longValue + shortValue) / gross;
}

/** What a deal holds of a coin at its mark, USDT with its sign; `null` without a mark. */
interface CoinValue {
  coin: string;
  dealId: string;
  value: number | null;
}

/** Net exposure (F10) by coin, the largest first and what is unknown before that, with the deals that the coin is in. */
export function nettedByCoin(values: readonly CoinValue[]) {
  const coins = new Map<string, { net: number | null; deals: Set<string> }>();
  for (const { coin, dealId, value } of values) {
    const { net, deals } = coins.get(coin) ?? { net: 0, deals: new Set<string>() };
    coins.set(coin, { net: net === null || value === null ? null : net + value, deals: deals.add(dealId) });
  }
  const size = (net: number | null) => (net === null ? Number.POSITIVE_INFINITY : Math.abs(net));
  return [...coins]
    .map(([coin, { net, deals }]) => ({ coin, net, hedges: deals.size }))
    .toSorted((a, b) => (size(a.net) === size(b.net) ? 0 : size(b.net) - size(a.net)) || (a.coin < b.coin ? -1 : 1));
}

/**
 * How far the legs are from the ratio aimed at, as a signed share of the gross: positive when the long leg is too
 * large. `ratio` is short notional per long notional.
 */
export function driftOf(longValue: number, shortValue: number, ratio: number): number | null {
  const gross = Math.abs(longValue) + Math.abs(shortValue);
  if (gross === 0) return null;
  // The long notional that would fit the gross at this ratio.
  const fitting = gross / (1 + ratio);
  return (Math.abs(longValue) - fitting) / gross;
}

/** Drift that is called unbalanced where no rebalance rule says otherwise: a share of the gross. */
const USUAL_REBALANCE = 0.05;

/** Whether a drift (`driftOf`) is beyond what the rebalance rule allows; an unknown drift is not. */
export const isUnbalanced = (drift: number | null, rebalance: number | null): boolean =>
  drift !== null && Math.abs(drift) > (rebalance ?? USUAL_REBALANCE);

/** Return on the gross notional at entry, the basis of stop and target, a fraction; `null` where nothing was opened. */
export const returnOnNotional = (net: number, notional: number): number | null =>
  notional > 0 ? net / notional : null;

/** How far a figure has come from 0 to a limit, and what is left; in the unit of both, `used` a fraction from 0 to 1. */
export interface Progress {
  limit: number;
  left: number;
  used: number;
}

/** @param limit not 0; a negative one is neared by a figure that falls. */
export function progressTo(figure: number, limit: number): Progress {
  const left = limit > 0 ? limit - figure : figure - limit;
  return { limit, left, used: Math.min(1, Math.max(0, figure / limit)) };
}

/** How far a figure that rises to a limit has come there from where it began. */
export function progressBetween(start: number, figure: number, limit: number): Progress {
  const used = limit > start ? (figure - start) / (limit - start) : 1;
  return { limit, left: limit - figure, used: Math.min(1, Math.max(0, used)) };
}

/** Return on the margin (F12), a fraction; `null` without capital. */
export function returnOnCapital(net: number, notional: number, leverage: number): number | null {
  return notional > 0 && leverage > 0 ? net / (notional / leverage) : null;
}

/** What is tied up in a notional (F12), USDT: spot is paid in full, a derivative by its margin. */
export const capitalOfLeg = (notional: number, isSpot: boolean, leverage: number): number =>
  isSpot ? notional : notional / leverage;

/** What legs of one notional tie up together (F12), a multiple of it. @param areSpot a leg each */
export const capitalOfLegs = (areSpot: readonly boolean[], leverage: number): number =>
  areSpot.reduce((sum, isSpot) => sum + capitalOfLeg(1, isSpot, leverage), 0);

/**
 * Ratio of the prices (long / short) at which a hedge entered at `ratio` nets `net` USDT, with the short coin's price
 * unmoved and no funding: R = ratio x (1 + (net + costs) / notional), costs = fees and slippage of the entry, notional =
 * the long side's, USDT. `null` where no price does it.
 */
export function ratioAtNet(ratio: number, net: number, costs: number, notional: number): number | null {
  const at = ratio * (1 + (net + costs) / notional);
  return Number.isFinite(at) && at > 0 ? at : null;
}

/** ROI a year (F12); `null` under 30 days. */
export function annualisedReturn(roi: number | null, heldMs: number): number | null {
  if (roi === null || heldMs < YEARLY_FROM_MS) return null;
  return (roi * 365 * DAY_MS) / heldMs;
}

/** Liquidation distance (F23) = |mark - liq| / mark. */
export const liquidationDistance = (mark: number, liquidation: number): number => Math.abs(mark - liquidation) / mark;
