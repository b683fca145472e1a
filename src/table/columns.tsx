import { Amount } from '@/components/Amount';
import { inBps } from '@/components/Bps';
import { DateTime, type DateTimeProps } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { decimalsIn, formatNumber } from '@/components/formatNumber';
import { Missing } from '@/components/Missing';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { type Column, drawnFrom, type Written } from './column';
import { ungrouped } from './written';

type KeysOf<R, V> = { [K in keyof R]-?: [R[K]] extends [V] ? K : never }[keyof R] & string;
type Figure = number | null | undefined;
export type Rest<R> = Partial<Column<R>> & {
  reason?: string;
  digits?: number;
  signed?: boolean;
  money?: boolean;
  step?: string;
};

/** Exact decimals are texts. */
function figureOf<R>(row: R, key: KeysOf<R, Figure>): Figure {
  const value = row[key] as Figure | string;
  return typeof value === 'string' ? Number(value) : value;
}

function figureColumn<R>(
  key: KeysOf<R, Figure>,
  title: string,
  width: number,
  render: (value: Figure) => React.ReactNode,
  written: Written,
  { reason: _reason, digits: _digits, signed: _signed, money: _money, step: _step, ...rest }: Rest<R>,
): Column<R> {
  return {
    key,
    title,
    width,
    figure: true,
    sort: 'descend',
    render: drawnFrom((row) => figureOf(row, key), render),
    csv: (row) => figureOf(row, key),
    written,
    ...rest,
  };
}

/** As many digits as Amount, Percent and Pnl write unless told. */
const DIGITS = 2;

/** A fraction that is a gain or a loss: coloured, with sign and arrow. */
export function changeColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = DIGITS } = rest;
  const render = (value: Figure) => <Pnl percent value={value} reason={reason} digits={digits} />;
  return figureColumn(key, title, 92, render, { digits, percent: true }, rest);
}

/** An amount of USDT that is a gain or a loss: coloured, with sign and arrow. */
export function gainColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = DIGITS } = rest;
  const render = (value: Figure) => <Pnl value={value} reason={reason} digits={digits} />;
  return figureColumn(key, title, 108, render, { digits }, rest);
}

/** A fraction without good or bad. */
export function percentColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = DIGITS, signed } = rest;
  const render = (value: Figure) => <Percent value={value} reason={reason} digits={digits} signed={signed} />;
  return figureColumn(key, title, 92, render, { digits, percent: true }, rest);
}

/** What is paid as a fraction of what is traded, told in basis points. */
export function costColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = 1 } = rest;
  const render = (value: Figure) => <Amount value={inBps(value)} reason={reason} digits={digits} />;
  const column = figureColumn(key, `${title} bps`, 96, render, { digits }, rest);
  return { ...column, csv: (row) => inBps(figureOf(row, key)) };
}

/** A plain number, or with `money` an amount of USDT. */
export function numberColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = DIGITS, signed, money } = rest;
  const render = (value: Figure) => <Amount {...{ value, reason, digits, signed, money }} />;
  return figureColumn(key, title, 88, render, { digits }, rest);
}

/** A length of time that is kept in days: told in the unit of its size, days in the CSV. */
export function daysColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = 1 } = rest;
  const render = (days: Figure) => <Duration hours={typeof days === 'number' ? days * 24 : days} reason={reason} />;
  return figureColumn(key, title, 88, render, { digits }, { csvTitle: `${title} (天)`, ownUnit: true, ...rest });
}

/** A price or a ratio of prices, with as many digits as its size needs. */
export function priceColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const render = (value: Figure) => <Price value={value} reason={rest.reason} />;
  return figureColumn(key, title, 100, render, { digits: 'price' }, rest);
}

/** An amount of USDT, shortened with 万 and 亿 unless the reader wants everything in full. */
export function moneyColumn<R>(key: KeysOf<R, Figure>, title: string, rest: Rest<R> = {}): Column<R> {
  const { reason, digits = DIGITS } = rest;
  const render = (value: Figure) => <Amount compact value={value} reason={reason} digits={digits} />;
  return figureColumn(key, title, 132, render, { digits }, { csvTitle: `${title} (USDT)`, ...rest });
}

/** An instant, read from the left. */
export function timeColumn<R>(
  key: KeysOf<R, Figure>,
  title: string,
  { precision, utc, ...rest }: Rest<R> & Pick<DateTimeProps, 'precision' | 'utc'> = {},
): Column<R> {
  const render = (value: Figure) => <DateTime value={value} precision={precision} utc={utc} reason={rest.reason} />;
  const width = precision === 'second' ? 156 : 148;
  return figureColumn(key, title, width, render, { instant: utc ? 'utc' : 'chosen' }, { figure: false, ...rest });
}

/** A field by what the screen calls its word, also in the CSV. */
export const called = <R,>(key: keyof R & string, wordOf: (row: R) => string | null) => ({
  key,
  render: drawnFrom(wordOf, (word) => word ?? <span className="missing">-</span>),
  csv: wordOf,
});

/** A word of the row. */
export const wordColumn = <R,>(
  key: keyof R & string,
  title: string,
  width: number,
  word: (row: R) => string | null,
  rest: Partial<Column<R>> = {},
): Column<R> => ({
  ...called(key, word),
  title,
  width,
  sort: 'ascend',
  ...rest,
});

/** No step is finer. */
const MOST_DIGITS = 12;

/** With the digits of the step that it lies on; with those that it has where nobody knows the step any more. */
export const stepped = (text: string, step: string | null): string =>
  formatNumber(Number(text), { digits: decimalsIn(Number(step ?? text), MOST_DIGITS), style: 'thousands' });

/** An exact decimal: as it is kept, or with the digits of a step that another field of the row holds. */
export const exactColumn = <R,>(
  key: keyof R & string,
  title: string,
  width: number,
  { reason, step, ...rest }: Partial<Column<R>> & { reason?: string; step?: string } = {},
): Column<R> => {
  const textOf = (row: R, one: string = key) => row[one as keyof R] as unknown as string | null;
  const shownOf = (row: R, text: string) => (step === undefined ? text : stepped(text, textOf(row, step)));
  return {
    key,
    title,
    width,
    figure: true,
    sort: 'descend',
    render: drawnFrom(
      (row) => {
        const text = textOf(row);
        return text === null ? null : shownOf(row, text);
      },
      (text) => (text === null ? <Missing reason={reason} /> : <span className="figure">{text}</span>),
    ),
    // A number: with a sign in front a text would be escaped as a formula.
    csv: (row) => {
      const text = textOf(row);
      return text === null ? null : Number(text);
    },
    written: (row) => {
      const text = textOf(row);
      return text === null ? null : ungrouped(shownOf(row, text));
    },
    ...rest,
  };
};
