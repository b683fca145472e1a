import type { LiveExchange } from '#contract/candle';
import type { badLineTo } from './badLine';

type Thin = Parameters<typeof badLineTo>[1];

/** How an exchange tells what it lists. */
interface Listing {
  path: RegExp;
  rows: (body: never) => object[];
  /** What a row is called by. */
  id: string[];
  /** What bitcoin is called: its perpetual, the future of December and spot. */
  ids: { perpetual: string; future: string; spot: string };
}

/** Of those whose lists are alike. */
const LISTINGS: Record<Exclude<LiveExchange, 'binance'>, Listing> = {
  okx: {
    path: /public\/instruments$/,
    rows: ({ data }: { data: object[] }) => data,
    id: ['instId'],
    ids: { perpetual: 'BTC-USDT-SWAP', future: 'BTC-USDT-261225', spot: 'BTC-USDT' },
  },
  bybit: {
    path: /instruments-info$/,
    rows: ({ result }: { result: { list: object[] } }) => result.list,
    id: ['symbol'],
    ids: { perpetual: 'BTCUSDT', future: 'BTCUSDT-25DEC26', spot: 'BTCUSDT' },
  },
  gate: {
    path: /usdt\/contracts$|spot\/currency_pairs$/,
    rows: (body: object[]) => body,
    id: ['name', 'id'],
    ids: { perpetual: 'BTC_USDT', future: 'BTC_USDT_20261225', spot: 'BTC_USDT' },
  },
};

/** Lets through of what an exchange lists bitcoin alone. */
export function onlyBitcoin(exchange: keyof typeof LISTINGS): Thin {
  const { path, rows: rowsOf, id, ids } = LISTINGS[exchange];
  const kept: unknown[] = Object.values(ids);
  return (asked, body) => {
    if (!path.test(asked)) return body;
    const rows = rowsOf(body as never) as Record<string, unknown>[];
    rows.splice(0, rows.length, ...rows.filter((row) => id.some((name) => kept.includes(row[name]))));
    return body;
  };
}
