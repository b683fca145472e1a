import Big from 'big.js';
import type { KeyRight } from '#contract/apiKey';
import { type KeyAnswer, type KeyHoldings, type KeySilence, NOTHING_SAID } from '../keyCheck';
import type { Client } from './exchangeClass';
import { numberOf } from './heard';
import { OWN_ANSWER_MS, type Raw, told, troubleOf } from './ownClient';

/** Asks what counts against what an address may ask of futures. */
export type Ask = <T>(question: () => Promise<T>) => Promise<T>;

/** A minute, USDT-margined futures; of an address, whoever asks from it. */
const WEIGHT_LIMIT = 2_400;
/** What fees are told by. */
const FEES_OF = 'BTCUSDT';

/** Why binance does not let somebody in, by its code. */
const REJECTED: Readonly<Record<number, string>> = {
  [-1022]: '签名错误，请核对 Secret',
  [-2014]: 'Key 的格式不对，请核对 Key',
  [-2015]: 'Key 不存在、已被删除，或本服务的出口 IP 不在它的 IP 白名单里',
  [-2008]: 'Key 不存在或已被删除',
  [-1002]: '密钥没有读取权限，请在交易所开启“读取”',
};
/** Whether who asks is not let in, by binance's code. */
export const isNotLetIn = (code: number): boolean => code in REJECTED;

const seconds = (ms: number) => `${ms / 1_000} 秒内没有回答`;

function failure(error: unknown): KeySilence {
  const { code, isTooOften } = troubleOf(error);
  const reason = code === null ? undefined : REJECTED[code];
  if (reason !== undefined) return { outcome: 'rejected', reason };
  if (isTooOften) return { outcome: 'unanswered', reason: '请求过多，交易所要求稍后再问' };
  return {
    outcome: 'unanswered',
    reason: code === null ? `连接不上，或 ${seconds(OWN_ANSWER_MS)}` : `交易所此时不能回答（错误 ${code}）`,
  };
}

function rightsOf(may: Raw): KeyRight[] {
  const has: Record<KeyRight, boolean> = {
    read: may.enableReading === true,
    spot: may.enableSpotAndMarginTrading === true,
    derivative: may.enableFutures === true,
    transfer: may.enableInternalTransfer === true || may.permitsUniversalTransfer === true,
    withdraw: may.enableWithdrawals === true,
  };
  return (Object.keys(has) as KeyRight[]).filter((right) => has[right]);
}

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

/** How far binance's clock is ahead of ours, and how long it took to say so, ms. From then on the client keeps its time. */
export async function tellTime(client: Client<'binance'>, ask: Ask) {
  const from = client.milliseconds();
  const serverTime = Number((await told(ask(() => client.fapiPublicGetTime()))).serverTime);
  if (!(serverTime > 0)) throw new TypeError('no time');
  const until = client.milliseconds();
  const skewMs = Math.round(serverTime - (from + until) / 2);
  client.options.timeDifference = -skewMs;
  return { serverTime, skewMs, latencyMs: until - from };
}

/** Which account of binance's a key is of, by its own number. @throws what is no answer */
export async function tellUid(client: Client<'binance'>): Promise<string> {
  const { uid } = await told(client.privateGetAccount({ omitZeroBalances: 'true' }));
  if (!/^\d+$/.test(String(uid))) throw new TypeError('no account');
  return String(uid);
}

/** Asks binance what a key may, and how its futures account is set up. */
export async function checkBinanceKey(client: Client<'binance'>, ask: Ask): Promise<KeyAnswer | KeySilence> {
  try {
    const { skewMs, latencyMs } = await tellTime(client, ask);
    const restrictions = await told(client.sapiGetAccountApiRestrictions());
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
      ipRestricted: restrictions.ipRestrict === true,
      expiresAt: endsAt > 0 ? endsAt : null,
      accountType: futures === null ? 'spot' : hasFutures,
      ...futures,
    };
  } catch (error) {
    return failure(error);
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
        })),
    };
  } catch (error) {
    return failure(error);
  }
}

const exact = (decimal: string): string => new Big(decimal).toFixed();
