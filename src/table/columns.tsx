import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import type { Column } from './column';

type KeysOf<R, V> = { [K in keyof R]-?: [R[K]] extends [V] ? K : never }[keyof R] & string;
type Figure = number | null | undefined;
type Rest<R> = Partial<Column<R>> & { reason?: string; digits?: number };

const figureOf = <R,>(row: R, key: KeysOf<R, Figure>) => row[key] as Figure;

function figureColumn<R>(
  key: KeysOf<R, Figure>,
  title: string,
  width: number,
  render: (value: Figure) => React.ReactNode,
  { reason: _reason, digits: _digits, ...rest }: Rest<R>,
): Column<R> {
  return {
    key,
    title,
    width,
    figure: true,
    sort: 'descend',
    render: (row) => render(figureOf(row, key)),
    csv: (row) => figureOf(row, key),
    ...rest,
  };
}

/** A fraction that is a gain or a loss: coloured, with sign and arrow. */
export function changeColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits } = rest;
  return figureColumn(key, title, 92, (value) => <Pnl percent value={value} reason={reason} digits={digits} />, rest);
}

/** A fraction without good or bad. */
export function percentColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits } = rest;
  return figureColumn(key, title, 92, (value) => <Percent value={value} reason={reason} digits={digits} />, rest);
}

/** A plain number. */
export function numberColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits } = rest;
  return figureColumn(key, title, 88, (value) => <Amount value={value} reason={reason} digits={digits} />, rest);
}

/** A price or a ratio of prices, with as many digits as its size needs. */
export function priceColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  return figureColumn(key, title, 100, (value) => <Price value={value} reason={rest.reason} />, rest);
}

/** An amount of USDT, shortened with 万 and 亿. */
export function moneyColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits } = rest;
  return figureColumn(key, title, 104, (value) => <Amount compact value={value} reason={reason} digits={digits} />, {
    csvTitle: `${title} (USDT)`,
    ...rest,
  });
}

/** An instant; the CSV has it in ISO 8601. */
export function timeColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  return figureColumn(key, title, 148, (value) => <DateTime value={value} reason={rest.reason} />, {
    csv: (row) => isoOf(figureOf(row, key)),
    ...rest,
  });
}

const isoOf = (instant: Figure) => (instant === null || instant === undefined ? null : new Date(instant).toISOString());
