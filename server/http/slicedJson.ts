import writerOf from 'fast-json-stringify';
import { inSlices } from '../work/loopTurns';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  nullable?: boolean;
}

type Write = (data: unknown) => string;
type SlicedWrite = (data: unknown, out: string[], breathe: () => Promise<void>) => Promise<void>;

/** Items that are written at once. */
const ITEMS = 200;

/** Writes data of a schema as JSON, cut to the schema's fields, in slices that hold nobody up however long its lists are. */
export function slicedJson(schema: unknown): (data: unknown) => Promise<string> {
  let write: SlicedWrite | undefined;
  return async (data) => {
    write ??= sliced(schema as Schema);
    const out: string[] = [];
    await write(data, out, inSlices().breathe);
    return out.join('');
  };
}

const holdsList = ({ type, properties = {}, nullable }: Schema): boolean =>
  nullable !== true && (type === 'array' || (type === 'object' && Object.values(properties).some(holdsList)));

const compile = (schema: Schema): Write => writerOf(schema as Parameters<typeof writerOf>[0]);

function sliced(schema: Schema): SlicedWrite {
  if (!holdsList(schema)) {
    const write = compile(schema);
    return async (data, out) => void out.push(write(data));
  }
  return schema.type === 'array' ? slicedList(schema) : slicedObject(schema);
}

function slicedList({ items }: Schema): SlicedWrite {
  const write = compile({ type: 'array', items: items! });
  return async (data, out, breathe) => {
    const list = data as readonly unknown[];
    out.push('[');
    for (let from = 0; from < list.length; from += ITEMS) {
      out.push(from === 0 ? '' : ',', write(list.slice(from, from + ITEMS)).slice(1, -1));
      await breathe();
    }
    out.push(']');
  };
}

/** Fields without lists are written together. */
function slicedObject({ properties = {}, required = [], ...rest }: Schema): SlicedWrite {
  const fields = Object.entries(properties);
  const small = fields.filter(([, field]) => !holdsList(field));
  const names = new Set(small.map(([name]) => name));
  const writeSmall = compile({
    ...rest,
    properties: Object.fromEntries(small),
    required: required.filter((name) => names.has(name)),
  });
  const large = fields.filter(([, field]) => holdsList(field)).map(([name, field]) => ({ name, write: sliced(field) }));
  return async (data, out, breathe) => {
    const record = data as Record<string, unknown>;
    out.push(writeSmall(record).slice(0, -1));
    let isFirst = out.at(-1) === '{';
    for (const { name, write } of large) {
      if (record[name] === undefined && !required.includes(name)) continue;
      if (!Array.isArray(record[name]) && typeof record[name] !== 'object') throw new Error(`"${name}" is required!`);
      out.push(isFirst ? '' : ',', JSON.stringify(name), ':');
      isFirst = false;
      await write(record[name], out, breathe);
    }
    out.push('}');
  };
}
