import { setTimeout as pause } from 'node:timers/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { accessOf, type Role } from '#contract/access';
import * as REFUSALS from '#contract/codes';
import { decimalsOf } from '#contract/decimal';
import type { Endpoint } from '#contract/endpoint';
import { EmptyAnswer, envelopeOf, InvalidAnswer } from '#contract/envelope';
import { endpoints } from '#contract/index';
import { hashPassword } from '#server/people/auth/password';
import { ORIGIN, type testApp } from './app';
import { callsOf, type FuzzCall, type Manner } from './fuzzCalls';
import { signedInUser } from './signedInUser';

type Server = Awaited<ReturnType<typeof testApp>>;

export interface FuzzOptions {
  seed: number;
  /** Calls of each endpoint in one round. */
  perEndpoint: number;
  /** Ends after so many rounds ... */
  rounds?: number;
  /** ... or after so long, ms. */
  forMs?: number;
}

export interface FuzzResult {
  calls: number;
  /** Of them, how many were no valid calls. */
  hostile: number;
  endpoints: number;
  /** How many were answered with 5xx. */
  failed: number;
  byStatus: Record<string, number>;
  /** Longest time to an answer, ms. */
  slowestMs: number;
  /** What should not have been, with the call that did it. */
  faults: string[];
}

/** An answer that takes longer is none. */
const PATIENCE_MS = 15_000;
/** A user has 1,200 calls a minute. */
const CALLS_PER_USER = 800;
const MANNERS: Manner[] = ['valid', 'near', 'hostile'];
const CODES = new Set<number>(Object.values(REFUSALS).map(({ code }) => code));

const ajv = new Ajv({ allErrors: true, strict: false });
ajv.addKeyword({
  keyword: 'decimals',
  type: 'number',
  schemaType: 'number',
  validate: (limit: number, value: number) => decimalsOf(value) <= limit,
});
const compiled = new Map<object, ValidateFunction>();
function check(schema: object, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
/** `nullable` beside a type in the words of JSON Schema, which knows none beside `enum` alone. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Record<string, unknown>;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, plain(part)]));
  return nullable === true ? { anyOf: [inner, { type: 'null' }] } : inner;
}
const answerSchemas = new Map(endpoints.map((endpoint) => [endpoint, plain(envelopeOf(endpoint.data)) as object]));

/** What is wrong with an answer; null when it is one of the contract. */
function faultOf(endpoint: Endpoint, status: number, text: string): string | null {
  if (status === NO_ANSWER.status) return 'does not answer';
  if (status >= 500) return `answers ${status}`;
  let body: { code: number };
  try {
    body = JSON.parse(text);
  } catch {
    return `answers ${status} with what is no JSON: ${text.slice(0, 100)}`;
  }
  if (status !== 200 && status !== body.code) return `answers ${status} with the code ${body.code}`;
  if (status === 200 && body.code === endpoint.code) return check(answerSchemas.get(endpoint)!, body);
  if (status === 200 && !CODES.has(body.code)) return `refuses with the code ${body.code}, which no catalogue has`;
  return check(EmptyAnswer, body) && check(InvalidAnswer, body);
}

/** Callers by role; each is another person after a while, because a person may not call for ever. */
class Callers {
  readonly #used = new Map<Role | 'visitor', { cookie: string; calls: number }>();
  #made = 0;

  /** @param passwordHash of all of them: a call that asks for a password looks at it. */
  constructor(
    private readonly server: Server,
    private readonly passwordHash: string,
  ) {}

  async headersOf(role: Role | 'visitor'): Promise<{ cookie?: string; remoteAddress: string }> {
    const used = this.#used.get(role);
    if (used !== undefined && used.calls < CALLS_PER_USER) {
      used.calls += 1;
    } else {
      this.#made += 1;
      const { server, passwordHash } = this;
      const name = `fuzz-${this.#made}`;
      const user = role === 'visitor' ? null : await signedInUser(server.db, name, role, passwordHash);
      this.#used.set(role, { cookie: user?.cookie ?? '', calls: 1 });
    }
    const { cookie } = this.#used.get(role)!;
    return { ...(cookie === '' ? {} : { cookie }), remoteAddress: `192.0.2.${this.#made % 250}` };
  }

  /** Whoever is signed out, or may do no more, goes. */
  forget(role: Role | 'visitor'): void {
    this.#used.delete(role);
  }
}

/**
 * Calls every endpoint of the contract over and over: rightly, nearly so, and with bad intent.
 * @param ids of records that callers have and others have
 */
export async function fuzz(server: Server, ids: readonly string[], options: FuzzOptions): Promise<FuzzResult> {
  const { seed, perEndpoint, rounds = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY } = options;
  const result: FuzzResult = {
    ...{ calls: 0, hostile: 0, endpoints: endpoints.length, failed: 0, byStatus: {}, slowestMs: 0 },
    faults: [],
  };
  const callers = new Callers(server, await hashPassword('nobody says this one'));
  const until = performance.now() + forMs;
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, endpoint] of endpoints.entries()) {
      for (const [j, manner] of MANNERS.entries()) {
        if (performance.now() >= until) return result;
        const calls = fc.sample(callsOf(endpoint, manner, ids), {
          seed: seed + round * 100_003 + i * 101 + j,
          numRuns: Math.ceil(perEndpoint / MANNERS.length),
        });
        for (const call of calls) tell(await send(server, callers, call, result.calls), call, result);
      }
    }
  }
  return result;
}

