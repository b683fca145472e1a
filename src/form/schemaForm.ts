import type { FormRule } from 'antd';
import { Object as Obj, type Static, type TObject, type TSchema } from 'typebox';
import { limitText } from '@/components/Duration';
import { numberText } from '@/components/formatNumber';
import type { FieldView, FormView } from './formView';
import { rulesOf } from './rulesOf';

/** What a form reads of a field's schema. */
export interface FieldFacts {
  type?: string;
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  /** Digits after the point. */
  decimals?: number;
  /** May be left empty, which switches it off. */
  nullable?: boolean;
  /** Of a choice: what its words are called. */
  'x-labels'?: Record<string, string>;
}

type Name<V> = keyof V & string;

/** A form made of a schema and its view table. */
export interface SchemaForm<V extends object> {
  view: FormView<V>;
  /** In the order of the form. */
  names: readonly Name<V>[];
  label: (name: Name<V>) => string;
  /** In the form's unit. */
  facts: (name: Name<V>) => FieldFacts;
  rules: { [K in keyof V]-?: FormRule[] };
  /** A value of the API as it is read. */
  text: (values: V, name: Name<V>) => string;
  /** What the form holds has the API's shape, with scaled figures in the form's unit. */
  toForm: (values: V) => V;
  toApi: (values: V) => V;
  /** The names whose values differ, in the order of the form. */
  changed: (before: V, after: V) => Name<V>[];
}

const OFF = '不启用';
/** Decimal fractions have no exact binary form; twelve digits are far below what anybody types. */
const rounded = (value: number): number => Number(value.toPrecision(12));
const scaled = (value: unknown, factor: number): unknown =>
  typeof value === 'number' && factor !== 1 ? rounded(value * factor) : value;

/** The schema's facts in the form's unit: a hundredfold has its point two places further. */
export function scaledFacts(facts: FieldFacts, scale = 1): FieldFacts {
  if (scale === 1) return facts;
  const bounds = Object.fromEntries(
    (['minimum', 'maximum'] as const).flatMap((key) =>
      facts[key] === undefined ? [] : [[key, rounded(facts[key] * scale)]],
    ),
  );
  const { decimals } = facts;
  return { ...facts, ...bounds, ...(decimals === undefined ? {} : { decimals: decimals - Math.log10(scale) }) };
}

function told<V extends object>(
  value: unknown,
  { text, unit, scale = 1 }: FieldView<V, keyof V>,
  labels: FieldFacts['x-labels'],
): string {
  if (value === null || value === undefined) return OFF;
  if (text) return text(value as V[keyof V]);
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value !== 'number') return labels?.[String(value)] ?? String(value);
  if (unit === '小时') return limitText(value);
  const figure = numberText(scaled(value, scale) as number);
  if (unit === undefined) return figure;
  return unit === '%' ? `${figure}%` : `${figure} ${unit}`;
}

/** Makes a form of an object schema and the table of what its fields look like. */
export function schemaForm<S extends TObject>(
  schema: S,
  view: FormView<Static<S> & object>,
): SchemaForm<Static<S> & object> {
  type V = Static<S> & object;
  const names = view.groups.flatMap(({ fields }) => fields);
  const rows = view.fields as Record<Name<V>, FieldView<V, keyof V>>;
  const properties = schema.properties as Record<string, FieldFacts>;
  const facts = (name: Name<V>) => {
    const { label, help, scale } = rows[name];
    const own = scaledFacts(properties[name]!, scale);
    return { ...own, title: label ?? own.title ?? name, description: help ?? own.description };
  };
  const mapped = (values: V, factor: (scale: number) => number): V =>
    Object.fromEntries(
      // A cleared field is null in one widget and undefined in another.
      names.map((name) => [name, scaled(values[name] ?? null, factor(rows[name].scale ?? 1))]),
    ) as V;
  const asked = Obj(Object.fromEntries(names.map((name) => [name, facts(name) as TSchema])));
  return {
    view,
    names,
    facts,
    label: (name) => facts(name).title,
    rules: rulesOf(asked) as SchemaForm<V>['rules'],
    text: (values, name) => told(values[name], rows[name], properties[name]?.['x-labels']),
    toForm: (values) => mapped(values, (scale) => scale),
    toApi: (values) => mapped(values, (scale) => 1 / scale),
    changed: (before, after) =>
      names.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null)),
  };
}
