import Big from 'big.js';
import type { KeyAccountType, KeyRight } from '#contract/apiKey';
import { larger, plain, smaller, ZERO } from '../../base/maths/decimal';
import { type KeyAnswer, type KeyHoldings, type KeySilence, NOTHING_SAID } from '../keyCheck';
import { symbolOf } from './bybitNames';
import type { Client } from './exchangeClass';
import { numberOf } from './heard';
import { type Rejections, silenceOf } from './keySilence';
import { exact, isSome } from './orders/figures';
import type { Ask } from './orders/realExchange';
import { type Code, keepTime, type Raw, told } from './ownClient';

const CASH = 'USDT';
/** What fees and the mode of positions are told by. */
const EXAMPLE = { category: 'linear', symbol: 'BTCUSDT' };
/** What Bybit cancels for who is gone, by its name of it. */
export const PROTECTED = 'DERIVATIVES';
/** Rows of one answer. */
const MOST = 200;

const NO_KEY = 'Key 不存在或已被删除';
const FORBIDDEN = '密钥没有读取权限，请在交易所开启“读取”';
const BANNED = '账户已被交易所限制';
const EXPIRED = '密钥已过期';
/** Why Bybit does not let somebody in, by its code. */
const REJECTED: Rejections = {
  ...{ [-2015]: EXPIRED, 33004: EXPIRED },
  ...{ 10003: NO_KEY, 10004: '签名错误，请核对 Secret', 10005: FORBIDDEN, 10007: NO_KEY, 10008: BANNED },
  ...{ 10009: '交易所不在本服务所在的地区提供服务', 10010: '本服务的出口 IP 不在它的 IP 白名单里' },
  ...{ 10024: BANNED, 10027: BANNED },
};
/** Whether who asks is not let in, by Bybit's code. */
export const isNotLetIn = (code: Code): boolean => code in REJECTED;

/** What an answer says. @throws what is none */
async function resultOf(answer: Promise<unknown>): Promise<Raw> {
  const { result } = await told(answer);
  return told(Promise.resolve(result));
}

/** Rows of all pages of an answer. @throws what is none */
export async function pagesOf(page: (after: { cursor?: string }) => Promise<Raw>): Promise<Raw[]> {
  const found: Raw[] = [];
  for (let cursor = ''; ; ) {
    const { list, nextPageCursor } = await page(cursor === '' ? {} : { cursor });
    if (!Array.isArray(list)) throw new TypeError('no rows');
    found.push(...(list as Raw[]));
    const next = String(nextPageCursor ?? '');
    // A page that is not full may be followed by another: the last one leads nowhere, or to an empty one.
    if (next === '' || list.length === 0) return found;
    if (next === cursor) throw new TypeError('a page that leads to itself');
    cursor = next;
  }
}

/** What Bybit's clock says. */
export const tellTime = (client: Client<'bybit'>, ask: Ask) =>
  keepTime(client, async () => (await told(ask(() => client.publicGetV5MarketTime()))).time);

/** Which account of Bybit's a key is of, by its own number. @throws what is no answer */
export async function tellUid(client: Client<'bybit'>): Promise<string> {
  const { userID } = await resultOf(client.privateGetV5UserQueryApi());
  if (!/^[1-9]\d*$/.test(String(userID))) throw new TypeError('no account');
  return String(userID);
}

function rightsOf({ readOnly, permissions }: Raw): KeyRight[] {
  const may = (group: string, ...what: string[]): boolean => {
    const has = (permissions as Readonly<Record<string, unknown>>)[group];
    return String(readOnly) === '0' && Array.isArray(has) && what.every((one) => has.includes(one));
  };
  const has: Record<KeyRight, boolean> = {
    read: true,
    spot: may('Spot', 'SpotTrade'),
    derivative: may('ContractTrade', 'Order', 'Position') || may('Derivatives', 'DerivativesTrade'),
    transfer: may('Wallet', 'AccountTransfer'),
    withdraw: may('Wallet', 'Withdraw'),
  };
  return (Object.keys(has) as KeyRight[]).filter((right) => has[right]);
}

/** Where one wallet backs everything, each currency that is collateral for all. */
function accountTypeOf({ unifiedMarginStatus, marginMode }: Raw): KeyAccountType {
  if (Number(unifiedMarginStatus) < 3) return 'classic';
  return marginMode === 'PORTFOLIO_MARGIN' ? 'portfolio' : 'unified';
}

/** The account, and its positions that are settled in USDT. @throws what is no answer */
async function readAccount(client: Client<'bybit'>, ask: Ask): Promise<[Raw, Raw[]]> {
  const [wallet, positions] = await Promise.all([
    resultOf(ask(() => client.privateGetV5AccountWalletBalance({ accountType: 'UNIFIED' }))),
    positionsOf(client, ask, { category: 'linear', settleCoin: CASH, limit: MOST }),
  ]);
  return [(wallet.list as [Raw])[0], positions];
}

const positionsOf = (client: Client<'bybit'>, ask: Ask, which: object): Promise<Raw[]> =>
  pagesOf((after) => resultOf(ask(() => client.privateGetV5PositionList({ ...which, ...after }))));

const cashOf = ({ coin: coins }: Raw): Raw => (coins as Raw[]).find(({ coin }) => coin === CASH) ?? {};

