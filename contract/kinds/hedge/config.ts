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
import { BAR_LABEL, BARS } from '../../candle';
import { Kept } from '../../decimal';
import { endpoint } from '../../endpoint';
import type { FieldErrors } from '../../envelope';
import { Change, Figure, Moment } from '../../field';
import { hasNoRoom, LEGS, PAIR_BLOCKS, type PairBlock } from '../../lifecycle';
import { opens } from '../../opens';
import { PAIR_WARNING_LABEL, PAIR_WARNINGS } from '../../pair';
import { LimitedDay, Pause, ResumeWithLimit } from '../../pause';
import { HeldTarget } from '../../targetHold';
import { Instant, Labelled, Maybe, OneOf, SourceName, SymbolName, Text } from '../../value';
import { wordsOf } from '../../words';

/** What a paper account is opened with, USDT. */
export const PAPER_CAPITAL = 100_000;

/** `spread`: the short side is b times the long one, so that what is held is the spread that z speaks of. */
export const RATIO_RULE_LABEL = {
  equal: '等额',
  beta: 'beta',
  volatility: '波动率',
  spread: '协整',
} as const;
export const RATIO_RULES = wordsOf(RATIO_RULE_LABEL);
export type RatioRule = (typeof RATIO_RULES)[number];
export const ENTRY_RULE_LABEL = { immediate: '立即', z: 'z 入场' } as const;
export const ORDER_TYPE_LABEL = { market: '市价', maker: '挂单' } as const;
export const ORDER_TYPES = wordsOf(ORDER_TYPE_LABEL);

const fraction = (title: string, minimum: number, maximum: number, description: string) =>
  // In percent, as the console shows it, eight of them are after the point.
  Maybe(Kept({ title, minimum, maximum, description, decimals: 10 }));

const settings = {
  source: SourceName,
  legNotional: Kept({ title: '每腿名义', minimum: 10, maximum: 1_000_000, description: 'USDT，多头一边的名义价值' }),
  leverage: Kept({ title: '杠杆', minimum: 1, maximum: 20, description: '倍' }),
  maxHedges: Integer({ title: '最大并行对数', minimum: 1, maximum: 50 }),
  ratio: Labelled(RATIO_RULE_LABEL, { title: '配比' }),
  entry: Labelled(ENTRY_RULE_LABEL, { title: '入场' }),
  entryZ: Kept({ title: '入场 z', minimum: 0.1, maximum: 10, description: 'z 不高于 −入场 z 时入场' }),
  exitZ: Kept({ title: '出场 z', minimum: 0, maximum: 10, description: 'z 回到 −出场 z 以上时出场；仅 z 入场时使用' }),
  zBar: Labelled(BAR_LABEL, { title: 'z 周期' }),
  zWindow: Integer({ title: 'z 窗口', minimum: 30, maximum: 500, description: '根' }),
  stopLoss: fraction('止损', 0.001, 0.9, '净亏损占开仓总名义（两边之和）的分数'),
  takeProfit: fraction('止盈', 0.001, 5, '净盈利占开仓总名义的分数'),
  maxHoldingHours: Maybe(Integer({ title: '最长持有', minimum: 1, maximum: 8760, description: '小时' })),
  rebalance: fraction('再平衡阈值', 0.005, 0.5, '偏离目标配比的名义占总名义的分数'),
  dailyLossLimit: Maybe(
    Kept({
      title: '单日最大亏损',
      minimum: 1,
      maximum: 10_000_000,
      description: 'USDT，自账户的当日开始（默认 00:00 UTC，可在账户总览修改）',
    }),
  ),
  blacklist: Arr(SymbolName('黑名单'), { title: '黑名单', maxItems: 200 }),
  orderType: Labelled(ORDER_TYPE_LABEL, { title: '下单方式' }),
  slippageCap: Kept({ title: '滑点上限', minimum: 1, maximum: 500, description: 'bps，相对决策时中间价' }),
};

/** How a user's pairs are traded. Fractions, not percent; null switches a rule off. */
export const HedgeSettings = Obj(settings, { additionalProperties: false });
export type HedgeSettings = Static<typeof HedgeSettings>;

