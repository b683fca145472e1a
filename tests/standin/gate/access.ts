import { createHash } from 'node:crypto';
import { SECOND_MS } from '#contract/duration';
import { type ApiKey, isSigned } from '../core/keys';
import { Refusal } from '../core/publicDialect';
import type { Call } from '../dialect';

/** How far a request's time may be from the exchange's. */
const APART_MS = 60 * SECOND_MS;

export const readOnly = () => new Refusal('READ_ONLY', 'API key is read-only', 403);

type Find = (key: string) => ApiKey | undefined;

function checkSigned(text: string, secret: string, signature: string): void {
  if (!isSigned(text, secret, signature, 'hex', 'sha512'))
    throw new Refusal('INVALID_SIGNATURE', 'Signature mismatch', 401);
}

function checkTime(text: string, now: number): void {
  if (!(Math.abs(now - Number(text) * SECOND_MS) <= APART_MS))
    throw new Refusal('REQUEST_EXPIRED', 'gap between request Timestamp and server time exceeds 60', 401);
}

function known(name: string, find: Find): ApiKey {
  const key = find(name);
  if (!key) throw new Refusal('INVALID_KEY', 'Invalid key provided', 401);
  return key;
}

/** Who asks; what is signed is not encoded as in the address. @param now UTC ms by the exchange's clock. @throws who may not */
export function keyOf(call: Call, right: 'read' | 'trade', find: Find, now: number): ApiKey {
  const header = (name: string): string => {
    const value = call.headers[name.toLowerCase()];
    if (typeof value !== 'string' || value === '')
      throw new Refusal('MISSING_REQUIRED_HEADER', `Missing required header: ${name}`, 401);
    return value;
  };
  const [name, time, signature] = [header('KEY'), header('Timestamp'), header('SIGN')];
  const key = known(name, find);
  checkTime(time, now);
  const body = createHash('sha512').update(call.body).digest('hex');
  checkSigned([call.method, call.path, decodeURIComponent(call.query), body, time].join('\n'), key.secret, signature);
  if (key.addresses.length > 0 && !key.addresses.includes(call.from))
    throw new Refusal('IP_FORBIDDEN', `Request IP not in whitelist: ${call.from}`, 403);
  if (right === 'trade' && !key.canTrade) throw readOnly();
  return key;
}

/** What a subscription to what is one's own says. */
export interface Signed {
  channel: string;
  event: string;
  time: number;
  auth?: { KEY?: string; SIGN?: string };
}

/** Who subscribes. @throws who may not */
export function keyOfSubscription({ channel, event, time, auth }: Signed, find: Find, now: number): ApiKey {
  const key = known(auth?.KEY ?? '', find);
  checkTime(String(time), now);
  checkSigned(`channel=${channel}&event=${event}&time=${time}`, key.secret, auth?.SIGN ?? '');
  return key;
}
