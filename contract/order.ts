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
import { Decimal } from './decimal';
import { endpoint } from './endpoint';
import {
  Always,
  Amount,
  AsDecimal,
  At,
  Exact,
  type Field,
  Figure,
  Gain,
  MaybeWord,
  Moment,
  Percent,
  Price,
  shown,
  Venue,
  Word,
  YesNo,
} from './field';
import { ORDER_TYPE_LABEL, ORDER_TYPES } from './kinds/hedge/config';
import {
  LEGS,
  ORDER_PURPOSE_LABEL,
  ORDER_PURPOSES,
  ORDER_SIDE_LABEL,
  ORDER_STATE_LABEL,
  ORDER_STATES,
} from './lifecycle';
import { LISTED_ROWS, listQuery } from './list';
import { ModeField, STRATEGY_KINDS } from './strategy';
import { Instant, Labelled, Maybe, OneOf, Text } from './value';

const About = Optional(
  Integer({
    description: `估计的总行数；超过 ${LISTED_ROWS} 行才有，这时 list、total 与 totals 只含其中最新的约 ${LISTED_ROWS} 行`,
  }),
);
const Usdt = (description?: string) => Num({ description: description ? `USDT，${description}` : 'USDT' });
const Id = (title: string) => Text({ title, minLength: 1, maxLength: 128 });

export const NOT_FILLED = '没有成交';
const exactMoney = (title: string, digits: number, text?: string) =>
  Always(AsDecimal(Amount(`${title} (USDT)`, { digits, missing: NOT_FILLED, ...(text !== undefined && { text }) })));
const ByStep = { tick: { step: 'tickSize' }, lot: { step: 'lotSize', text: '基础币' } } as const;

/** What an order and a fill of it have in common. */
const TRADE = {
  strategyId: Maybe(Str()),
  kind: Maybe(OneOf(STRATEGY_KINDS, { title: '策略类型' })),
  userId: Str(),
  accountId: Str(),
  mode: ModeField,
  leg: OneOf(LEGS),
  tickSize: Maybe(Decimal({ description: '最小变动价位；不再上市时为空' })),
  lotSize: Maybe(Decimal({ description: '最小数量变动；不再上市时为空' })),
  symbol: Word('合约'),
  user: Word('用户'),
  account: Word('账户'),
  source: Venue('交易所'),
  strategy: MaybeWord('策略'),
  side: shown(OneOf(['buy', 'sell'] as const), '方向', { form: 'word' }),
  quantity: Exact('数量', ByStep.lot),
  fee: exactMoney('手续费', 4, '付出为正'),
  slippageBps: Figure('滑点 (bps)', {
    ...{ signed: true, digits: 1, missing: NOT_FILLED, text: '付出为正；决策价是决策时的中间价，网格各档是它的挂单价' },
    formula: '±(成交均价 − 决策价) / 决策价 × 10,000',
  }),
  purpose: shown(OneOf(ORDER_PURPOSES), '来源', {
    ...{ form: 'word', text: '策略为什么下这笔委托；强平与下架了结由交易所发起' },
  }),
  hedgeId: MaybeWord('交易单'),
  type: shown(OneOf(ORDER_TYPES), '类型', { form: 'word' }),
  reduceOnly: YesNo('是', '否', '只减仓'),
  opens: YesNo('开', '平', '开/平', { spare: true }),
  decisionMid: Always(Price('决策价', { spare: true, text: '决策时的中间价；网格各档是它的挂单价' })),
};

const MAKER: Field = {
  ...{ form: 'choice', labels: { true: '挂单', false: '吃单' }, text: '挂单（maker）或吃单（taker）' },
};
const ORDER_ID = { spare: true, text: '也是交易所的 client id' } as const;

export const OrderRow = Obj({
  ...TRADE,
  limitPrice: Always(
    AsDecimal(Price('价格', { ...ByStep.tick, text: '限价，USDT；市价委托是保护价，不在更差的价格成交' })),
  ),
  averagePrice: AsDecimal(Price('均价', { ...ByStep.tick, missing: NOT_FILLED, text: '成交均价，USDT' })),
  filledQuantity: Exact('成交量', ByStep.lot),
  filled: Always(Percent('成交 %', { digits: 0, formula: '成交量 / 数量' })),
  filledNotional: exactMoney('成交额', 2),
  state: shown(OneOf(ORDER_STATES), '状态', { form: 'word' }),
  reason: MaybeWord('拒绝原因'),
  latencyMs: Figure('延迟 (ms)', {
    ...{ digits: 0, formula: '交易所回答时间 − 发出时间', missing: '交易所还没有回答，或由交易所发起' },
  }),
  maker: shown(Maybe(Bool()), '成交角色', MAKER),
  id: Word('委托编号', ORDER_ID),
  exchangeId: MaybeWord('交易所编号', { spare: true }),
  cancelAskedAt: Maybe(Instant('请求撤单时间')),
  createdAt: At('时间', { seconds: true }),
  sentAt: Moment('发出时间', { spare: true, missing: '没有发出' }),
  answeredAt: Maybe(Instant('回答时间')),
  endedAt: Moment('结束时间', { spare: true, missing: '还没有结束' }),
});
export type OrderRow = Static<typeof OrderRow>;