export const DEFAULT_SETTINGS: HedgeSettings = {
  source: 'simulated',
  legNotional: 2000,
  leverage: 3,
  maxHedges: 5,
  ratio: 'equal',
  entry: 'immediate',
  entryZ: 2,
  exitZ: 0.5,
  zBar: '1d',
  zWindow: 90,
  stopLoss: 0.05,
  takeProfit: 0.08,
  maxHoldingHours: 168,
  rebalance: 0.05,
  dailyLossLimit: 500,
  blacklist: [],
  orderType: 'market',
  slippageCap: 30,
};

/** Rules across fields: the form and the server ask the same function. */
export function settingsErrors({ entry, entryZ, exitZ }: HedgeSettings): FieldErrors['fields'] {
  if (entry === 'z' && exitZ >= entryZ) return [{ field: 'exitZ', message: '出场 z 必须小于入场 z' }];
  return [];
}

const SHORT = { missing: '共同历史不足', window: '配置中的 z 周期与窗口' };
const BETA = '对 BTC：cov(r, rBTC) / var(rBTC)';

export const HedgePair = Obj({
  pairId: Str(),
  source: Str(),
  long: Str(),
  short: Str(),
  createdAt: Instant('添加时间'),
  triggeredAt: Moment('最近触发', { missing: '还没有触发过' }),
  block: Maybe(OneOf(PAIR_BLOCKS)),
  held: HeldTarget,
  hedgeId: Maybe(Str({ description: '进行中的对冲单' })),
  longPrice: Maybe(Num({ description: 'USDT' })),
  shortPrice: Maybe(Num({ description: 'USDT' })),
  ratio: Figure('配比', {
    ...{ ...SHORT, digits: 3, text: '每 1 USDT 多头对应的空头名义：持有中的按开仓时，否则按配比规则' },
  }),
  hedgeRatio: Figure('b', { ...SHORT, spare: true, digits: 3, formula: 'ln 多 对 ln 空 的 OLS 斜率（F13）' }),
  z: Maybe(Num({ description: 'F14，按现价' })),
  zBar: Maybe(OneOf(BARS)),
  zBars: Maybe(Integer({ description: '根：z 的窗口' })),
  warnings: Arr(OneOf(PAIR_WARNINGS), { description: '持有中的方向与 z 相反按开仓时的 z' }),
  correlation: Figure('相关', { ...SHORT, formula: '对数收益的 Pearson 相关（F17）' }),
  betaLong: Figure('beta 多', { ...SHORT, spare: true, formula: BETA }),
  betaShort: Figure('beta 空', { ...SHORT, spare: true, formula: BETA }),
  halfLifeHours: Figure('半衰期', {
    ...{ ...SHORT, missing: '不回归，或共同历史不足', formula: '−ln 2 / ln(1 + k)；k ≥ 0 为不回归（F15）' },
  }),
  adfP: Figure('ADF p', { ...SHORT, digits: 3, formula: '价差的单位根检验，MacKinnon 1994（F16）' }),
  rSquared: Figure('R²', { ...SHORT, spare: true, formula: '该回归的解释度' }),
  fundingAprDifference: Change('资金费差', {
    ...{ missing: '该数据源没有资金费', formula: '空头资金费 APR − 多头资金费 APR' },
  }),
});
export type HedgePair = Static<typeof HedgePair>;

/** Where both differ by more than this, what is held is another spread than the one of z. */
const SAME_SPREAD = 0.2;

/**
 * Whether z speaks of another spread than the one that is held. A b that is not positive is no ratio at all.
 * @param ratio short notional per long notional. @param hedgeRatio b of F13
 */
export const isOtherSpread = (ratio: number | null, hedgeRatio: number | null): boolean =>
  ratio !== null && hedgeRatio !== null && hedgeRatio > 0 && Math.abs(ratio / hedgeRatio - 1) > SAME_SPREAD;

/** What would be opened at once and finds no room is opened by a person alone, not when there is some later. */
export const waitsForPerson = ({ entry }: Pick<HedgeSettings, 'entry'>, block: PairBlock | null): boolean =>
  entry === 'immediate' && block !== null && hasNoRoom(block);

