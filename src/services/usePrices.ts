import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { market } from '#contract/market';
import { type PriceRow, priceTopic } from '#contract/stream';
import { onSession } from './sessionSignal';
import type { LiveEvent } from './stream';
import { type LiveTicker, TickerStore, type TickerUpdate } from './tickerStore';
import { isTouched } from './touch';
import { useCall } from './useCall';
import { useIsLive } from './useLive';
import { useStream } from './useStream';

/** While live events bring the prices, the figures that they do not carry are read this often. */
const FIGURES_MS = 60_000;
const POLLING_MS = 5_000;
/** While nobody has a hand on the tab, prices change this often: a table of fifty rows is laid out with each change. */
const UNTOUCHED_MS = 4_000;

const stores = new Map<string, TickerStore>();
// A visitor sees delayed prices only.
onSession(() => {
  for (const store of stores.values()) store.clear();
});

/** The newest prices of a source, which all screens share. */
function pricesOf(source: string): TickerStore {
  const store = stores.get(source) ?? new TickerStore();
  stores.set(source, store);
  return store;
}

const tickerOf = ([symbol, price, mark, change24h, at]: PriceRow): TickerUpdate => ({
  symbol,
  price,
  mark,
  change24h,
  at,
});

/** Keeps the prices of a source new for `useTicker`: by live events, by polling where those do not come. */
export function usePrices(source: string) {
  const isLive = useIsLive();
  const reading = useCall(market.ticker, { query: { source } }, { refreshInterval: isLive ? FIGURES_MS : POLLING_MS });
  const { data, mutate } = reading;
  useEffect(() => {
    if (data) pricesOf(source).publish(data.list);
  }, [data, source]);
  const told = useRef({ source, at: 0, rows: new Map<string, PriceRow>() });
  if (told.current.source !== source) told.current = { source, at: 0, rows: new Map() };
  useStream([priceTopic(source)], (event: LiveEvent) => {
    if (event.name === 'reset') void mutate();
    if (event.name !== 'price') return;
    const { at, rows } = told.current;
    for (const row of event.data.rows) rows.set(row[0], row);
    if (!isTouched() && Date.now() < at + UNTOUCHED_MS) return;
    told.current = { source, at: Date.now(), rows: new Map() };
    pricesOf(source).publish([...rows.values()].map(tickerOf));
  });
  useEffect(() => {
    // Nothing was read while nobody looked.
    const seen = () => {
      if (!document.hidden) void mutate();
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [mutate]);
  return reading;
}

/** The newest price of one symbol; renders anew when it changes. Some part of the screen keeps them by `usePrices`. */
export function useTicker(source: string, symbol: string): LiveTicker | undefined {
  const store = pricesOf(source);
  const subscribe = useCallback((listener: () => void) => store.subscribe(symbol, listener), [store, symbol]);
  return useSyncExternalStore(subscribe, () => store.of(symbol));
}
