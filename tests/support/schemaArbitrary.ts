import fc from 'fast-check';
import type { TSchema } from 'typebox';

/** What of JSON Schema the contract writes. */
interface Described {
  type?: string;
  enum?: unknown[];
  nullable?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  decimals?: number;
  properties?: Record<string, Described>;
  required?: string[];
  items?: Described;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}

/** Values for a field by its name, where the schema says too little; undefined where it says enough. */
export type Known = (field: string) => fc.Arbitrary<unknown> | undefined;

/** Numbers of texts are kept as they are written up to so many digits. */
const DIGITS = 15;

function numberOf({ type, minimum, maximum, exclusiveMinimum, decimals = 6 }: Described): fc.Arbitrary<number> {
  const low = minimum ?? exclusiveMinimum ?? -1e9;
  const high = maximum ?? 1e9;
  if (type === 'integer') return fc.integer({ min: Math.ceil(low), max: Math.floor(high) });
  const places = Math.min(decimals, DIGITS - Math.ceil(Math.log10(Math.max(Math.abs(low), high, 1))) - 1);
  const step = 10 ** -Math.max(0, places);
  return fc
    .oneof(fc.double({ min: low, max: high, noNaN: true }), fc.constantFrom(low + step, high))
    .map((value) => Number(value.toFixed(Math.max(0, places))))
    .filter((value) => value >= low && value <= high && value !== exclusiveMinimum);
}

/** Texts of hardly more than one kind of character are made by that kind, all others by their pattern. */
const LOOSE = /\[\^|\\p|\(\?!|u007e/;
const LONGEST = 60;
/** Of each kind that programs treat in a way of its own a few. */
const ANY = fc.constantFrom(...'aZ09 _-%\'"<>\\\n\t王ßıİé𝒜🙂ﷺ\u200d\u202e\u0301\ufeff');

function textOf({ pattern, minLength = 0, maxLength = 1000 }: Described): fc.Arbitrary<string> {
  const matches = new RegExp(pattern ?? '', 'u');
  const isFit = (text: string) => {
    // Counted as the validator does, by code points.
    const { length } = [...text];
    return length >= minLength && length <= maxLength && matches.test(text);
  };
  if (pattern !== undefined && !LOOSE.test(pattern)) return fc.stringMatching(matches).filter(isFit);
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONGEST)) };
  const unit = pattern?.includes('[^\\u0000\\uD800') ? ANY : 'grapheme-ascii';
  return fc.string({ unit, ...bounds }).filter(isFit);
}

const FEW = 4;

function listOf(schema: Described, known: Known, field: string): fc.Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = FEW, uniqueItems } = schema;
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, FEW)) };
  const item = described(items, known, field);
  return uniqueItems ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
}

function recordOf({ properties = {}, required = [] }: Described, known: Known): fc.Arbitrary<unknown> {
  const parts = Object.entries(properties).map(([name, part]) => [name, described(part, known, name)] as const);
  return fc.record(Object.fromEntries(parts), { requiredKeys: required, noNullPrototype: true });
}

function described(schema: Described, known: Known, field: string): fc.Arbitrary<unknown> {
  const named = known(field);
  if (named !== undefined) return named;
  if (schema.nullable) return fc.option(described({ ...schema, nullable: false }, known, field), { freq: 5 });
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema, known, field);
    case 'object':
      return recordOf(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/**
 * Values that the schema lets through.
 * @param known values of fields about which it says too little, such as ids
 */
export const arbitraryOf = (schema: TSchema, known: Known = () => undefined): fc.Arbitrary<unknown> =>
  described(schema as Described, known, '');
