import { SECOND_MS } from '#contract/duration';
import { type ApiKey, isSigned } from '../core/keys';
import { Refusal } from '../core/publicDialect';
import type { Call } from '../dialect';

/** How far a request's time may be from the exchange's. */
const APART_MS = 30 * SECOND_MS;

type Find = (key: string) => ApiKey | undefined;

const isLate = (at: number, now: number): boolean => !(Math.abs(now - at) <= APART_MS);

interface At {
  find: Find;
  /** UTC ms by the exchange's clock. */
  now: number;
  isTestnet: boolean;
}

/** Who asks. @throws who may not */
export function keyOf(call: Call, right: 'read' | 'trade', { find, now, isTestnet }: At): ApiKey {
  const refused = (code: string, message: string, status = 401) => new Refusal(code, message, status);
  const header = (name: string, code: string): string => {
    const value = call.headers[name.toLowerCase()];
    if (typeof value !== 'string' || value === '') throw refused(code, `Request header "${name}" cannot be empty.`);
    return value;
  };
  const name = header('OK-ACCESS-KEY', '50103');
  const passphrase = header('OK-ACCESS-PASSPHRASE', '50104');
  const signature = header('OK-ACCESS-SIGN', '50106');
  const time = header('OK-ACCESS-TIMESTAMP', '50107');
  if (Number.isNaN(Date.parse(time))) throw refused('50112', 'Invalid OK-ACCESS-TIMESTAMP.');
  if (isLate(Date.parse(time), now)) throw refused('50102', 'Timestamp request expired.');
  if (!/^[\w-]+$/.test(name)) throw refused('50111', 'Invalid OK-ACCESS-KEY.');
  const key = find(name);
  if (!key) throw refused('50119', "API key doesn't exist");
  if ((call.headers['x-simulated-trading'] === '1') !== isTestnet)
    throw refused('50101', 'APIKey does not match current environment.');
  if (passphrase !== key.passphrase) throw refused('50105', 'Request header "OK-ACCESS-PASSPHRASE" incorrect.');
  const path = call.query === '' ? call.path : `${call.path}?${call.query}`;
  if (!isSigned(time + call.method + path + call.body, key.secret, signature, 'base64'))
    throw refused('50113', 'Invalid signature.');
  if (key.addresses.length > 0 && !key.addresses.includes(call.from))
    throw refused('50110', `Your IP ${call.from} is not included in your API key's IP whitelist.`);
  if (right === 'trade' && !key.canTrade)
    throw refused('50120', "This API key doesn't have permission to use this function", 200);
  return key;
}

/** What a login on a connection says; its time is in seconds. */
export interface Login {
  apiKey?: string;
  passphrase?: string;
  timestamp?: string;
  sign?: string;
}

/** Who logs in on a connection. @throws who may not */
export function keyOfLogin(
  { apiKey = '', passphrase, timestamp = '', sign = '' }: Login,
  find: Find,
  now: number,
): ApiKey {
  const key = find(apiKey);
  if (!key) throw new Refusal('60032', "API key doesn't exist.");
  if (passphrase !== key.passphrase) throw new Refusal('60024', 'Wrong passphrase');
  if (!/^\d+(\.\d+)?$/.test(timestamp)) throw new Refusal('60004', 'Invalid timestamp');
  if (isLate(Number(timestamp) * SECOND_MS, now)) throw new Refusal('60006', 'Timestamp request expired');
  if (!isSigned(`${timestamp}GET/users/self/verify`, key.secret, sign, 'base64'))
    throw new Refusal('60007', 'Invalid sign');
  return key;
}
