import type { KeyReport, KeyRight } from '#contract/apiKey';
import type { LiveExchange } from '#contract/candle';

/** What an exchange is asked with. Never to be logged, stored in the clear or answered. */
export interface KeyCredentials {
  exchange: LiveExchange;
  key: string;
  secret: string;
  passphrase: string | null;
  subAccount: string | null;
}

/** What an exchange says of a key; the times are the caller's. */
export type KeyAnswer = Omit<KeyReport, 'at' | 'simulated' | 'findings'>;

/** What an exchange says apart of each. */
export const rightsIn = (has: Record<KeyRight, boolean>): KeyRight[] =>
  (Object.keys(has) as KeyRight[]).filter((right) => has[right]);

/** An answer without facts. */
export const NOTHING_SAID = {
  rights: null,
  accountType: null,
  uid: null,
  ipRestricted: null,
  ipList: null,
  expiresAt: null,
  positionMode: null,
  marginMode: null,
  cancelsForGone: null,
  skewMs: null,
  latencyMs: null,
  weightUsed: null,
  feeTier: null,
  makerFee: null,
  takerFee: null,
  multiAsset: null,
  equity: null,
} satisfies Partial<KeyAnswer>;

/** Where money of an account lies: `unified` is one wallet of what is traded everywhere. */
export type KeyWallet = 'usdm' | 'spot' | 'unified';

/** What the account of a key holds, by its exchange; decimals. */
export interface KeyHoldings {
  outcome: 'accepted';
  /** Whether the totals are in USD, of all assets that count as margin; else in USDT. */
  multiAsset: boolean;
  /** Of contracts. */
  equity: string;
  available: string;
  initialMargin: string;
  maintenanceMargin: string;
  balances: { wallet: KeyWallet; asset: string; total: string; free: string }[];
  /** Quantities are signed, base currency; never zero. */
  positions: {
    symbol: string;
    quantity: string;
    entryPrice: string;
    markPrice: string;
    /** null where there is none. */
    liquidationPrice: string | null;
    unrealised: string;
    /** Notional for each unit of margin that it holds; absent where the exchange does not tell it. */
    leverage?: number | undefined;
  }[];
}

/** Why an exchange said nothing of it. */
export interface KeySilence {
  outcome: Exclude<KeyAnswer['outcome'], 'accepted'>;
  reason: string;
}

/** Asks exchanges about keys. It only reads: nothing is traded or moved. */
export interface KeyCheck {
  /** Whether the answers are made up. */
  readonly simulated: boolean;
  /** Whether keys are of test networks, where money is not real. */
  readonly isTestnet: boolean;
  /** The address by which the exchanges see us; null where nobody knows. */
  readonly outboundIp: string | null;
  /** Keys that show what an answer can look like, where answers are made up: the key's text, and what comes of it. */
  readonly examples: readonly { key: string; effect: string }[];
  /** An exchange that refuses, or is away, is an answer. @param now UTC ms. */
  check(credentials: KeyCredentials, now: number): Promise<KeyAnswer>;
  /** What the account of a key holds. That nothing is said is never an account that is empty. */
  holdings(credentials: KeyCredentials, now: number): Promise<KeyHoldings | KeySilence>;
}
