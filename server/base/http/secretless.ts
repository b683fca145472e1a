import type { TSchema } from 'typebox';

/** Names of fields whose values nobody but their owner may read, wherever they stand. */
const SECRET = /password|secret|passphrase|token|recovery|credential|^(api_?)?key$|^code$|code$/i;
const HIDDEN = '***';
/** What a log keeps of one text, one list and one nesting. */
const TEXT = 500;
const ITEMS = 50;
const LEVELS = 4;

interface Described {
  writeOnly?: boolean;
  properties?: Record<string, Described>;
  items?: Described;
}

function kept(value: unknown, schema: Described | undefined, level: number): unknown {
  if (typeof value === 'string') return value.length > TEXT ? `${value.slice(0, TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (level === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => kept(item, schema?.items, level - 1));
  const fields = Object.entries(value).filter(([, of]) => of !== undefined);
  return Object.fromEntries(
    fields.map(([name, of]) => {
      const described = schema?.properties?.[name];
      const isSecret = described?.writeOnly === true || SECRET.test(name);
      return [name, isSecret ? hidden(of) : kept(of, described, level - 1)];
    }),
  );
}

/** Whether there was one may be seen. */
const hidden = (value: unknown) => (value === null || value === '' ? value : HIDDEN);

/**
 * What may be kept of values that somebody sent: secrets, told by their name or by `writeOnly` in the schema, are
 * `***`, and what is too long is cut. `null` when nothing is left.
 */
export function secretless(values: object, schema?: TSchema): Record<string, unknown> | null {
  const left = kept(values, schema as Described | undefined, LEVELS) as Record<string, unknown>;
  return Object.keys(left).length === 0 ? null : left;
}
