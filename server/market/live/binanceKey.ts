import Big from 'big.js';
import { type KeyAnswer, type KeyHoldings, type KeySilence, NOTHING_SAID, rightsIn } from '../keyCheck';
import { isOnTestnet } from './address';
import type { Client } from './exchangeClass';
import { numberOf } from './heard';
import { type Rejections, silenceOf } from './keySilence';
import type { Ask } from './orders/realExchange';
import { type Code, keepTime, type Raw, told, troubleOf } from './ownClient';

/** A minute, USDT-margined futures; of an address, whoever asks from it. */
const WEIGHT_LIMIT = 2_400;
/** What fees are told by. */
const FEES_OF = 'BTCUSDT';

/** Why binance does not let somebody in, by its code. */
const REJECTED: Rejections = {
  [-1022]: '签名错误，请核对 Secret',
  [-2014]: 'Key 的格式不对，请核对 Key',
  [-2015]: 'Key 不存在、已被删除，或本服务的出口 IP 不在它的 IP 白名单里',
  [-2008]: 'Key 不存在或已被删除',
  [-1002]: '密钥没有读取权限，请在交易所开启“读取”',
};
/** Whether who asks is not let in, by binance's code. */
export const isNotLetIn = (code: Code): boolean => code in REJECTED;

const rightsOf = (may: Raw) =>
  rightsIn({
    read: may.enableReading === true,
    spot: may.enableSpotAndMarginTrading === true,
    derivative: may.enableFutures === true,
    transfer: may.enableInternalTransfer === true || may.permitsUniversalTransfer === true,
    withdraw: may.enableWithdrawals === true,
  });

/** What the futures account of a key says of itself; null of who has none. @throws what is no answer */
async function futuresOf(client: Client<'binance'>, ask: Ask): Promise<Partial<KeyAnswer> | null> {
  try {
    const config = await told(ask(() => client.fapiPrivateGetAccountConfig()));
    const [account, symbols, fees] = await Promise.all([
      told(ask(() => client.fapiPrivateV3GetAccount())),
      told<Raw[]>(ask(() => client.fapiPrivateGetSymbolConfig())),
      told(ask(() => client.fapiPrivateGetCommissionRate({ symbol: FEES_OF }))),
    ]);
    return {
      positionMode: config.dualSidePosition === true ? 'twoWay' : 'oneWay',
      marginMode: symbols.some(({ marginType }) => marginType === 'ISOLATED') ? 'isolated' : 'cross',
      feeTier: `VIP ${config.feeTier}`,
      makerFee: numberOf(fees.makerCommissionRate) ?? null,
      takerFee: numberOf(fees.takerCommissionRate) ?? null,
      multiAsset: config.multiAssetsMargin === true,
      equity: numberOf(account.totalMarginBalance) ?? null,
      weightUsed: weightOf(client),
    };
  } catch (error) {
    const { code } = troubleOf(error);
    // It is let in to what it was asked before: to futures it is not.
    if (code !== null && isNotLetIn(code)) return null;
    throw error;
  }
}

function weightOf({ last_response_headers }: Client<'binance'>): number | null {
  const headers = (last_response_headers ?? {}) as Record<string, string>;
  const used = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-mbx-used-weight-1m')?.[1];
  return used === undefined ? null : Number(used) / WEIGHT_LIMIT;
}

/** What binance's clock says. */
export const tellTime = (client: Client<'binance'>, ask: Ask) =>
  keepTime(client, async () => (await told(ask(() => client.fapiPublicGetTime()))).serverTime);

/** Which account of binance's a key is of, by its own number. @throws what is no answer */
export async function tellUid(client: Client<'binance'>): Promise<string> {
  const { uid } = await told(client.privateGetAccount({ omitZeroBalances: 'true' }));
  if (!/^\d+$/.test(String(uid))) throw new TypeError('no account');
  return String(uid);
}