export const FillRow = Obj({
  ...TRADE,
  price: Always(AsDecimal(Price('成交价', { ...ByStep.tick, text: 'USDT' }))),
  notional: exactMoney('成交额', 2),
  maker: shown(Bool(), '成交角色', MAKER),
  realised: Always(AsDecimal(Gain('已实现价格盈亏', { text: 'USDT，不含手续费与资金费' }))),
  orderId: Word('委托编号', ORDER_ID),
  id: Word('成交编号', { spare: true }),
  at: At('时间', { seconds: true }),
});
export type FillRow = Static<typeof FillRow>;

/** Over every order that the filter lets through, not only the page's. */
export const OrderTotals = Obj({
  orders: Integer(),
  resting: Integer({ description: '现在可以撤销的笔数' }),
  fillRate: Maybe(Num({ description: '成交量 / 委托量，各按决策价折成 USDT' })),
  notional: Usdt('成交额'),
  fees: Usdt('付出为正'),
  slippageBps: Maybe(Num({ description: '按成交额加权，万分之一；付出为正' })),
  makerShare: Maybe(Num({ description: '挂单成交额 / 成交额' })),
  rejectRate: Maybe(Num({ description: '被拒绝的笔数 / 笔数' })),
});
export type OrderTotals = Static<typeof OrderTotals>;

/** Over every fill that the filter lets through. */
export const FillTotals = Obj({
  fills: Integer(),
  notional: Usdt('成交额'),
  fees: Usdt('付出为正'),
  slippageBps: Maybe(Num({ description: '按成交额加权，万分之一；付出为正' })),
  makerShare: Maybe(Num({ description: '挂单成交额 / 成交额' })),
  realised: Usdt('已实现价格盈亏，不含手续费'),
});
export type FillTotals = Static<typeof FillTotals>;

/** Which orders there are by whether they can still change. */
export const ORDER_VIEW_LABEL = { live: '当前', ended: '历史', all: '全部' } as const;

/** What orders and fills are chosen by. `start` and `end` are about an order's creation, or a fill's own instant. */
const TRADE_FILTERS = {
  start: Optional(Instant('开始')),
  end: Optional(Instant('结束')),
  userId: Optional(Id('用户')),
  accountId: Optional(Id('账户')),
  strategyId: Optional(Id('策略')),
  source: Optional(Str({ title: '交易所', pattern: '^[a-z0-9-]{1,32}$' })),
  symbol: Optional(Text({ title: '合约', minLength: 1, maxLength: 1_000, description: '一个或多个，逗号分隔' })),
  side: Optional(Labelled(ORDER_SIDE_LABEL, { title: '方向' })),
  type: Optional(Labelled(ORDER_TYPE_LABEL, { title: '类型' })),
  purpose: Optional(Labelled(ORDER_PURPOSE_LABEL, { title: '用途' })),
  maker: Optional(Bool({ title: '挂单成交' })),
  reduceOnly: Optional(Bool({ title: '只减仓' })),
  search: Optional(
    Text({ title: '编号', minLength: 1, maxLength: 128, description: '委托、成交、交易所或对冲单编号，首尾空白不计' }),
  ),
};

export const ORDER_FILTERS = {
  ...TRADE_FILTERS,
  view: Labelled(ORDER_VIEW_LABEL, { title: '范围', default: 'all' }),
  state: Optional(Labelled(ORDER_STATE_LABEL, { title: '状态' })),
  refused: Optional(Bool({ title: '只看被拒绝' })),
};
const OrderFilter = Obj(ORDER_FILTERS, { additionalProperties: false });

/** Most ids that one call cancels. */
export const CANCEL_IDS = 500;

