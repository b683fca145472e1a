import type { LogLevel, LogStream } from '../base/http/log';
import type { Jobs } from '../base/jobs/jobs';
import type { DeskDeps } from '../desk/deps';
import type { RealAccounts } from '../people/apiKey/openReal';
import type { PeopleConfig, PeopleDeps } from '../people/deps';
import type { PublicMail } from '../people/notification/publicMail';
import type { PublicPost } from '../people/notification/publicPost';
import type { Publisher } from '../people/notification/publisher';
import type { Metrics } from './metrics';
import type { StreamHub } from './stream/streamHub';

/** What the app is told by its environment; `config.ts` reads it, tests write it. */
export interface AppConfig extends PeopleConfig {
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
export interface Deps extends DeskDeps, PeopleDeps {
  config: AppConfig;
  /** Where live events are published; a new one when it is not given. The app closes it. */
  hub?: StreamHub;
  /** Takes events that the readers of every server on the same database are to get; the hub's own when it is not given. */
  stream?: Publisher;
  /** Accounts that are traded for real; absent where this server trades on paper alone. */
  real?: RealAccounts;
  /** What is done later. */
  jobs: Jobs;
  /** Sends to the webhooks of users; over the public internet when it is not given. */
  post?: PublicPost;
  /** Sends mail for users by their own mail servers; over the public internet when it is not given. */
  mail?: PublicMail;
  /** Counted by the app, the engine and the venue; by the app alone when it is not given. */
  metrics?: Metrics;
  /** Whether the engine has not come to the end of a tick for so long that it cannot be relied on. */
  engineIsLate?: () => boolean;
  /** Whether the demo's past is still being traded. */
  preparing?: () => boolean;
  /** How far it is, while it is. */
  storyProgress?: () => Promise<{ day: number; days: number }>;
  /** Folder of the built console; without it only the API is served. */
  console?: string;
  /** Where log lines go; the standard output when it is not given. */
  log?: LogStream;
}
