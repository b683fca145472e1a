import { randomUUID } from 'node:crypto';
import { type LiveExchange, liveSource } from '#contract/candle';
import type { Queries } from '../../base/db/client';
import type { Clock } from '../exchange';
import { type CandleCache, createCandleCache, ImportedMarket } from '../imported';
import type { Adapter } from './adapter';
import { binance } from './binance';
import { bybit } from './bybit';
import { COLLECTOR_TIMES, Collector, type CollectorTimes } from './collector';
import { gate } from './gate';
import { LiveFeed } from './liveFeed';
import { LiveMarket } from './liveMarket';
import { LIVE_TIMES, type LiveTimes } from './liveTimes';
import { okx } from './okx';

/** All exchanges that can be followed; of those that are not, nothing is loaded. */
const ADAPTERS: Readonly<Record<LiveExchange, Adapter>> = { binance, okx, bybit, gate };

interface LiveOptions {
  db: Queries;
  clock: Clock;
  exchanges: readonly LiveExchange[];
  /** Where to find an exchange instead of at its own address. */
  urls?: Readonly<Partial<Record<LiveExchange, string>>>;
  /** Whether test networks are followed in place of the exchanges. */
  isTestnet?: boolean;
  onTrouble: (what: string) => void;
  times?: Partial<LiveTimes>;
  collectorTimes?: Partial<CollectorTimes>;
  cache?: CandleCache;
}

/** The exchanges that are followed, and what starts and ends it. */
export interface Live {
  markets: readonly LiveMarket[];
  start(): void;
  stop(): Promise<void>;
}

export function createLive({ db, clock, exchanges, urls, isTestnet, onTrouble, ...chosen }: LiveOptions): Live {
  const times = { ...LIVE_TIMES, ...chosen.times };
  const cache = chosen.cache ?? createCandleCache();
  const holder = randomUUID();
  const followed = exchanges.map((name) => {
    const source = liveSource(name);
    const told = (what: string) => onTrouble(`${name} ${what}`);
    const feed = new LiveFeed({
      name,
      source,
      adapter: ADAPTERS[name],
      clock,
      times,
      place: { url: urls?.[name], isTestnet },
      onTrouble: told,
    });
    const past = new ImportedMarket(source, { db, clock, cache });
    const collectorTimes = { ...COLLECTOR_TIMES, ...chosen.collectorTimes };
    const collector = new Collector({ db, clock, feed, source, holder, times: collectorTimes, onTrouble: told });
    return { feed, collector, market: new LiveMarket({ feed, past, clock, times }) };
  });
  return {
    markets: followed.map(({ market }) => market),
    start() {
      for (const { feed, collector } of followed) {
        feed.start();
        collector.start();
      }
    },
    async stop() {
      await Promise.all(
        followed.map(async ({ feed, collector }) => {
          await Promise.all([feed.stop(), collector.stop()]);
        }),
      );
    },
  };
}
