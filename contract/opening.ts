import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
  Unknown,
} from 'typebox';
import { endpoint } from './endpoint';
import { PAIR_BLOCKS } from './lifecycle';
import { PAIR_WARNINGS } from './pair';
import { ModeField, STRATEGY_KINDS } from './strategy';
import { Instant, Maybe, OneOf } from './value';

/** Calls after which the engine may open something within its next looks; each but the ends of deals takes `open`. */
export const OPENING_ACTS = [
  'save',
  'enable',
  'armPair',
  'arm',
  'resume',
  'resumeAll',
  'start',
  'update',
  'limitAccount',
  'limit',
  'closeDeal',
  'closeHedge',
] as const;
export type OpeningAct = (typeof OPENING_ACTS)[number];

/** What a gauge reads. */
export const GAUGES = ['z', 'apr', 'edge', 'price'] as const;

/** How near a target is to what it is opened at. */
export const Gauge = Obj({
  is: OneOf(GAUGES, { description: 'z 与价格为原值，apr 与 edge 为分数' }),
  now: Maybe(Num({ description: '现在' })),
  wanted: Num({ description: '到这里建仓' }),
});
export type Gauge = Static<typeof Gauge>;

const Usdt = (description: string) => Maybe(Num({ description: `${description}，USDT` }));

const named = {
  targetId: Str(),
  strategyId: Str(),
  strategy: Str({ description: '策略的名称' }),
  kind: OneOf(STRATEGY_KINDS, { title: '类型' }),
  mode: ModeField,
  user: Maybe(Str({ description: '谁的；自己的为空' })),
  long: Str({ description: '多头腿的代码' }),
  longSource: Str({ description: '多头腿的行情源' }),
  short: Str({ description: '空头腿的代码' }),
  shortSource: Str({ description: '空头腿的行情源' }),
  warnings: Arr(OneOf(PAIR_WARNINGS), { description: '现在不利于开仓的：不点选就不开' }),
  asks: Bool({ description: '有人还没有认过的提示：轮到时转为待确认' }),
  gauge: Maybe(Gauge),
  unconfirmed: Bool({ description: '待确认：没有人确认就不开' }),
};

/** Contracts that an account holds beyond what deals explain, on the other side than the legs that would be opened there. */
export const OutsideMet = Arr(Obj({ symbol: Str(), quantity: Str({ description: '带符号，基础币' }) }), {
  description: '账户里已有的外部持仓：开仓会与它相抵',
});
export type OutsideMet = Static<typeof OutsideMet>;

/** What would be opened within the next looks. */
export const DueRow = Obj({
  ...named,
  opens: Bool({ description: '照默认的选择会开：没有提示，也不是待确认' }),
  isStock: Bool({ description: '补库存或卖出多余库存' }),
  outside: Optional(OutsideMet),
  notional: Num({ description: 'USDT，两腿之和' }),
  capital: Num({ description: 'USDT，占用的保证金与买现货的余额' }),
  fees: Usdt('开仓手续费'),
  slippage: Usdt('开仓滑点，均价相对中间价'),
  worst: Usdt('F32：到止损的亏损，加价格跳过止损（历史最差一小时）与单腿；没有止损时为空'),
});
export type DueRow = Static<typeof DueRow>;

/** What still waits, and for what. */
export const WaitingRow = Obj({
  ...named,
  block: Maybe(OneOf(PAIR_BLOCKS, { title: '现在不开仓的原因' })),
  blocks: Arr(OneOf(PAIR_BLOCKS), { description: '挡着它的全部原因，最先的在前' }),
});
export type WaitingRow = Static<typeof WaitingRow>;

export const Openings = Obj({
  at: Instant('读取时间'),
  revision: Integer({ description: '账本版本' }),
  due: Arr(DueRow, { description: '引擎依次会开的，先开的在前' }),
  waiting: Arr(WaitingRow, { description: '还在等的，最多 200 个' }),
  waitingTotal: Integer(),
  closed: Integer({ description: '已手动平仓、未再启用的标的：不会开' }),
});
export type Openings = Static<typeof Openings>;

const row = { right: 'signedIn', tag: '策略' } as const;

export const opening = {
  preview: endpoint({
    ...row,
    method: 'POST',
    path: '/api/opening/preview',
    summary: '如果做这个操作，引擎接下来会开什么：按自己的账本与现价用引擎的规则试算，不改动任何东西',
    audited: false,
    expensive: true,
    body: Obj({
      act: OneOf(OPENING_ACTS, { title: '操作' }),
      input: Unknown({
        title: '操作的请求体',
        description: '与那个接口相同（没有请求体的，与其查询参数相同），不含 open',
      }),
    }),
    data: Openings,
  }),
  queue: endpoint({
    ...row,
    method: 'GET',
    path: '/api/opening/queue',
    summary: '等待建仓：现在会开的、还在等的与条件',
    expensive: true,
    query: Obj({ kind: Optional(OneOf(STRATEGY_KINDS, { title: '类型' })) }),
    data: Openings,
  }),
};
