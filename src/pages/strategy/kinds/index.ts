import type { StrategyKind } from '#contract/strategy';
import type { SchemaForm } from '@/form/schemaForm';

/** A form of params whose kind is known by nobody but the form. */
type AnyForm = SchemaForm<Record<string, unknown>>;

const formOf = async (form: Promise<unknown>): Promise<AnyForm> => (await form) as AnyForm;

/** The form of each kind's params, loaded when it is asked for; null where the params are set on a desk of their own. */
export const KIND_FORMS: { [K in StrategyKind]: (() => Promise<AnyForm>) | null } = {
  hedge: null,
  spread: () => formOf(import('../spread/spreadForm').then(({ spreadForm }) => spreadForm)),
  fundingRate: () => formOf(import('../fundingRate/fundingForm').then(({ fundingForm }) => fundingForm)),
  cexRate: () => formOf(import('../cexRate/rateForm').then(({ rateForm }) => rateForm)),
  okx: () => formOf(import('../okx/okxForm').then(({ okxForm }) => okxForm)),
  grid: () => formOf(import('../grid/gridForm').then(({ gridForm }) => gridForm)),
};
