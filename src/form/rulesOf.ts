import type { FormRule } from 'antd';
import type { Static, TObject } from 'typebox';
import { decimalsOf } from '#contract/decimal';
import { numberText } from '@/components/formatNumber';

/** What of a field's schema a form can check; `title` is its label. */
interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  /** Digits after the point at most. */
  decimals?: number;
  /** May be left empty. */
  nullable?: boolean;
  minItems?: number;
}

/** What is wrong with a number, in words; null where nothing is. */
export function numberError(label: string, field: FieldSchema, number: number): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field;
  const limits = [
    { limit: minimum, breaks: (n: number, l: number) => n < l, text: '不能小于' },
    { limit: maximum, breaks: (n: number, l: number) => n > l, text: '不能大于' },
    { limit: exclusiveMinimum, breaks: (n: number, l: number) => n <= l, text: '必须大于' },
    { limit: exclusiveMaximum, breaks: (n: number, l: number) => n >= l, text: '必须小于' },
  ];
  if (!Number.isFinite(number)) return `${label}必须是数字`;
  if (field.type === 'integer' && !Number.isInteger(number)) return `${label}必须是整数`;
  const broken = limits.find(({ limit, breaks }) => limit !== undefined && breaks(number, limit));
  if (broken) return `${label}${broken.text} ${numberText(broken.limit!)}`;
  const { decimals } = field;
  return decimals !== undefined && decimalsOf(number) > decimals ? `${label}最多 ${decimals} 位小数` : null;
}

/** Numbers come from the form as numbers or as typed text; blank is for `required` to refuse. */
function bounds(label: string, field: FieldSchema): FormRule[] {
  const validator = async (_: unknown, value: unknown): Promise<void> => {
    if (value === undefined || value === null || value === '') return;
    const error = numberError(label, field, Number(value));
    if (error !== null) throw new Error(error);
  };
  return [{ validator }];
}

/** Schemas count characters as a reader does, not as UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

function texts(label: string, { minLength, maxLength, pattern, description }: FieldSchema): FormRule[] {
  const shape = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const validator = async (_: unknown, value: unknown): Promise<void> => {
    if (typeof value !== 'string' || value === '') return;
    const length = lengthOf(value);
    if (minLength !== undefined && length < minLength) throw new Error(`${label}至少 ${minLength} 个字符`);
    if (maxLength !== undefined && length > maxLength) throw new Error(`${label}最多 ${maxLength} 个字符`);
    if (shape && !shape.test(value)) throw new Error(description ?? `${label}含有不允许的字符`);
  };
  return [{ validator }];
}

/** Whether leaving it empty is an answer: a list without a least length may be empty. */
const mayBeEmpty = ({ nullable, type, minItems = 0 }: FieldSchema): boolean =>
  nullable === true || (type === 'array' && minItems === 0);

function rulesOfField(name: string, field: FieldSchema, required: boolean): FormRule[] {
  const label = field.title ?? name;
  const presence: FormRule[] = required ? [{ required: true, message: `请输入${label}` }] : [];
  if (field.type === 'string') return [...presence, ...texts(label, field)];
  if (field.type === 'number' || field.type === 'integer') return [...presence, ...bounds(label, field)];
  return presence;
}

/**
 * Rules of antd's Form for each field of an object schema: presence (请输入 + label), length, pattern
 * and bounds. The words are the label's (`title`); a pattern is told by the field's `description`.
 */
export function rulesOf<S extends TObject>(schema: S): { [K in keyof Static<S>]-?: FormRule[] } {
  const required = new Set<string>(schema.required ?? []);
  const entries = Object.entries(schema.properties as Record<string, FieldSchema>);
  return Object.fromEntries(
    entries.map(([name, field]) => [name, rulesOfField(name, field, required.has(name) && !mayBeEmpty(field))]),
  ) as {
    [K in keyof Static<S>]-?: FormRule[];
  };
}

/** Rules of a field that repeats another one, a password's. @param label also of the words */
export const repeats = (name: string, label: string): FormRule[] => [
  { required: true, message: `请输入${label}` },
  ({ getFieldValue }) => ({
    validator: async (_, value) => {
      if (value && value !== getFieldValue(name)) throw new Error('两次输入的密码不一致');
    },
  }),
];
