import type { HedgeSettings } from '#contract/hedgeConfig';

/** A character of the demo: how it trades, and which pairs. `days` counts back from today to its first. */
export interface Character {
  name: string;
  /** Makes an account nobody can sign in to; the others are demo accounts. */
  invented: boolean;
  days: number;
  settings: Partial<HedgeSettings>;
  pairs: readonly (readonly [long: string, short: string])[];
  /** Arms its pairs again every so many days: what a trader would do by hand. */
  armsEveryDays: number | null;
}

/** Five habits, so that the statistics have something to tell apart. */
export const CAST: readonly Character[] = [
  {
    name: 'trader',
    invented: false,
    days: 60,
    settings: { legNotional: 5000, leverage: 3, maxHedges: 4, stopLoss: 0.04, takeProfit: 0.05, maxHoldingHours: 120 },
    pairs: [
      ['SOLUSDT', 'ADAUSDT'],
      ['LINKUSDT', 'DOTUSDT'],
      ['AAVEUSDT', 'UNIUSDT'],
      ['DOGEUSDT', 'SHIBUSDT'],
    ],
    armsEveryDays: 6,
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
      stopLoss: 0.06,
      takeProfit: null,
      ratio: 'volatility',
      maxHoldingHours: 240,
    },
    pairs: [
      ['ETHUSDT', 'BTCUSDT'],
      ['AVAXUSDT', 'SOLUSDT'],
      ['ARBUSDT', 'OPUSDT'],
      ['LTCUSDT', 'BCHUSDT'],
      ['UNIUSDT', 'AAVEUSDT'],
    ],
    armsEveryDays: null,
  },
  {
    name: 'master',
    invented: false,
    days: 40,
    settings: {
      legNotional: 10_000,
      leverage: 3,
      entry: 'z',
      entryZ: 2,
      exitZ: 0.5,
      ratio: 'beta',
      takeProfit: 0.06,
      orderType: 'maker',
      maxHoldingHours: 336,
    },
    pairs: [
      ['BNBUSDT', 'ETHUSDT'],
      ['DOTUSDT', 'LINKUSDT'],
      ['NEARUSDT', 'AVAXUSDT'],
    ],
    armsEveryDays: null,
  },
  {
    name: '林晓',
    invented: true,
    days: 60,
    settings: { legNotional: 3000, leverage: 5, maxHedges: 3, stopLoss: 0.03, takeProfit: 0.03, maxHoldingHours: 72 },
    pairs: [
      ['ADAUSDT', 'XRPUSDT'],
      ['OPUSDT', 'ARBUSDT'],
      ['APTUSDT', 'SUIUSDT'],
    ],
    armsEveryDays: 4,
  },
  {
    name: '周航',
    invented: true,
    days: 30,
    settings: {
      legNotional: 15_000,
      leverage: 8,
      maxHedges: 3,
      stopLoss: 0.02,
      takeProfit: 0.1,
      dailyLossLimit: null,
      maxHoldingHours: 96,
    },
    pairs: [
      ['PEPEUSDT', 'DOGEUSDT'],
      ['SUIUSDT', 'APTUSDT'],
    ],
    armsEveryDays: 3,
  },
];
