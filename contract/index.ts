import { account } from './account';
import { apiKey } from './apiKey';
import { audit } from './audit';
import { backtest } from './backtest';
import { dataSource } from './dataSource';
import type { Endpoint } from './endpoint';
import { evaluate } from './evaluate';
import { flatten, intervention } from './flatten';
import { job } from './job';
import { hedgeConfig } from './kinds/hedge/config';
import { hedge } from './kinds/hedge/desk';
import { market } from './market';
import { notification } from './notification';
import { opening } from './opening';
import { order } from './order';
import { pair } from './pair';
import { password } from './password';
import { pushChannel } from './pushChannel';
import { savedView } from './savedView';
import { scanPast } from './scanPast';
import { search } from './search';
import { secondFactor } from './secondFactor';
import { security } from './security';
import { service } from './service';
import { session } from './session';
import { star } from './star';
import { statistic } from './statistic';
import { strategies } from './strategies';
import { KIND_RESOURCES } from './strategy';
import { strategyOverview } from './strategyOverview';
import { stream } from './stream';
import { symbol } from './symbol';
import { unread } from './unread';
import { user } from './user';
import { userAdmin } from './userAdmin';
import { venueAccount } from './venueAccount';

/** Every resource of the API. The server must serve each endpoint; boot fails on one without a right. */
export const contract = {
  service,
  session,
  user,
  password,
  secondFactor,
  security,
  userAdmin,
  audit,
  job,
  apiKey,
  market,
  dataSource,
  scanPast,
  evaluate,
  pair,
  symbol,
  backtest,
  account,
  venueAccount,
  hedgeConfig,
  hedge,
  flatten,
  intervention,
  strategies,
  strategyOverview,
  opening,
  ...KIND_RESOURCES,
  order,
  statistic,
  stream,
  notification,
  pushChannel,
  unread,
  savedView,
  star,
  search,
} as const;

/** All endpoints, for the document, the boot check and the house tests. */
export const endpoints: Endpoint[] = Object.values(contract).flatMap(
  (resource) => Object.values(resource) as unknown as Endpoint[],
);
