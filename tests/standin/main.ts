import { LIVE_EXCHANGES, ORDER_EXCHANGES } from '#contract/candle';
import { DIALECT_NAMES, startStandIn } from './standIn';

/** What customers have where orders are taken, and the word that is said beside a key. */
const CUSTOMERS = {
  binance: { wallets: ['spot', 'derivatives'], words: '现货与合约各 20,000 USDT', passphrase: '' },
  gate: { wallets: ['spot', 'derivatives'], words: '现货与合约各 20,000 USDT', passphrase: '' },
  okx: { wallets: ['spot'], words: '20,000 USDT', passphrase: 'stand-in-word' },
  bybit: { wallets: ['spot'], words: '20,000 USDT', passphrase: '' },
} as const;

/** `npm run standin [-- PORT]`: exchanges that stand in for the real ones, until it is stopped. */
const { url, exchange } = await startStandIn({ coins: 'all', port: Number(process.argv[2] ?? 4600) });
const followed = (names: readonly string[]): string =>
  [`EXCHANGES=${names.join()}`, ...names.map((name) => `EXCHANGE_URL_${name.toUpperCase()}=${url}`)].join(' ');

console.log(`替身交易所：${url}`);
for (const name of ORDER_EXCHANGES) {
  const { trading, keys } = exchange(name);
  const { wallets, words, passphrase } = CUSTOMERS[name];
  for (const wallet of wallets) trading.account('customer').deposit(wallet, 'USDT', 20_000);
  const addresses = ['127.0.0.1'];
  const key = { key: 'stand-in-key', secret: 'stand-in-secret', passphrase, account: 'customer', addresses };
  keys.add(key);
  const said = [`API Key ${key.key}`, `Secret ${key.secret}`, ...(passphrase ? [`Passphrase ${passphrase}`] : [])];
  console.log(`${LIVE_EXCHANGES[name]}的账户：${words}，${said.join('，')}`);
}
console.log('跟踪四家的行情，模拟交易：');
console.log(`${followed(DIALECT_NAMES)} npm start`);
console.log(`在${ORDER_EXCHANGES.map((name) => LIVE_EXCHANGES[name]).join('、')}试用实盘：`);
console.log(`TRADING=live DEMO=0 ${followed(ORDER_EXCHANGES)} npm start`);