interface Answered {
  role: string;
  status: number;
  text: string;
  ms: number;
}

const SIGNED_IN: Role[] = ['user', 'editor', 'master'];

/** Mostly who may call it, else it would go no further than the guard. */
function roleFor({ right }: Endpoint, turn: number): Role | 'visitor' {
  if (turn % 8 === 0) return right === 'open' ? 'visitor' : SIGNED_IN[(turn / 8) % 3]!;
  const able = SIGNED_IN.filter((role) => accessOf(role)[right]);
  return able[turn % able.length]!;
}

/** Calls after which the caller may be signed out, or look on as somebody else. */
const ENDS_SESSIONS = /logout|session|password|secondFactor|user\/view/;

async function send(server: Server, callers: Callers, call: FuzzCall, turn: number): Promise<Answered> {
  const { endpoint, query, body, headers } = call;
  const role = roleFor(endpoint, turn);
  const { remoteAddress, cookie } = await callers.headersOf(role);
  const started = performance.now();
  const answering = server.app.inject({
    method: endpoint.method,
    url: `${endpoint.path}${query === '' ? '' : `?${query}`}`,
    remoteAddress,
    headers: {
      ...{ host: 'localhost:8000', origin: ORIGIN, 'idempotency-key': `fuzz-${turn}` },
      ...(cookie ? { cookie } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
    payloadAsStream: true,
  });
  const late = pause(PATIENCE_MS, NO_ANSWER, { ref: false });
  const { status, text } = await Promise.race([answering.then(read), late]);
  const ms = performance.now() - started;
  if (status === 401 || status === 429 || ENDS_SESSIONS.test(endpoint.path)) callers.forget(role);
  return { role, status, text, ms };
}

const NO_ANSWER = { status: 0, text: '' };

/** The whole of an answer; of a stream of events, which never ends, nothing. */
async function read(response: LightMyRequestResponse): Promise<{ status: number; text: string }> {
  const stream = response.stream();
  const status = response.statusCode;
  if (String(response.headers['content-type']).startsWith('text/event-stream')) {
    stream.destroy();
    return { status, text: '' };
  }
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { status, text: Buffer.concat(parts).toString() };
}

function tell({ role, status, text, ms }: Answered, call: FuzzCall, result: FuzzResult): void {
  const { endpoint, manner, query, body = '' } = call;
  result.calls += 1;
  if (manner !== 'valid') result.hostile += 1;
  if (status >= 500) result.failed += 1;
  result.byStatus[status] = (result.byStatus[status] ?? 0) + 1;
  result.slowestMs = Math.max(result.slowestMs, ms);
  const isStream = endpoint.streams === true && status === 200;
  const fault = isStream ? null : faultOf(endpoint, status, text);
  if (fault === null) return;
  const said = `${manner} ${role} ${endpoint.method} ${endpoint.path}?${query.slice(0, 300)} ${body.slice(0, 400)}`;
  result.faults.push(`${said} => ${fault} ${text.slice(0, 300)}`);
}
