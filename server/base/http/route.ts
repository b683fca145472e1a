import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { accessOf } from '#contract/access';
import type { BodyOf, Endpoint, QueryOf, Streaming } from '#contract/endpoint';
import { envelopeOf } from '#contract/envelope';
import type { User } from '#contract/user';
import { asHeavyReader } from '../db/connection/heavyReads';
import { nextTurn } from '../work/loopTurns';
import { forbidden, refused, unauthenticated } from './refusal';
import { slicedJson } from './slicedJson';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; null for a visitor. Set by the session hook before any handler. */
    user: User | null;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

interface Call<E> {
  query: QueryOf<E>;
  body: BodyOf<E>;
  user: User | null;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A handler behind a right that needs an account: the user is there. */
export interface SignedInCall<E> extends Call<E> {
  user: User;
}

/**
 * Refuses a request whose user lacks the endpoint's right: 401 without an account, 403 with one; and one that asks for a
 * fresh proof of who has not given it.
 */
function guard(endpoint: Endpoint) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!accessOf(request.user?.role)[endpoint.right]) {
      throw request.user === null ? unauthenticated() : forbidden();
    }
    if (endpoint.fresh && !request.isFresh) throw refused('freshNeeded');
  };
}

type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function register(app: FastifyInstance, endpoint: Endpoint, run: Run, bodyLimit?: number): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { endpoint },
    schema: {
      summary: endpoint.summary,
      tags: [endpoint.tag],
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      response: { 200: endpoint.streams ? eventsOf(endpoint.data) : envelopeOf(endpoint.data) },
    },
    // The head of a stream would never end.
    ...(endpoint.streams ? { exposeHeadRoute: false } : {}),
    // Before validation: a visitor learns that signing in comes first, not what a body should look like.
    onRequest: guard(endpoint),
    handler: endpoint.expensive ? expensively(app, endpoint, run) : promptly(endpoint, run),
  });
}

function promptly({ streams, code }: Endpoint, run: Run): Run {
  return async (request, reply) => {
    const data = await run(request, reply);
    return streams ? reply : { code, message: 'ok', data };
  };
}

/** Its slices, its statements and the writing of its answer let everybody else's calls go first. */
function expensively(app: FastifyInstance, { data: schema, code, refusesMore }: Endpoint, run: Run): Run {
  const write = slicedJson(envelopeOf(schema));
  return async (request, reply) => {
    const read = async () => {
      await nextTurn();
      const data = await run(request, reply);
      await nextTurn();
      const pieces = await write({ code, message: 'ok', data });
      reply.type('application/json; charset=utf-8');
      return pieces.length === 1 ? pieces[0] : sentInTurns(reply, pieces);
    };
    // Who looks on as somebody else takes none of that user's places.
    const caller = request.viewer ?? request.user;
    const readerId = caller?.id ?? request.ip;
    const asReader = () => asHeavyReader(readerId, read);
    return refusesMore ? asReader() : app.expensiveReads(readerId, asReader);
  };
}

function sentInTurns(reply: FastifyReply, pieces: readonly Buffer[]): Readable {
  reply.header(
    'content-length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  const send = async function* () {
    for (const piece of pieces) {
      await nextTurn(0);
      yield piece;
    }
  };
  return Readable.from(send());
}

const eventsOf = (data: TSchema) => ({ content: { 'text/event-stream': { schema: data } } });

/**
 * Serves an endpoint of the contract: its right is checked, query and body are validated, and what
 * the handler returns goes out as the envelope's `data`, cut to the schema's fields. The handler of a
 * stream takes the reply over; what it throws before that is still answered as an envelope.
 */
export function route<Q extends TObject>(
  app: FastifyInstance,
  endpoint: Endpoint<Q> & Streaming,
  handler: (call: SignedInCall<Endpoint<Q>>) => Promise<void>,
): void;
export function route<Q extends TObject, B extends TObject, D extends TSchema>(
  app: FastifyInstance,
  endpoint: Endpoint<Q, B, D, 'open'>,
  handler: (call: Call<Endpoint<Q, B, D>>) => Promise<Static<D>>,
): void;
export function route<Q extends TObject, B extends TObject, D extends TSchema>(
  app: FastifyInstance,
  endpoint: Endpoint<Q, B, D>,
  handler: (call: SignedInCall<Endpoint<Q, B, D>>) => Promise<Static<D>>,
): void;
export function route(app: FastifyInstance, endpoint: Endpoint, handler: (call: never) => Promise<unknown>): void {
  register(app, endpoint, (request, reply) =>
    handler({ query: request.query, body: request.body, user: request.user, request, reply } as never),
  );
}
