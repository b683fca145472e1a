import { HOUR_MS } from '#contract/duration';
import { START } from './app';
import { type HandCoin, handMarket, handMarkets } from './handMarket';

const BARS = 240;
const TERMS = { tickSize: '0.01', lotSize: '0.001', minNotional: '5', maxLeverage: 20, fundingHours: 8 };

/** A coin that goes up and down around a price, by the hour and by the day. */
function coinOf(price: number, turn: number): HandCoin {
  const closes = (ms: number) =>
    Array.from({ length: BARS }, (_, i) => price * (1 + 0.05 * Math.sin((i * turn * ms) / (50 * HOUR_MS))));
  return {
    start: START - BARS * 24 * HOUR_MS,
    closes: { '1d': closes(24 * HOUR_MS), '1h': closes(HOUR_MS) },
    instrument: TERMS,
    price: () => price,
    ticker: { turnover24h: 210e6, fundingRate: 0.0001 },
    funding: { time: [START - 8 * HOUR_MS, START], rate: [0.0001, 0.0002] },
  };
}

/** Two venues with the coins that records of tests are about. */
export const ownedMarkets = () => {
  const coins = { BTCUSDT: coinOf(90_000, 1), ETHUSDT: coinOf(3_000, 2), SOLUSDT: coinOf(150, 3) };
  return handMarkets(...['simulated', 'simulated-okx'].map((source) => handMarket(source, coins, () => START)));
};
