import type { ReactNode } from 'react';
import { Amount } from '@/components/Amount';
import { Pnl } from '@/components/Pnl';
import { modeLabel } from '@/services/modeLabel';

const NO_PRICE = '有标的没有价格，合计不全';

/** Figures that add up over rows, by how they are shown. */
const SHOWN = {
  running: (sum: number) => sum,
  ended: (sum: number) => sum,
  notional: (sum: number | null) => <Amount value={sum} compact reason={NO_PRICE} />,
  pricePnl: (sum: number | null) => <Pnl value={sum} reason={NO_PRICE} />,
  funding: (sum: number | null) => <Pnl value={sum} />,
  fees: (sum: number | null) => <Amount value={sum} digits={2} />,
  net: (sum: number | null) => <Pnl value={sum} reason={NO_PRICE} />,
  today: (sum: number | null) => <Pnl value={sum} reason={NO_PRICE} />,
  exposure: (sum: number | null) => <Amount value={sum} signed digits={2} reason={NO_PRICE} />,
} as const;

type Summed = keyof typeof SHOWN;
type Row = { readonly [K in Summed]?: number | null };

/** What a row without a price hides is no zero: then there is no sum either. */
function sumOf(rows: readonly Row[], key: Summed): number | null {
  const figures = rows.map((row) => row[key] ?? null);
  return figures.includes(null) ? null : (figures as number[]).reduce((sum, figure) => sum + figure, 0);
}

/** What the totals row says under a column of strategies or of deals; `first` names the column that says what it is. */
export const totalsOf =
  (rows: readonly Row[], first: string, name = '合计') =>
  (column: string): ReactNode =>
    column === first ? name : column in SHOWN ? SHOWN[column as Summed](sumOf(rows, column as Summed) as number) : null;

/** Real money apart from the rest, each with the word before what it comes to; no word where there is play money alone. */
export function byMoney<R extends { mode: string }>(rows: readonly R[]): [word: string, rows: readonly R[]][] {
  const real = rows.filter(({ mode }) => mode === 'live');
  if (real.length === 0) return [['', rows]];
  const paper = rows.filter(({ mode }) => mode !== 'live');
  const [ofReal, ofPaper] = [modeLabel('live'), modeLabel('paper')];
  return paper.length === 0
    ? [[ofReal, real]]
    : [
        [ofReal, real],
        [ofPaper, paper],
      ];
}

/** The same under strategies of both kinds of money: a line for each. */
export const moneyTotals = (rows: readonly (Row & { mode: string })[], first: string, name = '合计') => {
  const parts = byMoney(rows);
  if (parts.length < 2) return totalsOf(rows, first, name);
  return (column: string): ReactNode =>
    parts.map(([word, own]) => <div key={word}>{totalsOf(own, first, `${word}${name}`)(column)}</div>);
};
