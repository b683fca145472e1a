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
import { BARS } from '../../candle';
import { CloseQuote, ExitStyle, PartClose, PartKept, QUOTED_PART } from '../../closeQuote';
import { LimitsChange } from '../../dealOutlook';
import { Decimal } from '../../decimal';
import { endpoint } from '../../endpoint';
import { NOTE_LENGTH } from '../../evaluate';
import { Always, Amount, At, Change, Figure, Gain, MaybeWord, Moment, Percent, Price, shown, Word } from '../../field';
import { RestingLegs } from '../../legsEntry';
import {
  CLOSE_REASONS,
  HEDGE_EVENTS,
  HEDGE_STATES,
  HELD_BRIEFLY,
  LEGS,
  ORDER_PURPOSES,
  ORDER_STATES,
  PAIR_BLOCKS,
} from '../../lifecycle';
import { listQuery } from '../../list';
import { opens } from '../../opens';
import { confirmed, NowOrLater, StrategyPreview } from '../../strategies';
import { ModeField, STRATEGY_MODES } from '../../strategy';
import { KeepArmed } from '../../targetHold';
import { UnfreezeReason } from '../../unfreeze';
import { Instant, Labelled, Maybe, OneOf, SourceName, SymbolName, Text } from '../../value';
import { attention } from './attention';
import { HedgeSettings } from './config';

const Usdt = (description?: string) => Num({ description: description ? `USDT，${description}` : 'USDT' });

/** A rule that closes a hedge and how far it is; USDT of net result, hours, or z. */
export const HedgeLimit = Obj({
  limit: Num({ description: '净盈亏 USDT（止损为负）、小时或 z' }),
  left: Num({ description: '还差多少，已越过时为负；同一单位' }),
  used: Num({ description: '已走过的分数，0 至 1' }),
});
export type HedgeLimit = Static<typeof HedgeLimit>;

const QUANTITY = { form: 'word', first: null, spare: true, text: '基础币；已平仓时为开过的最大数量' } as const;
const NO_MARK = '持有中而没有标记价';
const SHORT_HISTORY = '共同历史不足';
const NO_VALUE = '没有持仓，或没有标记价';
const NEVER_HELD = '还没有持有';