/** What all running hedges come to in one coin. */
export const CoinExposure = Obj({
  coin: Str(),
  net: Maybe(Num({ description: 'USDT，按标记价，带方向（F10）；有持有的没有标记价时为空' })),
  hedges: Integer({ description: '含这一币种的进行中对冲单' }),
});
export type CoinExposure = Static<typeof CoinExposure>;

export const HedgeDesk = Obj({
  settings: Maybe(HedgeSettings),
  version: Integer({ description: '没有配置时为 0' }),
  updatedAt: Maybe(Instant('保存时间')),
  updatedBy: Maybe(Str()),
  enabled: Bool(),
  switchedAt: Maybe(Instant('启停时间')),
  switchedBy: Maybe(Str()),
  paused: Maybe(Pause),
  pausedForAll: Maybe(Pause),
  unvalued: Maybe(Str({ description: '模拟账户里没有价格的持仓：权益未知，不开新仓' })),
  tripped: Maybe(Str({ description: '熔断的原因：恢复需要写明原因' })),
  trippedAt: Maybe(Instant('熔断时间')),
  /** The account's running day: all limits of a day, the overview and its calendar go by it. */
  day: LimitedDay,
  dayPnl: Maybe(Num({ description: 'USDT，整个账户自当日开始' })),
  accountLimit: Maybe(Num({ description: 'USDT，账户的单日最大亏损；未设时为空' })),
  loss: Obj({
    result: Maybe(Num({ description: 'USDT，对冲自己今日的盈亏；当日恢复过的自恢复起' })),
    used: Maybe(Num({ description: 'USDT，今日已用 = max(0, −对冲今日盈亏)' })),
    limit: Maybe(Num({ description: 'USDT，未设上限时为空' })),
    share: Maybe(Num({ description: '已用 / 上限，分数' })),
  }),
  lossLimitHit: Bool({ description: '账户已达它的单日最大亏损' }),
  running: Integer({ description: '进行中的对冲单' }),
  coins: Arr(CoinExposure, { description: '进行中的对冲单按币种轧差，净敞口大的在前' }),
  pairs: Arr(HedgePair),
});
export type HedgeDesk = Static<typeof HedgeDesk>;

const EntryLeg = Obj({
  leg: OneOf(LEGS),
  symbol: Str(),
  quantity: Str({ description: '币，按最小数量取整' }),
  mid: Maybe(Num({ description: 'USDT，中间价' })),
  price: Maybe(Num({ description: 'USDT，吃掉盘口这一数量的均价（F9）；深度不足时为空' })),
  notional: Maybe(Num({ description: 'USDT，数量 × 均价' })),
  margin: Maybe(Num({ description: 'USDT，名义 / 杠杆' })),
  fee: Maybe(Num({ description: 'USDT，开仓，按吃单费率' })),
  slippage: Maybe(Num({ description: 'USDT，开仓，均价相对中间价' })),
});

const ExitLevel = Maybe(
  Obj({
    net: Num({ description: 'USDT，触发时的净盈亏' }),
    ratio: Maybe(Num({ description: '触发时的比价（多头价 / 空头价），空头价格不动、不计资金费' })),
  }),
);

/** What entering a pair now would take and cost, when it would end, and whether it would be entered at once. */
export const EntryQuote = Obj({
  settings: HedgeSettings,
  legs: Arr(EntryLeg, { description: '先多头，后空头' }),
  notional: Maybe(Num({ description: 'USDT，两边之和' })),
  margin: Maybe(Num({ description: 'USDT，两边之和' })),
  freeMargin: Maybe(Num({ description: 'USDT，账户权益 − 已占用的初始保证金' })),
  fees: Maybe(Num({ description: 'USDT，开仓两边' })),
  slippage: Maybe(Num({ description: 'USDT，开仓两边' })),
  ratio: Maybe(Num({ description: '现在的比价，中间价' })),
  stop: ExitLevel,
  target: ExitLevel,
  z: Maybe(Num({ description: 'F14，按现价；周期与窗口为配置所定' })),
  share: Num({ description: '每 1 USDT 多头对应的空头名义，按配比规则' }),
  hedgeRatio: Maybe(Num({ description: 'F13 的 b' })),
  warnings: Arr(OneOf(PAIR_WARNINGS), { description: '现在不利于开仓的' }),
  block: Maybe(OneOf(PAIR_BLOCKS, { title: '现在不建仓的原因' })),
  priceAt: Maybe(Instant('报价时间')),
});
export type EntryQuote = Static<typeof EntryQuote>;

