import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
  Unsafe,
} from 'typebox';
import { endpoint } from './endpoint';
import { listOf, listQuery } from './list';
import { watched } from './star';
import { Instant, Maybe, OneOf, SourceName, SymbolName, Text } from './value';

export const DIRECTIONS = ['long', 'short', 'neutral'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const FACTORS = ['ret7', 'ret30', 'vol30', 'fundingApr'] as const;
export type Factor = (typeof FACTORS)[number];

/** How many rows a visitor sees, and how old the prices are at least. */
export const VISITOR_ROWS = 20;
export const VISITOR_DELAY_MS = 15 * 60_000;

export const FactorScore = Obj({
  factor: OneOf(FACTORS),
  value: Maybe(Num()),
  z: Maybe(Num({ description: '横截面 z 分数，截断到 ±3' })),
  weight: Num(),
  contribution: Num({ description: '权重 × z；缺失时为 0' }),
  percentile: Maybe(Num({ description: '在全部币种中的分位，0-1' })),
  missing: Bool(),
});
export type FactorScore = Static<typeof FactorScore>;

export const EvaluateRow = Obj({
  symbol: Str(),
  base: Str(),
  exchange: Str(),
  sector: Maybe(Str()),
  listedAt: Instant('上市时间'),
  listedDays: Integer({ description: '上市天数' }),
  rank: Integer(),
  rankChange: Maybe(Integer({ description: '较前一日名次的变化，正数为上升' })),
  score: Num(),
  momentumScore: Num({ description: '动量分：7 日与 30 日收益的贡献之和' }),
  liquidityScore: Maybe(Num({ description: '流动性分：24h 成交额的横截面分位，0-1' })),
  suggestion: OneOf(DIRECTIONS),
  factors: Arr(FactorScore),
  price: Num({ description: 'USDT' }),
  priceAt: Instant('价格时间'),
  change24h: Maybe(Num()),
  ret7: Maybe(Num()),
  ret30: Maybe(Num()),
  excess30: Maybe(Num({ description: '相对 BTC 强弱' })),
  beta30: Maybe(Num()),
  corr30: Maybe(Num()),
  vol30: Maybe(Num({ description: '年化，分数' })),
  turnover24h: Maybe(Num({ description: 'USDT' })),
  openInterest: Maybe(Num({ description: 'USDT' })),
  openInterestChange24h: Maybe(Num()),
  longShortRatio: Maybe(Num()),
  fundingRate: Maybe(Num({ description: '每个结算间隔的分数' })),
  fundingHours: Maybe(Num({ description: '结算间隔，小时' })),
  fundingApr: Maybe(Num({ description: 'F1，分数' })),
  nextFundingAt: Maybe(Instant('下次结算')),
  direction: Maybe(OneOf(DIRECTIONS)),
  note: Str(),
  noteBy: Maybe(Str({ description: '评价人；访客看不到' })),
  updatedAt: Maybe(Instant('更新时间')),
});
export type EvaluateRow = Static<typeof EvaluateRow>;

export const EvaluateEdit = Obj({
  id: Str(),
  field: OneOf(['direction', 'note'] as const),
  before: Str(),
  after: Str(),
  author: Str(),
  at: Instant('时间'),
  price: Maybe(Num({ description: '当时价格，USDT' })),
  changeSince: Maybe(Num({ description: '自那时以来的涨跌，分数' })),
});
export type EvaluateEdit = Static<typeof EvaluateEdit>;

/** What an edit of a coin's evaluation answers with. */
export const Evaluation = Obj({
  symbol: Str(),
  direction: Maybe(OneOf(DIRECTIONS)),
  note: Str(),
  noteBy: Maybe(Str({ description: '从未评价过时为空' })),
  updatedAt: Maybe(Instant('更新时间')),
});
export type Evaluation = Static<typeof Evaluation>;

export const NOTE_LENGTH = 500;

/** A direction, or `null`: what was said is taken back. */
const DirectionOrNone = Unsafe<Direction | null>({
  ...{ type: 'string', nullable: true, enum: [...DIRECTIONS, null] },
  ...{ title: '方向', description: '空为撤回' },
});

export const evaluate = {
  list: endpoint({
    method: 'GET',
    path: '/api/hedge/evaluate',
    right: 'open',
    tag: '选币',
    summary: '中性选币排名；访客最多 20 行、延迟 15 分钟、不含评价人',
    query: Obj({
      ...listQuery(50),
      source: SourceName,
      search: Optional(Text({ title: '搜索', maxLength: 64, description: '首尾空白不计' })),
      ...watched,
      direction: Optional(OneOf([...DIRECTIONS, 'none'] as const, { title: '方向' })),
      suggestion: Optional(OneOf(DIRECTIONS, { title: '建议' })),
      hasNote: Optional(Bool({ title: '有评价' })),
      minTurnover: Optional(Num({ title: '最低成交额', minimum: 0, maximum: 1e15, description: 'USDT' })),
      minListedDays: Optional(Integer({ title: '最少上市天数', minimum: 0, maximum: 100_000 })),
    }),
    data: Obj({
      list: Arr(EvaluateRow),
      total: Integer(),
      /** Close of the newest day that the ranking is based on. */
      asOf: Maybe(Instant('排名截至')),
      ranked: Integer({ description: '参与排名的币种数（筛选前）' }),
      delayed: Bool({ description: '访客：价格至少延迟 15 分钟' }),
      stale: Arr(Obj({ symbol: Str(), lastAt: Instant('最后一根 K 线') }), { description: '停更' }),
      tooShort: Arr(Obj({ symbol: Str(), days: Integer() }), { description: '历史不足 31 天' }),
    }),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/hedge/evaluate/history',
    right: 'signedIn',
    tag: '选币',
    summary: '一个币种的方向与评价的修改历史，新的在前',
    query: Obj({ ...listQuery(50), source: SourceName, symbol: SymbolName() }),
    data: listOf(EvaluateEdit),
  }),
  note: endpoint({
    method: 'PUT',
    path: '/api/hedge/evaluate/note',
    right: 'evaluateEditable',
    tag: '选币',
    summary: '修改评价，或撤回',
    body: Obj(
      {
        symbol: SymbolName(),
        note: Maybe(Text({ title: '评价', maxLength: NOTE_LENGTH, description: '空为撤回' })),
        source: Optional(SourceName),
      },
      { additionalProperties: false },
    ),
    data: Evaluation,
  }),
  direction: endpoint({
    method: 'PUT',
    path: '/api/hedge/evaluate/direction',
    right: 'evaluateEditable',
    tag: '选币',
    summary: '修改方向，或撤回',
    body: Obj(
      { symbol: SymbolName(), direction: DirectionOrNone, source: Optional(SourceName) },
      { additionalProperties: false },
    ),
    data: Evaluation,
  }),
};
