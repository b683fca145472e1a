import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration';
import { wordsOf } from './words';
/** Bar lengths that the market keeps, coarsest first. */
export const BAR_LABEL = { '1d': '日线', '4h': '4 小时', '1h': '1 小时' } as const;
export const BARS = wordsOf(BAR_LABEL);
export type Bar = (typeof BARS)[number];

/** Shorter ones, to look at alone: minutes, which are kept of what is watched, and what is summed up of them. */
export const MINUTE_BARS = ['15m', '5m', '1m'] as const;
/** What a chart can show, coarsest first. */
export const CHART_BARS = [...BARS, ...MINUTE_BARS] as const;
export type ChartBar = (typeof CHART_BARS)[number];
export const isMinuteBar = (bar: ChartBar): bar is (typeof MINUTE_BARS)[number] =>
  (MINUTE_BARS as readonly ChartBar[]).includes(bar);

/** Length of a bar in milliseconds. */
export const BAR_MS: Record<ChartBar, number> = {
  ...{ '1d': DAY_MS, '4h': 4 * HOUR_MS, '1h': HOUR_MS },
  ...{ '15m': 15 * MINUTE_MS, '5m': 5 * MINUTE_MS, '1m': MINUTE_MS },
};
/** Symbols of a source whose minutes are collected at most. */
export const MOST_WATCHED = 60;
/** For how long minutes are kept. */
export const MINUTES_KEPT_MS = 7 * DAY_MS;

/** The source that needs no import: the built-in market. */
export const SIMULATED = 'simulated';
/** What people call it. */
export const SIMULATED_NAME = '模拟行情';
/** The venues of the built-in market: the source itself, which stands for 币安, and its two sisters OKX and Bybit. */
export const SIMULATED_SOURCES = [SIMULATED, 'simulated-okx', 'simulated-bybit'] as const;
export type SimulatedSource = (typeof SIMULATED_SOURCES)[number];
/** What people call them. */
export const VENUE_NAME: Record<SimulatedSource, string> = {
  simulated: '币安',
  'simulated-okx': 'OKX',
  'simulated-bybit': 'Bybit',
};
/** Exchanges whose market a server can follow, and what people call them. */
export const LIVE_EXCHANGES = { binance: '币安', okx: 'OKX', bybit: 'Bybit', gate: 'Gate' } as const;
export type LiveExchange = keyof typeof LIVE_EXCHANGES;
export const LIVE_NAMES = Object.keys(LIVE_EXCHANGES) as LiveExchange[];
/** Files can be imported under the name of an exchange itself: what is followed has a name that no import may have. */
const LIVE_SUFFIX = '-live';
/** The source that follows an exchange. */
export const liveSource = <E extends LiveExchange>(exchange: E) => `${exchange}${LIVE_SUFFIX}` as const;
const LIVE_SOURCES = LIVE_NAMES.map(liveSource);
/** Exchanges where real orders can be sent. */
export const ORDER_EXCHANGES = ['binance', 'okx', 'bybit', 'gate'] as const satisfies LiveExchange[];
export type OrderExchange = (typeof ORDER_EXCHANGES)[number];
/** The same as sources. */
export const ORDER_SOURCES = ORDER_EXCHANGES.map(liveSource);
/** Those whose delivery futures stay on paper: their orders have no deadline there, and no countdown. */
const WITHOUT_FUTURES: readonly OrderExchange[] = ['gate'];
/** Whether real orders can be sent there, and for that symbol. */
export const takesReal = (source: string, symbol = ''): boolean =>
  ORDER_EXCHANGES.some(
    (one) => liveSource(one) === source && !(WITHOUT_FUTURES.includes(one) && /_\d{6}$/.test(symbol)),
  );
/** Where that is, as it is said. */
export const realPlaces = (): string =>
  ORDER_EXCHANGES.map(
    (one) => venueName(liveSource(one)) + (WITHOUT_FUTURES.includes(one) ? '（交割合约除外）' : ''),
  ).join('、');
export const isLiveSource = (source: string): boolean => source.endsWith(LIVE_SUFFIX);
/** What people call a source: that of an exchange by its name, any other by its own. */
export function sourceName(source: string): string {
  if (source === SIMULATED) return SIMULATED_NAME;
  const exchange = source.slice(0, -LIVE_SUFFIX.length) as LiveExchange;
  return isLiveSource(source) && exchange in LIVE_EXCHANGES ? `${LIVE_EXCHANGES[exchange]} · 实时` : source;
}
/** Whether what two sources quote may be held against each other: what is real and what is simulated is no gap between two venues. */
export const isOneMarket = (one: string, other: string): boolean => isLiveSource(one) === isLiveSource(other);
/** Where orders can go, with an account of its own each: the venues of the built-in market, and exchanges that a server follows. */
export const VENUES = [...SIMULATED_SOURCES, ...LIVE_SOURCES] as const;
export type VenueSource = (typeof VENUES)[number];
/** A venue by name; one that is none of ours is called what it is called here. */
export const venueName = (source: string): string => VENUE_NAME[source as SimulatedSource] ?? sourceName(source);