const Switched = Obj({ enabled: Bool(), running: Integer({ description: '仍在进行、继续管理的对冲单' }) });
const Saved = Obj({
  version: Integer(),
  settings: HedgeSettings,
  resumed: Optional(Bool({ description: '提高的上限解除了它自己的熔断' })),
});
const versioned = Obj(
  { ...settings, version: Integer({ title: '版本', minimum: 1 }), resume: ResumeWithLimit, ...opens },
  { additionalProperties: false },
);
const PairId = Text({ title: '交易对', minLength: 1, maxLength: 64 });

export const hedgeConfig = {
  desk: endpoint({
    method: 'GET',
    path: '/api/user/config/hedge',
    right: 'signedIn',
    tag: '对冲',
    summary: '自己的对冲配置、开关与交易对（含实时指标）',
    data: HedgeDesk,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/config/hedge',
    right: 'signedIn',
    tag: '对冲',
    summary: '首次保存对冲配置；已有配置时拒绝。同时开立模拟账户',
    body: HedgeSettings,
    data: Saved,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/config/hedge',
    right: 'signedIn',
    tag: '对冲',
    summary: '保存对冲配置；版本落后时 409',
    body: versioned,
    data: Saved,
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/user/config/hedge/enable',
    right: 'signedIn',
    tag: '对冲',
    summary: '启用对冲；熔断后需要写明原因，此后的亏损从现在算起',
    body: Obj(
      { reason: Optional(Text({ title: '恢复的原因', maxLength: 200 })), ...opens },
      { additionalProperties: false },
    ),
    data: Switched,
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/user/config/hedge/disable',
    right: 'signedIn',
    tag: '对冲',
    summary: '停用对冲：不再开新仓，未平的对冲继续管理',
    data: Switched,
  }),
  addPair: endpoint({
    method: 'POST',
    path: '/api/user/config/hedge/pair',
    right: 'signedIn',
    tag: '对冲',
    summary:
      '添加交易对；多空互换的重复对需要确认。默认条件满足时即建仓，arm 为 false 时添加，先不建仓；有没认过的提示时转为待确认',
    body: Obj(
      {
        long: SymbolName('多头'),
        short: SymbolName('空头'),
        confirmReversed: Optional(Bool({ title: '确认反向' })),
        arm: Optional(Bool({ title: '建仓' })),
        accepts: Optional(
          Arr(Labelled(PAIR_WARNING_LABEL), { title: '认过的提示', description: '有这些提示也建仓；有别的就等待确认' }),
        ),
      },
      { additionalProperties: false },
    ),
    data: Obj({
      pairId: Str(),
      block: Maybe(OneOf(PAIR_BLOCKS, { title: '现在不建仓的原因；为空时即建仓' })),
    }),
  }),
  entryQuote: endpoint({
    method: 'GET',
    path: '/api/user/config/hedge/pair/quote',
    right: 'signedIn',
    tag: '对冲',
    summary: '现在为一对币种建仓要占用与花费多少、何时止损止盈、是否会立即建仓；杠杆与配比可另给',
    query: Obj({
      long: SymbolName('多头'),
      short: SymbolName('空头'),
      leverage: Optional(settings.leverage),
      ratio: Optional(settings.ratio),
    }),
    data: EntryQuote,
  }),
  removePair: endpoint({
    method: 'DELETE',
    path: '/api/user/config/hedge/pair',
    right: 'signedIn',
    tag: '对冲',
    summary: '移除交易对；有未平的对冲时拒绝',
    body: Obj({ pairId: PairId }, { additionalProperties: false }),
    data: Obj({ pairId: Str() }),
  }),
  armPair: endpoint({
    method: 'POST',
    path: '/api/user/config/hedge/pair/arm',
    right: 'signedIn',
    tag: '对冲',
    summary: '让已平仓的交易对再开一次，或让已添加而没有建仓的交易对建仓',
    body: Obj({ pairId: PairId }, { additionalProperties: false }),
    data: Obj({ pairId: Str() }),
  }),
};
