import type { Static, TSchema } from 'typebox';
import type { BodyOf, Endpoint, QueryOf } from '#contract/endpoint';
import type { Envelope } from '#contract/envelope';

interface Input<E> {
  query?: Partial<QueryOf<E>>;
  body?: BodyOf<E>;
  /** Idempotency-Key. */
  key?: string;
  /** Gives up after so long, ms. */
  patienceMs?: number;
}

export interface Answer<T> {
  status: number;
  body: Envelope<T>;
}

/**
 * Calls an endpoint of a server in another process, the way the console does. @throws when it does not answer.
 * @param url the server's address
 * @param cookie of a signed-in user
 */
export async function callServer<D extends TSchema, E extends Endpoint>(
  url: string,
  cookie: string,
  endpoint: E & { data: D },
  { query, body, key, patienceMs = 15_000 }: Input<E> = {},
): Promise<Answer<Static<D>>> {
  const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]));
  const answer = await fetch(`${url}${endpoint.path}?${search}`, {
    method: endpoint.method,
    headers: {
      cookie,
      origin: url,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(patienceMs),
  });
  return { status: answer.status, body: (await answer.json()) as Envelope<Static<D>> };
}
