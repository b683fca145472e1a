import type { Instrument } from '#server/market/exchange';
import type { Candle } from '../core/candles';
import type { Part } from './part';

/** Part of what is traded that takers buy: nobody knows it of the simulated market. */
const TAKERS_BUY = 0.5;
const TRADES = 60;

/** Figures of a candle that both forms have. */
function figures(part: Part, instrument: Instrument, candle: Candle) {
  const [open, high, low, close] = [candle.open, candle.high, candle.low, candle.close].map((value) =>
    part.price(value, instrument),
  );
  const turnover = (value: number) => value.toFixed(part.name === 'spot' ? 8 : 5);
  return {
    ...{ open, high, low, close },
    volume: part.quantity(candle.volume, instrument),
    turnover: turnover(candle.turnover),
    takerVolume: part.quantity(candle.volume * TAKERS_BUY, instrument),
    takerTurnover: turnover(candle.turnover * TAKERS_BUY),
  };
}

/** As REST answers it. */
export function klineRow(part: Part, instrument: Instrument, candle: Candle, lengthMs: number) {
  const { open, high, low, close, volume, turnover, takerVolume, takerTurnover } = figures(part, instrument, candle);
  const closes = candle.time + lengthMs - 1;
  return [candle.time, open, high, low, close, volume, closes, turnover, TRADES, takerVolume, takerTurnover, '0'];
}

/** As it is streamed. */
export function klineEvent(part: Part, instrument: Instrument, candle: Candle, interval: string, lengthMs: number) {
  const { open, high, low, close, volume, turnover, takerVolume, takerTurnover } = figures(part, instrument, candle);
  const now = part.exchange.now();
  const s = part.idOf(instrument.symbol);
  return {
    e: 'kline',
    E: now,
    s,
    k: {
      ...{ t: candle.time, T: candle.time + lengthMs - 1, s, i: interval, f: 0, L: 0 },
      ...{ o: open, c: close, h: high, l: low, v: volume, n: TRADES, x: false, q: turnover },
      ...{ V: takerVolume, Q: takerTurnover, B: '0' },
    },
  };
}
