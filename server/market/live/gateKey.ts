import Big from 'big.js';
import type { KeyAccountType } from '#contract/apiKey';
import { plain } from '../../base/maths/decimal';
import { type KeyAnswer, type KeyHoldings, type KeySilence, NOTHING_SAID, rightsIn } from '../keyCheck';
import type { Client } from './exchangeClass';
import { symbolOf } from './gateNames';
import { numberOf } from './heard';
import { type Rejections, silenceOf } from './keySilence';
import { sizeByWorth } from './orders/figures';
import type { Ask, ContractSizeOf } from './orders/realExchange';
import { type Code, keepTime, type Raw, told } from './ownClient';

const CASH = 'USDT';
/** Of what is settled in USDT. */
export const SETTLED = { settle: 'usdt' };
/** What fees are told by. */
const FEES_OF = 'BTC_USDT';

const NO_KEY = 'Key 不存在或已被删除';
const LOCKED = '账户已被交易所锁定';
/** Why Gate does not let somebody in, by its label. */
const REJECTED: Rejections = {
  INVALID_KEY: NO_KEY,
  INVALID_CREDENTIALS: NO_KEY,
  AUTHENTICATION_FAILED: NO_KEY,
  INVALID_SIGNATURE: '签名错误，请核对 Secret',
  IP_FORBIDDEN: '本服务的出口 IP 不在它的 IP 白名单里',
  FORBIDDEN: '密钥没有读取权限：需要“现货”“永续合约”“账户”，且是主账户的密钥',
  ACCOUNT_LOCKED: LOCKED,
  SUB_ACCOUNT_LOCKED: LOCKED,
  USER_NOT_FOUND: '还没有合约账户，请在交易所先把一笔 USDT 划转到合约',
};
/** Whether who asks is not let in, by Gate's label. */
export const isNotLetIn = (code: Code): boolean => code in REJECTED;

/** How margin is counted, by Gate's number of it: the first has a wallet each for spot and perpetuals. */
const ACCOUNT_TYPES: readonly KeyAccountType[] = ['usdm', 'multiCurrency', 'portfolio', 'singleCurrency'];

/** What Gate's clock says. */
export const tellTime = (client: Client<'gate'>, ask: Ask) =>
  keepTime(client, async () => (await told(ask(() => client.publicSpotGetTime()))).server_time);

const isRows = (answer: Raw | readonly Raw[]): answer is readonly Raw[] => Array.isArray(answer);

/** Which account of Gate's a key is of, by its own number, which its streams are asked for by. @throws what is no answer */
export async function tellUid(client: Client<'gate'>): Promise<string> {
  const { user_id } = await told(client.privateAccountGetDetail());
  if (!/^\d+$/.test(String(user_id))) throw new TypeError('no account');
  client.uid = String(user_id);
  return client.uid;
}

/** Of all keys of the account, or it alone, the one that asks, whose end is not told; undefined where several begin as it does. */
function ownOf(keys: Raw | readonly Raw[], own: string): Raw | undefined {
  if (!isRows(keys)) return keys;
  const alike = keys.filter(({ key }) => own.startsWith(String(key).replace(/\*+$/, '')));
  return alike.length === 1 ? alike[0] : undefined;
}

function rightsOf({ perms }: Raw) {
  const has = (name: string, isToWrite = true) =>
    (perms as Raw[]).some((one) => String(one.name).startsWith(name) && !(isToWrite && one.read_only === true));
  return rightsIn({
    read: has('spot', false) && has('futures', false),
    spot: has('spot'),
    derivative: has('futures'),
    transfer: has('wallet'),
    withdraw: has('withdraw'),
  });
}

/** Where a short is liquidated that cannot be. */
const NEVER = 99_999_999;
const isSome = (value: unknown): boolean => Number(value) !== 0;
const exact = (value: unknown): string => plain(new Big(String(value)));

/** What the wallet of perpetuals comes to: all of it is margin. */
const equityOf = ({ total, unrealised_pnl }: Raw): string => plain(new Big(String(total)).plus(String(unrealised_pnl)));

