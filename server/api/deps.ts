import type { Environment } from '#contract/service';
import type { Database } from '../base/db/client';
import type { LogLevel, LogStream } from '../base/http/log';
import type { Jobs } from '../base/jobs/jobs';
import type { Vault } from '../base/secret/vault';
import type { Desk } from '../engine/desk';
import type { PairModels } from '../engine/pairModel';
import type { Clock, Markets } from '../market/exchange';
import type { KeyCheck } from '../market/keyCheck';
import type { PaperVenue } from '../market/venue';
import type { PublicPost } from '../people/notification/publicPost';
import type { Metrics } from './metrics';
import type { Publisher, StreamHub } from './stream/streamHub';

/** What the app is told by its environment; `config.ts` reads it, tests write it. */
export interface AppConfig {
  environment: Omit<Environment, 'preparing' | 'registration'>;
  /** Host names beside the loopback ones that the `Host` header may carry. */
  allowedHosts: string[];
  /** Addresses of proxies whose `X-Forwarded-*` headers are believed. */
  trustedProxy: string[];
  version: string;
  /** Within how many milliseconds a request must have arrived in full; 30,000 unless told. */
  requestMs?: number;
  logLevel: LogLevel;
  /** Who says it may read the metrics; masters may without it. */
  metricsToken?: string;
}

/** Everything the routes use. */
export interface Deps {
  db: Database;
  clock: Clock;
  markets: Markets;
  /** Waits so many milliseconds; by the real time unless told. */
  pause?: (ms: number) => Promise<unknown>;
  /** Takes up what calls ask of the engine. */
  desk: Desk;
  venue: PaperVenue;
  pairModels: PairModels;
  /** Keeps what of users' keys only the server may read. */
  vault: Vault;
  /** Asks exchanges about users' keys; null while no exchange is connected. */
  keyCheck: KeyCheck | null;
  /** Where live events are published; a new one when it is not given. The app closes it. */
  hub?: StreamHub;
  /** Takes events that the readers of every server on the same database are to get; the hub's own when it is not given. */
  stream?: Publisher;
  /** What is done later. */
  jobs: Jobs;
  /** Sends to the webhooks of users; over the public internet when it is not given. */
  post?: PublicPost;
  /** Counted by the app, the engine and the venue; by the app alone when it is not given. */
  metrics?: Metrics;
  /** Whether the engine has not come to the end of a tick for so long that it cannot be relied on. */
  engineIsLate?: () => boolean;
  /** Whether the demo's past is still being traded. */
  preparing?: () => boolean;
  config: AppConfig;
  /** Folder of the built console; without it only the API is served. */
  console?: string;
  /** Where log lines go; the standard output when it is not given. */
  log?: LogStream;
}
