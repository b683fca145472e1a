import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import type { Endpoint } from '#contract/endpoint';
import { type CallInput, call } from './call';
import type { Quietness } from './envelope';
import { outages } from './outages';
import { onSession } from './sessionSignal';

let session = 0;
/** Reads that nobody has asked for yet, by their name. */
const ahead = new Map<string, Promise<unknown>>();
onSession(() => {
  session += 1;
  ahead.clear();
});

/** What makes two reads the same one. */
export const nameOfRead = ({ path }: Pick<Endpoint, 'path'>, input: unknown): string =>
  `${path} ${JSON.stringify(input)}`;

/**
 * Reads for the console itself, which may happen again and again: a failure is a toast once an outage. Nobody
 * asked for it, so a 401 signs in without a word, and what the last session has begun says nothing in this one.
 */
export async function read<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  input: CallInput<Q, B>,
  { quiet = () => false }: Quietness = {},
): Promise<Static<D>> {
  const name = nameOfRead(endpoint, input);
  const underway = ahead.get(name);
  if (underway !== undefined) {
    ahead.delete(name);
    return underway as Promise<Static<D>>;
  }
  const begun = session;
  const data = await call(endpoint, input, {
    quiet: (error) => quiet(error) || error.code === 401 || begun !== session || outages.isKnown(name, error),
  });
  if (begun === session) outages.end(name);
  return data;
}

/** So long is an answer kept that nobody has asked for: until its scripts have come, and of a link until it is clicked. */
const KEPT_MS = 10_000;
const KEPT_OF_LINK_MS = 2_000;

/** Begins a read before the screen is there that asks for it: the first to do so gets the answer, however it ends. */
export function readAhead<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  input: CallInput<Q, B>,
  keptMs = KEPT_MS,
): void {
  const name = nameOfRead(endpoint, input);
  const reading = read(endpoint, input);
  ahead.set(name, reading);
  const drop = () => ahead.get(name) === reading && ahead.delete(name);
  const keep = () => void setTimeout(drop, keptMs);
  reading.then(keep, keep);
}

/** Begins a read for whoever points at a link. */
export const readForLink: typeof readAhead = (endpoint, input) => readAhead(endpoint, input, KEPT_OF_LINK_MS);
