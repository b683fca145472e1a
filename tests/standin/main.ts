import { DIALECT_NAMES, startStandIn } from './standIn';

/** `npm run standin [-- PORT]`: exchanges that stand in for the real ones, until it is stopped. */
const { url, exchange } = await startStandIn({ port: Number(process.argv[2] ?? 4600) });
const { trading, keys } = exchange('binance');
const customer = trading.account('customer');
for (const wallet of ['derivatives', 'spot'] as const) customer.deposit(wallet, 'USDT', 20_000);
const { key, secret } = keys.add({
  ...{ key: 'stand-in-key', secret: 'stand-in-secret', account: 'customer' },
  addresses: ['127.0.0.1'],
});

console.log(`替身交易所：${url}`);
console.log(`币安的账户：现货与合约各 20,000 USDT，API Key ${key}，Secret ${secret}`);
const urls = DIALECT_NAMES.map((name) => `EXCHANGE_URL_${name.toUpperCase()}=${url}`);
console.log('跟踪四家的行情，模拟交易：');
console.log(`EXCHANGES=${DIALECT_NAMES.join()} ${urls.join(' ')} npm start`);
console.log('在币安试用实盘：');
console.log(`TRADING=live DEMO=0 EXCHANGES=binance EXCHANGE_URL_BINANCE=${url} npm start`);
