import type { FormRule } from 'antd';
import { Object as Obj, type TSchema } from 'typebox';
import { HedgeSettings } from '#contract/hedgeConfig';
import { rulesOf } from '@/form/rulesOf';

const PERCENTED = ['stopLoss', 'takeProfit', 'rebalance'] as const;
type Percented = (typeof PERCENTED)[number];

/** What the form holds: the settings, shares in percent where the API has fractions; null switches a rule off. */
export type SettingsValues = Omit<HedgeSettings, Percented> & Record<Percented, number | null>;

const names = Object.keys(HedgeSettings.properties) as (keyof HedgeSettings)[];
const HUNDRED = 100;
/** Decimal shares have no exact binary form; twelve digits are far below what anybody types. */
const rounded = (value: number) => Number(value.toPrecision(12));

const mapped = (from: Record<Percented, number | null | undefined>, factor: number) =>
  Object.fromEntries(
    PERCENTED.map((name) => {
      const value = from[name];
      // A cleared field is null in one widget and undefined in another.
      return [name, value === null || value === undefined ? null : rounded(value * factor)];
    }),
  ) as Record<Percented, number | null>;

export const toForm = (settings: HedgeSettings): SettingsValues => ({ ...settings, ...mapped(settings, HUNDRED) });

export const toApi = (values: SettingsValues): HedgeSettings => ({
  ...values,
  maxHoldingHours: values.maxHoldingHours ?? null,
  dailyLossLimit: values.dailyLossLimit ?? null,
  ...mapped(values, 1 / HUNDRED),
});

/** The fields that were changed by hand, in the order of the form. */
export const valuesChanged = (before: SettingsValues, after: SettingsValues): (keyof HedgeSettings)[] =>
  names.filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null));

interface Bounds {
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  /** Digits after the point. */
  decimals?: number;
}

/** Bounds and title of a field, in the form's unit. */
export function boundsOf(name: keyof HedgeSettings): Bounds {
  const field = HedgeSettings.properties[name] as Bounds;
  if (!PERCENTED.includes(name as Percented)) return field;
  const { minimum = 0, maximum = 1, decimals = 0 } = field;
  const bounds = { minimum: rounded(minimum * HUNDRED), maximum: rounded(maximum * HUNDRED) };
  // A hundredfold has its point two places further.
  return { ...field, ...bounds, decimals: decimals - 2 };
}

const inPercent = Obj(Object.fromEntries(names.map((name) => [name, boundsOf(name) as TSchema])));

/** Rules of the form's fields, from the contract's schema. */
export const fieldRules = rulesOf(inPercent) as Record<keyof HedgeSettings, FormRule[]>;

/** Margin that all hedges take when each is opened in full, USDT. */
export const marginNeeded = ({ legNotional, maxHedges, leverage }: HedgeSettings): number =>
  (legNotional * 2 * maxHedges) / leverage;
