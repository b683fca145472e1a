import { createHash } from 'node:crypto';
import { KEY_RIGHTS, type KeyRight } from '#contract/apiKey';
import { DAY_MS } from '#contract/duration';
import {
  type KeyAnswer,
  type KeyCheck,
  type KeyCredentials,
  type KeyHoldings,
  type KeySilence,
  NOTHING_SAID,
} from '../keyCheck';
import { FEE_TIERS } from './venues';

/** Addresses of documentation (RFC 5737): they belong to nobody. */
const OUTBOUND_IP = '203.0.113.10';
const FOREIGN_IP = '198.51.100.7';

const REJECTED = {
  wrong: '签名错误，请核对 Key 与 Secret',
  foreign: `本服务的出口 IP ${OUTBOUND_IP} 不在密钥的 IP 白名单（${FOREIGN_IP}）里`,
  expired: '密钥已过期',
  revoked: '密钥已在交易所删除',
} as const;

/** Of the lowest tier, fractions. */
const FEES = { maker: 0.0002, taker: 0.0005 };

/** A part of a fee; twelve digits hide what a product of decimals adds. */
const partOf = (fee: number, share: number): number => Number((fee * share).toPrecision(12));

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10).replaceAll('-', '');

/** The first instant of the day that a word and a date such as `-until-20270131` name, UTC ms; null where none is named. */
function dayAfter(key: string, word: string): number | null {
  const [, year, month, day] = new RegExp(`-${word}-(\\d{4})(\\d{2})(\\d{2})(?!\\d)`).exec(key) ?? [];
  if (year === undefined) return null;
  const first = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number.isFinite(first) ? first : null;
}

/** The end of the last day of a key, UTC ms; null where it names none. */
function endOf(key: string): number | null {
  const last = dayAfter(key, 'until');
  return last === null ? null : last + DAY_MS;
}

/** Whether a day that a key names has come. */
const hasCome = (key: string, word: string, now: number): boolean => (dayAfter(key, word) ?? now + 1) <= now;

const examplesAt = (now: number) => [
  { key: 'demo-trade-0001', effect: '读取、现货、合约权限，限 IP：可以保存' },
  { key: 'demo-read-0001', effect: '只有读取权限：缺少策略所需' },
  { key: 'demo-transfer-0001', effect: '多出划转权限' },
  { key: 'demo-withdraw-0001', effect: '带提现权限：拒绝保存' },
  { key: 'demo-open-0001', effect: '没有 IP 白名单' },
  { key: `demo-trade-until-${dayOf(now + 2 * DAY_MS)}`, effect: '两天后到期（日期可改）' },
  { key: `demo-trade-until-${dayOf(now - DAY_MS)}`, effect: '已过期：拒绝保存' },
  { key: `demo-trade-revoked-${dayOf(now + DAY_MS)}`, effect: '明天起交易所不再接受（日期可改）' },
  { key: `demo-trade-narrow-${dayOf(now + DAY_MS)}`, effect: '明天起只剩读取权限（日期可改）' },
  { key: `demo-trade-widen-${dayOf(now + DAY_MS)}`, effect: '明天起可以提现（日期可改）' },
  { key: 'demo-twoway-0001', effect: '双向持仓' },
  { key: 'demo-isolated-0001', effect: '逐仓保证金' },
  { key: 'demo-multi-0001', effect: '多资产保证金：合计以 USD 计' },
  { key: 'demo-skew-0001', effect: '时间相差 2.4 秒' },
  { key: 'demo-busy-0001', effect: '一分钟的请求权重已用 86 %' },
  { key: 'demo-wrong-0001', effect: '签名错误' },
  { key: 'demo-foreign-0001', effect: '白名单里没有本服务的 IP' },
  { key: 'demo-away-0001', effect: '交易所没有回答' },
];

function rightsOf(key: string, words: ReadonlySet<string>, now: number): KeyRight[] {
  if (words.has('read') || hasCome(key, 'narrow', now)) return ['read'];
  const extra: readonly string[] = ['transfer', 'withdraw'];
  const isGiven = (right: KeyRight) => words.has(right) || (right === 'withdraw' && hasCome(key, 'widen', now));
  return KEY_RIGHTS.filter((right) => !extra.includes(right) || isGiven(right));
}

const pick = <T>(list: readonly T[], by: number): T => list[by % list.length]!;

/** What can be told of any key: the same text at the same exchange always gets the same answer. */
function answer({ exchange, key }: KeyCredentials, now: number): KeyAnswer {
  const words = new Set(key.startsWith('demo-') ? key.split('-') : []);
  const drawn = createHash('sha256').update(`${exchange}\0${key}`).digest();
  const expiresAt = endOf(key);
  const latencyMs = 20 + (drawn[0]! % 140);
  const reject = (reason: string): KeyAnswer => ({ ...NOTHING_SAID, outcome: 'rejected', reason, latencyMs });
  if (words.has('away')) return { ...NOTHING_SAID, outcome: 'unanswered', reason: '10 秒内没有回答' };
  if (words.has('wrong')) return reject(REJECTED.wrong);
  if (hasCome(key, 'revoked', now)) return reject(REJECTED.revoked);
  if (words.has('foreign')) return { ...reject(REJECTED.foreign), ipList: [FOREIGN_IP] };
  if (expiresAt !== null && expiresAt <= now) return { ...reject(REJECTED.expired), expiresAt };
  const { name: feeTier, share } = pick(FEE_TIERS, drawn[1]!);
  return {
    outcome: 'accepted',
    reason: null,
    rights: rightsOf(key, words, now),
    accountType: exchange === 'okx' ? 'unified' : pick(['usdm', 'unified'] as const, drawn[2]!),
    uid: null,
    ipRestricted: !words.has('open'),
    ipList: words.has('open') ? [] : [OUTBOUND_IP],
    expiresAt,
    positionMode: words.has('twoway') ? 'twoWay' : 'oneWay',
    marginMode: words.has('isolated') ? 'isolated' : 'cross',
    cancelsForGone: null,
    skewMs: words.has('skew') ? 2_400 : (drawn[5]! % 160) - 80,
    latencyMs,
    weightUsed: words.has('busy') ? 0.86 : (1 + (drawn[8]! % 40)) / 100,
    feeTier,
    makerFee: partOf(FEES.maker, share),
    takerFee: partOf(FEES.taker, share),
    multiAsset: words.has('multi'),
    equity: 1_000 + drawn.readUInt16LE(6),
  };
}

/** An account that nobody trades in: all of it is USDT. */
function held({ outcome, reason, multiAsset, equity }: KeyAnswer): KeyHoldings | KeySilence {
  if (outcome !== 'accepted') return { outcome, reason: reason ?? '' };
  const money = String(equity);
  return {
    ...{
      outcome,
      multiAsset: multiAsset === true,
      equity: money,
      available: money,
      initialMargin: '0',
      maintenanceMargin: '0',
      positions: [],
    },
    balances: [{ wallet: 'usdm', asset: 'USDT', total: money, free: money }],
  };
}

/** Exchanges that are made up: no request leaves this process, and what they say follows from the key's text. */
export function simulatedKeyCheck(clock: () => number): KeyCheck {
  return {
    simulated: true,
    isTestnet: false,
    outboundIp: OUTBOUND_IP,
    get examples() {
      return examplesAt(clock());
    },
    check: async (credentials, now) => answer(credentials, now),
    holdings: async (credentials, now) => held(answer(credentials, now)),
  };
}
