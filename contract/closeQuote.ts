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
import { LEGS } from './lifecycle';
import { Instant, Maybe, OneOf } from './value';

const Usdt = (description?: string) => Maybe(Num({ description: description ? `USDT，${description}` : 'USDT' }));

const Maker = Bool({
  title: '挂单',
  description: '两腿先在本方最优价挂单，每 20 秒重挂，最多 60 秒；一腿先成交 10 秒，或时间到，其余按市价平',
});

/** How a deal is closed as a whole. */
export const ExitStyle = Optional(Maker);

/** What of a deal a quote is for: all of it, at the market, unless told. */
export const QUOTED_PART = {
  percent: Optional(Integer({ title: '比例', minimum: 1, maximum: 100, description: '平掉持有的百分之几' })),
  maker: ExitStyle,
};

const Held = Obj({ long: Decimal({ title: '多头腿持有' }), short: Decimal({ title: '空头腿持有' }) });

/** A part of both legs that is closed; what was seen of them then, so that the same is not taken twice. */
export const PartClose = Obj(
  {
    id: Str({ title: '交易单' }),
    percent: Integer({ title: '比例', minimum: 1, maximum: 99, description: '平掉持有的百分之几' }),
    maker: Maker,
    held: Held,
  },
  { additionalProperties: false },
);
export type PartClose = Static<typeof PartClose>;

/** What each leg keeps, base currency with its sign. */
export const PartKept = Obj({ id: Str(), keep: Held });

/** What closing a deal of any kind now, or a part of one with two legs, would cost and bring, from the venues' books. */
export const CloseQuote = Obj({
  id: Str(),
  percent: Integer({ description: '平掉持有的百分之几' }),
  maker: Bool({ description: '按挂单全部成交算' }),
  held: Held,
  refusal: Maybe(Str({ description: '不能平这么多的原因' })),
  legs: Arr(
    Obj({
      leg: OneOf(LEGS),
      source: Str(),
      symbol: Str(),
      side: OneOf(['buy', 'sell'] as const),
      quantity: Decimal({ description: '这次平掉的' }),
      left: Decimal({ description: '平后剩下的；全部平仓时为不足一笔最小委托、留在账户的' }),
      gone: Optional(Decimal({ description: '已被账户上的外部成交抵掉的：不再平，从交易单核销；没有时没有这个字段' })),
      mid: Maybe(Num()),
      price: Maybe(Num({ description: '预计成交均价' })),
      slippage: Usdt(),
      fee: Usdt(),
      unpriced: Maybe(Str({ description: '没有盘口价格的原因' })),
    }),
    { description: '有持仓的腿，先多头，后空头' },
  ),
  cost: Usdt('预计手续费与滑点'),
  realised: Usdt('本次平仓的预计实现盈亏，已扣平仓手续费'),
  net: Usdt('平仓后整单的预计净盈亏，剩下的按中间价'),
  priceAt: Maybe(Instant('价格时间')),
});
export type CloseQuote = Static<typeof CloseQuote>;
