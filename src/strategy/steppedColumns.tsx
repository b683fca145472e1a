import type { OrderRow } from '#contract/order';
import { Missing } from '@/components/Missing';
import type { Column } from '@/table/column';
import { exactColumn, stepped } from '@/table/columns';
import type { OwnColumn } from '@/table/schemaColumns';

/** Of a symbol whose steps are known as long as it is traded. */
type Stepped = Pick<OrderRow, 'tickSize' | 'lotSize'>;
type Priced = Stepped & Pick<OrderRow, 'type' | 'limitPrice'> & Partial<Pick<OrderRow, 'purpose'>>;

/** Prices by the tick, quantities by the lot. */
export const steppedColumn = <R extends Stepped>(
  key: keyof R & string,
  title: string,
  width: number,
  step: keyof Stepped,
): Column<R> => exactColumn<R>(key, title, width, { step });

/** A market order's price is the worst one at which it trades; of what others sent there is none. */
export const LIMIT_PRICE = {
  key: 'limitPrice',
  width: 136,
  render: ({ type, purpose, limitPrice, tickSize }) =>
    type === 'market' && purpose === 'outside' ? (
      <Missing reason="不是这里下的市价委托，没有保护价" />
    ) : (
      <span className="figure">
        {type === 'market' && <span className="soft">保护价 </span>}
        {stepped(limitPrice, tickSize)}
      </span>
    ),
} satisfies OwnColumn<Priced>;

export const limitPriceColumn: Column<Priced> = {
  ...exactColumn<Priced>('limitPrice', '价格', 136, {
    step: 'tickSize',
    csvTitle: '价格 (USDT)',
    explain: { text: '限价，USDT；市价委托是保护价，不在更差的价格成交' },
  }),
  ...LIMIT_PRICE,
};
