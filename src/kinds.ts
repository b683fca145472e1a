import type { Right } from '#contract/access';
import type { StrategyKind } from '#contract/strategy';
import type { SchemaForm } from '@/form/schemaForm';

/** A form of params whose kind is known by nobody but the form. */
export type AnyForm = SchemaForm<Record<string, unknown>>;

const formOf = async (form: Promise<unknown>): Promise<AnyForm> => (await form) as AnyForm;

interface Kind {
  label: string;
  /** Who may open its screen, which is at `/strategy/<kind>`. */
  access: Right;
  /** The form of its params, loaded when it is asked for; null where they are set on a desk of their own. */
  form: (() => Promise<AnyForm>) | null;
}

/** Every kind of strategy as the console has it, in the order of the menu. */
export const KINDS: { [K in StrategyKind]: Kind } = {
  spread: {
    ...{ label: '期货价差', access: 'isMaster' },
    form: () => formOf(import('./pages/strategy/spread/spreadForm').then(({ spreadForm }) => spreadForm)),
  },
  fundingRate: {
    ...{ label: '资金费率', access: 'isMaster' },
    form: () => formOf(import('./pages/strategy/fundingRate/fundingForm').then(({ fundingForm }) => fundingForm)),
  },
  cexRate: {
    ...{ label: '跨所费率', access: 'isMaster' },
    form: () => formOf(import('./pages/strategy/cexRate/rateForm').then(({ rateForm }) => rateForm)),
  },
  hedge: { label: '多空对冲', access: 'signedIn', form: null },
  okx: {
    ...{ label: '交易所套利', access: 'isMaster' },
    form: () => formOf(import('./pages/strategy/okx/okxForm').then(({ okxForm }) => okxForm)),
  },
  grid: {
    ...{ label: '花式网格', access: 'isMaster' },
    form: () => formOf(import('./pages/strategy/grid/gridForm').then(({ gridForm }) => gridForm)),
  },
};
