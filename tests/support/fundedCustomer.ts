import { startStandIn } from '../standin/standIn';
import { atEnd } from './atEnd';

/** A stand-in of binance until the tests of the file end, and a customer with money in both of its wallets, USDT. */
export async function fundedCustomer(clock: () => number) {
  const standIn = await startStandIn({ dialects: ['binance'], clock });
  atEnd(() => standIn.close());
  const exchange = standIn.exchange('binance');
  const customer = exchange.trading.account('owner');
  customer.deposit('derivatives', 'USDT', 20_000);
  customer.deposit('spot', 'USDT', 20_000);
  return { standIn, exchange, customer };
}
