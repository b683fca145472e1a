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
import { CloseQuote, ExitStyle, PartClose, PartKept, QUOTED_PART } from './closeQuote';
import { DealOutlook, LimitsChange } from './dealOutlook';
import { endpoint } from './endpoint';
import { LEGS, MOST_WAIT_HOURS, PAIR_BLOCKS, REBALANCE_LABEL } from './lifecycle';
import { LiveReadiness, TwinResults } from './liveReadiness';
import { OutsideMet } from './opening';
import { opens } from './opens';
import { PAIR_WARNING_LABEL, PAIR_WARNINGS } from './pair';
import { ResumeWithLimit } from './pause';
import { KindField, ModeField, ParamsField, STRATEGY_STATES } from './strategy';
import { DealRow, places, StrategyRow } from './strategyRow';
import { KeepArmed } from './targetHold';
import { UnfreezeReason } from './unfreeze';
import { Instant, Labelled, Maybe, OneOf, Text } from './value';

const money = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
const Name = Text({ title: '名称', minLength: 1, maxLength: 32 });

/** What a person types who starts real trading: the symbol of its first target, or the name of one that finds its own; of targets that are armed the symbol of one. */
const Typed = Optional(
  Text({
    title: '确认实盘',
    maxLength: 64,
    description: '实盘策略必填：输入第一个标的的代码；自选标的的策略输入策略名称；启用标的时输入其中一个的代码',
  }),
);

/** What the orders of a leg do on the way in: both take from the book; or one rests in it, and the other takes as it fills. */
export const TICKET_WAYS = ['takes', 'rests', 'hedges'] as const;

const TicketLeg = Obj({
  leg: OneOf(LEGS),
  source: Str(),
  symbol: Str(),
  way: OneOf(TICKET_WAYS, { title: '怎样进场' }),
  quantity: Str({ description: '币，全部委托之和，按这一腿自己的最小数量取整' }),
  held: Str({ description: '币，全部成交后持有；现货买入的手续费从币里扣' }),
  partQuantity: Str({ description: '币，第一份的委托' }),
  lotSize: Str({ description: '币，最小数量' }),
  price: Maybe(Num({ description: 'USDT，第一份：吃单为盘口均价（F9），挂单为挂出的价格；限价以内没有量时为空' })),
  limitPrice: Maybe(Num({ description: 'USDT，第一份的限价：吃单最差到这里；挂单到时转市价的，是转市价后的限价' })),
  fillable: Maybe(Str({ description: '币，第一份在限价以内现在能吃到多少；挂单为空' })),
  notional: Maybe(Num({ description: 'USDT，数量 × 价格' })),
  fee: Maybe(Num({ description: 'USDT，开仓手续费' })),
  slippage: Maybe(Num({ description: 'USDT，价格相对中间价，付出为正（F9）' })),
});

/** What each of two legs would be sent if they were opened now. */
export const LegsTicket = Obj({
  legs: Arr(TicketLeg, { description: '先多头，后空头' }),
  gap: Num({ description: 'USDT，两腿各自取整后持有数量之差，按多头腿中间价；两个币种的为名义之差，按配比' }),
  isOfTwoCoins: Optional(Bool({ description: '两腿是两个币种，按名义对上' })),
  slices: Integer({ description: '分几份' }),
  sliceSeconds: Integer({ description: '秒，两份之间' }),
  payUpTicks: Maybe(Integer({ description: '超价，最小变动价位的个数' })),
  convertSeconds: Maybe(Integer({ description: '秒，挂单多久后转市价；不挂单或不转时为空' })),
});
export type LegsTicket = Static<typeof LegsTicket>;

/** What the signal of kinds is that do not go by a net APR. */
export const SIGNALS = ['edge', 'z'] as const;

const PreviewRow = Obj({
  ...places,
  block: Maybe(OneOf(PAIR_BLOCKS, { title: '现在不开仓的原因' })),
  lacking: Optional(OneOf(PAIR_BLOCKS, { description: '此外账户还缺什么' })),
  isStock: Optional(Bool({ description: '会做的是补库存或卖出多余库存，还不是套利' })),
  signal: Maybe(Num({ description: '信号：资金费为净年化，占每腿名义' })),
  signalOnCapital: Optional(Num({ description: '净年化占资金的比例（F12）；信号不是年化的没有' })),
  cost: Maybe(Num({ description: '一进一出的手续费与滑点，每腿名义的分数' })),
  breakEven: Maybe(Integer({ description: 'F8，结算次数；不靠结算赚钱的类型为空' })),
  ticket: Optional(LegsTicket),
  outside: Optional(OutsideMet),
  warnings: Optional(Arr(OneOf(PAIR_WARNINGS), { description: '不利于开仓的提示；没有时不给出' })),
});

