import Big from 'big.js';
import type { KeyAccountType, KeyRight } from '#contract/apiKey';
import { plain, smaller } from '../../base/maths/decimal';
import { type KeyAnswer, type KeyHoldings, type KeySilence, NOTHING_SAID } from '../keyCheck';
import type { Client } from './exchangeClass';
import { numberOf } from './heard';
import { type Rejections, silenceOf } from './keySilence';
import { symbolOf } from './okxNames';
import { exact, isSome, sizeByWorth } from './orders/figures';
import type { Ask, ContractSizeOf } from './orders/realExchange';
import { type Code, keepTime, type Raw, told } from './ownClient';

const CASH = 'USDT';
/** What fees are told by. */
const FEES_OF = { instType: 'SWAP', instFamily: 'BTC-USDT' };

const NO_KEY = 'Key 不存在或已被删除';
const WRONG_SIGN = '签名错误，请核对 Secret';
const FORBIDDEN = '密钥没有读取权限，请在交易所开启“读取”';
/** Why OKX does not let somebody in, by its code. */
const REJECTED: Rejections = {
  50030: FORBIDDEN,
  50100: 'Key 已被交易所冻结',
  50101: '密钥属于另一个环境：OKX 的模拟盘与真实交易各有自己的密钥',
  50103: NO_KEY,
  50105: 'Passphrase 不对，请核对',
  50110: '本服务的出口 IP 不在它的 IP 白名单里',
  50111: 'Key 的格式不对，请核对 Key',
  50113: WRONG_SIGN,
  50114: WRONG_SIGN,
  50119: NO_KEY,
  50120: FORBIDDEN,
};
/** Whether who asks is not let in, by OKX's code. */
export const isNotLetIn = (code: Code): boolean => code in REJECTED;

/** How an account is set up, by OKX's number of it. */
const ACCOUNT_TYPES: Readonly<Record<string, KeyAccountType>> = {
  ...{ 1: 'spotMode', 2: 'futuresMode', 3: 'multiCurrency', 4: 'portfolio' },
};

/** Rows of an answer. @throws what is none */
export async function rowsOf(answer: Promise<unknown>): Promise<Raw[]> {
  const { data } = await told(answer);
  if (!Array.isArray(data)) throw new TypeError('no rows');
  return data as Raw[];
}

async function firstOf(answer: Promise<unknown>): Promise<Raw> {
  const [row] = await rowsOf(answer);
  if (row === undefined) throw new TypeError('no row');
  return row;
}

/** What OKX's clock says. */
export const tellTime = (client: Client<'okx'>, ask: Ask) =>
  keepTime(client, async () => (await firstOf(ask(() => client.publicGetPublicTime()))).ts);

/** Which account of OKX's a key is of, by its own number. @throws what is no answer */
export async function tellUid(client: Client<'okx'>): Promise<string> {
  const { uid } = await firstOf(client.privateGetAccountConfig());
  if (!/^\d+$/.test(String(uid))) throw new TypeError('no account');
  return String(uid);
}

function rightsOf(perm: unknown): KeyRight[] {
  const has = String(perm).split(',');
  // Who may trade may do so everywhere, and move what is there between own accounts.
  const trades: readonly KeyRight[] = has.includes('trade') ? ['spot', 'derivative', 'transfer'] : [];
  return ['read', ...trades, ...(has.includes('withdraw') ? (['withdraw'] as const) : [])];
}

/** A rate as it is paid: OKX tells what is paid as below zero. */
const paid = (...rates: unknown[]): number | null => {
  const told = rates.map((rate) => (rate === '' ? undefined : numberOf(rate))).find((rate) => rate !== undefined);
  return told === undefined ? null : 0 - told;
};

/** Totals of an account: of one in which each currency is its own margin those of USDT, else of all together, USD. */
function totalsOf(balance: Raw): Omit<KeyHoldings, 'outcome' | 'balances' | 'positions'> {
  const multiAsset = balance.adjEq !== '' && balance.adjEq !== undefined;
  const cash = (balance.details as Raw[]).find(({ ccy }) => ccy === CASH) ?? {};
  const [equity, of] = multiAsset ? [exact(balance.adjEq), balance] : [exact(cash.eq), cash];
  const initialMargin = exact(of.imr);
  return {
    ...{ multiAsset, equity, initialMargin, maintenanceMargin: exact(of.mmr) },
    available: multiAsset ? plain(new Big(equity).minus(initialMargin)) : exact(cash.availEq),
  };
}

