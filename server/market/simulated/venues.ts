import { SIMULATED_SOURCES, type SimulatedSource } from '#contract/candle';

/** What one simulated venue is like. Fees are fractions of the notional. */
export interface VenueSpec {
  source: SimulatedSource;
  /** Part of the coins that are not among the largest it lists. */
  listedShare: number;
  /** Part of the main venue's size at the touch and of its trading, from coin to coin. */
  depth: readonly [from: number, to: number];
  /** Half-spreads, times those of the main venue. */
  spread: number;
  spotFee: { maker: number; taker: number };
  derivativeFee: { maker: number; taker: number };
  deliveryFee: number;
  /** How long half of the orders are under way at most, ms. */
  latencyMs: number;
}

const LIKE: Record<SimulatedSource, Omit<VenueSpec, 'source'>> = {
  simulated: {
    listedShare: 1,
    depth: [1, 1],
    spread: 1,
    spotFee: { maker: 0.001, taker: 0.001 },
    derivativeFee: { maker: 0.0002, taker: 0.0005 },
    deliveryFee: 0.00015,
    latencyMs: 40,
  },
  'simulated-okx': {
    listedShare: 0.8,
    depth: [0.4, 0.6],
    spread: 1.2,
    spotFee: { maker: 0.0008, taker: 0.001 },
    derivativeFee: { maker: 0.0002, taker: 0.0005 },
    deliveryFee: 0.0001,
    latencyMs: 60,
  },
  'simulated-bybit': {
    listedShare: 0.85,
    depth: [0.3, 0.5],
    spread: 1.4,
    spotFee: { maker: 0.001, taker: 0.001 },
    derivativeFee: { maker: 0.0002, taker: 0.00055 },
    deliveryFee: 0.0005,
    latencyMs: 80,
  },
};

/**
 * Part of a venue's fees that an account of each tier pays, the lowest tier first: that of the paper accounts. The three
 * venues grade alike.
 */
export const FEE_TIERS: readonly { name: string; share: number }[] = [
  { name: 'VIP 0', share: 1 },
  { name: 'VIP 1', share: 0.8 },
  { name: 'VIP 2', share: 0.7 },
];

/** The three venues, the main one first. */
export const VENUES: readonly VenueSpec[] = SIMULATED_SOURCES.map((source) => ({ source, ...LIKE[source] }));
