import Big from 'big.js';
import type { KeyHeld, KeyPosition } from '#contract/apiKey';
import { keyOf } from '../../base/db/accounts/apiKey';
import { heldDealLegs } from '../../base/db/strategies/deal';
import { notFound, refused } from '../../base/http/refusal';
import type { KeyHoldings, KeySilence } from '../../market/keyCheck';
import type { PeopleDeps } from '../deps';
import { NO_EXCHANGE } from './keyReport';
import { keyAccounts } from './keyRow';
import { credentialsOf } from './keyVault';

type Needs = Pick<PeopleDeps, 'db' | 'clock' | 'vault' | 'keyCheck'>;

const REFUSALS = { rejected: 'keyRejected', unanswered: 'keyUnanswered', unavailable: 'keyNotAsked' } as const;

/** What the account of a stored key holds, against what deals hold in it. @throws a refusal where nobody says so */
export async function keyHeld(deps: Needs, userId: string, id: string): Promise<KeyHeld> {
  const { db, clock, vault, keyCheck } = deps;
  const record = await keyOf(db, userId, id);
  if (record === null) throw notFound('没有找到该密钥');
  if (keyCheck === null) throw refused('keyNotAsked', NO_EXCHANGE);
  if (!record.enabled) throw refused('keyNotAsked', '密钥已停用');
  const credentials = await credentialsOf(vault, db, record);
  // Before the exchange is asked: what is filled meanwhile is told as not ours, never what is not there as ours.
  const ours = await oursOf(deps, userId, id);
  // What a library throws may quote the key: nothing of it is passed on.
  const silence: KeySilence = { outcome: 'unanswered', reason: '' };
  const answer = await keyCheck.holdings(credentials, clock()).catch(() => silence);
  if (answer.outcome !== 'accepted') throw refused(REFUSALS[answer.outcome], answer.reason);
  const { outcome: _outcome, positions, ...account } = answer;
  const coins = coinsOf(account.balances, ours);
  return {
    ...{ at: clock(), simulated: keyCheck.simulated, ...account },
    positions: positionsOf([...positions, ...coins], ours),
  };
}

/** What running deals hold in accounts that trade for real by a key, by symbol. */
async function oursOf({ db }: Needs, userId: string, keyId: string): Promise<Map<string, Big>> {
  const accounts = (await keyAccounts(db, userId)).filter(
    ({ apiKeyId, mode }) => apiKeyId === keyId && mode !== 'paper',
  );
  const held = new Map<string, Big>();
  if (accounts.length === 0) return held;
  const ids = new Set(accounts.map(({ id }) => id));
  for (const { accountId, symbol, quantity } of await heldDealLegs(db, [userId])) {
    if (ids.has(accountId)) held.set(symbol, (held.get(symbol) ?? new Big(0)).plus(quantity));
  }
  return held;
}

/** What exchanges do not tell of coins, and of what they do not have. */
const NOTHING = { entryPrice: null, markPrice: null, liquidationPrice: null, unrealised: null };

/** Spot that deals hold, as it lies in the wallets that it is bought into: exchanges call it a balance, not a position. */
const coinsOf = (balances: KeyHoldings['balances'], ours: ReadonlyMap<string, Big>) =>
  balances
    .filter(({ wallet, asset }) => wallet !== 'usdm' && ours.has(`${asset}USDT_SPOT`))
    .map(({ asset, total }) => ({ symbol: `${asset}USDT_SPOT`, quantity: total, ...NOTHING }));

type Told = Pick<KeyPosition, 'symbol' | 'quantity' | keyof typeof NOTHING> & { leverage?: unknown };

function positionsOf(positions: readonly Told[], ours: ReadonlyMap<string, Big>): KeyPosition[] {
  const isThere = new Set(positions.map(({ symbol }) => symbol));
  const absent = [...ours].filter(([symbol, quantity]) => !isThere.has(symbol) && !quantity.eq(0));
  const all: Told[] = [...positions, ...absent.map(([symbol]) => ({ symbol, quantity: '0', ...NOTHING }))];
  // Of a symbol that is held both ways ours is one of them at most.
  const left = new Map(ours);
  return all.map(({ symbol, quantity, leverage: _, ...told }) => {
    const own = left.get(symbol) ?? new Big(0);
    left.delete(symbol);
    const held = new Big(quantity);
    const side = (held.eq(0) ? own : held).lt(0) ? 'short' : 'long';
    return { symbol, side, quantity, ours: own.toFixed(), external: held.minus(own).toFixed(), ...told };
  });
}