const Usdt = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
const Share = (description: string) => Maybe(Num({ description: `${description}，分数` }));

/** What a ladder holds at its beginning is bought at the market, or taken from what the account holds for nothing else. */
const LADDER_STARTS = ['market', 'account'] as const;
/** Spot has no margin: nothing of it is liquidated. */
const LADDER_MARKETS = ['perpetual', 'spot'] as const;

/** What only a kind with levels tells before it is saved. */
export const LadderPreview = Obj({
  stepLeast: Share('最窄一格的间距'),
  stepMost: Share('最宽一格的间距'),
  profitLeast: Share('F27：最窄一格的净利占买入价'),
  profitMost: Share('F27：最宽一格的净利占买入价'),
  breakEven: Share('保本间距：两笔手续费要求的最小价差'),
  capital: Num({ description: '投入 = 总名义 ÷ 杠杆，USDT' }),
  quantity: Num({ description: '每格数量，币' }),
  startCells: Integer({ description: '开始时的底仓，格' }),
  startCoin: Num({ description: '开始时的底仓，币' }),
  startFrom: OneOf(LADDER_STARTS, { title: '底仓的来处' }),
  start: Maybe(TicketLeg),
  freeCoin: Maybe(Num({ description: '账户里不属于任何交易单、也不在划出途中的币；没有账户时为空' })),
  market: OneOf(LADDER_MARKETS, { title: '市场' }),
  dailyPairs: Maybe(Num({ description: '每天的套利次数：最近 14 天的小时 K 线重放' })),
  dailyNet: Usdt('每天的网格利润'),
  liquidationLow: Usdt('只用投入承担时，跌到这里强平'),
  liquidationHigh: Usdt('只用投入承担时，涨到这里强平'),
});
export type LadderPreview = Static<typeof LadderPreview>;

/** What a strategy would do now on real prices, before it is saved. */
export const StrategyPreview = Obj({
  at: Instant('行情时间'),
  targets: Arr(PreviewRow),
  signalIs: Optional(OneOf(SIGNALS, { description: '信号是什么：edge 为净价差，z 为价差的 z（F14）；没有时为净年化' })),
  accounts: Arr(
    Obj({
      source: Str({ description: '交易所' }),
      cash: money('全部开满买现货需要的余额'),
      margin: money('全部开满需要的保证金'),
      spendable: money('账户可用余额；没有账户或读不到时为空'),
      freeMargin: money('账户可用保证金；没有账户或读不到时为空'),
      isSilent: Optional(Bool({ description: '有账户，它的交易所没有应答' })),
      isApart: Optional(Bool({ description: '买现货的余额与合约保证金不在一个钱包里' })),
      room: Optional(Num({ description: '实盘上限还剩的名义，USDT；模拟没有' })),
      notional: Optional(Num({ description: '全部开满时在这个账户里的名义，USDT；模拟没有' })),
    }),
    { description: '用到的每个账户' },
  ),
  real: Optional(
    Obj(
      {
        cap: Maybe(Num({ description: '每个实盘账户的名义上限（LIVE_MAX_NOTIONAL），USDT；本服务器不做实盘时为空' })),
      },
      { description: '实盘：账户里已有的持仓另占上限；模拟没有' },
    ),
  ),
  stock: Optional(
    Obj(
      {
        notional: Num({ description: '要买卖的现货，USDT' }),
        fees: money('买卖现货的手续费'),
        slippage: money('买卖现货的滑点（F9）'),
        hedge: Num({ description: '对冲它的永续空头，USDT；不对冲为 0' }),
        hedgeCost: money('永续开仓的手续费与滑点'),
        capital: Num({ description: '占用：现货与永续的保证金，USDT' }),
      },
      { description: '建库存的全部成本；不需要建时没有' },
    ),
  ),
  fees: money('全部开满一进一出的手续费与滑点'),
  worst: money('F32：全部开满都到止损的亏损，加价格跳过止损（历史最差一小时）与单腿；没有止损时为空'),
  ladder: Optional(LadderPreview),
});
export type StrategyPreview = Static<typeof StrategyPreview>;

const worstPrice = (title: string) => Num({ title, exclusiveMinimum: 0, maximum: 1e12, description: 'USDT' });

