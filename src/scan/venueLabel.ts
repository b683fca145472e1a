import { venueName } from '#contract/candle';

export { venueName as venueLabel } from '#contract/candle';

/** A venue where two of them stand in one row: without the blanks of its name it keeps to one line. */
export const venueInRow = (source: string): string => venueName(source).replaceAll(' ', '');
