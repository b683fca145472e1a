import { cexRateScan } from '#contract/kinds/cexRate/scan';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { gridScan } from '#contract/kinds/grid/scan';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { spreadScan } from '#contract/kinds/spread/scan';
import { SCAN_INTERVAL_MS } from '#contract/scan';
import { createSimulatedVenues } from '#server/market/simulated';
import { testApp } from '../support/app';
import { benchDatabase } from './benchDatabase';
import { crowdedMarkets } from './crowdedMarket';
import type { Figure } from './figure';

const COINS = 500;
const START = Date.UTC(2026, 0, 15, 6, 30);
const ROUNDS = 21;
const BUDGET_MS = 30;

/** What each scanner is read by. */
export const SCANNERS = {
  fundingRate: fundingScan.list,
  spread: spreadScan.list,
  cexRate: cexRateScan.list,
  okx: arbitrageScan.list,
  grid: gridScan.list,
};

const middle = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

/** Each scanner over 500 coins at three venues: a reading as the console asks, a second after the one before, and one that finds nothing worked out; ratios to the budget. */
export async function scanFigures(): Promise<Figure[]> {
  let now = START;
  const clock = () => now;
  const db = await benchDatabase();
  const server = await testApp({ db, clock, markets: crowdedMarkets(createSimulatedVenues({ clock }), COINS) });
  const cookie = await server.signIn('master', 'demo-master');
  const read = async (url: string): Promise<number> => {
    const began = performance.now();
    const { statusCode } = await server.app.inject({
      method: 'GET',
      url,
      headers: { host: 'localhost:8000', cookie },
      query: { pageSize: '50' },
    });
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    return performance.now() - began;
  };
  const figures: Figure[] = [];
  for (const [kind, { path }] of Object.entries(SCANNERS)) {
    const name = `scan.${kind}.${COINS}x3`;
    figures.push({ name: `${name}.first`, value: Math.round(await read(path)), unit: 'ms' });
    const polled: number[] = [];
    const afresh: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      now += 1_000;
      polled.push(await read(path));
      now += 10 * SCAN_INTERVAL_MS;
      afresh.push(await read(path));
    }
    for (const [when, times] of Object.entries({ polled, afresh })) {
      const value = Math.round(middle(times) * 10) / 10;
      figures.push({ name: `${name}.${when}.p50`, value, unit: 'ms', ratio: value / BUDGET_MS });
    }
  }
  await server.close();
  await db.close();
  return figures;
}
