import type { OrderRow } from '#contract/order';
import { decimalsIn, formatNumber } from '@/components/formatNumber';
import { Missing } from '@/components/Missing';
import type { Column } from '@/table/column';
import { exactColumn } from '@/table/columns';

/** Of a symbol whose steps are known as long as it is traded. */
type Stepped = Pick<OrderRow, 'tickSize' | 'lotSize'>;
export type DecimalKey<R> = { [K in keyof R]-?: [R[K]] extends [string | null] ? K : never }[keyof R] & string;

/** No step is finer. */
const MOST_DIGITS = 12;

/** An exact figure with the digits of the step that it lies on; with those that it has where nobody trades the symbol any more. */
export function stepped(text: string, step: string | null): string {
  const value = Number(text);
  return formatNumber(value, { digits: decimalsIn(Number(step ?? text), MOST_DIGITS), style: 'thousands' });
}

/** Prices by the tick, quantities by the lot. */
export const steppedColumn = <R extends Stepped>(
  key: DecimalKey<R>,
  title: string,
  width: number,
  step: 'tickSize' | 'lotSize',
  rest: Partial<Column<R>> & { reason?: string } = {},
): Column<R> => {
  const textOf = (row: R) => row[key] as string | null;
  const shown = (row: R) => stepped(textOf(row)!, row[step]);
  return {
    ...exactColumn<R>(key, title, width, rest),
    render: (row) =>
      textOf(row) === null ? <Missing reason={rest.reason} /> : <span className="figure">{shown(row)}</span>,
    csv: (row) => (textOf(row) === null ? null : Number(shown(row).replaceAll(',', ''))),
  };
};

/** A market order's price is the worst one at which it trades. */
export const limitPriceColumn: Column<Stepped & Pick<OrderRow, 'type' | 'limitPrice'>> = {
  ...steppedColumn<Stepped & Pick<OrderRow, 'type' | 'limitPrice'>>('limitPrice', '价格', 136, 'tickSize', {
    csvTitle: '价格 (USDT)',
    explain: { text: '限价，USDT；市价委托是保护价，不在更差的价格成交' },
  }),
  render: (row) => (
    <span className="figure">
      {row.type === 'market' && <span className="soft">保护价 </span>}
      {stepped(row.limitPrice, row.tickSize)}
    </span>
  ),
};
