import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { ROOT } from './projectFiles';

/** First routes by what their scripts may weigh, kB of brotli. */
export const PAGES = [
  { name: 'login', path: '/login', budgetKb: 240, who: 'visitor' },
  { name: 'list', path: '/indicator/hedge', budgetKb: 580, who: 'master' },
  { name: 'orders', path: '/strategy/order', budgetKb: 580, who: 'master' },
  { name: 'desk', path: '/strategy/hedge', budgetKb: 600, who: 'trader' },
  { name: 'chart', path: '/indicator/symbol/detail/BTCUSDT', budgetKb: 480, who: 'master' },
  { name: 'backtest', path: '/test/hedge?long=BTCUSDT&short=ETHUSDT', budgetKb: 480, who: 'master' },
  { name: 'spread', path: '/strategy/spread', budgetKb: 620, who: 'master' },
  { name: 'fundingRate', path: '/strategy/fundingRate', budgetKb: 620, who: 'master' },
  { name: 'cexRate', path: '/strategy/cexRate', budgetKb: 620, who: 'master' },
  { name: 'okx', path: '/strategy/okx', budgetKb: 620, who: 'master' },
  { name: 'grid', path: '/strategy/grid', budgetKb: 620, who: 'master' },
  { name: 'overview', path: '/strategy/overview', budgetKb: 620, who: 'master' },
] as const;

const KB = 1000;

/** Addresses of the scripts and style sheets that a visit takes, also from the cache, before the page falls silent. */
export async function loadedBy(context: BrowserContext, url: string): Promise<string[]> {
  const page = await context.newPage();
  const loaded = new Set<string>();
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname) && response.ok()) loaded.add(response.url());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForTimeout(1500);
  await page.close();
  return [...loaded];
}

/** What these files of a kind weigh as they are sent, kB; one too small to gain by compression goes out as it is. */
export function weightOf(loaded: readonly string[], kind: 'js' | 'css', encoding: 'brotli' | 'gzip'): number {
  const suffix = encoding === 'brotli' ? '.br' : '.gz';
  const bytes = loaded
    .map((url) => new URL(url).pathname)
    .filter((name) => name.endsWith(`.${kind}`))
    .map((name) => path.join(ROOT, 'dist/console', name))
    .reduce((sum, file) => sum + statSync(existsSync(file + suffix) ? file + suffix : file).size, 0);
  return bytes / KB;
}
