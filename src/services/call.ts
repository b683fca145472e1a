import { request } from '@umijs/max';
import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from '#contract/access';
import type { BodyOf, Endpoint, QueryOf } from '#contract/endpoint';
import type { Envelope } from '#contract/envelope';
import { callErrorOf, type Quietness } from './envelope';

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
}

/**
 * Calls an endpoint of the contract and resolves with the `data` of its envelope.
 * Rejects with a `CallError`; unless `quiet`, the person has been told already.
 */
export async function call<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  endpoint: Endpoint<Q, B, D, R>,
  input: CallInput<Q, B>,
  options: CallOptions = {},
): Promise<Static<D>> {
  try {
    const answer = await request<Envelope<Static<D>>>(endpoint.path, {
      ...options,
      method: endpoint.method,
      params: input.query,
      data: input.body,
    });
    return answer.data;
  } catch (error) {
    throw callErrorOf(error);
  }
}
