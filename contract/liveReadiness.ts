import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  type Static,
  String as Str,
} from 'typebox';
import { fittingSlices } from './slices';
import { STRATEGY_STATES } from './strategy';
import { Instant, Maybe, OneOf } from './value';

/** What the own record of a strategy on paper says. */
export const RECORD_CHECKS = ['days', 'deals', 'net', 'promise', 'oneLeg', 'slippage', 'refusals'] as const;
/** What real orders need besides. */
export const REAL_CHECKS = ['server', 'source', 'secondFactor', 'account', 'balance', 'minimum'] as const;
export type RecordCheck = (typeof RECORD_CHECKS)[number];
export type RealCheck = (typeof REAL_CHECKS)[number];

/** `unknown`: there is nothing to judge it by yet. */
export const CHECK_STATES = ['met', 'unmet', 'unknown'] as const;

/** The part of its size that a strategy begins with when it begins to trade real money. */
export const FIRST_SHARE = 0.1;

/** Parts that are offered. */
export const SHARES = [0.05, FIRST_SHARE, 0.25] as const;

/** Sums in USDT that grow and shrink with a strategy. */
const SIZES: readonly string[] = ['legNotional', 'coinCap', 'dailyLossLimit'];

/** Params with all sizes at a part of theirs, to the cent, in no more parts than such an entry may be cut into. */
export function inShare<P extends object>(params: P, share: number): P {
  const cents = (value: number) => Math.round(value * share * 100) / 100;
  const sized = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      SIZES.includes(name) && typeof value === 'number' ? cents(value) : value,
    ]),
  ) as P & { legNotional?: number; slices?: number };
  const { legNotional, slices } = sized;
  return legNotional && slices ? { ...sized, slices: fittingSlices(legNotional, slices) } : sized;
}

/** How large params are beside others of their kind; `null` where they differ in more than size. */
export function shareOf(params: object, of: object): number | null {
  const [own, other] = [params, of] as { legNotional?: number }[];
  const share = (own?.legNotional ?? 0) / (other?.legNotional ?? 0);
  const rules = (all: object) =>
    Object.entries(all)
      .filter(([name, value]) => ![...SIZES, 'slices'].includes(name) && value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  return share > 0 && Number.isFinite(share) && JSON.stringify(rules(params)) === JSON.stringify(rules(of))
    ? share
    : null;
}

/** A strategy of the two that are held against each other: what it made since the one with real money was started. */
const TwinSide = Obj({
  id: Str(),
  name: Str(),
  state: OneOf(STRATEGY_STATES, { title: '状态' }),
  removed: Bool({ description: '已删除' }),
  values: Arr(Maybe(Num()), { description: '自实盘首次启动的累计净盈亏 / 平均占用本金（F12），分数，与 time 同序' }),
  net: Maybe(Num({ description: 'USDT，自实盘首次启动' })),
  capital: Maybe(Num({ description: 'USDT，持有期间的平均占用本金（F12）；没有持有过为空' })),
  heldDays: Num({ description: '天，持有的时间' }),
  deals: Integer({ description: '其间持有过的交易单' }),
  carried: Integer({ description: '其中此前已开仓的：开仓成本不在其间' }),
});
export type TwinSide = Static<typeof TwinSide>;

/** A strategy with real money beside the one on paper that it was made from. */
export const TwinResults = Obj({
  at: Instant('数据时间'),
  startedAt: Maybe(Instant('实盘首次启动；还没有启动过为空')),
  share: Maybe(Num({ description: '实盘每腿名义占模拟的分数；规模以外的参数不同时为空' })),
  time: Arr(Instant('时间'), { description: '升序，最后一个是现在；还没有启动过时没有' }),
  live: TwinSide,
  paper: TwinSide,
});
export type TwinResults = Static<typeof TwinResults>;

/** Whether a strategy is fit to trade real money: by what it did on paper, and by what its owner has. */
export const LiveReadiness = Obj({
  at: Instant('数据时间'),
  checks: Arr(
    Obj({
      check: OneOf([...RECORD_CHECKS, ...REAL_CHECKS], { title: '检查' }),
      state: OneOf(CHECK_STATES, { title: '结论' }),
      value: Maybe(Num({ description: '天、张、秒、USDT 或分数，按检查；不是一个数的为空' })),
      wanted: Maybe(Num({ description: '要求，单位同 value' })),
      reason: Str({ description: '账户的问题；没有时为空字符串' }),
    }),
  ),
});
export type LiveReadiness = Static<typeof LiveReadiness>;
export type LiveCheck = LiveReadiness['checks'][number];
