import { isLiveSource } from '#contract/candle';
import { isCalled } from '../../market/coinNames';
import type { Instrument, WalletState } from '../../market/exchange';
import type { FundingPast } from '../../market/scan/fundingPast';
import type { PricesBefore } from '../../market/scan/replay';
import type { MarketSight, Quoted } from '../../market/scan/sight';

/** What a venue that does not say is taken for. */
const UNKNOWN = { canDeposit: true, canWithdraw: true };

/** A coin's perpetual at one venue. */
export interface VenueLeg {
  source: string;
  isOut: boolean;
  quoted: Quoted;
  /** Whether the coin and what it settles in can be moved in and out, as far as the venue says. */
  canMove: boolean;
}

/** The same, with what was settled of it. */
export interface SettledLeg extends VenueLeg {
  past: FundingPast;
  /** Where it stood before at the size of the plan; absent until it is read. */
  before?: PricesBefore | undefined;
}

/** A coin with its perpetuals of one market, in the order of the venues. */
export interface CoinLegs {
  /** The coin, and whether its prices are real. */
  id: string;
  base: string;
  legs: VenueLeg[];
}

/** Whether a coin and what its contract settles in can be moved in and out, as far as the venue says. */
export function canMoveAt(
  { base, settle }: Pick<Instrument, 'base' | 'settle'>,
  wallet: (asset: string) => WalletState | null,
): boolean {
  return [base, settle].every((asset) => {
    const { canDeposit, canWithdraw } = wallet(asset) ?? UNKNOWN;
    return canDeposit && canWithdraw;
  });
}

/** Every coin whose name has the word, by the venues that list its perpetual: real ones and simulated ones apart. */
export function namedCoins(sight: MarketSight, search?: string): CoinLegs[] {
  const coins = new Map<string, CoinLegs>();
  for (const { market, isOut, coins: listed, wallet } of sight.venues) {
    for (const { base, perpetual } of listed.values()) {
      if (perpetual === undefined || !isCalled(base, search)) continue;
      const id = isLiveSource(market.source) ? `${base} live` : base;
      const coin = coins.get(id) ?? { id, base, legs: [] };
      coins.set(id, coin);
      coin.legs.push({
        source: market.source,
        isOut,
        quoted: perpetual,
        canMove: canMoveAt(perpetual.instrument, wallet),
      });
    }
  }
  return [...coins.values()];
}

/** A coin at two venues. */
export interface RatePair {
  base: string;
  legs: readonly [VenueLeg, VenueLeg];
}

/** Every two venues of each coin once. */
export const ratePairs = (coins: readonly CoinLegs[]): RatePair[] =>
  coins.flatMap(({ base, legs }) =>
    legs.flatMap((one, i) => legs.slice(i + 1).map((other) => ({ base, legs: [one, other] as const }))),
  );