/** A hedge, what a list shows of it in the order of the columns. */
export const HedgeRow = Obj({
  mode: ModeField,
  pairId: Str(),
  userId: Str(),
  user: Str(),
  long: Word('多头'),
  state: shown(OneOf(HEDGE_STATES), '状态', { form: 'word' }),
  stateAt: Instant('状态时间'),
  /** Why nothing more is sent: an order in doubt and the like, in Chinese. */
  frozen: Maybe(Str()),
  badge: Maybe(OneOf(['oneLeg', 'unbalanced'] as const)),
  net: Gain('净盈亏', {
    ...{ missing: NO_MARK, formula: '多头价格盈亏 + 空头价格盈亏 + 资金费 − 手续费', text: 'USDT' },
  }),
  netClosed: Gain('现在平得', {
    ...{ missing: '没有持有，或没有可用的盘口价格', text: '现在全部平掉后整单的净盈亏，已扣平仓手续费与滑点，USDT' },
  }),
  netReturn: Change('收益率（按名义）', {
    ...{ missing: NO_MARK, formula: '净盈亏 / 两边开仓名义之和', text: '与止损、止盈同一基准' },
  }),
  marginReturn: Change('收益率（按保证金）', { missing: NO_MARK, formula: '净盈亏 / 两边保证金（F12）' }),
  notional: Always(Amount('名义', { text: '两边开仓名义之和，USDT' })),
  gross: Amount('总敞口', { missing: NO_VALUE, formula: '|多头| + |空头|（F10）', text: '按标记价，USDT' }),
  exposure: Figure('净敞口', {
    ...{ spare: true, signed: true, missing: NO_VALUE, formula: '多头 + 空头（F10）', text: '按标记价，USDT，带方向' },
  }),
  ratioOpen: Price('开仓比价', { missing: '还没有建成', formula: '多头开仓均价 / 空头开仓均价' }),
  ratioNow: Price('现比价', { missing: NO_MARK, formula: '多头现价 / 空头现价；已平仓时为平仓均价之比' }),
  zOpen: Figure('z 开', { missing: SHORT_HISTORY }),
  z: Figure('z 现', {
    ...{ missing: SHORT_HISTORY, text: '按开仓时设置的 z 周期与窗口，b 见详情；已平仓时为平仓时的 z' },
  }),
  /** What z was measured against. */
  zBar: OneOf(BARS),
  zBars: Integer({ description: '根' }),
  hedgeRatio: Maybe(Num({ description: '现 z 的 b（F13）；已平仓时为空' })),
  funding: Always(Gain('资金费', { text: '收到为正，USDT' })),
  fees: Always(Amount('手续费', { text: '付出为正，USDT' })),
  heldHours: Figure('持有', { digits: 1, missing: '还没有开仓' }),
  closeReason: shown(Maybe(OneOf(CLOSE_REASONS)), '平仓原因', { form: 'word' }),
  openedAt: Moment('开仓时间', { missing: '还没有建成' }),
  note: Word('备注', { first: null }),
  closedAt: Moment('平仓时间', { spare: true, missing: '还没有平仓' }),
  longPnl: Gain('多头盈亏', { spare: true, missing: NO_MARK, text: '价格盈亏，USDT' }),
  shortPnl: Gain('空头盈亏', { spare: true, missing: NO_MARK, text: '价格盈亏，USDT' }),
  slippage: Always(Amount('滑点', { spare: true, text: '相对决策时的中间价，已含在价格盈亏里，USDT' })),
  neutrality: Percent('中性度', { spare: true, missing: '没有持仓', formula: '净敞口 / 总敞口；0 为中性' }),
  annualised: Change('年化（按保证金）', {
    ...{ spare: true, missing: HELD_BRIEFLY, formula: '收益率（按保证金）× 365 / 持有天数' },
  }),
  mae: Gain('最大浮亏', { spare: true, missing: NEVER_HELD, text: 'MAE，USDT' }),
  mfe: Gain('最大浮盈', { spare: true, missing: NEVER_HELD, text: 'MFE，USDT' }),
  naked: Always(
    Figure('单腿敞口×时间 (USDT·s)', { spare: true, digits: 0, text: '只有一边有持仓时的敞口 × 时间，USDT × 秒' }),
  ),
  closedPart: Maybe(Num({ description: '持有中已平掉的部分：两边都至少平掉这么多，分数；没有时为空' })),
  realised: Num({ description: '已实现的价格盈亏，两边合计，已含在多空盈亏里，USDT' }),
  /** How near the rules that close it are; null where a rule is off, has nothing to go by, or the hedge has ended. */
  stop: Maybe(HedgeLimit),
  target: Maybe(HedgeLimit),
  longest: Maybe(HedgeLimit),
  /** z at which it is closed; how far it has come there from the z it was opened at. */
  exit: Maybe(HedgeLimit),
  closeAsked: Bool({ description: '已请求平仓' }),
  reducing: Maybe(Integer({ description: '正在平掉持有的百分之几' })),
  resting: Maybe(RestingLegs),
  taken: Optional(Str({ description: '哪一腿被账户上的外部成交抵掉了多少' })),
  unguarded: Bool({ description: '无人看护：对冲已停止而没有平仓，平仓条件都不会触发' }),
  priceAt: Maybe(Instant('价格时间')),
  /** Held now; what was opened once it is closed. Signed, base currency. */
  longQuantity: shown(Decimal(), '多头数量', QUANTITY),
  shortQuantity: shown(Decimal(), '空头数量', QUANTITY),
  createdAt: At('创建时间', { spare: true }),
  short: Word('空头', { spare: true }),
  source: Word('数据源', { first: null, spare: true }),
  id: Word('编号', { first: null, spare: true }),
  noteBy: MaybeWord('备注人', { first: null, spare: true }),
  noteAt: Maybe(Instant('备注时间')),
});
export type HedgeRow = Static<typeof HedgeRow>;

