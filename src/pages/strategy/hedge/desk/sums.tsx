import type { ReactNode } from 'react';
import type { HedgeTotals } from '#contract/kinds/hedge/desk';
import { Amount } from '@/components/Amount';
import { Pnl } from '@/components/Pnl';
import { modeLabel } from '@/services/modeLabel';
import { Gross } from './deskColumns';
import type { DeskRow } from './deskRows';

const NO_MARK = '有持有中的对冲单没有标记价';
const NO_PRICE = '有持有中的对冲单没有价格';
const NONE_OPENED = '筛选中没有建仓的对冲单';

const SUMS: Partial<Record<string, (totals: HedgeTotals) => ReactNode>> = {
  notional: ({ notional }) => <Amount money value={notional} />,
  net: ({ net }) => <Pnl value={net} reason={NO_MARK} />,
  netReturn: ({ netReturn }) => <Pnl percent value={netReturn} reason={NONE_OPENED} />,
  marginReturn: ({ marginReturn }) => <Pnl percent value={marginReturn} reason={NONE_OPENED} />,
  longPnl: ({ longPnl }) => <Pnl value={longPnl} reason={NO_MARK} />,
  shortPnl: ({ shortPnl }) => <Pnl value={shortPnl} reason={NO_MARK} />,
  funding: ({ funding }) => <Pnl value={funding} />,
  fees: ({ fees }) => <Amount money value={fees} />,
  slippage: ({ slippage }) => <Amount money value={slippage} />,
  naked: ({ naked }) => <Amount value={naked} digits={0} />,
};

const LIVE = {
  netClosed: (sum: number | null) => <Pnl value={sum} reason={NO_PRICE} />,
  gross: (sum: number | null) => <Amount money value={sum} reason={NO_PRICE} />,
};
const isLive = (column: string): column is keyof typeof LIVE => column in LIVE;

/** Over what is held: what one of them has no price for is no zero. */
function liveSum(rows: readonly DeskRow[], key: keyof typeof LIVE): number | null {
  const figures = rows.flatMap(({ hedge }) => (hedge && hedge.notional > 0 ? [hedge[key]] : []));
  return figures.includes(null) ? null : (figures as number[]).reduce((sum, figure) => sum + figure, 0);
}

/** What the row is, and what all that is held is worth. */
const Sum = ({ rows, word }: { rows: readonly DeskRow[]; word: string }) => (
  <>
    {word}合计
    {rows.some(({ gross }) => gross !== null) && <Gross value={liveSum(rows, 'gross')} />}
  </>
);

const isReal = ({ hedge }: DeskRow) => hedge?.mode === 'live';

/** The totals row's cell under a column: of the filter as the server has it, or of the rows that are live. */
export function sumOf(totals: HedgeTotals, rows: readonly DeskRow[], column: string): ReactNode {
  // Real money and play money are never added up.
  const own = rows.filter((row) => isReal(row) === (totals.mode === 'live'));
  if (column === 'long') return <Sum rows={own} word={rows.some(isReal) ? modeLabel(totals.mode) : ''} />;
  return isLive(column) ? LIVE[column](liveSum(own, column)) : SUMS[column]?.(totals);
}
