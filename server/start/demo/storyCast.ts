import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { ChosenPair } from '../../desk/pair/pairChoice';

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
  /** So many of the firmest cointegrated pairs, at each choice. */
  pairs: number;
  /** Buys what has run ahead instead of what has fallen behind. */
  chases: boolean;
  /** Arms its pairs again every so many days: what a trader would do by hand. */
  armsEveryDays: number | null;
  /** From so many days before today on it stays stopped once its daily limit has stopped it. */
  staysStoppedFor: number;
}

/** How far back the demo's past begins. */
export const STORY_DAYS = 60;

/** Runs strategies beside its hedges. */
export const OWNER = 'master';

/** Five habits, so that the statistics have something to tell apart. */
export const CAST: readonly Character[] = [
  {
    name: 'trader',
    invented: false,
    days: 60,
    settings: { legNotional: 5000, leverage: 3, maxHedges: 4, stopLoss: 0.06, takeProfit: 0.05, maxHoldingHours: 240 },
    accountLimit: 1000,
    pairs: 4,
    chases: false,
    armsEveryDays: 5,
    staysStoppedFor: 0,
  },
  {
    name: 'editor',
    invented: false,
    days: 55,
    settings: {
      legNotional: 8000,
      leverage: 2,
      entry: 'z',
      entryZ: 1.6,
      exitZ: 0.3,
      stopLoss: 0.12,
      takeProfit: null,
      ratio: 'volatility',
      dailyLossLimit: 2000,
      maxHoldingHours: 480,
    },
    accountLimit: 3000,
    pairs: 5,
    chases: false,
    armsEveryDays: null,
    staysStoppedFor: 0,
  },
  {
    name: 'master',
    invented: false,
    days: 50,
    settings: {
      legNotional: 10_000,
      leverage: 3,
      entry: 'z',
      entryZ: 1.2,
      exitZ: 0.2,
      stopLoss: 0.15,
      takeProfit: 0.06,
      ratio: 'beta',
      orderType: 'maker',
      dailyLossLimit: 2500,
      maxHoldingHours: 480,
    },
    accountLimit: 3000,
    pairs: 5,
    chases: false,
    armsEveryDays: null,
    staysStoppedFor: 0,
  },
  {
    // In and out at tight levels, always behind what has already happened: costs and reversion eat it up.
    name: '林晓',
    invented: true,
    days: 60,
    settings: { legNotional: 6000, leverage: 5, maxHedges: 4, stopLoss: 0.02, takeProfit: 0.015, maxHoldingHours: 48 },
    accountLimit: 1000,
    pairs: 4,
    chases: true,
    armsEveryDays: 2,
    staysStoppedFor: 0,
  },
  {
    // Far too large for what it may lose in a day.
    name: '周航',
    invented: true,
    days: 30,
    settings: {
      legNotional: 20_000,
      leverage: 8,
      maxHedges: 3,
      stopLoss: 0.08,
      takeProfit: 0.1,
      dailyLossLimit: null,
      maxHoldingHours: 240,
    },
    accountLimit: 300,
    pairs: 3,
    chases: false,
    armsEveryDays: 2,
    staysStoppedFor: 6,
  },
];

/** Accounts know nothing of each other, so that each part of the story is told for itself: strategies take as long as all other hedges. */
export const PARTS = {
  strategies: CAST.filter(({ name }) => name === OWNER),
  hedges: CAST.filter(({ name }) => name !== OWNER),
};

export type StoryPart = keyof typeof PARTS;

/** What a character would trade of the pairs that the market offers, by its habit alone. */
export function choiceOf(
  { pairs, chases }: Character,
  offered: readonly ChosenPair[],
): [long: string, short: string][] {
  return offered.slice(0, pairs).map(({ long, short }) => (chases ? [short, long] : [long, short]));
}