/** Over every row of one mode that the filter lets through, not only the page's. */
export const HedgeTotals = Obj({
  mode: OneOf(STRATEGY_MODES, { title: '模式', description: '模拟的，没有时是实盘的；两者从不相加' }),
  hedges: Integer(),
  notional: Usdt(),
  longPnl: Usdt(),
  shortPnl: Usdt(),
  funding: Usdt(),
  fees: Usdt(),
  slippage: Usdt(),
  net: Usdt(),
  netReturn: Maybe(Num({ description: '按名义：净盈亏之和 / 名义之和' })),
  marginReturn: Maybe(Num({ description: '按保证金：净盈亏之和 / 保证金之和' })),
  /** Of the closed ones, F21; null under `fewest` of them. */
  closed: Integer({ description: '已平仓' }),
  fewest: Integer(),
  winRate: Maybe(Num()),
  profitFactor: Maybe(Num()),
  expectancy: Maybe(Usdt('每单')),
  averageHours: Maybe(Num({ description: '小时' })),
  naked: Num({ description: 'USDT × 秒' }),
});
export type HedgeTotals = Static<typeof HedgeTotals>;

/** What prices and quantities of a leg lie on. */
const STEPS = {
  tickSize: Maybe(Decimal({ description: '最小变动价位；不再上市时为空' })),
  lotSize: Maybe(Decimal({ description: '最小数量变动；不再上市时为空' })),
};

export const HedgeFill = Obj({
  ...STEPS,
  id: Str(),
  orderId: Str(),
  leg: OneOf(LEGS),
  purpose: OneOf(ORDER_PURPOSES),
  symbol: Str(),
  side: OneOf(['buy', 'sell'] as const),
  quantity: Decimal(),
  price: Decimal(),
  fee: Decimal({ description: 'USDT' }),
  maker: Bool(),
  at: Instant('时间'),
});
export const HedgeFunding = Obj({
  ...STEPS,
  symbol: Str(),
  at: Instant('结算时间'),
  rate: Decimal({ description: '分数' }),
  mark: Decimal(),
  quantity: Decimal({ description: '计费持仓，带符号' }),
  amount: Decimal({ description: 'USDT，收到为正' }),
});
export const HedgeEvent = Obj({ id: Str(), at: Instant('时间'), kind: OneOf(HEDGE_EVENTS), detail: Str() });
export const HedgeOrder = Obj({
  ...STEPS,
  id: Str(),
  leg: OneOf(LEGS),
  purpose: OneOf(ORDER_PURPOSES),
  symbol: Str(),
  side: OneOf(['buy', 'sell'] as const),
  type: OneOf(['market', 'maker'] as const),
  limitPrice: Decimal({ description: 'USDT，限价；市价委托为保护价' }),
  quantity: Decimal(),
  filledQuantity: Decimal(),
  state: OneOf(ORDER_STATES),
  reason: Maybe(Str()),
  createdAt: Instant('时间'),
});

export const HedgeDetail = Obj({
  hedge: HedgeRow,
  mayThaw: Bool({ description: '可由人恢复；没有冻结，或引擎正在自动核对时不能' }),
  settings: HedgeSettings,
  fills: Arr(HedgeFill),
  fundings: Arr(HedgeFunding),
  events: Arr(HedgeEvent),
  orders: Arr(HedgeOrder),
  /** Columns of equal length: bar closes from some before the entry on, the entry itself, and the exit or now. */
  series: Obj({
    time: Arr(Instant()),
    ratio: Arr(Maybe(Num())),
    z: Arr(Maybe(Num())),
  }),
  /** What either leg brought by price (F11): from the first fill by closes of the finest bars to the exit or now. */
  result: Obj({
    time: Arr(Instant()),
    long: Arr(Maybe(Num()), { description: 'USDT' }),
    short: Arr(Maybe(Num()), { description: 'USDT' }),
  }),
});
export type HedgeDetail = Static<typeof HedgeDetail>;

