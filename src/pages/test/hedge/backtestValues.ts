import { BACKTEST_DAYS, BacktestQuery } from '#contract/backtest';
import { BARS, type Bar } from '#contract/candle';
import { basketOf } from '#contract/pair';
import { listCodec, numberCodec, type QueryCodec, textCodec, wordCodec } from '@/components/useQueryState';
import { HOME_SOURCE } from '@/services/home';
import { costsForm } from './costsForm';

/** What the form holds: baskets as lists, rates in basis points. */
export interface BacktestValues {
  source: string;
  long: string[];
  short: string[];
  /** UTC ms; null is the end of the common history on that side. Without either its newest `days`, 0 for all of it. */
  period: { start: number | null; end: number | null; days: number };
  /** null: the coarsest bar that all symbols have. */
  bar: Bar | null;
  capital: number;
  leverage: number;
  rebalance: number;
  fee: number;
  slippage: number;
  funding: boolean;
  /** The rule by which the pair is held; 0: all the time. */
  entryZ: number;
  exitZ: number;
  zWindow: number;
  stopLoss: number;
  takeProfit: number;
  maxHoldingHours: number;
}

/** What the URL holds: the inputs of the call under their own names, all of them, so that a run can be shared. */
export type BacktestInputs = Omit<BacktestValues, 'period'> & BacktestValues['period'];

const { properties } = BacktestQuery;
/** Fields whose default the contract says. */
type Numbers = Exclude<
  { [K in keyof BacktestInputs]: BacktestInputs[K] extends number ? K : never }[keyof BacktestInputs],
  'days'
>;
const defaultOf = (name: Numbers) => Number((properties[name] as { default?: number }).default);

/** Defaults are written too: a shared address must mean the same after a default has changed. */
const written = <T>({ read }: QueryCodec<T>): QueryCodec<T> => ({ read, write: String });
const number = (name: Numbers) => written(numberCodec(defaultOf(name)));

export const inputCodecs: { [K in keyof BacktestInputs]: QueryCodec<BacktestInputs[K], unknown> } = {
  source: written(textCodec(HOME_SOURCE)),
  long: { ...listCodec, read: (text) => basketOf(text ?? '') },
  short: { ...listCodec, read: (text) => basketOf(text ?? '') },
  bar: wordCodec(BARS, null),
  start: numberCodec(null),
  end: numberCodec(null),
  days: written(numberCodec(BACKTEST_DAYS)),
  capital: number('capital'),
  leverage: number('leverage'),
  rebalance: number('rebalance'),
  fee: number('fee'),
  slippage: number('slippage'),
  funding: written({ read: (text) => text !== 'false', write: String }),
  entryZ: number('entryZ'),
  exitZ: number('exitZ'),
  zWindow: number('zWindow'),
  stopLoss: number('stopLoss'),
  takeProfit: number('takeProfit'),
  maxHoldingHours: number('maxHoldingHours'),
};

export function toForm({ start, end, days, ...same }: BacktestInputs): BacktestValues {
  return { ...same, period: { start, end, days }, ...costsForm.toForm(same) };
}

export function toInputs({ period, ...same }: BacktestValues): BacktestInputs {
  return { ...same, ...period, ...costsForm.toApi(same) };
}

/** The query of the call; what was left open is left out. */
export function toApi({ long, short, bar, start, end, days, ...same }: BacktestInputs): Partial<BacktestQuery> {
  return {
    ...same,
    long: long.join(','),
    short: short.join(','),
    ...(bar === null ? {} : { bar }),
    ...(start === null ? {} : { start }),
    ...(end === null ? {} : { end }),
    ...(start === null && end === null ? { days } : {}),
  };
}

/** Form fields by the names that the server's refusals use. */
export const FIELD_OF: Record<string, keyof BacktestValues> = {
  start: 'period',
  end: 'period',
};
