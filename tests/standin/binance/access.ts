import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../core/keys';
import type { Call } from '../dialect';
import { Params } from './params';
import { Refusal } from './refusal';
import type { Access } from './routes';

const USUAL_WINDOW_MS = 5000;
const LONGEST_WINDOW_MS = 60_000;
/** How far a request's time may be ahead of the exchange's. */
const AHEAD_MS = 1000;

const notLetIn = () => new Refusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);

/** Who asks. @param now UTC ms by the exchange's clock. @throws who may not */
export function keyOf(
  call: Call,
  params: Params,
  access: Exclude<Access, 'none'>,
  find: (key: string) => ApiKey | undefined,
  now: number,
): ApiKey {
  const name = call.headers['x-mbx-apikey'];
  if (typeof name !== 'string' || name === '') throw new Refusal(-2014, 'API-key format invalid.', 401);
  const key = find(name);
  if (!key || (key.addresses.length > 0 && !key.addresses.includes(call.from))) throw notLetIn();
  if (access === 'key') return key;
  checkSignature(call, key.secret);
  checkTime(params, now);
  if ((access === 'trade' && !key.canTrade) || (access === 'transfer' && !key.canTransfer)) throw notLetIn();
  return key;
}

/** The signature is of all that is sent but itself, as it is sent. */
function checkSignature({ query, body, params }: Pick<Call, 'query' | 'body' | 'params'>, secret: string): void {
  const signature = params.get('signature');
  if (!signature)
    throw new Refusal(-1102, "Mandatory parameter 'signature' was not sent, was empty/null, or malformed.");
  const signed = [query, body].map((text) => text.replace(/(^|&)signature=[^&]*/, '')).join('');
  const right = createHmac('sha256', secret).update(signed).digest();
  const given = Buffer.from(signature, 'hex');
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Refusal(-1022, 'Signature for this request is not valid.');
}

/** Who signs a request of the WebSocket API: its params by name, but for the signature. */
export function keyOfMessage(
  params: Record<string, string | number>,
  find: (key: string) => ApiKey | undefined,
  now: number,
): ApiKey {
  const { signature, ...signed } = params;
  const names = Object.keys(signed).sort();
  const query = names.map((name) => `${name}=${signed[name]}`).join('&');
  const call = {
    query: `${query}&signature=${signature}`,
    body: '',
    params: new URLSearchParams({ signature: String(signature) }),
  };
  const key = find(String(params.apiKey));
  if (!key) throw notLetIn();
  checkSignature(call, key.secret);
  checkTime(new Params(new URLSearchParams(query)), now);
  return key;
}

/** A request that comes too late is refused: whoever sent it knows from then on that it does nothing. */
function checkTime(params: Params, now: number): void {
  const sentAt = Number(params.needed('timestamp'));
  const window = Number(params.text('recvWindow') ?? USUAL_WINDOW_MS);
  if (!(window <= LONGEST_WINDOW_MS)) throw new Refusal(-1131, 'recvWindow must be less than 60000.');
  if (!(sentAt < now + AHEAD_MS))
    throw new Refusal(-1021, `Timestamp for this request was ${AHEAD_MS}ms ahead of the server's time.`);
  if (now - sentAt > window) throw new Refusal(-1021, 'Timestamp for this request is outside of the recvWindow.');
}
