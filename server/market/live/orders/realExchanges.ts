import type { OrderExchange } from '#contract/candle';
import { binanceExchange } from './binanceExchange';
import { bybitExchange } from './bybitExchange';
import { gateExchange } from './gateExchange';
import { okxExchange } from './okxExchange';
import type { RealExchange } from './realExchange';

/** Exchanges whose keys are asked about, and whose accounts can be traded for real. */
export const REAL_EXCHANGES: { [E in OrderExchange]: RealExchange<E> } = {
  binance: binanceExchange,
  okx: okxExchange,
  bybit: bybitExchange,
  gate: gateExchange,
};
