export { venueName as venueLabel } from '#contract/candle';