/** What the books and the exchange have of an account: a position, USDT, and what was paid of fees and funding since it was opened. */
const Compared = Obj({
  accountId: Str(),
  account: Str({ description: '账户名称' }),
  source: Str(),
  mode: ModeField,
  what: OneOf(['position', 'wallet', 'fee', 'funding'] as const),
  symbol: Str({ description: '持仓的合约；其他为 USDT' }),
  ledger: Decimal({ description: '账本；持仓以基础币计，带符号' }),
  venue: Decimal({ description: '交易所；持仓以基础币计，带符号' }),
  agrees: Bool(),
});
export type Compared = Static<typeof Compared>;
const OrderDifference = Obj({
  id: Str(),
  symbol: Str(),
  what: OneOf(['missingThere', 'missingHere', 'differs', 'unknown'] as const),
  text: Str({ description: '差异，中文' }),
});
const Verdict = OneOf(['agrees', 'differs', 'unknown'] as const, { title: '结论' });
export const ReconciledAccount = Obj({
  userId: Str(),
  user: Str(),
  verdict: Verdict,
  /** What could not be asked or checked, in Chinese; then nothing reads as fine. */
  unknown: Arr(Str()),
  pending: Maybe(Integer({ description: '交易所已发生而尚未入账的事件' })),
  liveOrders: Integer({ description: '核对的未结束委托' }),
  orders: Arr(OrderDifference),
  positions: Arr(Compared),
  money: Arr(Compared),
  /** The check that is made once a day where real orders are sent; null before the first one. */
  daily: Maybe(Obj({ at: Instant('核对时间'), verdict: Verdict })),
  findings: Arr(Str(), { description: '账目检查的发现' }),
});
export type ReconciledAccount = Static<typeof ReconciledAccount>;
const Reconciliation = Obj({
  at: Instant('核对时间'),
  accounts: Arr(ReconciledAccount),
  left: Integer({ description: '因上限没有核对的账户' }),
});

export const order = {
  list: endpoint({
    method: 'GET',
    path: '/api/order',
    expensive: true,
    right: 'isMaster',
    tag: '订单',
    summary: '所有用户的委托，合计随筛选；grouped 时按对冲单新旧排列，同一对冲单的委托相邻',
    query: Obj({ ...listQuery(50), ...ORDER_FILTERS, grouped: Bool({ title: '按对冲单分组', default: false }) }),
    data: Obj({ list: Arr(OrderRow), total: Integer(), about: About, totals: OrderTotals, at: Instant('读取时间') }),
  }),
  fills: endpoint({
    method: 'GET',
    path: '/api/order/fill',
    expensive: true,
    right: 'isMaster',
    tag: '订单',
    summary: '所有用户的成交，合计随筛选',
    query: Obj({ ...listQuery(50), ...TRADE_FILTERS, grouped: Bool({ title: '按对冲单分组', default: false }) }),
    data: Obj({ list: Arr(FillRow), total: Integer(), about: About, totals: FillTotals, at: Instant('读取时间') }),
  }),
  accounts: endpoint({
    method: 'GET',
    path: '/api/order/account',
    right: 'isMaster',
    tag: '订单',
    summary: '有交易账户的用户，各自的账户与策略',
    data: Obj({
      list: Arr(
        Obj({
          userId: Str(),
          user: Str(),
          accounts: Arr(Obj({ id: Str(), name: Str(), venue: Str(), mode: ModeField })),
          strategies: Arr(Obj({ id: Str(), name: Str(), kind: OneOf(STRATEGY_KINDS, { title: '策略类型' }) }), {
            description: '含已删除的',
          }),
        }),
      ),
    }),
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/order/cancel',
    right: 'isMaster',
    tag: '订单',
    summary: '请求撤销委托：给出编号，或给出筛选（其中全部挂单）。只有挂单可以撤销，其余逐笔说明原因',
    body: Obj(
      {
        ids: Optional(Arr(Id('委托'), { title: '委托', minItems: 1, maxItems: CANCEL_IDS })),
        filter: Optional(OrderFilter),
        expected: Optional(
          Integer({
            title: '笔数',
            minimum: 1,
            description: '随筛选必填：确认时看到的挂单笔数；现在更多时不撤销任何一笔',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    data: Obj({
      asked: Integer({ description: '已请求撤销的笔数' }),
      skipped: Arr(Obj({ id: Str(), reason: Str({ description: '不能撤销的原因，中文' }) })),
    }),
  }),
  reconcile: endpoint({
    method: 'GET',
    path: '/api/order/reconcile',
    expensive: true,
    right: 'isMaster',
    tag: '订单',
    summary: '逐账户询问交易所：委托、持仓、账目是否一致。有时间与账户数上限，未核对的如实列出',
    query: Obj({ userId: Optional(Id('账户')) }),
    data: Reconciliation,
  }),
  reconcileOwn: endpoint({
    method: 'GET',
    path: '/api/account/reconcile',
    expensive: true,
    right: 'signedIn',
    tag: '账户',
    summary: '把自己的账户与交易所核对：委托、持仓、余额、手续费、资金费与账目是否一致',
    data: Reconciliation,
  }),
};
