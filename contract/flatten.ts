import { Array as Arr, Boolean as Bool, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { FLATTEN_SCOPES, FlattenReport, FlattenRow, Kind, usdt } from './flattenRow';
import { listOf, listQuery } from './list';
import { ModeField, STRATEGY_MODES } from './strategy';
import { Unguarded } from './unguarded';
import { Instant, Labelled, Maybe, OneOf, Text } from './value';

export { FlattenReport, FlattenRow, type FlattenScope, type ReportDeal } from './flattenRow';

/**
 * Why a deal is not closed at once. `frozen`: an order of it is compared with the venue first; `out`: its venue answers
 * nobody; `gone`: the venue itself ends it; `noPrice`: its market has no book; `thin`: the book holds less than is held.
 */
export const FLATTEN_BLOCKS = ['frozen', 'out', 'gone', 'noPrice', 'thin'] as const;
export type FlattenBlock = (typeof FLATTEN_BLOCKS)[number];

/** Deals and coins that are named one by one at most; the rest is counted. */
export const FLATTEN_NAMED = 50;

const Reason = Text({ title: '原因', minLength: 1, maxLength: 200 });

/** At most one of them; without any: everything of the caller's own. */
const scope = {
  strategyId: Optional(Text({ title: '策略', minLength: 1, maxLength: 64 })),
  userId: Optional(Text({ title: '用户', minLength: 1, maxLength: 64 })),
  everybody: Optional(Bool({ title: '所有用户' })),
};

/** The shorts that hedge the coin strategies own between their deals: that coin is no deal's, and is not sold. */
const keepsHedges = Optional(Bool({ title: '保留对冲库存的空头', description: '一个策略的不能保留：平完才停止' }));

const counts = {
  deals: Integer({ description: '交易单' }),
  unpriced: Integer({ description: '其中没有盘口报价的张数：不在金额之内' }),
};
const estimate = {
  ...counts,
  notional: usdt('各腿名义之和，按标记价'),
  cost: usdt('预计手续费与滑点，按现在盘口一次吃完'),
  net: usdt('平仓后的预计净盈亏'),
};

export const FlattenPreview = Obj({
  at: Instant('计算时间'),
  scope: OneOf(FLATTEN_SCOPES, { title: '范围' }),
  name: Maybe(Str({ description: '策略或用户的名称' })),
  own: Bool({ description: '全部是自己的' }),
  users: Integer({ description: '涉及的用户' }),
  real: Arr(Str(), { description: '动用真实资金的行情源' }),
  ...counts,
  empty: Integer({ description: '其中还没有成交的：撤单即结束' }),
  closing: Integer({ description: '其中已经在平仓的' }),
  kinds: Arr(Obj({ kind: Kind, mode: OneOf(STRATEGY_MODES), ...estimate }), { description: '按策略类型与资金' }),
  modes: Arr(Obj({ mode: OneOf(STRATEGY_MODES), ...estimate }), { description: '合计，按资金：真实的与模拟的不相加' }),
  hedges: Obj(
    { deals: Integer({ description: '张' }), notional: usdt('名义，按标记价') },
    { description: '对冲库存的空头，保留时不在其他各项里；平掉后库存留在账户，没有对冲' },
  ),
  blocked: Arr(
    Obj({
      id: Str(),
      kind: Kind,
      strategy: Str({ description: '策略的名称' }),
      user: Str(),
      symbols: Arr(Str()),
      why: OneOf(FLATTEN_BLOCKS, { title: '不能立即平掉的原因' }),
      detail: Maybe(Str({ description: '冻结的原因' })),
    }),
    { description: `不能立即平掉的，最多 ${FLATTEN_NAMED} 张` },
  ),
  blockedTotal: Integer(),
  kept: Arr(
    Obj({
      user: Str(),
      source: Str(),
      symbol: Str(),
      quantity: Str({ description: '币，带方向' }),
      value: usdt('按标记价的价值'),
    }),
    { description: '账户里不属于任何交易单、不会平掉的' },
  ),
});
export type FlattenPreview = Static<typeof FlattenPreview>;

const row = { right: 'signedIn', tag: '平仓' } as const;

export const flatten = {
  held: endpoint({
    ...row,
    method: 'GET',
    path: '/api/flatten/held',
    summary: '自己进行中的交易单有几张，任何类型；以及其中无人看护的，按策略',
    data: Obj({
      deals: Integer(),
      unguarded: Arr(
        Obj({
          strategyId: Str(),
          kind: Kind,
          name: Str(),
          mode: ModeField,
          sources: Arr(Str(), { description: '持仓所在的交易所' }),
          ...Unguarded.properties,
        }),
      ),
    }),
  }),
  preview: endpoint({
    ...row,
    method: 'GET',
    path: '/api/flatten/preview',
    expensive: true,
    summary: '全部平仓会平掉什么、预计成本与结果、什么不能立即平掉；别人的与所有用户的只有管理员能看',
    query: Obj({ ...scope, keepsHedges }),
    data: FlattenPreview,
  }),
  ask: endpoint({
    ...row,
    method: 'POST',
    path: '/api/flatten',
    summary: '全部平仓：账户的同时暂停开仓，一个策略的转为仅平仓。别人的与所有用户的只有管理员能做，须写原因',
    body: Obj({ ...scope, keepsHedges, reason: Optional(Reason) }, { additionalProperties: false }),
    data: Obj({ id: Maybe(Str({ description: '报告；没有可平的为空' })), deals: Integer() }),
  }),
  list: endpoint({
    ...row,
    method: 'GET',
    path: '/api/flatten',
    summary: '平仓报告，新的在前：涉及自己的；管理员可看所有的',
    query: Obj({ ...listQuery(20), everybody: Optional(Bool({ title: '所有用户' })) }),
    data: listOf(FlattenRow),
  }),
  report: endpoint({
    ...row,
    method: 'GET',
    path: '/api/flatten/report',
    summary: '一次全部平仓的报告：每张的成交价对请求时中间价、滑点、用时、剩下什么与原因；非管理员只见自己的',
    query: Obj({ id: Text({ title: '报告', minLength: 1, maxLength: 64 }) }),
    data: FlattenReport,
  }),
};

/** What a master does to others beside closing all they hold. */
export const INTERVENTION_LABEL = { pause: '暂停开仓', closeOnly: '仅平仓' } as const;
export type Intervention = keyof typeof INTERVENTION_LABEL;

export const intervention = {
  ask: endpoint({
    right: 'isMaster',
    tag: '平仓',
    method: 'POST',
    path: '/api/intervention',
    summary: '对一个用户或一个策略：暂停开仓，或仅平仓（用户的为其全部策略）；记录原因并通知其主人',
    body: Obj(
      {
        action: Labelled(INTERVENTION_LABEL, { title: '操作' }),
        strategyId: Optional(Text({ title: '策略', minLength: 1, maxLength: 64 })),
        userId: Optional(Text({ title: '用户', minLength: 1, maxLength: 64 })),
        reason: Reason,
      },
      { additionalProperties: false },
    ),
    data: Obj({ strategies: Integer({ description: '改变了状态的策略' }), deals: Integer({ description: '要平的' }) }),
  }),
};
