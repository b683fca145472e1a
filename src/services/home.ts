import { SIMULATED, SIMULATED_SOURCES, type VenueSource } from '#contract/candle';

// The page names the venues of its server, so that they are known before the first reading. Without a server of its own it names none.
const named = document.documentElement.dataset.venues?.split(' ') as VenueSource[] | undefined;

/** Where this server can send orders. */
export const HOME_VENUES: readonly VenueSource[] = named ?? SIMULATED_SOURCES;
/** What a screen shows unless the address names another source, and what it is held against where two venues are asked for. */
export const [HOME_SOURCE = SIMULATED, SECOND_SOURCE = HOME_SOURCE] = HOME_VENUES;
