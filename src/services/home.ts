import { SIMULATED, SIMULATED_SOURCES, type VenueSource } from '#contract/candle';

// The page names the venues of its server, so that they are known before the first reading. Without a server of its own it names none.
const named = document.documentElement.dataset.venues?.split(' ').filter(Boolean) as VenueSource[] | undefined;

/** Where this server can send orders. */
export const HOME_VENUES: readonly VenueSource[] = named ?? SIMULATED_SOURCES;
const [first = SIMULATED, second = first] = HOME_VENUES;

/** What a screen shows unless the address names another source. */
export const HOME_SOURCE: VenueSource = first;
/** What it is held against where two venues are asked for. */
export const SECOND_SOURCE: VenueSource = second;

const AT_HOME: Record<string, VenueSource> = { [SIMULATED_SOURCES[0]]: first, [SIMULATED_SOURCES[1]]: second };

/** Usual values of a form, at the venues of this server. */
export const atHome = <V extends object>(values: V): V =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, AT_HOME[value] ?? value])) as V;
