import { request } from '@umijs/max';
import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import * as REFUSALS from '#contract/codes';
import type { BodyOf, Endpoint, QueryOf } from '#contract/endpoint';
import type { Envelope } from '#contract/envelope';
import { callErrorOf, type Quietness } from './envelope';
import { freshProof } from './freshProof';

type Query<Q extends TObject> =
  QueryOf<Endpoint<Q>> extends undefined
    ? { query?: undefined }
    : // The server fills in defaults, so no value is required here.
      { query?: Partial<QueryOf<Endpoint<Q>>> };
type Body<B extends TObject> =
  BodyOf<Endpoint<TObject, B>> extends undefined ? { body?: undefined } : { body: BodyOf<Endpoint<TObject, B>> };

/** What an endpoint takes: query values (those with a default may be left out) and its body. */
export type CallInput<Q extends TObject, B extends TObject> = Query<Q> & Body<B>;

export interface CallOptions extends Quietness {
  /** Milliseconds; 10000 unless told. */
  timeout?: number;
  signal?: AbortSignal;
  /** Names a write, so that the server does it once however often it arrives; a new name unless told. */
  idempotencyKey?: string;
}

/** A name that no other write has. `crypto.randomUUID` is missing where the console is not served over TLS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Calls an endpoint of the contract and resolves with the `data` of its envelope.
 * Rejects with a `CallError`; unless `quiet` about it, the person has been told already.
 */
export async function call<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  input: CallInput<Q, B>,
  { idempotencyKey, ...options }: CallOptions = {},
): Promise<Static<D>> {
  const writes = endpoint.method !== 'GET';
  const ask = async () => {
    const answer = await request<Envelope<Static<D>>>(endpoint.path, {
      ...options,
      method: endpoint.method,
      params: input.query,
      data: input.body,
      ...(writes && { headers: { 'Idempotency-Key': idempotencyKey ?? newIdempotencyKey() } }),
    });
    return answer.data;
  };
  try {
    return await ask();
  } catch (error) {
    const failure = callErrorOf(error);
    // Nothing was done: it is asked for again when the person has proved who sits here.
    if (failure.code !== REFUSALS.freshNeeded.code || !(await freshProof())) throw failure;
  }
  return ask().catch((error: unknown) => {
    throw callErrorOf(error);
  });
}
