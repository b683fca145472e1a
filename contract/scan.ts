import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  String as Str,
  type TObject,
} from 'typebox';
import { Change, Either, type FieldNote } from './field';
import { listQuery } from './list';
import { watched } from './star';
import { Instant, Maybe, OneOf, Text } from './value';

/** Why a row of a scanner cannot be acted on now; empty when it can. */
export const OBSTACLES = [
  'out',
  'depth',
  'minimum',
  'incomplete',
  'borrow',
  'noPayback',
  'waitsForGap',
  'adl',
  'young',
  'wallet',
  'costs',
  'outOfRange',
  'lostBefore',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** Rankings are worked out anew so often, ms. */
export const SCAN_INTERVAL_MS = 750;

/** What every scanner is asked with: page and order, the size of one leg, and a word to look for. */
export const scanQuery = {
  ...listQuery(20),
  size: Num({
    title: '规模',
    minimum: 10,
    maximum: 10_000_000,
    default: 10_000,
    description: '每条腿的名义价值，USDT',
  }),
  search: Optional(Text({ title: '搜索', maxLength: 64, description: '币种，首尾空白不计' })),
  ...watched,
};

/** Why a row has no figure that depends on the whole of an order's price. */
export const NO_FULL_PRICE = '这个规模没有完整的价格';

/** Days that what a row would have made is worked out over (F30). */
export const REPLAY_DAYS = { week: 7, month: 30 } as const;
export type ReplaySpan = keyof typeof REPLAY_DAYS;

/** What a row would have made, beside what it promises. */
export function replays(noteOf: (days: number) => FieldNote) {
  const of = (days: number) => Change(`${days} 日重放`, { ...noteOf(days), window: `${days} 天` });
  return {
    replay7: of(REPLAY_DAYS.week),
    replay30: of(REPLAY_DAYS.month),
    replaying: Optional(Bool({ description: '重放还在计算，稍候才有；算过的没有这个字段' })),
  };
}

const onCapital = (leverage: number) =>
  `占资金的比例：现货全额 + 合约保证金（F12，按新建策略的默认杠杆 ${leverage} 倍）`;

/** By what rows of two legs are told and ranked first; 名义净年化 stands beside it. @param leverage of contracts */
export const capitalApr = (leverage: number, missing: string) =>
  Change('净年化', {
    missing,
    formula: '名义净年化 / 占用资金（每腿名义的倍数）',
    text: onCapital(leverage),
    live: true,
  });

/** Of two legs. @param leverage of contracts */
export const replaysOnCapital = (leverage: number) =>
  replays((days) => ({
    missing: '那时未上市、没有足够的盘口或结算不齐',
    formula: 'F30：那时的 F5 开仓 − 现在的平仓水平 − 手续费 − 借币 + 期间已结算的资金费',
    text: `若在 ${days} 天前按现在的方向与规模开仓、现在平仓；${onCapital(leverage)}，不是年化，每小时更新`,
  }));

/** Rows that can be acted on now, or those that cannot. */
export const ACTIONABLE = Either('可行性', ['无阻碍', '有阻碍']);

export const Fraction = (description: string) => Maybe(Num({ description: `${description}，分数` }));
export const Usdt = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
/** What stands in the way of acting on a row. */
export const Obstacles = () => Arr(OneOf(OBSTACLES), { title: '可行性', description: '现在不能做的原因' });
export const ScannedAt = Instant('行情时间');

/** A page of a scanner's rows, and how many each filter that is set keeps away. */
export const scanRows = <R extends TObject>(row: R) =>
  Obj({
    list: Arr(row),
    total: Integer(),
    all: Integer({ description: '不筛选时的机会数' }),
    hidden: Arr(
      Obj({
        filter: Str({ description: '筛选的参数名' }),
        rows: Integer({ description: '不符合这一条的机会数，不论其他条件' }),
        unopened: Optional(Integer({ description: '其中没有阻碍、只是自己在那里没有账户的；没有时不给出' })),
      }),
      { description: '每一条筛选各挡住多少，多的在前' },
    ),
    at: ScannedAt,
  });
