import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HOUR_MS } from '#contract/duration';
import type { Endpoint } from '#contract/endpoint';
import type { FieldErrors } from '#contract/envelope';
import type { User } from '#contract/user';
import type { Database, Queries } from '../db/client';
import { type CallKey, claimKey, keepAnswer, keptCall } from '../db/users/idempotency';
import { invalid, Refusal, refused } from './refusal';

const HEADER = 'idempotency-key';
const KEPT_MS = 24 * HOUR_MS;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** What the work is done for: a route's call. */
export interface NamedCall {
  query: unknown;
  body: unknown;
  user: User;
  request: FastifyRequest;
}

/** A write in up to three steps. Refusals thrown by any of them are answers, and kept as such. */
export interface Work<C extends NamedCall, Prepared, Data> {
  /** Moves money: refused without a key. */
  keyRequired?: boolean;
  /** Reads that must not be made inside the transaction: markets, the venue. */
  prepare?(call: C): Promise<Prepared>;
  /** Writes, in the transaction that takes the key. Answers nothing where `settle` does. */
  write(tx: Queries, call: C, prepared: Prepared): Promise<Data | undefined>;
  /** Waits for what was written to have its effect. May run again, after a crash or beside itself. */
  settle?(call: C): Promise<Data>;
}

interface Outcome<Data> {
  data?: Data;
  refusal?: { status: number; code: number; message: string; data: FieldErrors | null };
}

/**
 * Does a write once for each `Idempotency-Key` of a user and endpoint within 24 hours: the key is committed together
 * with the work, and every further call with it gets the first one's answer, also from another server or after a
 * restart. Without the header the work is simply done.
 * @throws `keyReused` when the key came with another query or body; 400 where a key is required and missing.
 */
export async function once<C extends NamedCall, Prepared, Data>(
  { db, clock }: { db: Database; clock: () => number },
  endpoint: Endpoint,
  call: C,
  work: Work<C, Prepared, Data>,
): Promise<Data> {
  const name = nameOf(endpoint, call, work.keyRequired === true);
  if (name === null) return unnamed(db, call, work);
  const now = clock();
  const since = now - KEPT_MS;
  const bodyHash = hashOf(call);
  if ((await keptCall(db, name, since)) === null) {
    const claim = (tx: Queries, answer: string | null) =>
      claimKey(tx, name, { bodyHash, answer, createdAt: now }, since);
    await firstTime(db, name, claim, call, work);
  }
  const kept = await keptCall(db, name, since);
  if (kept === null) throw new Error('a kept call vanished between two statements');
  if (kept.bodyHash !== bodyHash) throw refused('keyReused');
  return unpacked<Data>(kept.answer ?? (await settled(db, name, since, call, work)));
}

function nameOf({ method, path }: Endpoint, { request, user }: NamedCall, required: boolean): CallKey | null {
  const key = request.headers[HEADER];
  if (key === undefined && !required) return null;
  if (key === undefined)
    throw invalid('Idempotency-Key', '缺少 Idempotency-Key 请求头：涉及资金的请求必须带有唯一标识');
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw invalid('Idempotency-Key', 'Idempotency-Key 请求头应为 1 到 200 个可见 ASCII 字符');
  }
  return { userId: user.id, call: `${method} ${path}`, key };
}

/** Of what was asked, whatever the order of its fields. */
function hashOf({ query, body }: NamedCall): string {
  const sorted = [query, body].map((part) => Object.entries(part ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

async function unnamed<C extends NamedCall, P, D>(db: Database, call: C, work: Work<C, P, D>): Promise<D> {
  const prepared = (await work.prepare?.(call)) as P;
  const data = await db.transaction((tx) => work.write(tx, call, prepared));
  return data ?? finish(call, work);
}

function finish<C extends NamedCall, P, D>(call: C, { settle }: Work<C, P, D>): Promise<D> {
  if (settle === undefined) throw new Error('a write answered nothing and has nothing to settle');
  return settle(call);
}

/** Takes the key and does the work in one transaction; whoever comes second finds it taken and does nothing. */
async function firstTime<C extends NamedCall, P, D>(
  db: Database,
  name: CallKey,
  claim: (tx: Queries, answer: string | null) => Promise<boolean>,
  call: C,
  work: Work<C, P, D>,
): Promise<void> {
  try {
    const prepared = (await work.prepare?.(call)) as P;
    await db.transaction(async (tx) => {
      if (!(await claim(tx, null))) return;
      const data = await work.write(tx, call, prepared);
      if (data !== undefined) await keepAnswer(tx, name, JSON.stringify({ data } satisfies Outcome<D>));
    });
  } catch (error) {
    // What went wrong without a reason is no answer: the same key may try again.
    const answer = packedRefusal(error);
    await db.transaction((tx) => claim(tx, answer));
  }
}

/** Waits for the work to have its effect; of two who wait the first to be done answers for both. */
async function settled<C extends NamedCall, P, D>(
  db: Database,
  name: CallKey,
  since: number,
  call: C,
  work: Work<C, P, D>,
): Promise<string> {
  const answer = await finish(call, work).then(
    (data) => JSON.stringify({ data } satisfies Outcome<D>),
    (error: unknown) => packedRefusal(error),
  );
  await keepAnswer(db, name, answer);
  return (await keptCall(db, name, since))?.answer ?? answer;
}

function packedRefusal(error: unknown): string {
  if (!(error instanceof Refusal) || error.status >= 500 || error.status === 429) throw error;
  const { status, code, message, data } = error;
  return JSON.stringify({ refusal: { status, code, message, data } } satisfies Outcome<never>);
}

function unpacked<Data>(answer: string): Data {
  const { data, refusal } = JSON.parse(answer) as Outcome<Data>;
  if (refusal !== undefined) throw new Refusal(refusal.status, refusal.code, refusal.message, refusal.data);
  return data as Data;
}
