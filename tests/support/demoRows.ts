import type { BrowserContext } from 'playwright-core';
import { apiKey } from '#contract/apiKey';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { DEFAULT_OKX } from '#contract/kinds/okx/params';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { PAIR_WARNINGS } from '#contract/pair';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { userAdmin } from '#contract/userAdmin';
import { codeOf, termsAt } from '#server/market/simulated/quarters';
import type { openProduct } from './browser';

/** The quarter that is traded for some months yet. */
const [, quarter] = termsAt(Date.now());

/** One strategy of every kind that a master may create. */
const STRATEGIES: [StrategyKind, params: object][] = [
  ['fundingRate', { ...DEFAULT_FUNDING, coins: ['XLM'] }],
  ['spread', { ...DEFAULT_SPREAD, near: 'BTCUSDT', far: `BTCUSDT_${codeOf(quarter)}` }],
  ['cexRate', { ...DEFAULT_CEX_RATE, coins: ['POL'] }],
  ['okx', { ...DEFAULT_OKX, coins: ['GRASS'], stockNotional: null }],
  ['grid', { ...DEFAULT_GRID, symbol: 'BTCUSDT', lower: 40_000, upper: 200_000, cells: 20 }],
];

type Write = Awaited<ReturnType<typeof openProduct>>['write'];

/** Gives the lists of a demo that has no past something to show: a hedge, a strategy of each kind, keys, a user. */
export async function makeRows(write: Write, master: BrowserContext, trader: BrowserContext): Promise<void> {
  await write(trader, hedgeConfig.create, DEFAULT_SETTINGS);
  const { pairId } = await write(trader, hedgeConfig.addPair, {
    long: 'SOLUSDT',
    short: 'ADAUSDT',
    accepts: [...PAIR_WARNINGS],
  });
  await write(trader, hedgeConfig.addPair, { long: 'ETHUSDT', short: 'BNBUSDT', arm: false });
  await write(trader, hedgeConfig.enable, { open: [pairId] });
  await write(master, userAdmin.create, { username: '新来的', role: 'user' });
  const typed = { exchange: 'binance', secret: 'demo-secret' } as const;
  await write(master, apiKey.create, { ...typed, name: '只读', key: 'demo-read-0001' });
  await write(master, apiKey.create, { ...typed, name: '没有白名单', key: 'demo-open-0001' });
  for (const [kind, params] of STRATEGIES) {
    const { id } = await write(master, strategies.create, { kind, name: `${kind} 1`, mode: 'paper', params });
    await write(master, strategies.start, { id });
  }
}
