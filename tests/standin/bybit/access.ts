import { SECOND_MS } from '#contract/duration';
import { type ApiKey, isSigned } from '../core/keys';
import { Refusal } from '../core/publicDialect';
import type { Call } from '../dialect';

/** How long a request is good for where it does not say so, ms. */
const USUAL_WINDOW = '5000';

type Find = (key: string) => ApiKey | undefined;

/** Who asks. @param now UTC ms by the exchange's clock. @throws who may not */
export function keyOf(call: Call, right: 'read' | 'trade', find: Find, now: number): ApiKey {
  const header = (name: string): string => String(call.headers[`x-bapi-${name}`] ?? '');
  const [name, time, sign, window] = ['api-key', 'timestamp', 'sign', 'recv-window'].map(header) as [
    string,
    string,
    string,
    string,
  ];
  if (name === '' || time === '' || sign === '')
    throw new Refusal('10001', 'empty value: apiTimestamp[] apiKey[] apiSignature[]: openapi sign params error!', 401);
  const [at, goodMs] = [Number(time), Number(window || USUAL_WINDOW)];
  if (!(at >= now - goodMs && at < now + SECOND_MS))
    throw new Refusal(
      '10002',
      `invalid request, please check your server timestamp or recv_window param. req_timestamp[${time}],server_timestamp[${now}],recv_window[${goodMs}]`,
    );
  const key = find(name);
  if (!key) throw new Refusal('10003', 'API key is invalid.', 401);
  const text = time + name + window + (call.method === 'GET' ? call.query : call.body);
  if (!isSigned(text, key.secret, sign, 'hex')) throw new Refusal('10004', `error sign! origin_string[${text}]`);
  if (key.addresses.length > 0 && !key.addresses.includes(call.from))
    throw new Refusal('10010', "Unmatched IP, please check your API key's bound IP addresses.");
  if (right === 'trade' && !key.canTrade)
    throw new Refusal('10005', 'Permission denied, please check your API key permissions.');
  return key;
}

/** Who logs in on a connection. @param args key, until when it is good (UTC ms), and the signature. @throws who may not */
export function keyOfLogin([name = '', until = '', sign = '']: readonly unknown[], find: Find, now: number): ApiKey {
  const key = find(String(name));
  if (!key) throw new Refusal('10003', 'API key is invalid.');
  if (!(Number(until) > now)) throw new Refusal('10002', 'Request expired');
  if (!isSigned(`GET/realtime${String(until)}`, key.secret, String(sign), 'hex'))
    throw new Refusal('10004', 'Error sign, please check your signature generation algorithm.');
  return key;
}