const Closed = Obj({ id: Str(), state: OneOf(HEDGE_STATES), flat: Bool(), message: Str() });
const AccountId = Text({ title: '账户', minLength: 1, maxLength: 64 });
const HedgeId = Text({ title: '对冲单', minLength: 1, maxLength: 64 });
const Reason = Text({ title: '原因', minLength: 1, maxLength: 200 });

const { stopLoss, takeProfit, slippageCap } = HedgeSettings.properties;
/** What a hedge that is taken over goes out by; all else of its settings is that of the desk. */
const exits = { stopLoss, takeProfit, slippageCap };
export const TakeOverExits = Obj(exits, { description: '接管后按什么平仓，默认是对冲配置里的' });
export type TakeOverExits = Static<typeof TakeOverExits>;

export const TakeOverTerms = Obj({
  mode: ModeField,
  marginUsed: Maybe(Decimal({ description: 'USDT，账户已占用的初始保证金；未知时为空' })),
  exits: TakeOverExits,
  positions: Arr(
    Obj({
      source: Str(),
      symbol: Str(),
      side: OneOf(LEGS),
      quantity: Decimal({ description: '没有交易单解释的全部，整手，不带符号' }),
      lotSize: Decimal({ description: '最小数量变动' }),
      mark: Num({ description: 'USDT，标记价' }),
      leverage: Maybe(Num({ description: '倍，交易所按它占用保证金；交易所没有说时为空，按对冲配置' })),
    }),
    { description: '账户里可以接管的外部持仓：合约，有标记价，平得掉' },
  ),
});
export type TakeOverTerms = Static<typeof TakeOverTerms>;

export const HEDGE_FILTERS = {
  state: OneOf(['running', 'ended', 'all'] as const, { title: '状态', default: 'all' }),
  start: Optional(Instant('开始')),
  end: Optional(Instant('结束')),
  pairId: Optional(HedgeId),
  symbol: Optional(SymbolName('币种')),
  side: Optional(OneOf(['long', 'short'] as const, { title: '方向' })),
  reason: Optional(OneOf(CLOSE_REASONS, { title: '平仓原因' })),
  pnl: Optional(OneOf(['profit', 'loss'] as const, { title: '盈亏' })),
  hasNote: Optional(Bool({ title: '有备注' })),
};

/** One hedge that is opened beside the pairs of the desk. */
const one = { params: HedgeSettings, long: SymbolName('多头'), short: SymbolName('空头') };

/** One hedge beside the pairs that has not been opened. */
export const WaitingHedge = Obj({
  id: Str({ description: '它的策略，单笔' }),
  mode: ModeField,
  source: Str(),
  long: Str(),
  short: Str(),
  legNotional: Num({ description: 'USDT' }),
  entryZ: Num({ description: 'z 不高于 −入场 z 时开' }),
  z: Maybe(Num({ description: 'F14，按现价' })),
  until: Instant('到这时还没有开仓就放弃'),
  block: Maybe(OneOf(PAIR_BLOCKS, { description: '现在不开的原因' })),
  refused: Maybe(OneOf(PAIR_BLOCKS, { description: '已放弃的原因；还在等时为空' })),
});
export type WaitingHedge = Static<typeof WaitingHedge>;

