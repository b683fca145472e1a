import type { Bar } from '#contract/candle';

/** Exchanges that a folder's name may begin with. */
const EXCHANGES = [
  'binance',
  'bitfinex',
  'bitget',
  'bitmart',
  'bitmex',
  'bybit',
  'coinbase',
  'deribit',
  'dydx',
  'gate',
  'gateio',
  'htx',
  'huobi',
  'hyperliquid',
  'kraken',
  'kucoin',
  'mexc',
  'okx',
];
/** They write their pairs with an underscore themselves. */
const LISTS_WITH_UNDERSCORE = ['bitmart', 'gate', 'gateio', 'mexc'];
const QUOTES = ['FDUSD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'USD', 'EUR', 'BTC', 'ETH'];

const BAR_WORD = /^(\d+)(m|min|h|d|w|mo)?$/i;
const MINUTES: Record<string, number> = { m: 1, min: 1, h: 60, d: 1440, w: 10_080, mo: 43_200 };
const BAR_MINUTES: Record<Bar, number> = { '1d': 1440, '4h': 240, '1h': 60 };

/** `1h`, `60m`, `240`: the bar of that length; `null` for one that the market does not keep, `undefined` for no bar. */
function barOfWord(word: string): Bar | null | undefined {
  const [, count, unit] = BAR_WORD.exec(word) ?? [];
  if (count === undefined || (unit === undefined && !['60', '240', '1440'].includes(count))) return undefined;
  const minutes = Number(count) * MINUTES[(unit ?? 'm').toLowerCase()]!;
  return (Object.keys(BAR_MINUTES) as Bar[]).find((bar) => BAR_MINUTES[bar] === minutes) ?? null;
}

/** What a file's name says of its candles. `bar` is `null` for a length that is not kept, `barWord` how it is written. */
export interface NamedCandles {
  symbol: string;
  bar: Bar | null | undefined;
  barWord: string | undefined;
}

/**
 * Takes bar and dates off a name: `BTCUSDT-1d-2024-01.csv`, `BTCUSDT_1h.csv.gz`.
 * What stays is the symbol. `%2F` and `%3A` stand for what a name cannot hold, so `BTC%2FUSDT%3AUSDT`
 * is `BTC/USDT:USDT`; `BTC_USDT` and `BTC_USDT_USDT` are `BTC/USDT` and `BTC/USDT:USDT`, except on
 * exchanges that list `BTC_USDT` under that very name. Case stays as it is.
 */
export function readFileName(fileName: string, exchange: string): NamedCandles {
  let name = fileName.replace(/(\.csv)?(\.gz)?$/i, '');
  let barWord: string | undefined;
  for (;;) {
    const [, rest, word] = /^(.+)[-_]([^-_]+)$/.exec(name) ?? [];
    if (rest === undefined || word === undefined) break;
    const isDate = /^(\d{4}|\d{6}|\d{8}|\d{2})$/.test(word) && !(barWord === undefined && barOfWord(word));
    if (!isDate && (barWord !== undefined || barOfWord(word) === undefined)) break;
    if (!isDate) barWord = word;
    name = rest;
  }
  const bar = barWord === undefined ? undefined : barOfWord(barWord);
  return { symbol: symbolOf(name, exchange), bar, barWord };
}

function symbolOf(name: string, exchange: string): string {
  const decoded = decode(name);
  const [base, quote, settle, ...more] = decoded.split('_');
  const isPair = base && quote && QUOTES.includes(quote.toUpperCase()) && more.length === 0;
  if (!isPair || LISTS_WITH_UNDERSCORE.includes(exchange)) return decoded;
  if (settle === undefined) return `${base}/${quote}`;
  return QUOTES.includes(settle.toUpperCase()) ? `${base}/${quote}:${settle}` : decoded;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The exchange that ends the name of a file of funding, as in `BTC-USDT-bybit.csv`, and the name without it. */
export function exchangeOfFunding(fileName: string): { exchange: string | null; name: string } {
  const name = fileName.replace(/(\.csv)?(\.gz)?$/i, '');
  const [, rest, word] = /^(.+)[-_]([a-z0-9]+)$/i.exec(name) ?? [];
  const exchange = word?.toLowerCase();
  if (rest === undefined || exchange === undefined || !EXCHANGES.includes(exchange)) return { exchange: null, name };
  return { exchange, name: rest };
}

/** The symbol in the name of a file of funding: `BTCUSDT-fundingRate-2024-01.csv`. */
export const symbolOfFunding = (name: string, exchange: string): string => {
  const withoutWord = name.replace(/[-_]funding([-_]?rates?)?(?=$|[-_])/i, '');
  return readFileName(withoutWord, exchange).symbol;
};

/** Base and quote of a symbol; all of it is the base where no known quote ends it. */
export function splitSymbol(symbol: string): { base: string; quote: string } {
  const pair = symbol.replace(/:.*$/, '').replace(/[-_]?(SWAP|PERP)$/i, '');
  const [head = '', tail] = pair.split(/[/_-]/);
  if (tail !== undefined && head !== '' && tail !== '') return { base: head, quote: tail };
  const quote = QUOTES.find((known) => head.toUpperCase().endsWith(known) && head.length > known.length);
  return quote ? { base: head.slice(0, -quote.length), quote } : { base: head, quote: '' };
}

/** The exchange that one of the folders, nearest last, is named after; else `import`. */
export function exchangeOfFolders(folders: string[]): string {
  for (const folder of [...folders].reverse()) {
    const word = /^[a-z0-9]+/i.exec(folder)?.[0].toLowerCase();
    if (word !== undefined && EXCHANGES.includes(word)) return word;
  }
  return 'import';
}
