import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '#contract/duration';
import { temporaryFolder } from './temporaryFolder';

const START = Date.UTC(2025, 0, 1);

/** A price that wanders by itself but never at random: phase and drift tell the coins apart. */
const closeOf = (day: number, coin: number) =>
  100 * Math.exp(0.002 * (coin - 1) * day + 0.05 * Math.sin(day / 7 + coin) + 0.02 * Math.cos(day * (coin + 1)));

/**
 * Writes daily candles of made-up coins, one CSV each, into a new folder named for an exchange, with
 * one duplicated day and one row of nonsense, as real files have them.
 */
export function writeCandleFiles(symbols: string[], days = 120): string {
  const folder = path.join(temporaryFolder(), 'okx-perp-1d');
  mkdirSync(folder);
  for (const [coin, symbol] of symbols.entries()) {
    const rows = Array.from({ length: days }, (_, day) => {
      const [open, close] = [closeOf(day - 1, coin), closeOf(day, coin)];
      const [high, low] = [Math.max(open, close) * 1.01, Math.min(open, close) * 0.99];
      return [START + day * DAY_MS, open, high, low, close, 1000 + coin, (1000 + coin) * close].join(',');
    });
    const dirt = [rows.at(-1), `${START + days * DAY_MS},1,x,1,1,1,1`];
    const text = ['timestamp,open,high,low,close,volume,turnover', ...rows, ...dirt].join('\n');
    writeFileSync(path.join(folder, `${symbol}.csv`), text);
  }
  return folder;
}
