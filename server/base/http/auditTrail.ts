import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint';
import type { Envelope } from '#contract/envelope';
import type { Database } from '../db/client';
import { beginAudit, endAudit, type NewAudit, type Outcome } from '../db/records/auditTrail';

/** Whose call it is. */
type Actor = Pick<NewAudit, 'actorId' | 'actor' | 'role'>;

/** What is known of a write while it is at work. */
interface Trail {
  /** Of the row that was committed before the work; absent while there is none. */
  id?: number;
  actor?: Actor;
  answer?: Pick<Envelope, 'code' | 'message'>;
  before?: object;
  after?: object;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null for what only reads. */
    trail: Trail | null;
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Which of the fields that were sent names the object, the first that is there. */
const NAMES = ['userId', 'strategyId', 'id', 'ids', 'pairId', 'symbol', 'username', 'name', 'long', 'queue'];
const NAME_LENGTH = 200;
const TOO_MANY = 429;

/**
 * Tells the audit log what the object was before and is after; without it the log has what was asked. Secrets are
 * taken out by their names.
 */
export function noteChange(request: FastifyRequest, before: object, after: object): void {
  if (request.trail) Object.assign(request.trail, { before, after });
}

/** Tells the audit log who it was where the call began without a session. */
export function noteActor(request: FastifyRequest, { id, name, role }: { id: string; name: string; role: string }) {
  if (request.trail) request.trail.actor = { actorId: id, actor: name, role };
}

/**
 * Writes every write of the contract into the audit log, whichever route serves it. The row is committed before the
 * handler runs, so that nothing is ever done without one; should that fail, the call fails, and nothing was done. What
 * came of it is added when the answer is out, which keeps nobody waiting; should that fail, the log says that the outcome
 * is not known, and the server's own log why. What is refused before the handler leaves a row as well, where somebody is
 * signed in, except for calls that come too fast.
 */
export function auditWrites(app: FastifyInstance, { db, clock }: { db: Database; clock: () => number }): void {
  const ending = new Set<Promise<void>>();
  app.decorateRequest('trail', null);
  app.addHook('onRequest', async (request) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined || READING.has(endpoint.method) || endpoint.audited === false) return;
    request.trail = {};
  });
  app.addHook('preHandler', async (request) => {
    const { trail } = request;
    const user = actingUser(request);
    if (trail === null || user === null) return;
    trail.id = await beginAudit(db, rowOf(request, actorOf(user), clock(), true));
  });
  app.addHook('preSerialization', async ({ trail }, _reply, payload) => {
    const { code, message } = (payload ?? {}) as Partial<Envelope>;
    if (trail && code !== undefined && message !== undefined) trail.answer = { code, message };
    return payload;
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    if (request.trail === null) return;
    const work = end(request, statusCode).catch((error: Error) => {
      if (app.disk.note(error)) return;
      const { id, url } = { id: request.id, url: request.routeOptions.url };
      request.log.error({ name: error.name, requestId: id, url }, 'the outcome of a write could not be recorded');
    });
    ending.add(work);
    await work.finally(() => ending.delete(work));
  });
  // The database is closed after the app.
  app.addHook('onClose', async () => void (await Promise.all(ending)));

  async function end(request: FastifyRequest, status: number): Promise<void> {
    const trail = request.trail!;
    const user = actingUser(request);
    const actor = user ? actorOf(user) : trail.actor;
    if (actor === undefined || (trail.id === undefined && status === TOO_MANY)) return;
    const id = trail.id ?? (await beginAudit(db, rowOf(request, actor, clock(), status < 400)));
    await endAudit(db, id, outcomeOf(trail, status));
  }
}

/** Who looks on as another acts as himself. */
const actingUser = ({ viewer, user }: FastifyRequest) => viewer ?? user;

const actorOf = ({ id, name, role }: { id: string; name: string; role: string }): Actor => ({
  actorId: id,
  actor: name,
  role,
});

/** @param isRead whether the request went through validation: what did not is not kept, whatever it may hold. */
function rowOf(request: FastifyRequest, actor: Actor, at: number, isRead: boolean): NewAudit {
  const endpoint = request.routeOptions.config.endpoint as Endpoint;
  const asked = isRead ? inputOf(request, endpoint) : null;
  return {
    ...actor,
    at,
    action: `${endpoint.method} ${endpoint.path}`,
    object: asked && objectOf(asked),
    input: asked,
    address: request.ip,
    requestId: request.id,
  };
}

function inputOf({ query, body }: FastifyRequest, endpoint: Endpoint): Record<string, unknown> | null {
  const part = (values: unknown, schema: TSchema | undefined) => (schema && values ? secretless(values, schema) : null);
  const asked = { ...part(query, endpoint.query), ...part(body, endpoint.body) };
  return Object.keys(asked).length === 0 ? null : asked;
}

function objectOf(asked: Record<string, unknown>): string | null {
  // Of several the first is found by the filter; the row names them all.
  const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
  const name = NAMES.find((field) => typeof first(asked[field]) === 'string' && first(asked[field]) !== '');
  if (name === undefined) return null;
  const object = name === 'long' ? `${asked.long} / ${asked.short}` : String(first(asked[name]));
  return object.slice(0, NAME_LENGTH);
}

function outcomeOf({ answer, before, after }: Trail, status: number): Outcome {
  return {
    status,
    // A connection that was gone before the answer has none.
    code: answer?.code ?? status,
    message: answer?.message ?? '',
    before: before === undefined ? null : secretless(before),
    after: after === undefined ? null : secretless(after),
  };
}

/** Names of fields whose values nobody but their owner may read, wherever they stand. */
const SECRET = /password|secret|passphrase|token|recovery|credential|^(api_?)?key$|^code$|code$/i;
const HIDDEN = '***';
/** What a log keeps of one text, one list and one nesting. */
const TEXT = 500;
const ITEMS = 50;
const LEVELS = 4;

interface Described {
  writeOnly?: boolean;
  properties?: Record<string, Described>;
  items?: Described;
}

function kept(value: unknown, schema: Described | undefined, level: number): unknown {
  if (typeof value === 'string') return value.length > TEXT ? `${value.slice(0, TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (level === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => kept(item, schema?.items, level - 1));
  const fields = Object.entries(value).filter(([, of]) => of !== undefined);
  return Object.fromEntries(
    fields.map(([name, of]) => {
      const described = schema?.properties?.[name];
      const isSecret = described?.writeOnly === true || SECRET.test(name);
      return [name, isSecret ? hidden(of) : kept(of, described, level - 1)];
    }),
  );
}

/** Whether there was one may be seen. */
const hidden = (value: unknown) => (value === null || value === '' ? value : HIDDEN);

/**
 * What may be kept of values that somebody sent: secrets, told by their name or by `writeOnly` in the schema, are
 * `***`, and what is too long is cut. `null` when nothing is left.
 */
function secretless(values: object, schema?: TSchema): Record<string, unknown> | null {
  const left = kept(values, schema as Described | undefined, LEVELS) as Record<string, unknown>;
  return Object.keys(left).length === 0 ? null : left;
}
