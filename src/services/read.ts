import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import type { Endpoint } from '#contract/endpoint';
import { type CallInput, call } from './call';
import { outages } from './outages';
import { onSession } from './sessionSignal';

let session = 0;
onSession(() => {
  session += 1;
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
): Promise<Static<D>> {
  const name = nameOfRead(endpoint, input);
  const begun = session;
  const data = await call(endpoint, input, {
    quiet: (error) => error.code === 401 || begun !== session || outages.isKnown(name, error),
  });
  if (begun === session) outages.end(name);
  return data;
}