/** Asks OKX what a key may, and how its account is set up. */
export async function checkOkxKey(client: Client<'okx'>, ask: Ask): Promise<KeyAnswer | KeySilence> {
  try {
    const { skewMs, latencyMs } = await tellTime(client, ask);
    const config = await firstOf(ask(() => client.privateGetAccountConfig()));
    const [balance, positions, fees] = await Promise.all([
      firstOf(ask(() => client.privateGetAccountBalance())),
      rowsOf(ask(() => client.privateGetAccountPositions())),
      firstOf(ask(() => client.privateGetAccountTradeFee(FEES_OF))),
    ]);
    const addresses = String(config.ip ?? '')
      .split(',')
      .filter(Boolean);
    const { multiAsset, equity } = totalsOf(balance);
    const isIsolated = positions.some(({ mgnMode, pos }) => mgnMode === 'isolated' && isSome(pos));
    return {
      ...NOTHING_SAID,
      ...{ outcome: 'accepted', reason: null, rights: rightsOf(config.perm), skewMs, latencyMs },
      ...{ uid: String(config.uid), ipRestricted: addresses.length > 0, ipList: addresses },
      accountType: ACCOUNT_TYPES[String(config.acctLv)] ?? null,
      positionMode: config.posMode === 'net_mode' ? 'oneWay' : 'twoWay',
      // Each order says what it is held against: what is held says it for the account.
      marginMode: isIsolated ? 'isolated' : 'cross',
      ...{ feeTier: String(config.level), makerFee: paid(fees.makerU, fees.maker) },
      ...{ takerFee: paid(fees.takerU, fees.taker), multiAsset, equity: Number(equity) },
    };
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

/** Asks OKX what the account of a key holds: one wallet, of what is traded everywhere. */
export async function okxHoldings(
  client: Client<'okx'>,
  ask: Ask,
  contractSizeOf: ContractSizeOf,
): Promise<KeyHoldings | KeySilence> {
  try {
    await tellTime(client, ask);
    const [balance, positions] = await Promise.all([
      firstOf(ask(() => client.privateGetAccountBalance())),
      rowsOf(ask(() => client.privateGetAccountPositions())),
    ]);
    return heldOf(balance, positions, contractSizeOf);
  } catch (error) {
    return silenceOf(error, REJECTED);
  }
}

/** @throws where an answer is none */
export function heldOf(balance: Raw, positions: readonly Raw[], contractSizeOf: ContractSizeOf): KeyHoldings {
  return {
    outcome: 'accepted',
    ...totalsOf(balance),
    balances: (balance.details as Raw[])
      .filter(({ cashBal }) => isSome(cashBal))
      .map(({ ccy, cashBal, availBal, availEq }) => ({
        ...{ wallet: 'unified' as const, asset: String(ccy), total: exact(cashBal) },
        // What backs positions is not free to be spent.
        free: plain(
          availEq === '' ? new Big(exact(availBal)) : smaller(new Big(exact(availBal)), new Big(exact(availEq))),
        ),
      })),
    positions: positions.filter(({ pos }) => isSome(pos)).flatMap((row) => positionOf(row, contractSizeOf)),
  };
}

/** Of what is neither traded nor settled in USDT nothing here speaks. */
function positionOf(row: Raw, contractSizeOf: ContractSizeOf): KeyHoldings['positions'] {
  const symbol = symbolOf(String(row.instId));
  if (symbol === null) return [];
  const size = contractSizeOf(symbol) ?? sizeByWorth(row.pos, row.markPx, row.notionalUsd);
  const contracts = new Big(String(row.pos));
  const quantity = (row.posSide === 'short' ? contracts.abs().neg() : contracts).times(size);
  return [
    {
      ...{ symbol, quantity: plain(quantity), entryPrice: exact(row.avgPx), markPrice: exact(row.markPx) },
      liquidationPrice: isSome(row.liqPx) ? exact(row.liqPx) : null,
      unrealised: exact(row.upl),
      leverage: Number(row.lever) || undefined,
    },
  ];
}
