import { startStandIn } from './standIn';

/** `npm run standin [-- PORT]`: exchanges that stand in for the real ones, until it is stopped. */
const { url } = await startStandIn({ port: Number(process.argv[2] ?? 4600) });
console.log(`替身交易所：${url}`);
console.log(`EXCHANGES=binance EXCHANGE_URL_BINANCE=${url} npm start`);
