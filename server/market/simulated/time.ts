import { HOUR_MS } from '#contract/duration';

/** Where every simulated history begins. Fixed: moving it would change all prices that were ever shown. */
export const EPOCH_MS = Date.UTC(2022, 0, 1);

/** Full hours since the epoch at an instant. */
export const hourAt = (instant: number): number => Math.floor((instant - EPOCH_MS) / HOUR_MS);
export const instantOf = (hour: number): number => EPOCH_MS + hour * HOUR_MS;
