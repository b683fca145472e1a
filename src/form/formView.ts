import type { ReactElement } from 'react';
import type { FieldErrors } from '#contract/envelope';

/** How one parameter is asked for and told. Label, bounds and help are the schema's unless they are here. */
export interface FieldView<V extends object, K extends keyof V> {
  label?: string;
  help?: string;
  /** Stands behind the figure, in the form and wherever its value is told. */
  unit?: string;
  step?: number;
  /** The form asks for so many times what the API has: 100 for percent, 10,000 for basis points. */
  scale?: number;
  /** Of a choice: what each word means, beside its label while it is chosen. */
  meanings?: Record<string, string>;
  /** For what is no figure, choice, switch or text. */
  widget?: (values: Partial<V>) => ReactElement;
  /** Whether it plays no part beside these values. */
  isIdle?: (values: Partial<V>) => boolean;
  /** Fields that its rules look at as well. */
  dependsOn?: readonly (keyof V & string)[];
  /** The value as it is read; by default the choice's label, or the figure with its unit. */
  text?: (value: V[K]) => string;
}

interface FormGroup<V extends object> {
  title: string;
  fields: readonly (keyof V & string)[];
  /** Stands above the fields, and may fill some of them. */
  tool?: (fill: Fill<V>) => ReactElement;
}

/** Puts values into the form as if they were typed. */
export type Fill<V extends object> = (values: Partial<V>) => void;

/** All that a form says beyond its schema, one row a parameter: a parameter without a row does not compile. */
export interface FormView<V extends object> {
  /** Of a form in groups: always in sight, in this order; all others are folded. */
  first?: readonly (keyof V & string)[];
  groups: readonly FormGroup<V>[];
  fields: { [K in keyof V]-?: FieldView<V, K> };
  /** Rules across fields, from the contract; each error is shown at its field. */
  across?: (values: V) => FieldErrors['fields'];
}
