import { Array as Arr, Number as Num, Object as Obj, Optional, type Static, String as Str, Tuple } from 'typebox';
import { Decimal } from './decimal';
import { endpoint } from './endpoint';
import { HEDGE_EVENTS, HEDGE_STATES, LEGS, ORDER_PURPOSES, ORDER_STATES } from './lifecycle';
import { Instant, Maybe, OneOf, Text } from './value';

/** What an event is published under. */
export type EventTopic = `price:${string}` | 'hedge' | 'order' | 'account' | 'notice' | 'notification';

/** The topics whose events a master may hear of every user, and the name to ask for them by. */
export const TOPICS_OF_ALL = { order: 'order:all', notice: 'notice:all' } as const satisfies {
  [T in EventTopic]?: `${T}:all`;
};
type TopicOfAll = (typeof TOPICS_OF_ALL)[keyof typeof TOPICS_OF_ALL];

/** What a reader asks for. */
export type Topic = EventTopic | TopicOfAll;

/** The topic of a source's prices. */
export const priceTopic = (source: string): EventTopic => `price:${source}`;

/** Streams that a user may hold at once: a browser holds one. */
export const STREAMS_PER_USER = 10;
/** A stream says at least this often that it lives. */
export const BEAT_MS = 5_000;
/** What was not heard of for so long is stale. */
export const STALE_MS = 10_000;

const TOPIC = '(price:[a-z0-9-]{1,32}|hedge|order(:all)?|account|notice(:all)?|notification)';

/** Symbol, price, mark, change over 24 hours (fraction), instant of the price (UTC ms). */
export const PriceRow = Tuple([Str(), Num(), Maybe(Num()), Maybe(Num()), Num()]);
export type PriceRow = Static<typeof PriceRow>;

/** What each event carries, by its name. */
export const StreamEvents = Obj({
  hello: Obj({ userId: Str(), at: Instant() }, { description: '连接建立；此前缺失的事件已补发' }),
  beat: Obj({ at: Instant() }, { description: '每 5 秒一次，说明连接仍然有效' }),
  reset: Obj({ at: Instant() }, { description: '缺失的事件已无法补发，请重新读取全部数据' }),
  end: Obj({ reason: OneOf(['session', 'role'] as const) }, { description: '会话已结束，或角色已变更；随后断开' }),
  price: Obj(
    { source: Str(), at: Instant(), rows: Arr(PriceRow) },
    { description: '有变化的价格：[币种, 价格, 标记价, 24 小时涨跌（分数）, 价格时间]' },
  ),
  hedge: Obj(
    {
      id: Str(),
      userId: Str(),
      pairId: Str(),
      source: Str(),
      long: Str(),
      short: Str(),
      state: OneOf(HEDGE_STATES),
      kind: OneOf(HEDGE_EVENTS),
      at: Instant(),
    },
    { description: '一张对冲单发生的事' },
  ),
  order: Obj(
    {
      id: Str(),
      userId: Str(),
      hedgeId: Maybe(Str()),
      source: Str(),
      symbol: Str(),
      leg: OneOf(LEGS),
      side: OneOf(['buy', 'sell'] as const),
      purpose: OneOf(ORDER_PURPOSES),
      state: OneOf(ORDER_STATES),
      quantity: Decimal({ description: '基础币' }),
      filledQuantity: Decimal({ description: '基础币' }),
      at: Instant(),
    },
    { description: '委托的最新状态' },
  ),
  account: Obj(
    {
      userId: Str(),
      equity: Num({ description: 'USDT' }),
      available: Num({ description: 'USDT' }),
      unrealised: Num({ description: 'USDT' }),
      at: Instant(),
    },
    { description: '账户快照；较慢的读者只收到最新一份' },
  ),
  notice: Obj(
    { level: OneOf(['info', 'warning', 'error'] as const), text: Str(), at: Instant() },
    { description: '需要告知的事' },
  ),
  notification: Obj(
    { unread: Num({ description: '未读通知数；静音的类别不计' }), at: Instant() },
    { description: '通知有变化；较慢的读者只收到最新一份' },
  ),
});
export type StreamEvents = Static<typeof StreamEvents>;
export type StreamEventName = keyof StreamEvents;

export const stream = {
  events: endpoint({
    method: 'GET',
    path: '/api/stream',
    right: 'signedIn',
    tag: '实时',
    summary: '实时事件（server-sent events）；断线后以 Last-Event-ID 续接，order:all、notice:all 仅限管理员',
    streams: true,
    query: Obj({
      topics: Str({
        title: '主题',
        pattern: `^${TOPIC}(,${TOPIC}){0,31}$`,
        description: '逗号分隔：price:<数据源>、hedge、order、order:all、account、notice、notice:all、notification',
      }),
      lastEventId: Optional(
        Text({
          title: '上一事件编号',
          maxLength: 64,
          description: '同请求头 Last-Event-ID，浏览器无法自行设置该请求头时使用',
        }),
      ),
    }),
    data: StreamEvents,
  }),
};
