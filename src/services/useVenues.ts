import { VENUES, type VenueSource } from '#contract/candle';
import { market } from '#contract/market';
import { HOME_VENUES } from './home';
import { useCall } from './useCall';

/** Where this server can send orders: what its page names, and the exchanges that it follows. */
export function useVenues(): VenueSource[] {
  const { data } = useCall(market.source, {});
  const followed = new Set<string>(data?.list.flatMap(({ source, kind }) => (kind === 'live' ? [source] : [])));
  return VENUES.filter((venue) => followed.has(venue) || HOME_VENUES.includes(venue));
}
