import { SIMULATED_SOURCES, VENUES, type VenueSource } from '#contract/candle';
import { market } from '#contract/market';
import { useCall } from './useCall';

/** Where this server can send orders: the built-in market, and the exchanges that it follows. */
export function useVenues(): VenueSource[] {
  const { data } = useCall(market.source, {});
  const followed = new Set<string>(data?.list.flatMap(({ source, kind }) => (kind === 'live' ? [source] : [])));
  return VENUES.filter((venue) => followed.has(venue) || SIMULATED_SOURCES.some((one) => one === venue));
}
