import type { Static, TObject } from 'typebox';
import { VENUES, venueName } from '#contract/candle';
import type { Field, FieldForm } from '#contract/field';
import { Countdown } from '@/components/Countdown';
import { type Column, drawnFrom } from './column';
import {
  changeColumn,
  costColumn,
  daysColumn,
  exactColumn,
  gainColumn,
  moneyColumn,
  numberColumn,
  percentColumn,
  priceColumn,
  type Rest,
  timeColumn,
  wordColumn,
} from './columns';
import { decidingFirst } from './decidingFirst';

/** Any row: which cells are words and which are figures its schema says. */
type Cells = Record<string, number | null>;
type Build = (key: string, title: string, rest: Rest<Cells>, field: Field) => Column<Cells>;

const wordOf = (row: Cells, key: string) => row[key] as unknown as string | null;

/** A word of the row under a name that its readers know. */
const named =
  (nameOf: (field: Field) => (word: string) => string): Build =>
  (key, title, { width = 0, ...rest }, field) => {
    const name = nameOf(field);
    const text = (row: Cells) => {
      const word = wordOf(row, key);
      return word === null ? null : name(word);
    };
    return wordColumn<Cells>(key, title, width, text, rest);
  };

const BUILDERS: Record<FieldForm, Build> = {
  figure: numberColumn,
  percent: percentColumn,
  cost: costColumn,
  change: changeColumn,
  gain: gainColumn,
  money: moneyColumn,
  amount: (key, title, rest) => {
    const { render, ...column } = numberColumn<Cells>(key, title, { ...rest, money: true });
    return {
      ...column,
      // The pointer tells the rest of what is kept exactly.
      render: drawnFrom(
        (row) => row[key] ?? null,
        (kept) => {
          const shown = render({ [key]: kept });
          return typeof kept === 'string' ? <span title={kept}>{shown}</span> : shown;
        },
      ),
    };
  },
  price: priceColumn,
  days: daysColumn,
  exact: (key, title, { width = 0, ...rest }) => exactColumn<Cells>(key, title, width, rest),
  time: (key, title, rest, { seconds }) =>
    timeColumn(key, title, { ...rest, precision: seconds ? 'second' : 'minute' }),
  countdown: (key, title, rest) => ({
    ...numberColumn<Cells>(key, title, { sort: 'ascend', ...rest }),
    render: drawnFrom(
      (row) => row[key] ?? null,
      (to) => <Countdown to={to} />,
    ),
    written: { instant: 'chosen' },
  }),
  word: named(() => (word) => word),
  venue: named(() => venueName),
  choice: named(
    ({ labels }) =>
      (word) =>
        labels?.[word] ?? word,
  ),
};

/** What a cell of the form needs at least, px. */
const WIDTH: Record<FieldForm, number> = {
  ...{
    figure: 64,
    percent: 92,
    cost: 88,
    change: 92,
    gain: 108,
    money: 132,
    amount: 104,
    price: 100,
    exact: 112,
    days: 80,
    time: 148,
    countdown: 96,
  },
  ...{ word: 64, venue: 0, choice: 0 },
};
/** Their unit stands in the CSV's head alone. */
const OF_USDT: readonly FieldForm[] = ['price', 'gain', 'amount'];
/** Beside the words of a cell, and of a head that sorts, px. */
const CELL = 20;
const SECONDS = 8;
const HEAD = 40;

/** Of a text at the size of a table's, px. */
const widthOfText = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2000 ? 14 : 7), 0);

/** A plain number is as long as its digits make it, px. */
const widthOfFigure = (digits = 2): number => (digits === 0 ? WIDTH.figure : digits < 4 ? 88 : 120);

function widthOfField(title: string, { form, labels = {}, digits, seconds }: Field): number {
  const least = form === 'figure' ? widthOfFigure(digits) : WIDTH[form] + (seconds ? SECONDS : 0);
  const names = form === 'venue' ? VENUES.map(venueName) : Object.values(labels);
  const words = names.map((label) => widthOfText(label) + CELL);
  return Math.max(least, widthOfText(title) + HEAD, ...words);
}

function explanationOf({ text, formula, window, live, inputAt }: Field, liveAt: string) {
  if (text === undefined && formula === undefined && window === undefined) return;
  return { text, formula, window, inputAt: inputAt ?? (live && liveAt) };
}

function columnOf(key: string, title: string, field: Field, inputAt: string): Column<Cells> {
  const { form, unit, missing, first, digits, signed, spare, step } = field;
  const head = unit === undefined ? title : `${title} ${unit}`;
  const explain = explanationOf(field, inputAt);
  const rest: Rest<Cells> = {
    width: widthOfField(form === 'cost' ? `${head} bps` : head, field),
    ...(unit === undefined && OF_USDT.includes(form) && !title.endsWith(')') && { csvTitle: `${title} (USDT)` }),
    ...(digits !== undefined && { digits }),
    ...(missing !== undefined && { reason: missing }),
    ...(first !== undefined && { sort: first ?? undefined }),
    ...(explain && { explain }),
    ...(signed && { signed }),
    ...(spare && { spare }),
    ...(step && { step }),
  };
  return BUILDERS[step ? 'exact' : form](key, head, rest, field);
}

/** A column that a screen has of its own, or what it has otherwise of one of the schema's. */
export type OwnColumn<R> = Partial<Column<R>> & Pick<Column<R>, 'key'>;

interface ColumnsOptions<R> {
  /** When what follows the market was read. */
  inputAt?: string;
  /** px, where a word is longer than its form lets expect. */
  widths?: { [K in keyof R]?: number };
  /** Keys of what a row is judged by, in their order; the rest follows as the schema has it. */
  deciding?: readonly string[];
  /** Nothing but those. */
  only?: boolean;
  /** Those that no field makes come last. */
  own?: readonly OwnColumn<R>[];
}

/** The columns of a list: one for each field that its row's schema gives a form. */
export function schemaColumns<S extends TObject>(
  row: S,
  { inputAt = '', widths = {}, deciding = [], only = false, own = [] }: ColumnsOptions<Static<S>>,
): Column<Static<S>>[] {
  const fields = Object.entries(row.properties as Record<string, { title?: string; 'x-column'?: Field }>);
  const made = fields.flatMap(([key, { title = key, 'x-column': field }]) => {
    const given = own.filter((one) => one.key === key);
    const column = field && (columnOf(key, title, field, inputAt) as unknown as Column<Static<S>>);
    const width = (widths as Record<string, number>)[key];
    const wide = width === undefined ? {} : { width };
    return column || given.length > 0 ? [Object.assign({}, column, wide, ...given) as Column<Static<S>>] : [];
  });
  const more = own.filter(({ key }) => !made.some((column) => column.key === key)) as Column<Static<S>>[];
  const columns = decidingFirst([...made, ...more], deciding);
  return only ? columns.slice(0, deciding.length) : columns;
}
