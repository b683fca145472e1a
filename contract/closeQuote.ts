import { Array as Arr, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { Decimal } from './decimal';
import { LEGS } from './lifecycle';
import { Instant, Maybe, OneOf } from './value';

const Usdt = (description?: string) => Maybe(Num({ description: description ? `USDT，${description}` : 'USDT' }));

/** What closing a deal of any kind now would cost and bring, from the venues' books. */
export const CloseQuote = Obj({
  id: Str(),
  legs: Arr(
    Obj({
      leg: OneOf(LEGS),
      source: Str(),
      symbol: Str(),
      side: OneOf(['buy', 'sell'] as const),
      quantity: Decimal(),
      mid: Maybe(Num()),
      price: Maybe(Num({ description: '预计成交均价' })),
      slippage: Usdt(),
      fee: Usdt(),
    }),
    { description: '有持仓的腿，先多头，后空头' },
  ),
  cost: Usdt('预计手续费与滑点'),
  realised: Usdt('本次平仓的预计实现盈亏，已扣平仓手续费'),
  net: Usdt('平仓后整单的预计净盈亏'),
  priceAt: Maybe(Instant('价格时间')),
});
export type CloseQuote = Static<typeof CloseQuote>;
