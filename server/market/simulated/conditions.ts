import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { WalletState } from '../exchange';
import { bits, streamKey, uniform, wave } from './noise';
import type { VenueSpec } from './venues';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { exp, floor, log, max, round } = Math;

/** One outage in each stretch of 10.5 days, at most 1.75 days from its middle: from one to the next it is 7 to 14 days. */
const OUTAGE_EVERY_MS = 10.5 * DAY_MS;
const OUTAGE_SHIFT_MS = 1.75 * DAY_MS;
const OUTAGE_MS = [2 * MINUTE_MS, 20 * MINUTE_MS] as const;
const WALLET_MS = 6 * HOUR_MS;
const QUOTE = 'USDT';
const SHUT_SHARE = 0.015;
const TRANSFER_USDT = 1;
const TRANSFER_MINUTES = [2, 15] as const;
/** Chains of coins that have one of their own, and of USDT. */
const NETWORKS: Readonly<Record<string, string>> = {
  USDT: 'TRC20',
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  BNB: 'BSC',
  XRP: 'XRP Ledger',
  ADA: 'Cardano',
  DOGE: 'Dogecoin',
  TRX: 'Tron',
  AVAX: 'Avalanche C',
  DOT: 'Polkadot',
  LTC: 'Litecoin',
};
/** Shares of the orders that are faster than the instants that follow, ms. */
const SLOW_FROM = 0.95;
const SLOWEST = [
  [0.99, 800],
  [0.999, 3_000],
  [1, 9_000],
] as const;
const LATENCY_MS = 10;

/** A clock is put right every few hours, and wrong by more than a second once in a stretch. */
const DRIFT_MS = 40;
const DRIFTS_MS = 6 * HOUR_MS;
const SKEW_EVERY_MS = 7 * DAY_MS;
const SKEW_LASTS_MS = [20 * MINUTE_MS, 90 * MINUTE_MS] as const;
const SKEWED_MS = [1_200, 3_500] as const;
/** Far from the numbers that its drift is drawn from. */
const CLOCK_DRAWS = 1_000_000;

/** When the venue answers nobody, UTC ms; `until` excluded. */
export interface Outage {
  from: number;
  until: number;
}

/** How well one venue works, at any instant. */
export class Conditions {
  readonly #venue: VenueSpec;
  readonly #outageKey: number;
  readonly #latencyKey: number;
  readonly #clockKey: number;
  readonly #seed: number;

  constructor(seed: number, venue: VenueSpec) {
    this.#seed = seed;
    this.#venue = venue;
    this.#outageKey = streamKey(seed, `${venue.source}/outage`);
    this.#latencyKey = streamKey(seed, `${venue.source}/latency`);
    this.#clockKey = streamKey(seed, `${venue.source}/clock`);
  }

  /** The outage that an instant lies in. */
  outageAt(instant: number): Outage | null {
    const { from, until } = this.#outage(floor(instant / OUTAGE_EVERY_MS));
    return instant >= from && instant < until ? { from, until } : null;
  }

  /** How long an order is under way, ms. */
  latencyMs(instant: number): number {
    const draw = uniform(this.#latencyKey, floor(instant / LATENCY_MS));
    const usual = (share: number) => this.#venue.latencyMs * exp(0.22 * log(share / (1 - share)));
    if (draw <= SLOW_FROM) return round(usual(max(0.01, draw)));
    let [below, fast] = [SLOW_FROM, usual(SLOW_FROM)];
    for (const [share, ms] of SLOWEST) {
      if (draw <= share) return round(fast * (ms / fast) ** ((draw - below) / (share - below)));
      [below, fast] = [share, ms];
    }
    return fast;
  }

  /** How far the venue's clock is ahead of the true time, ms: some hundredths of a second, and now and then seconds until it is put right. */
  clockAheadMs(instant: number): number {
    const drift = round(DRIFT_MS * wave(this.#clockKey, instant / DRIFTS_MS));
    const stretch = floor(instant / SKEW_EVERY_MS);
    const drawn = (nth: number) => uniform(this.#clockKey, 4 * stretch + nth + CLOCK_DRAWS);
    const [shortest, longest] = SKEW_LASTS_MS;
    const lasts = shortest + (longest - shortest) * drawn(1);
    const from = stretch * SKEW_EVERY_MS + (SKEW_EVERY_MS - lasts) * drawn(0);
    if (instant < from || instant >= from + lasts) return drift;
    const [least, most] = SKEWED_MS;
    return drift + (drawn(3) < 0.5 ? -1 : 1) * round(least + (most - least) * drawn(2));
  }

  /** How an asset can be moved: shut for six hours now and then, but for USDT, which goes over several networks. */
  wallet(asset: string, instant: number): WalletState {
    const key = streamKey(this.#seed, `${this.#venue.source} ${asset}/wallet`);
    const stretch = 2 * floor(instant / WALLET_MS);
    const [fastest, slowest] = TRANSFER_MINUTES;
    const isOpen = (way: number) => asset === QUOTE || uniform(key, way) >= SHUT_SHARE;
    return {
      canDeposit: isOpen(stretch),
      canWithdraw: isOpen(stretch + 1),
      network: NETWORKS[asset] ?? 'ERC20',
      transferFee: TRANSFER_USDT,
      transferMinutes: fastest + (bits(key, -1) % (slowest - fastest + 1)),
    };
  }

  #outage(n: number): Outage {
    const [shortest, longest] = OUTAGE_MS;
    const middle = (n + 0.5) * OUTAGE_EVERY_MS;
    const from = round(middle + (2 * uniform(this.#outageKey, 2 * n) - 1) * OUTAGE_SHIFT_MS);
    return { from, until: from + round(shortest + (longest - shortest) * uniform(this.#outageKey, 2 * n + 1)) };
  }
}
