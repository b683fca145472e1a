import type { OrderExchange } from '#contract/candle';
import { startStandIn } from '../standin/standIn';
import { atEnd } from './atEnd';

/** A stand-in of an exchange until the tests of the file end, and a customer with money, USDT, in both wallets where there are two. */
export async function fundedCustomer(clock: () => number, name: OrderExchange = 'binance') {
  const standIn = await startStandIn({ dialects: [name], clock });
  atEnd(() => standIn.close());
  const exchange = standIn.exchange(name);
  const customer = exchange.trading.account('owner');
  customer.deposit('derivatives', 'USDT', 20_000);
  customer.deposit('spot', 'USDT', 20_000);
  return { standIn, exchange, customer };
}
