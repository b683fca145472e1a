import {
  Boolean as Bool,
  Integer,
  Number as Num,
  Optional,
  type Static,
  String as Str,
  type TSchema,
  Unsafe,
} from 'typebox';
import { Decimal } from './decimal';
import { Instant, Maybe, OneOf } from './value';
import { type Labels, wordsOf } from './words';

/**
 * How a list writes what a field holds; `figure` is a plain number, `cost` a fraction that is told in basis points, `change` and
 * `gain` are coloured by their sign, `exact` is a decimal as it is kept, `days` a length of time that is told in the unit of its size.
 */
export type FieldForm =
  | 'word'
  | 'venue'
  | 'choice'
  | 'figure'
  | 'percent'
  | 'cost'
  | 'change'
  | 'gain'
  | 'money'
  | 'amount'
  | 'price'
  | 'exact'
  | 'days'
  | 'time'
  | 'countdown';

/** What a reader of a list is told of a field beside its title. */
export interface FieldNote {
  /** After the point. */
  digits?: number;
  signed?: true;
  /** Of a figure; fractions are written as percentages, money is in USDT. */
  unit?: string;
  text?: string;
  formula?: string;
  /** The span that the figure looks back over. */
  window?: string;
  /** It follows the market. */
  live?: true;
  /** When its inputs were read, where not all of a list's are so at once. */
  inputAt?: string;
  /** Why it is null. */
  missing?: string;
  /** The order that is offered first where it is not that of its form; null: the list is not ordered by it. */
  first?: 'ascend' | 'descend' | null;
  /** Not shown until chosen. */
  spare?: true;
  /** An instant is written to the second. */
  seconds?: true;
  /** An exact decimal has the digits of this step: the row's field that holds it. */
  step?: 'tickSize' | 'lotSize';
}

/** All of it, as it stands in a schema. */
export interface Field extends FieldNote {
  form: FieldForm;
  /** Of a choice: what its words are called. */
  labels?: Readonly<Record<string, string>>;
}

const UNIT: Partial<Record<FieldForm, string>> = {
  ...{ percent: '分数', cost: '分数', change: '分数' },
  ...{ gain: 'USDT', money: 'USDT', amount: 'USDT', price: 'USDT' },
  days: '天',
};

/** A schema with what its readers are told of it: those of the API by its description, those of a list by its column. */
export function shown<S extends TSchema>(schema: S, title: string, { unit, ...note }: Field): S {
  const { formula, text, window } = note;
  const told = [formula, text, window].filter((part) => part !== undefined);
  const last = unit ?? UNIT[note.form] ?? (schema as { description?: string }).description;
  if (last !== undefined && !told.some((part) => part.endsWith(last))) told.push(last);
  const description = told.join('；');
  return Object.assign(schema, { title, ...(description && { description }), 'x-column': { ...note, unit } });
}

const figure =
  (form: FieldForm) =>
  (title: string, note: FieldNote = {}) =>
    shown(Maybe(Num()), title, { ...note, form });

/** A plain number. */
export const Figure = figure('figure');
/** How many there are. */
export const Count = (title: string, text: string, note: FieldNote = {}) =>
  shown(Integer({ description: text }), title, { ...note, form: 'figure', digits: 0 });
/** A fraction without good or bad. */
export const Percent = figure('percent');
/** What is paid, as a fraction of what is traded. */
export const Cost = figure('cost');
/** A fraction that is a gain or a loss. */
export const Change = figure('change');
/** An amount that is a gain or a loss, USDT unless its unit says otherwise. */
export const Gain = figure('gain');
/** An amount of USDT, shortened where it is large. */
export const Money = figure('money');
/** An amount of USDT in full. */
export const Amount = figure('amount');
export const Price = figure('price');
/** How long something lasts, in days. */
export const Days = figure('days');
/** The same of what is never missing. */
export const Always = <S extends TSchema>(schema: S) =>
  Unsafe<NonNullable<Static<S>>>({ ...schema, nullable: undefined });
/** The same of what is kept as an exact decimal, as a text. */
export const AsDecimal = <S extends TSchema>(schema: S) => Unsafe<string | null>({ ...schema, ...Decimal() });
/** An exact decimal, written as it is kept. */
export const Exact = (title: string, note: FieldNote = {}) => shown(Decimal(), title, { ...note, form: 'exact' });
/** How long it is until an instant, UTC ms. */
export const Countdown = (title: string, note: FieldNote = {}) =>
  shown(Maybe(Instant()), title, { ...note, form: 'countdown' });