export const hedge = {
  list: endpoint({
    method: 'GET',
    path: '/api/hedge',
    expensive: true,
    right: 'signedIn',
    tag: '对冲',
    summary: '自己的对冲单，合计随筛选；期间按开仓时间',
    query: Obj({ ...listQuery(50), ...HEDGE_FILTERS }),
    data: Obj({ list: Arr(HedgeRow), total: Integer(), totals: HedgeTotals, at: Instant('计算时间') }),
  }),
  detail: endpoint({
    method: 'GET',
    path: '/api/hedge/detail',
    right: 'signedIn',
    tag: '对冲',
    summary: '一张对冲单：成交、资金费、事件、曲线。别人的单对非管理员为 404',
    query: Obj({ id: HedgeId }),
    data: HedgeDetail,
  }),
  quote: endpoint({
    method: 'GET',
    path: '/api/hedge/close/quote',
    right: 'signedIn',
    tag: '对冲',
    summary: '现在平仓或部分平仓的预计成本与净盈亏',
    query: Obj({ id: HedgeId, ...QUOTED_PART }),
    data: CloseQuote,
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/hedge/close',
    right: 'signedIn',
    tag: '对冲',
    summary:
      '平掉一张对冲单；两边都平后回答，或回答已到的状态。交易对随之停用（已手动平仓），重新启用前不再开仓；keepArmed 为 true 时照常',
    query: Obj({ id: HedgeId, keepArmed: Optional(KeepArmed), maker: ExitStyle }),
    data: Closed,
  }),
  reduce: endpoint({
    method: 'POST',
    path: '/api/hedge/reduce',
    right: 'signedIn',
    tag: '对冲',
    summary: '部分平仓：两边一起平掉持有的一部分，其余照常看护；不停用交易对，记入时间线',
    body: PartClose,
    data: PartKept,
  }),
  singlePreview: endpoint({
    method: 'POST',
    path: '/api/hedge/single/preview',
    right: 'signedIn',
    tag: '对冲',
    summary: '试算一笔对冲：按现价会不会开仓、票据、成本、保证金与最坏情况；不经过交易对与配置',
    audited: false,
    body: Obj({ mode: Optional(ModeField), ...one }, { additionalProperties: false }),
    data: StrategyPreview,
  }),
  single: endpoint({
    method: 'POST',
    path: '/api/hedge/single',
    right: 'signedIn',
    tag: '对冲',
    summary:
      '开一笔对冲：按给出的参数同时开两腿，不加入交易对；现在不会开仓、或限价差于确认过的最差价时拒绝；给出 waitHours 时等 z 到了再开；实盘输入多头确认',
    body: Obj({ ...one, ...confirmed, ...NowOrLater.properties }, { additionalProperties: false }),
    data: Obj({ id: Str({ description: '它的策略，单笔' }) }),
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/api/hedge/single',
    right: 'signedIn',
    tag: '对冲',
    summary: '自己还没有开仓的单笔对冲，与一天内放弃的，最新的在前',
    data: Obj({ list: Arr(WaitingHedge) }),
  }),
  cancelSingle: endpoint({
    method: 'POST',
    path: '/api/hedge/single/cancel',
    right: 'signedIn',
    tag: '对冲',
    summary: '不再等：撤销自己还没有开仓的一笔',
    body: Obj({ id: Str({ title: '单笔' }) }, { additionalProperties: false }),
    data: Obj({ id: Str() }),
  }),
  takeOverTerms: endpoint({
    method: 'GET',
    path: '/api/hedge/takeOver',
    right: 'signedIn',
    tag: '对冲',
    summary: '自己的一个账户里可以接管为对冲单的外部持仓，与默认的平仓条件',
    query: Obj({ accountId: AccountId }),
    data: TakeOverTerms,
  }),
  takeOver: endpoint({
    method: 'POST',
    path: '/api/hedge/takeOver',
    right: 'signedIn',
    tag: '对冲',
    summary:
      '把账户里方向相反的两个外部持仓接管为一张持有中的对冲单：按标记价转入，不下单，不动资金；暂停与急停时也可以。回答时已接管，或已知为何没有',
    body: Obj(
      {
        accountId: AccountId,
        source: SourceName,
        long: SymbolName('多头'),
        short: SymbolName('空头'),
        longQuantity: Decimal({ title: '多头数量', description: '币，整手' }),
        shortQuantity: Decimal({ title: '空头数量', description: '币，整手' }),
        ...exits,
        typed: Optional(Text({ title: '多头', maxLength: 64, description: '实盘账户：输入多头的合约确认' })),
      },
      { additionalProperties: false },
    ),
    data: Obj({
      id: Str({ description: '单笔策略' }),
      hedgeId: Maybe(Str({ description: '接管成的对冲单' })),
      refused: Maybe(OneOf(PAIR_BLOCKS, { title: '没有接管的原因', description: '两者都为空：引擎还没有处理' })),
    }),
  }),
  setLimits: endpoint({
    method: 'PUT',
    path: '/api/hedge/limits',
    right: 'signedIn',
    tag: '对冲',
    summary: '修改一张持有中的对冲单的止损、止盈与最长持有；只改这一张，记入时间线',
    body: LimitsChange,
    data: Obj({ id: Str() }),
  }),
  unfreeze: endpoint({
    method: 'POST',
    path: '/api/hedge/thaw',
    right: 'signedIn',
    tag: '对冲',
    summary: '恢复一张冻结的对冲单：交易所持仓与账面一致、方向无误时继续发送委托，否则仍冻结并记下原因',
    body: Obj({ id: HedgeId, reason: UnfreezeReason }),
    data: Obj({ id: Str() }),
  }),
  flatten: endpoint({
    method: 'POST',
    path: '/api/hedge/flatten',
    right: 'signedIn',
    tag: '对冲',
    summary: '全部平仓并暂停开仓',
    data: Obj({ running: Integer({ description: '要平的对冲单' }) }),
  }),
  pause: endpoint({
    method: 'POST',
    path: '/api/hedge/pause',
    right: 'signedIn',
    tag: '对冲',
    summary: '暂停开仓',
    body: Obj({ reason: Optional(Reason) }, { additionalProperties: false }),
    data: Obj({ paused: Bool() }),
  }),
  resume: endpoint({
    method: 'POST',
    path: '/api/hedge/resume',
    right: 'signedIn',
    tag: '对冲',
    summary: '恢复开仓；因单日亏损暂停的，当日不再限制',
    body: Obj({ reason: Reason, ...opens }, { additionalProperties: false }),
    data: Obj({ paused: Bool() }),
  }),
  note: endpoint({
    method: 'PUT',
    path: '/api/hedge/note',
    right: 'signedIn',
    tag: '对冲',
    summary: '修改对冲单的备注',
    body: Obj({ id: HedgeId, note: Text({ title: '备注', maxLength: NOTE_LENGTH }) }, { additionalProperties: false }),
    data: Obj({ id: Str(), note: Str(), noteBy: Maybe(Str()), noteAt: Maybe(Instant('备注时间')) }),
  }),
  attention,
  switchAll: endpoint({
    method: 'POST',
    path: '/api/hedge/switch',
    right: 'isMaster',
    tag: '对冲',
    summary: '对所有用户暂停开仓、恢复或全部平仓（同时暂停）；带 userId 时只平该用户的全部对冲单',
    body: Obj(
      {
        action: Labelled({ pause: '暂停开仓', resume: '恢复开仓', flatten: '全部平仓' }, { title: '操作' }),
        reason: Reason,
        userId: Optional(
          Text({ title: '用户', minLength: 1, maxLength: 64, description: '仅用于全部平仓：只对该用户，总开关不变' }),
        ),
        ...opens,
      },
      { additionalProperties: false },
    ),
    data: Obj({
      paused: Bool(),
      running: Integer({ description: '进行中的对冲单：所有用户的，带 userId 时是该用户的' }),
    }),
  }),
};
