import type { Static, TObject, TSchema } from 'typebox';
import type { Right } from './access';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One row of the API: everything that the server's route, the console's call, the OpenAPI document
 * and the tests need to know of it. `code` is what success answers with: 201 sends the console on.
 */
export interface Endpoint<
  Q extends TObject = TObject,
  B extends TObject = TObject,
  D extends TSchema = TSchema,
  R extends Right = Right,
> {
  method: Method;
  path: `/api/${string}`;
  right: R;
  tag: string;
  summary: string;
  code: 200 | 201;
  /** Answers with server-sent events in place of the envelope; `data` names each event and what it carries. */
  streams?: true;
  /**
   * Reads or computes so much that everybody else's calls go first, and that one user has few of them at work at once;
   * the others wait.
   */
  expensive?: true;
  /** Of an expensive one: the call itself refuses the others in place of letting them wait. */
  refusesMore?: true;
  /** Only a session whose user has proved to be himself a moment ago may call it. */
  fresh?: true;
  /** Its calls are not written into the audit log: they have a record of their own, or change nothing. */
  audited?: false;
  query?: Q;
  body?: B;
  data: D;
}

type Row<Q extends TObject, B extends TObject, D extends TSchema, R extends Right> = Omit<
  Endpoint<Q, B, D, R>,
  'code'
> & { code?: 201 };

/** An endpoint that answers with server-sent events. */
export type Streaming = { streams: true };

/** Declares an endpoint; input and reply types follow from its schemas. */
export function endpoint<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  row: Row<Q, B, D, R> & Streaming,
): Endpoint<Q, B, D, R> & Streaming;
export function endpoint<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  row: Row<Q, B, D, R>,
): Endpoint<Q, B, D, R>;
export function endpoint<Q extends TObject, B extends TObject, D extends TSchema, R extends Right>(
  row: Row<Q, B, D, R>,
): Endpoint<Q, B, D, R> {
  return { ...row, code: row.code ?? 200 };
}

type Given<S> = S extends TObject ? (TObject extends S ? undefined : Static<S>) : undefined;

/** Query values after defaults were filled in, as a handler sees them. */
export type QueryOf<E> = E extends Endpoint<infer Q, infer _B, infer _D, infer _R> ? Given<Q> : never;
export type BodyOf<E> = E extends Endpoint<infer _Q, infer B, infer _D, infer _R> ? Given<B> : never;
export type DataOf<E> = E extends Endpoint<infer _Q, infer _B, infer D, infer _R> ? Static<D> : never;
