import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { PairSuggestion } from '#contract/pair';

/** A character of the demo: how it trades. Which pairs, it chooses by what the market has shown until then. */
export interface Character {
  name: string;
  /** Makes an account nobody can sign in to; the others are demo accounts. */
  invented: boolean;
  /** Counts back from today to its first day. */
  days: number;
  settings: Partial<HedgeSettings>;
  /** USDT that its whole account may lose on a day: hedges are the larger part of it. */
  accountLimit: number;
  /** So many of the firmest pairs that pass the desk's test, at each choice. */
  pairs: number;
  /** From so many days before today on it stays stopped once its daily limit has stopped it. */
  staysStoppedFor: number;
}

/** How far back the demo's past begins. */
export const STORY_DAYS = 60;

/** Runs strategies beside its hedges. */
export const OWNER = 'master';

/** Goes in where a spread is wide and out where it has come back, never for the sake of a trade. */
const REVERTS = { entry: 'z', takeProfit: null } as const;

/** Five habits, so that the statistics have something to tell apart. */
export const CAST: readonly Character[] = [
  {
    name: 'trader',
    invented: false,
    days: 60,
    settings: {
      ...REVERTS,
      ...{ legNotional: 5000, leverage: 3, maxHedges: 4 },
      ...{ entryZ: 1.5, exitZ: 0.3, stopLoss: 0.04, maxHoldingHours: 240 },
    },
    accountLimit: 1000,
    pairs: 5,
    staysStoppedFor: 0,
  },
  {
    // Waits for more, holds it longer, at half the leverage.
    name: 'editor',
    invented: false,
    days: 55,
    settings: {
      ...REVERTS,
      ...{ legNotional: 8000, leverage: 2, ratio: 'volatility' },
      ...{ entryZ: 1.8, exitZ: 0, stopLoss: 0.05, dailyLossLimit: 1500, maxHoldingHours: 360 },
    },
    accountLimit: 2000,
    pairs: 6,
    staysStoppedFor: 0,
  },
  {
    name: OWNER,
    invented: false,
    days: 50,
    settings: {
      ...REVERTS,
      ...{ legNotional: 10_000, leverage: 3, ratio: 'beta', orderType: 'maker' },
      ...{ entryZ: 1.5, exitZ: 0.2, stopLoss: 0.05, dailyLossLimit: 2000, maxHoldingHours: 360 },
    },
    accountLimit: 3000,
    pairs: 6,
    staysStoppedFor: 0,
  },
  {
    // In early and out soon: more trades, each for less, so that costs weigh more.
    name: '林晓',
    invented: true,
    days: 60,
    settings: {
      ...REVERTS,
      ...{ legNotional: 6000, leverage: 3, maxHedges: 4 },
      ...{ entryZ: 1, exitZ: 0.5, stopLoss: 0.025, maxHoldingHours: 96 },
    },
    accountLimit: 800,
    pairs: 5,
    staysStoppedFor: 0,
  },
  {
    // Large positions under a limit of the day that a usual bad day reaches: what it has stopped waits until he has looked.
    name: '周航',
    invented: true,
    days: 30,
    settings: {
      ...REVERTS,
      ...{ legNotional: 20_000, leverage: 4, maxHedges: 3 },
      ...{ entryZ: 1.2, exitZ: 0.3, stopLoss: 0.03, dailyLossLimit: null, maxHoldingHours: 240 },
    },
    accountLimit: 300,
    pairs: 4,
    staysStoppedFor: 6,
  },
];

/** Accounts know nothing of each other, so that each part of the story is told for itself: strategies take as long as all other hedges. */
export const PARTS = {
  strategies: CAST.filter(({ name }) => name === OWNER),
  hedges: CAST.filter(({ name }) => name !== OWNER),
};

export type StoryPart = keyof typeof PARTS;

/** What a character trades of the pairs that the market offers. */
export const choiceOf = ({ pairs }: Character, offered: readonly PairSuggestion[]): [long: string, short: string][] =>
  offered.slice(0, pairs).map(({ long, short }) => [long, short]);