/** What is held. @throws what is no answer */
export async function held(client: Client<'bybit'>, ask: Ask): Promise<KeyHoldings> {
  const [account, positions] = await readAccount(client, ask);
  // Other coins back positions too: what the books have of them counts on its own.
  const [equity, initialMargin] = [exact(cashOf(account).equity), exact(account.totalInitialMargin)];
  const left = new Big(exact(account.totalAvailableBalance));
  // What was borrowed for spot stands among what is there.
  const ownOf = ({ walletBalance, spotBorrow }: Raw) => new Big(exact(walletBalance)).minus(exact(spotBorrow));
  const freeOf = (row: Raw) => ownOf(row).minus(exact(row.locked));
  return {
    ...{ outcome: 'accepted', multiAsset: false, equity, initialMargin },
    maintenanceMargin: exact(account.totalMaintenanceMargin),
    available: plain(larger(ZERO, smaller(left, new Big(equity).minus(initialMargin)))),
    balances: (account.coin as Raw[])
      .filter((row) => !ownOf(row).eq(0))
      .map((row) => ({
        ...{ wallet: 'unified' as const, asset: String(row.coin), total: plain(ownOf(row)) },
        // What backs positions is not free to be spent.
        free: plain(larger(ZERO, row.coin === CASH ? smaller(freeOf(row), left) : freeOf(row))),
      })),
    positions: positions.filter(({ size }) => isSome(size)).flatMap(positionOf),
  };
}

function positionOf(row: Raw): KeyHoldings['positions'] {
  const symbol = symbolOf('linear', row.symbol);
  if (symbol === null) return [];
  const size = new Big(String(row.size));
  return [
    {
      ...{ symbol, quantity: plain(row.side === 'Sell' ? size.neg() : size) },
      ...{ entryPrice: exact(row.avgPrice), markPrice: exact(row.markPrice), unrealised: exact(row.unrealisedPnl) },
      liquidationPrice: isSome(row.liqPrice) ? exact(row.liqPrice) : null,
      leverage: Number(row.leverage) || undefined,
    },
  ];
}

/** After how many seconds Bybit cancels orders of contracts of who is gone; null where it has not agreed to. @throws what is no answer */
export async function protectionOf(client: Client<'bybit'>, ask: Ask): Promise<{ seconds: number | null }> {
  const { dcpInfos } = await resultOf(ask(() => client.privateGetV5AccountQueryDcpInfo()));
  const info = (dcpInfos as Raw[]).find(({ product, dcpStatus }) => product === PROTECTED && dcpStatus === 'ON');
  return { seconds: info ? Number(info.timeWindow) : null };
}

/** What there is to be told of a unified account. @throws what is no answer */
async function unifiedOf(client: Client<'bybit'>, ask: Ask): Promise<Partial<KeyAnswer>> {
  const [[account, positions], example, fees, { seconds }] = await Promise.all([
    readAccount(client, ask),
    positionsOf(client, ask, EXAMPLE),
    resultOf(ask(() => client.privateGetV5AccountFeeRate(EXAMPLE))),
    protectionOf(client, ask),
  ]);
  const [rate] = fees.list as [Raw];
  // Each symbol has a mode of its own: that of one without a position is told only when it is asked about.
  const isTwoWay = [...example, ...positions].some(({ positionIdx }) => Number(positionIdx) !== 0);
  return {
    ...{
      positionMode: isTwoWay ? 'twoWay' : 'oneWay',
      cancelsForGone: seconds !== null,
      multiAsset: false,
      equity: Number(exact(cashOf(account).equity)),
    },
    ...{ makerFee: numberOf(rate.makerFeeRate) ?? null, takerFee: numberOf(rate.takerFeeRate) ?? null },
  };
}

/** Asks Bybit what a key may, and how its account is set up. */
export async function checkBybitKey(client: Client<'bybit'>, ask: Ask): Promise<KeyAnswer | KeySilence> {
  try {
    const { skewMs, latencyMs } = await tellTime(client, ask);
    const key = await resultOf(ask(() => client.privateGetV5UserQueryApi()));
    const config = await resultOf(ask(() => client.privateGetV5AccountInfo()));
    const accountType = accountTypeOf(config);
    const addresses = (key.ips as string[]).filter((address) => address !== '*');
    // Told of one that ends alone.
    const endsAt = Date.parse(String(key.expiredAt));
    return {
      ...NOTHING_SAID,
      ...{ outcome: 'accepted', reason: null, rights: rightsOf(key), skewMs, latencyMs, uid: String(key.userID) },
      ...{ ipRestricted: addresses.length > 0, ipList: addresses, expiresAt: endsAt > 0 ? endsAt : null },
      ...{ accountType, feeTier: String(key.vipLevel) },
      marginMode: config.marginMode === 'ISOLATED_MARGIN' ? 'isolated' : 'cross',
      ...(accountType !== 'classic' && (await unifiedOf(client, ask))),
    };
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

/** Asks Bybit what the account of a key holds: one wallet, of what is traded everywhere. */
export async function bybitHoldings(client: Client<'bybit'>, ask: Ask): Promise<KeyHoldings | KeySilence> {
  try {
    await tellTime(client, ask);
    return await held(client, ask);
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}
