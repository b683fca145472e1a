import { SIMULATED_SOURCES, type VenueSource } from '#contract/candle';
import { HOME_SOURCE, SECOND_SOURCE } from '@/services/home';

const AT_HOME: Record<string, VenueSource> = {
  [SIMULATED_SOURCES[0]]: HOME_SOURCE,
  [SIMULATED_SOURCES[1]]: SECOND_SOURCE,
};

/** Usual values of a form, at the venues of this server. */
export const atHome = <V extends object>(values: V): V =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, AT_HOME[value] ?? value])) as V;
