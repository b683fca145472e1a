import type { SimulatedSource } from '#contract/candle';
import { VENUE_LABEL } from '@/components/labels';

/** A venue by name; one that the console does not know is called what the server calls it. */
export const venueLabel = (source: string): string => VENUE_LABEL[source as SimulatedSource] ?? source;
