import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';

/** What is waited for how long, ms. */
export interface LiveTimes {
  /** Between two questions whether anybody answers. */
  ping: number;
  /** One answer. */
  answer: number;
  /** Without an answer for so long a venue is out. */
  out: number;
  /** A stream that says nothing for so much longer than it should is opened anew. */
  silent: number;
  /** A symbol that nothing was heard of for so long has no price. */
  stale: number;
  /** Between two looks at all prices by REST while a stream is silent. */
  poll: number;
  /** Between two such looks while they speak: what a stream lost comes with it. */
  resync: number;
  /** Between two questions for what no stream tells. */
  figures: number;
  /** Between two questions for the last prices of spot. */
  spot: number;
  /** Between two questions for the open interest of one symbol. */
  interest: number;
  /** A book that nobody looks at for so long is dropped. */
  idle: number;
  /** Who needs a book that nobody looked at before waits so long for it at most. */
  firstBook: number;
  /** Who asks of an exchange that nothing was heard of yet waits so long for it at most. */
  firstPrices: number;
  /** Between two looks at what is listed. */
  listings: number;
  /** Between two questions for what maintenance is announced. */
  announced: number;
  /** After a failure, doubled with each that follows, up to `longest`. */
  again: number;
  longest: number;
  /** Stored history is looked at anew so often. */
  history: number;
}

export const LIVE_TIMES: LiveTimes = {
  ping: 10 * SECOND_MS,
  answer: 10 * SECOND_MS,
  out: 30 * SECOND_MS,
  silent: 15 * SECOND_MS,
  stale: 15 * SECOND_MS,
  poll: 5 * SECOND_MS,
  resync: 5 * MINUTE_MS,
  figures: 3 * SECOND_MS,
  spot: 10 * SECOND_MS,
  interest: SECOND_MS,
  idle: MINUTE_MS,
  firstBook: 3 * SECOND_MS,
  firstPrices: 3 * SECOND_MS,
  listings: HOUR_MS,
  announced: 5 * MINUTE_MS,
  again: SECOND_MS,
  longest: MINUTE_MS,
  history: MINUTE_MS,
};