export const Moment = (title: string, note: FieldNote = {}) =>
  shown(Maybe(Instant()), title, { ...note, form: 'time' });
/** An instant that is always there, UTC ms. */
export const At = (title: string, note: FieldNote = {}) => shown(Instant(), title, { ...note, form: 'time' });
export const Word = (title: string, note: FieldNote = {}) => shown(Str(), title, { ...note, form: 'word' });
/** A word that may be missing. */
export const MaybeWord = (title: string, note: FieldNote = {}) => shown(Maybe(Str()), title, { ...note, form: 'word' });
export const Venue = (title: string, note: FieldNote = {}) => shown(Str(), title, { ...note, form: 'venue' });

/** One of the words that have labels. */
export const Choice = <const L extends Labels>(labels: L, title: string, note: FieldNote = {}) =>
  shown(OneOf(wordsOf(labels)), title, { ...note, form: 'choice', labels });

/** Yes or no, by what each is called. */
export const YesNo = (yes: string, no: string, title: string, note: FieldNote = {}) =>
  shown(Bool(), title, { ...note, form: 'choice', labels: { true: yes, false: no } });

/** What a list is narrowed down by: where the reader says it, and how it is told. */
export type Filter =
  | {
      form: 'bound';
      label: string;
      /** Before the figure, with the sign of the bound. */
      prefix: string;
      /** After the figure in its box, and in words. */
      unit: string;
      /** What one of the typed unit is in the API's. */
      factor: number;
      least: number;
      whole: boolean;
    }
  | { form: 'choice'; label: string; labels: Labels }
  | { form: 'venue' | 'venues'; label: string }
  | { form: 'either'; label: string; labels: readonly [yes: string, no: string] }
  | { form: 'flag'; label: string };

const filter = <S extends TSchema>(schema: S, told: Filter) => Optional(Object.assign(schema, { 'x-filter': told }));

const FACTOR: Record<string, number> = { '%': 0.01, 万: 1e4 };
const API_UNIT: Record<string, string> = { '%': '分数', 万: 'USDT' };

interface BoundNote {
  maximum: number;
  minimum?: number;
  /** Before the sign, where the label is too long. */
  prefix?: string;
  text?: string;
}

const bound = (sign: '≥' | '≤' | '前') => (label: string, unit: string, note: BoundNote) => {
  const { prefix = label, text, minimum = 0, maximum } = note;
  const described = [text, API_UNIT[unit] ?? unit].filter((part) => part !== undefined).join('；');
  const title = `${label}${sign === '≥' ? '下限' : '上限'}`;
  const factor = FACTOR[unit] ?? 1;
  const number = sign === '前' ? Integer : Num;
  return filter(number({ title, minimum, maximum, description: described }), {
    ...{ form: 'bound', label, unit, factor, least: minimum, whole: sign === '前' },
    prefix: sign === '前' ? `${prefix}前` : `${prefix} ${sign}`,
  });
};

export const AtLeast = bound('≥');
export const AtMost = bound('≤');
/** Among so many first ones. */
export const AmongFirst = bound('前');

export const ChoiceFilter = <const L extends Labels>(labels: L, label: string) =>
  filter(OneOf(wordsOf(labels), { title: label }), { form: 'choice', label, labels });
/** @param venues those that there are; absent: any, imported ones too */
export const VenueFilter = (label = '交易所', venues?: readonly string[]) => {
  const schema = venues ? OneOf(venues, { title: label }) : Str({ title: label, pattern: '^[a-z0-9-]{1,32}$' });
  return filter(schema, { form: 'venue', label });
};
/** Venues between which both legs lie. */
export const VenuesFilter = (label = '交易所') =>
  filter(
    Str({ title: label, pattern: '^[a-z0-9-]{1,32}(,[a-z0-9-]{1,32}){0,7}$', description: '逗号分隔，两腿都在其中' }),
    { form: 'venues', label },
  );
export const Flag = (label: string, description?: string) =>
  filter(Bool({ title: label, ...(description !== undefined && { description }) }), { form: 'flag', label });
export const Either = (label: string, labels: readonly [yes: string, no: string]) =>
  filter(Bool({ title: labels[0] }), { form: 'either', label, labels });
