import { Number as Num, Optional, String as Str } from 'typebox';
import { listQuery } from './list';
import { Instant, Maybe, OneOf, Text } from './value';

/** Why a row of a scanner cannot be acted on now; empty when it can. */
export const OBSTACLES = [
  'out',
  'depth',
  'minimum',
  'incomplete',
  'borrow',
  'noPayback',
  'adl',
  'young',
  'wallet',
  'costs',
  'outOfRange',
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
};

/** Venues between which a row has to lie. */
export const SourcesBetween = Optional(
  Str({
    title: '交易所',
    pattern: '^[a-z0-9-]{1,32}(,[a-z0-9-]{1,32}){0,7}$',
    description: '逗号分隔，两腿都在其中',
  }),
);

export const Fraction = (description: string) => Maybe(Num({ description: `${description}，分数` }));
export const Usdt = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
export const Obstacles = OneOf(OBSTACLES);
export const ScannedAt = Instant('行情时间');
