import { Integer, Object as Obj, Optional, type Static } from 'typebox';
import { VENUES } from '../../candle';
import { fraction, Kept } from '../../decimal';
import type { FieldErrors } from '../../envelope';
import { entryFields } from '../../legsEntry';
import { sliceErrors } from '../../slices';
import { Labelled, Maybe, OneOf, SymbolName } from '../../value';
import { SPREAD_DIRECTION_LABEL, SPREAD_LEVERAGE, type SpreadCandidate } from './scan';

/** How two instruments of one coin are held against each other at one venue. Fractions, not percent; null switches a rule off. */
export const SpreadParams = Obj(
  {
    source: OneOf(VENUES, { title: '交易所' }),
    near: SymbolName('近腿'),
    far: SymbolName('远腿'),
    direction: Labelled(SPREAD_DIRECTION_LABEL, { title: '方向' }),
    legNotional: Kept({ title: '每腿名义', minimum: 50, maximum: 1_000_000, description: 'USDT，每腿' }),
    leverage: Kept({ title: '合约杠杆', minimum: 1, maximum: 5, description: '倍；现货没有杠杆' }),
    planDays: Integer({
      title: '无到期日持有',
      minimum: 1,
      maximum: 365,
      description: '天，两腿都没有到期日时按它计算净年化',
    }),
    entryApr: fraction(
      '开仓名义净年化',
      0,
      10,
      'F26：按规模可成交的价差，扣除四笔手续费、加上预期资金费（F29）后的名义净年化不低于它时开仓',
    ),
    roundStep: fraction('逐轮提高门槛', 0, 1, '每多做一轮，开仓名义净年化再提高这么多'),
    exitLevel: Maybe(fraction('平仓价差', -0.2, 0.2, 'F5 平仓水平不高于它时平仓：价差收敛到这里就离场，不等到期')),
    closeBeforeHours: Maybe(
      Integer({ title: '到期前平仓', minimum: 1, maximum: 720, description: '小时；留空则持有到交割，按指数均价了结' }),
    ),
    rollDays: Optional(
      Maybe(
        Integer({
          title: '到期前移仓',
          minimum: 1,
          maximum: 30,
          description: '天；只移有到期日的远腿，下一到期的名义净年化不低于开仓名义净年化时才移；留空不自动移仓',
        }),
      ),
    ),
    maxHoldingHours: Maybe(Integer({ title: '最长持有', minimum: 1, maximum: 8760, description: '小时' })),
    stopLoss: Maybe(fraction('止损', 0.001, 0.9, '净亏损占开仓总名义（两边之和）的分数')),
    dailyLossLimit: Maybe(
      Kept({ title: '单日最大亏损', minimum: 1, maximum: 10_000_000, description: 'USDT，自账户的当日开始，全账户' }),
    ),
    ...entryFields('每份挂这么久还没成交的部分', '全部到期后再挂 2 分钟'),
    slices: Optional(Integer({ title: '分几份', minimum: 1, maximum: 20 })),
    sliceSeconds: Optional(
      Integer({ title: '间隔', minimum: 5, maximum: 600, description: '秒，两份之间；不分份时不用' }),
    ),
    payUpTicks: Optional(
      Maybe(
        Integer({
          title: '超价（最小变动价位）',
          minimum: 0,
          maximum: 1000,
          description: '最小变动价位的个数，市价进场最多越过对手价这么多；单腿超时补齐与平仓不受限；留空只按滑点上限',
        }),
      ),
    ),
    slippageCap: Kept({ title: '滑点上限', minimum: 1, maximum: 500, description: 'bps，相对决策时中间价' }),
  },
  { additionalProperties: false },
);
export type SpreadParams = Static<typeof SpreadParams>;

export const DEFAULT_SPREAD: SpreadParams = {
  source: 'simulated',
  near: '',
  far: '',
  direction: 'sellFar',
  legNotional: 5000,
  leverage: SPREAD_LEVERAGE,
  planDays: 30,
  entryApr: 0.03,
  roundStep: 0.01,
  exitLevel: 0.001,
  closeBeforeHours: null,
  rollDays: null,
  maxHoldingHours: null,
  stopLoss: 0.03,
  dailyLossLimit: 500,
  orderType: 'market',
  convertSeconds: 60,
  slices: 1,
  sliceSeconds: 15,
  payUpTicks: null,
  slippageCap: 20,
};

/** Whether what closes at a level would not even bring in the four fees there (F5); fractions of a leg's notional. */
export const isExitTooNear = (
  exitLevel: number | null,
  { openEdge, fees }: Pick<SpreadCandidate, 'openEdge' | 'fees'>,
): boolean => exitLevel !== null && openEdge !== null && fees !== null && openEdge - exitLevel <= fees;

/** Rules across fields: the form and the server ask the same function. */
export function spreadErrors(params: SpreadParams): FieldErrors['fields'] {
  const { near, far, rollDays = null, closeBeforeHours, legNotional, slices = 1 } = params;
  const errors: FieldErrors['fields'] = sliceErrors(legNotional, slices);
  if (near === far) errors.push({ field: 'far', message: '两腿不能是同一个标的' });
  if (rollDays !== null && closeBeforeHours !== null && rollDays * 24 <= closeBeforeHours) {
    errors.push({ field: 'rollDays', message: '移仓要早于到期前平仓' });
  }
  return errors;
}
