import { IsSchema, type TSchema } from 'typebox';
import * as account from './account';
import * as apiKey from './apiKey';
import * as audit from './audit';
import * as backtest from './backtest';
import * as closeQuote from './closeQuote';
import * as envelope from './envelope';
import * as evaluate from './evaluate';
import * as flatten from './flatten';
import * as hedgeConfig from './kinds/hedge/config';
import * as hedge from './kinds/hedge/desk';
import * as market from './market';
import * as notification from './notification';
import * as opening from './opening';
import * as order from './order';
import * as pair from './pair';
import * as pause from './pause';
import * as pushChannel from './pushChannel';
import * as savedView from './savedView';
import * as search from './search';
import * as security from './security';
import * as service from './service';
import * as session from './session';
import * as sessionRow from './sessionRow';
import * as statistic from './statistic';
import * as stream from './stream';
import * as symbol from './symbol';
import * as targetHold from './targetHold';
import * as unguarded from './unguarded';
import * as user from './user';
import * as userAdmin from './userAdmin';

const files = [
  account,
  backtest,
  closeQuote,
  envelope,
  evaluate,
  hedge,
  hedgeConfig,
  market,
  order,
  pair,
  pushChannel,
  service,
  session,
];
const more = [
  apiKey,
  flatten,
  opening,
  security,
  statistic,
  stream,
  symbol,
  targetHold,
  unguarded,
  user,
  userAdmin,
  pause,
  sessionRow,
  audit,
  notification,
  savedView,
  search,
];

/** The shapes that have a name in the contract, by it. */
export const schemas: Record<string, TSchema> = Object.fromEntries(
  [...files, ...more].flatMap((file) =>
    Object.entries(file).filter(
      (entry): entry is [string, TSchema] => /^[A-Z][a-z]/.test(entry[0]) && IsSchema(entry[1]),
    ),
  ),
);