/** What a person confirms of one deal: by what it is opened, and what was shown of it. */
export const confirmed = {
  mode: Optional(ModeField),
  typed: Typed,
  worst: Obj(
    { long: worstPrice('买入的最差价'), short: worstPrice('卖出的最差价') },
    { title: '最差价', description: '票据上给人看过的' },
  ),
  accepts: Optional(
    Arr(Labelled(PAIR_WARNING_LABEL), { title: '看过的提示', description: '给人看过的；有别的提示时不开' }),
  ),
};

/** One deal by the prices of its ticket now, or as soon as its own rule lets it in. */
export const NowOrLater = Obj({
  worst: Optional(confirmed.worst),
  waitHours: Optional(
    Integer({
      ...{ title: '最多等', minimum: 1, maximum: MOST_WAIT_HOURS },
      description: '小时：等入场条件成立再开；给出时按那时的价格，不看最差价',
    }),
  ),
});
export type NowOrLater = Static<typeof NowOrLater>;

const Id = Obj({ id: Str({ title: '策略' }) });
const row = { right: 'isMaster', tag: '策略' } as const;

export const strategies = {
  list: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy',
    summary: '自己的策略，最新的在前',
    query: Obj({ kind: Optional(KindField) }),
    data: Obj({ list: Arr(StrategyRow) }),
  }),
  deals: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/deal',
    summary: '一个策略的交易单，最新的 200 张',
    query: Id,
    data: Obj({ list: Arr(DealRow) }),
  }),
  preview: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/preview',
    summary: '试算策略：按现价每个标的会不会开仓、成本、保证金与最坏情况',
    audited: false,
    body: Obj({
      ...{ kind: KindField, mode: Optional(ModeField), params: ParamsField },
      id: Optional(Str({ title: '策略', description: '已有的策略：它自己占用的名义不重复计算' })),
    }),
    data: StrategyPreview,
  }),
  liveReadiness: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/liveReadiness',
    summary: '实盘准备：一个策略在模拟盘的记录、账户与最小数量是否够做实盘',
    query: Id,
    data: LiveReadiness,
  }),
  twin: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/twin',
    expensive: true,
    summary: '实盘与模拟对照：自实盘首次启动以来两者的结果；任一个的 id',
    query: Id,
    data: TwinResults,
  }),
  create: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/create',
    summary: '新建策略，停止状态',
    body: Obj({
      ...{ kind: KindField, name: Name, mode: ModeField, params: ParamsField, typed: Typed },
      twin: Optional(Str({ title: '模拟对照', description: '实盘：由自己的哪个模拟策略转来，与它对照' })),
    }),
    data: Obj({ id: Str(), version: Integer() }),
  }),
  single: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/single',
    summary: '开这一笔：按参数开一张交易单，不留策略；现在不会开仓、或限价差于确认过的最差价时拒绝',
    body: Obj({ kind: KindField, name: Name, params: ParamsField, ...confirmed }),
    data: Obj({ id: Str({ description: '它的策略，单笔' }) }),
  }),
  update: endpoint({
    ...row,
    method: 'PUT',
    path: '/api/strategy',
    summary: '修改策略的名称与参数；持有中的交易单保持开仓时的参数',
    body: Obj({
      id: Str(),
      version: Integer({ title: '版本' }),
      name: Name,
      params: ParamsField,
      resume: ResumeWithLimit,
      typed: Typed,
      ...opens,
    }),
    data: Obj({
      id: Str(),
      version: Integer(),
      resumed: Optional(Bool({ description: '提高的上限解除了它自己的熔断' })),
    }),
  }),
  start: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/start',
    summary: '启动策略：可以开仓；熔断后恢复需要原因',
    body: Obj({
      id: Str({ title: '策略' }),
      reason: Optional(Text({ title: '恢复的原因', maxLength: 200 })),
      anew: Optional(Bool({ title: '重新建仓', description: '网格：已手动平仓的也重新建仓；否则仍停用' })),
      typed: Typed,
      ...opens,
    }),
    data: Obj({ state: OneOf(STRATEGY_STATES) }),
  }),
  pause: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/pause',
    summary: '暂停策略：不再开仓，持有的照常看护与平仓',
    body: Id,
    data: Obj({ state: OneOf(STRATEGY_STATES) }),
  }),
  closeOnly: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/closeOnly',
    summary: '策略仅平仓：不再开仓，平掉持有的，平完即停止',
    body: Id,
    data: Obj({ state: OneOf(STRATEGY_STATES) }),
  }),
  stop: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/stop',
    summary: '停止策略：先平掉持有的；或保留：合约的持仓不再看护，现货网格的币转为账户库存，交易单结束',
    body: Obj({ id: Str(), flatten: Bool({ title: '平掉持有的' }) }),
    data: Obj({ state: OneOf(STRATEGY_STATES) }),
  }),
  guard: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/guard',
    summary: '接管无人看护的交易单：策略转为暂停，不开新仓，持有的照常看护与平仓',
    body: Id,
    data: Obj({ state: OneOf(STRATEGY_STATES) }),
  }),
  selfManage: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/selfManage',
    summary: '声明无人看护的交易单由自己管：记下是谁与何时，不再以红色提示，直到策略状态改变',
    body: Id,
    data: Obj({ deals: Integer({ description: '自己管的交易单' }) }),
  }),
  clone: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/clone',
    summary: '复制策略，停止状态',
    body: Obj({ id: Str(), name: Name }),
    data: Obj({ id: Str(), version: Integer() }),
  }),
  remove: endpoint({
    ...row,
    method: 'DELETE',
    path: '/api/strategy',
    summary: '删除策略：只有停止且没有持仓的',
    body: Id,
    data: Obj({ id: Str() }),
  }),
  closeDeal: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/deal/close',
    summary: '平掉一张交易单的两腿；标的随之停用（已手动平仓），重新启用前不再开仓，keepArmed 为 true 时照常',
    body: Obj({ id: Str({ title: '交易单' }), keepArmed: Optional(KeepArmed), maker: ExitStyle }),
    data: Obj({ id: Str() }),
  }),
  reduceDeal: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/deal/reduce',
    summary: '部分平仓：两腿一起平掉持有的一部分，其余照常看护；不停用标的，记入时间线',
    body: PartClose,
    data: PartKept,
  }),
  closeQuote: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/deal/close/quote',
    summary: '现在平掉一张交易单或它的一部分的预计成本与净盈亏',
    query: Obj({ id: Str({ title: '交易单' }), ...QUOTED_PART }),
    data: CloseQuote,
  }),
  armTargets: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/target/arm',
    summary: '重新启用已手动平仓的标的，或确认开仓待确认的标的：符合条件即开仓',
    body: Obj({
      ids: Arr(Str({ title: '标的' }), { title: '标的', minItems: 1, maxItems: 200 }),
      typed: Typed,
      ...opens,
    }),
    data: Obj({ ids: Arr(Str()) }),
  }),
  rebalanceLegs: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/deal/mend',
    summary:
      '处理两腿数量不等的交易单：补齐较小的一腿，或把较大的一腿退回到相等（建仓中是退回已成交的一腿）；一分钟内做完',
    body: Obj({ id: Str({ title: '交易单' }), way: Labelled(REBALANCE_LABEL, { title: '办法' }) }),
    data: Obj({ id: Str() }),
  }),
  unfreezeDeal: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/deal/thaw',
    summary: '恢复一张冻结的交易单：交易所持仓与账面一致、方向无误时继续发送委托，否则仍冻结并记下原因',
    body: Obj({
      id: Str({ title: '交易单' }),
      reason: UnfreezeReason,
    }),
    data: Obj({ id: Str() }),
  }),
  dealOutlook: endpoint({
    ...row,
    // A hedge is a deal as well.
    right: 'signedIn',
    method: 'GET',
    path: '/api/strategy/deal/outlook',
    summary: '自己的一张交易单为何还持有：自动平仓的条件与现在的值，现在平掉的净盈亏，盈亏由什么组成',
    query: Obj({ id: Str({ title: '交易单' }) }),
    data: DealOutlook,
  }),
  setLimits: endpoint({
    ...row,
    method: 'PUT',
    path: '/api/strategy/deal/limits',
    summary: '修改一张持有中的交易单的止损、止盈与最长持有；只改这一张，记入时间线',
    body: LimitsChange,
    data: Obj({ id: Str() }),
  }),
  setExitTarget: endpoint({
    ...row,
    method: 'PUT',
    path: '/api/strategy/deal/target',
    summary: '修改一张交易单的平仓目标价差；空为不按价差平仓',
    body: Obj({
      id: Str({ title: '交易单' }),
      exitLevel: Maybe(Num({ title: '目标价差', minimum: -1, maximum: 1, description: '分数' })),
    }),
    data: Obj({ id: Str() }),
  }),
};
