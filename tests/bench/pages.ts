import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.mjs';
import { ROOT } from '../support/projectFiles';
import { startServer } from '../support/serverProcess';
import type { Figure } from './figure';

const PAGES = [
  { name: 'login', path: '/login', budgetKb: 240, signedIn: false },
  { name: 'list', path: '/indicator/hedge', budgetKb: 600, signedIn: true },
  { name: 'chart', path: '/indicator/symbol/detail/BTCUSDT', budgetKb: 480, signedIn: true },
  { name: 'backtest', path: '/test/hedge?long=BTCUSDT&short=ETHUSDT', budgetKb: 480, signedIn: true },
] as const;

const KB = 1000;

/** Bytes of a file as it is sent; one too small to gain by compression goes out as it is. */
function sizeOf(url: string, suffix: string): number {
  const file = path.join(ROOT, 'dist/console', new URL(url).pathname);
  return statSync(existsSync(file + suffix) ? file + suffix : file).size;
}

/** Addresses of the scripts and style sheets that a cold visit loads before the page falls silent. */
async function loadedBy(context: BrowserContext, url: string): Promise<string[]> {
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

async function contextFor(browser: Browser, server: string, signedIn: boolean): Promise<BrowserContext> {
  const context = await browser.newContext();
  if (!signedIn) return context;
  await context.request.post(`${server}/api/login`, {
    data: { username: 'master', password: 'demo-master' },
    headers: { origin: server },
  });
  return context;
}

/** Bytes of JavaScript and CSS, gzip and brotli, that the first visit of each kind of page loads. */
export async function pageFigures(): Promise<Figure[]> {
  const server = await startServer({ built: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  const figures: Figure[] = [];
  try {
    for (const { name, path: route, budgetKb, signedIn } of PAGES) {
      const context = await contextFor(browser, server.url, signedIn);
      const loaded = await loadedBy(context, server.url + route);
      await context.close();
      for (const kind of ['js', 'css']) {
        const files = loaded.filter((url) => new URL(url).pathname.endsWith(`.${kind}`));
        for (const [encoding, suffix] of [
          ['brotli', '.br'],
          ['gzip', '.gz'],
        ] as const) {
          const kb = files.reduce((sum, url) => sum + sizeOf(url, suffix), 0) / KB;
          const isBudget = kind === 'js' && encoding === 'brotli';
          figures.push({
            name: `page ${name}: ${kind} ${encoding}`,
            value: Math.round(kb * 10) / 10,
            unit: 'kB',
            ...(isBudget ? { ratio: Math.round((kb / budgetKb) * 1000) / 1000 } : {}),
          });
        }
      }
    }
  } finally {
    await browser.close();
    await server.kill('SIGTERM');
  }
  return figures;
}
