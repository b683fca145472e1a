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
type SlicedWrite = (data: unknown, out: Pieces, breathe: () => Promise<void>) => Promise<void>;

/** Items that are written at once. */
const ITEMS = 200;
/** Characters of a piece: to put it into bytes, or on its way, holds nobody up. */
const PIECE = 128 * 1024;

/** A text in bytes, as many pieces as it is long. */
class Pieces {
  readonly done: Buffer[] = [];
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.cut();
  }

  cut(): void {
    if (this.#text !== '') this.done.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** Writes data of a schema as JSON, cut to the schema's fields, in slices that hold nobody up however long its lists are. */
export function slicedJson(schema: unknown): (data: unknown) => Promise<Buffer[]> {
  let write: SlicedWrite | undefined;
  return async (data) => {
    write ??= sliced(schema as Schema);
    const out = new Pieces();
    await write(data, out, inSlices().breathe);
    out.cut();
    return out.done;
  };
}

const holdsList = ({ type, properties = {}, nullable }: Schema): boolean =>
  nullable !== true && (type === 'array' || (type === 'object' && Object.values(properties).some(holdsList)));

const compile = (schema: Schema): Write => writerOf(schema as Parameters<typeof writerOf>[0]);

function sliced(schema: Schema): SlicedWrite {
  if (!holdsList(schema)) {
    const write = compile(schema);
    return async (data, out) => out.add(write(data));
  }
  return schema.type === 'array' ? slicedList(schema) : slicedObject(schema);
}

function slicedList({ items }: Schema): SlicedWrite {
  const write = compile({ type: 'array', items: items! });
  return async (data, out, breathe) => {
    const list = data as readonly unknown[];
    out.add('[');
    for (let from = 0; from < list.length; from += ITEMS) {
      out.add((from === 0 ? '' : ',') + write(list.slice(from, from + ITEMS)).slice(1, -1));
      await breathe();
    }
    out.add(']');
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
    const head = writeSmall(record).slice(0, -1);
    out.add(head);
    let isFirst = head === '{';
    for (const { name, write } of large) {
      if (record[name] === undefined && !required.includes(name)) continue;
      if (!Array.isArray(record[name]) && typeof record[name] !== 'object') throw new Error(`"${name}" is required!`);
      out.add(`${isFirst ? '' : ','}${JSON.stringify(name)}:`);
      isFirst = false;
      await write(record[name], out, breathe);
    }
    out.add('}');
  };
}