/** What binance says of the key itself. Its test network says nothing of it: there it is what the account may. */
async function restrictionsOf(client: Client<'binance'>): Promise<Raw> {
  if (!isOnTestnet(client)) return told(client.sapiGetAccountApiRestrictions());
  const { canTrade } = await told(client.privateGetAccount({ omitZeroBalances: 'true' }));
  return { enableReading: true, enableSpotAndMarginTrading: canTrade, enableFutures: canTrade, ipRestrict: null };
}

/** Asks binance what a key may, and how its futures account is set up. */
export async function checkBinanceKey(client: Client<'binance'>, ask: Ask): Promise<KeyAnswer | KeySilence> {
  try {
    const { skewMs, latencyMs } = await tellTime(client, ask);
    const restrictions = await restrictionsOf(client);
    const rights = rightsOf(restrictions);
    const uid = await tellUid(client);
    const futures = await futuresOf(client, ask);
    const endsAt = numberOf(restrictions.tradingAuthorityExpirationTime) ?? 0;
    const hasFutures = restrictions.enablePortfolioMarginTrading === true ? 'unified' : 'usdm';
    return {
      ...NOTHING_SAID,
      ...{ outcome: 'accepted', reason: null, rights, skewMs, latencyMs },
      uid,
      // Which addresses may use it binance does not say.
      ipRestricted: restrictions.ipRestrict === null ? null : restrictions.ipRestrict === true,
      expiresAt: endsAt > 0 ? endsAt : null,
      accountType: futures === null ? 'spot' : hasFutures,
      ...futures,
    };
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

const isSome = (value: unknown): boolean => Number(value) !== 0;

/** Asks binance what the account of a key holds: the wallets of futures and of spot, and the positions of futures. */
export async function binanceHoldings(client: Client<'binance'>, ask: Ask): Promise<KeyHoldings | KeySilence> {
  try {
    await tellTime(client, ask);
    const [config, account, positions, spot] = await Promise.all([
      told(ask(() => client.fapiPrivateGetAccountConfig())),
      told(ask(() => client.fapiPrivateV3GetAccount())),
      told<Raw[]>(ask(() => client.fapiPrivateV3GetPositionRisk())),
      told(client.privateGetAccount({ omitZeroBalances: 'true' })),
    ]);
    const text = (value: unknown) => exact(String(value));
    const futures = (account.assets as Raw[]).filter(({ walletBalance }) => isSome(walletBalance));
    const coins = (spot.balances as Raw[]).filter(({ free, locked }) => isSome(free) || isSome(locked));
    return {
      outcome: 'accepted',
      multiAsset: config.multiAssetsMargin === true,
      equity: text(account.totalMarginBalance),
      available: text(account.availableBalance),
      initialMargin: text(account.totalInitialMargin),
      maintenanceMargin: text(account.totalMaintMargin),
      balances: [
        ...futures.map(({ asset, walletBalance, availableBalance }) => ({
          ...{ wallet: 'usdm' as const, asset: String(asset) },
          ...{ total: text(walletBalance), free: text(availableBalance) },
        })),
        ...coins.map(({ asset, free, locked }) => ({
          ...{ wallet: 'spot' as const, asset: String(asset) },
          ...{ total: new Big(String(free)).plus(String(locked)).toFixed(), free: text(free) },
        })),
      ],
      positions: positions
        .filter(({ positionAmt }) => isSome(positionAmt))
        .map((position) => ({
          symbol: String(position.symbol),
          quantity: text(position.positionAmt),
          entryPrice: text(position.entryPrice),
          markPrice: text(position.markPrice),
          liquidationPrice: Number(position.liquidationPrice) > 0 ? text(position.liquidationPrice) : null,
          unrealised: text(position.unRealizedProfit),
          leverage: leverageOf(position),
        })),
    };
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

/** It is told by what it takes alone. */
function leverageOf({ notional, positionInitialMargin: margin }: Raw): number | undefined {
  return isSome(margin ?? 0) ? new Big(String(notional)).div(String(margin)).abs().round(2).toNumber() : undefined;
}

const exact = (decimal: string): string => new Big(decimal).toFixed();
