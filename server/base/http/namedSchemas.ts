import { schemas } from '#contract/schemas';

export type Json = Record<string, unknown>;

/** Says in the words of OpenAPI 3.1 what may be null, how many decimals a number has, and what the parts of a tuple are. */
export function inOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inOpenApi);
  if (typeof schema !== 'object' || schema === null) return schema;
  // What a list's columns and filters look like is told by the description as well.
  const { nullable, decimals, 'x-column': _column, 'x-filter': _filter, ...rest } = schema as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inOpenApi(value)]));
  if (typeof decimals === 'number') inner.multipleOf = Number(`1e-${decimals}`);
  // What may be null is said beside it.
  if (nullable === true && Array.isArray(inner.enum)) inner.enum = inner.enum.filter((word) => word !== null);
  const written = Array.isArray(inner.items) ? tupleOf(inner) : inner;
  return nullable === true ? { anyOf: [written, { type: 'null' }] } : written;
}

function tupleOf({ items, additionalItems, ...rest }: Json): Json {
  return { ...rest, prefixItems: items, items: additionalItems };
}

/** The same text for the same schema, whatever the order of its keys. */
const contentOf = (schema: unknown): string =>
  JSON.stringify(schema, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

const plain = (schema: unknown): Json => inOpenApi(JSON.parse(JSON.stringify(schema))) as Json;
const named = Object.entries(schemas).map(([name, schema]) => [name, plain(schema)] as const);
const nameOf = new Map(named.map(([name, schema]) => [contentOf(schema), name]));
const schemaOf = new Map(named);

/** Writes each shape that the contract names once, under `components.schemas`, and refers to it wherever it is used. */
export function withNamedSchemas({ paths, components, ...document }: Json): Json {
  const used = new Map<string, unknown>();
  const inside = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(refer);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value)]));
  };
  const refer = (node: unknown): unknown => {
    const name = typeof node === 'object' ? nameOf.get(contentOf(node)) : undefined;
    if (name === undefined) return inside(node);
    if (!used.has(name)) {
      used.set(name, null);
      used.set(name, inside(schemaOf.get(name)));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const referring = inside(paths);
  const sorted = [...used].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    components: { ...(components as Json), schemas: Object.fromEntries(sorted) },
    paths: referring,
  };
}
