import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { MOST_WATCHED } from './candle';
import { endpoint } from './endpoint';
import { Choice, Count, Figure, MaybeWord, Moment, Percent, Word } from './field';
import { listOf, listQuery } from './list';
import { Instant, Maybe } from './value';

/** What the process that collects a source says of it. */
export const CollectorProgress = Obj({
  at: Instant(),
  /** What is to be done in this pass, and what is done of it. */
  due: Integer(),
  done: Integer(),
  /** It does not answer. */
  isOut: Bool(),
  /** Nothing is heard of all that it lists; absent in what was written down before. */
  isSilent: Optional(Bool()),
  /** When it last answered, or was heard, or since when it is asked; null while it is there, absent in what was written down before. */
  outSince: Optional(Maybe(Instant())),
  /** Symbols that are listed, and those of them without a price. */
  listed: Integer(),
  stale: Integer(),
  /** The longest silent of them first; absent in what was written down before. */
  silent: Optional(Arr(Obj({ symbol: Str(), heardAt: Maybe(Instant()) }))),
  /** Announced and not over. */
  maintenance: Optional(Arr(Obj({ from: Instant(), until: Maybe(Instant()), title: Str() }))),
  delayMs: Maybe(Num()),
  aheadMs: Maybe(Num()),
  weightUsed: Maybe(Num()),
  weightLimit: Maybe(Num()),
  streams: Arr(Obj({ name: Str(), heardAt: Maybe(Instant()), failure: Maybe(Str()), reopened: Integer() })),
  error: Maybe(Str()),
  errorAt: Maybe(Instant()),
  /** Symbols whose minutes are collected, and those for which there is no room; absent in what was written down before. */
  watched: Optional(Integer()),
  unwatched: Optional(Integer()),
});
export type CollectorProgress = Static<typeof CollectorProgress>;

export const SOURCE_KIND_LABEL = { live: '实时', imported: '导入' } as const;
export const SOURCE_STATE_LABEL = {
  good: '正常',
  filling: '回补中',
  degraded: '部分中断',
  out: '交易所无响应',
  silent: '行情中断',
  maintenance: '维护中',
  idle: '没有在采集',
  stored: '已导入',
} as const;
export type SourceState = keyof typeof SOURCE_STATE_LABEL;

const notCollected = { first: null, missing: '导入的数据不采集' } as const;
/** Of what only an exchange that has answered tells. */
const notTold = { first: null, missing: '导入的数据不采集；交易所没有应答时不知道' } as const;
const unsorted = { first: null } as const;
const NO_MAINTENANCE = '没有公布的维护；币安与 Gate 不公布';

export const DataSourceRow = Obj({
  id: Str({ description: '数据源的名字：binance-live、bybit' }),
  label: Word('数据源', unsorted),
  kind: Choice(SOURCE_KIND_LABEL, '类型', { ...unsorted, spare: true }),
  state: Choice(SOURCE_STATE_LABEL, '状态', unsorted),
  outSince: Moment('中断起', { first: null, seconds: true, spare: true, missing: '交易所有应答，也有报价' }),
  symbols: Count('币种', '有 K 线的币种数', unsorted),
  candles: Count('K 线', '已存的 K 线条数，各周期合计', unsorted),
  settlements: Count('资金费', '已存的资金费结算次数', unsorted),
  newestAt: Moment('最新收盘', { first: null, missing: '还没有 K 线' }),
  gaps: Count('缺口', '首尾之间缺少的 K 线条数；采集的会自动补，交易所自己也没有的补不上', unsorted),
  behind: Figure('落后', { ...notTold, digits: 0, text: '还没有存到最近一根 1h K 线的在市币种数' }),
  progress: Percent('本轮进度', { ...notTold, digits: 0, text: '本轮采集完成的比例；没有要采的为 100%' }),
  weight: Percent('限额占用', {
    ...{ first: null, digits: 0, missing: '交易所没有给出' },
    text: '本分钟已用的请求权重；采集最多用到一半',
  }),
  streams: MaybeWord('推送', { ...notCollected, text: '正常的推送 / 全部推送；中断的改用 REST 轮询' }),
  stale: Figure('无报价', { ...notCollected, digits: 0, text: '在市而近 15 秒没有任何报价的币种数' }),
  watched: MaybeWord('分钟线币种', {
    ...notCollected,
    text: `正在收集分钟线的币种数：持仓、运行中的策略与自选，每个数据源最多 ${MOST_WATCHED} 个，持仓优先`,
  }),
  minutes: Count('分钟线', '已存的 1 分钟 K 线条数，保留 7 天', unsorted),
  minutesAt: Moment('最新分钟', { first: null, missing: '没有分钟线' }),
  minuteGaps: Count(
    '分钟线缺口',
    '首尾之间缺少的 1 分钟 K 线条数；中间有一段没人关注的也算，再有人关注时补上',
    unsorted,
  ),
  samples: Count('持仓量采样', '已存的持仓量与溢价采样次数：分钟线币种中的永续，每 5 分钟一次，保留 90 天', unsorted),
  silent: MaybeWord('无报价币种', {
    ...{ first: null, missing: '在市的都有报价' },
    text: '最久没有报价的在前，至多 20 个，括号里是多久；维护、停牌或行情中断',
  }),
  maintenanceAt: Moment('维护开始', { first: null, missing: NO_MAINTENANCE }),
  maintenanceUntil: Moment('维护结束', { first: null, missing: NO_MAINTENANCE }),
  maintenance: MaybeWord('维护内容', { first: null, missing: NO_MAINTENANCE, text: '交易所自己的公告标题' }),
  delay: Figure('延迟', { ...notCollected, digits: 0, unit: '毫秒', text: '交易所回答一次请求的常见用时' }),
  ahead: Figure('时钟差', {
    ...notCollected,
    spare: true,
    digits: 0,
    unit: '毫秒',
    signed: true,
    text: '交易所时钟比本机快多少',
  }),
  error: MaybeWord('最近的错误', { first: null, missing: '没有错误' }),
  errorAt: Moment('错误时间', { first: null, seconds: true, missing: '没有错误' }),
  at: Moment('更新', { first: null, seconds: true, missing: '导入的数据不采集' }),
});
export type DataSourceRow = Static<typeof DataSourceRow>;

/** Where what is stored comes from, and how whole it is. */
export const dataSource = {
  list: endpoint({
    method: 'GET',
    path: '/api/dataSource',
    right: 'isMaster',
    tag: '行情',
    summary: '数据源：实时跟踪的交易所与导入的数据，各存了多少、缺什么、采集到哪里',
    query: Obj(listQuery(50)),
    data: listOf(DataSourceRow),
  }),
};
