import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { ClusterCall } from './clusterCall';
import { errorIn, messagesIn } from './wireMessages';

type Statement = Pick<Extract<ClusterCall, { ask: 'statement' }>, 'text' | 'values' | 'simple' | 'begins'>;

const { serialize } = protocol;

/** Runs a statement to its end and answers PostgreSQL's messages. @throws when a value does not fit its type. */
export function runStatement(postgres: PGlite, { text, values, simple, begins }: Statement): ArrayBuffer {
  const run = (...parts: Uint8Array[]) => postgres.execProtocolRawSync(joined(parts));
  if (begins) run(serialize.query('BEGIN'));
  if (simple) return bufferOf(run(serialize.query(text)));
  const rest = (bound: Uint8Array) => [
    bound,
    serialize.describe({ type: 'P' }),
    serialize.execute({}),
    serialize.sync(),
  ];
  if (values.length === 0) return bufferOf(run(serialize.parse({ text }), ...rest(serialize.bind({ values: [] }))));
  const parsed = run(serialize.parse({ text }), serialize.describe({ type: 'S' }));
  const found = messagesIn(bufferOf(parsed));
  if (errorIn(found)) return bufferOf(joined([parsed, run(serialize.sync())]));
  try {
    const types = parse.parseDescribeStatementResults(found);
    const bound = serialize.bind({ values: values.map((value, at) => textOf(postgres, value, types[at])) });
    return bufferOf(run(...rest(bound)));
  } catch (error) {
    run(serialize.sync());
    throw error;
  }
}

function textOf({ serializers }: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : serializers[type];
  return serializer ? serializer(value) : String(value);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** The bytes as a buffer of their own, which may go to another thread. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const whole = byteOffset === 0 && byteLength === buffer.byteLength;
  return (whole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}
