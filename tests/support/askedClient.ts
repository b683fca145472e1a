import type { Exchange } from 'ccxt';
import type { Wallet } from '../standin/core/account';
import type { ApiKey } from '../standin/core/keys';
import { type DialectName, type StandIn, startStandIn } from '../standin/standIn';

/** Nothing takes as long that is answered at all. */
export const PATIENT_MS = 60_000;

/** The name of what a client throws, and its text. */
export const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => ({ name: 'nothing', text: '' }),
    (error: Error) => ({ name: error.name, text: error.message }),
  );

/** What becomes of what is asked while a client waits for answers no longer than this. */
export async function hurried<T>(client: Pick<Exchange, 'timeout'>, ask: () => Promise<T>): Promise<T> {
  client.timeout = 300;
  try {
    return await ask();
  } finally {
    client.timeout = PATIENT_MS;
  }
}

/** The best prices of a symbol. */
export async function best(client: Pick<Exchange, 'fetchOrderBook'>, symbol: string) {
  const { bids, asks } = await client.fetchOrderBook(symbol, 5);
  return { bid: bids[0]![0]!, ask: asks[0]![0]! };
}

/** A customer of a stand-in with 50,000 USDT in wallets, and a client that has a key of theirs. */
export async function customerAt<C>(
  name: DialectName,
  clock: () => number,
  clientOf: (standIn: StandIn, key: ApiKey) => Promise<C>,
  wallets: readonly Wallet[] = ['spot'],
) {
  const standIn = await startStandIn({ dialects: [name], clock });
  const exchange = standIn.exchange(name);
  const account = exchange.trading.account('owner');
  for (const wallet of wallets) account.deposit(wallet, 'USDT', 50_000);
  const words = { key: 'owner-key', secret: 'owner-secret', passphrase: 'owner-word', account: 'owner' };
  const key = exchange.keys.add(words);
  return { standIn, exchange, account, key, client: await clientOf(standIn, key) };
}