/** Asks Gate what a key may, and how its account is set up. */
export async function checkGateKey(client: Client<'gate'>, ask: Ask): Promise<KeyAnswer | KeySilence> {
  try {
    const { skewMs, latencyMs } = await tellTime(client, ask);
    const [detail, keys, account, positions, fees] = await Promise.all([
      told(ask(() => client.privateAccountGetDetail())),
      told<Raw | Raw[]>(ask(() => client.privateAccountGetMainKeys())),
      told(ask(() => client.privateFuturesGetSettleAccounts(SETTLED))),
      told<Raw[]>(ask(() => client.privateFuturesGetSettlePositions({ ...SETTLED, holding: 'true' }))),
      told<Record<string, Raw>>(ask(() => client.privateFuturesGetSettleFee({ ...SETTLED, contract: FEES_OF }))),
    ]);
    const own = ownOf(keys, client.apiKey);
    const addresses = (own?.ip_whitelist ?? []) as string[];
    const isOneWay = account.in_dual_mode === false && (account.position_mode ?? 'single') === 'single';
    const marginMode = ACCOUNT_TYPES[Number(account.margin_mode ?? 0)] ?? null;
    return {
      ...NOTHING_SAID,
      ...{ outcome: 'accepted', reason: null, rights: own ? rightsOf(own) : null, skewMs, latencyMs },
      ...{
        uid: String(detail.user_id),
        ipRestricted: own ? addresses.length > 0 : null,
        ipList: own ? addresses : null,
      },
      // Gate means to leave that word out one day.
      accountType: marginMode === 'usdm' && account.enable_evolved_classic === false ? 'oldMargin' : marginMode,
      positionMode: isOneWay ? 'oneWay' : 'twoWay',
      // A position that is not cross has a leverage of its own.
      marginMode: positions.some(({ size, leverage }) => isSome(size) && isSome(leverage)) ? 'isolated' : 'cross',
      ...{ feeTier: `VIP ${detail.tier}`, makerFee: numberOf(fees[FEES_OF]?.maker_fee) ?? null },
      ...{ takerFee: numberOf(fees[FEES_OF]?.taker_fee) ?? null, multiAsset: false, equity: Number(equityOf(account)) },
    };
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

/** Asks Gate what the account of a key holds: the wallets of perpetuals and of spot, and the positions. */
export async function gateHoldings(
  client: Client<'gate'>,
  ask: Ask,
  contractSizeOf: ContractSizeOf,
): Promise<KeyHoldings | KeySilence> {
  try {
    await tellTime(client, ask);
    const [account, positions, spot] = await Promise.all([
      told(ask(() => client.privateFuturesGetSettleAccounts(SETTLED))),
      told<Raw[]>(ask(() => client.privateFuturesGetSettlePositions({ ...SETTLED, holding: 'true' }))),
      told<Raw[]>(ask(() => client.privateSpotGetAccounts())),
    ]);
    const { total, cross_available, cross_initial_margin, cross_order_margin, cross_maintenance_margin } = account;
    return {
      ...{ outcome: 'accepted', multiAsset: false, equity: equityOf(account), available: exact(cross_available) },
      initialMargin: plain(new Big(String(cross_initial_margin)).plus(String(cross_order_margin))),
      maintenanceMargin: exact(cross_maintenance_margin),
      balances: [
        { wallet: 'usdm', asset: CASH, total: exact(total), free: exact(cross_available) },
        ...spot
          .filter(({ available, locked }) => isSome(available) || isSome(locked))
          .map(({ currency, available, locked }) => ({
            ...{ wallet: 'spot' as const, asset: String(currency), free: exact(available) },
            total: plain(new Big(String(available)).plus(String(locked))),
          })),
      ],
      positions: positions.filter(({ size }) => isSome(size)).flatMap((row) => positionOf(row, contractSizeOf)),
    };
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

/** Of what is not settled in USDT nothing here speaks. */
function positionOf(row: Raw, contractSizeOf: ContractSizeOf): KeyHoldings['positions'] {
  const symbol = symbolOf(row.contract, 'futures');
  if (symbol === null) return [];
  const size = contractSizeOf(symbol) ?? sizeByWorth(row.size, row.mark_price, row.value);
  return [
    {
      ...{ symbol, quantity: plain(new Big(String(row.size)).times(size)) },
      ...{
        entryPrice: exact(row.entry_price),
        markPrice: exact(row.mark_price),
        unrealised: exact(row.unrealised_pnl),
      },
      liquidationPrice: isSome(row.liq_price) && Number(row.liq_price) < NEVER ? exact(row.liq_price) : null,
      // Of a position that is cross the limit is its leverage.
      leverage: Number(row.leverage) || Number(row.cross_leverage_limit) || undefined,
    },
  ];
}
