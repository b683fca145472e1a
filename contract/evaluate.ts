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
import { EvaluateRow } from './evaluateRow';
import { DIRECTION_LABEL, DIRECTIONS, type Direction } from './lifecycle';
import { listOf, listQuery } from './list';
import { watched } from './star';
import { Instant, Maybe, OneOf, SourceName, SymbolName, Text } from './value';

export { EvaluateRow, FACTORS, type Factor, FactorScore } from './evaluateRow';
export { DIRECTIONS, type Direction } from './lifecycle';

/** How many rows a visitor sees, and how old the prices are at least. */
export const VISITOR_ROWS = 20;
export const VISITOR_DELAY_MS = 15 * 60_000;

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
  ...{ title: '方向', description: '空为撤回', 'x-labels': DIRECTION_LABEL },
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
