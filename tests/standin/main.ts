import { DIALECT_NAMES, startStandIn } from './standIn';

/** `npm run standin [-- PORT]`: exchanges that stand in for the real ones, until it is stopped. */
const { url } = await startStandIn({ port: Number(process.argv[2] ?? 4600) });
console.log(`替身交易所：${url}`);
const urls = DIALECT_NAMES.map((name) => `EXCHANGE_URL_${name.toUpperCase()}=${url}`);
console.log(`EXCHANGES=${DIALECT_NAMES.join()} ${urls.join(' ')} npm start`);
