import writerOf from 'fast-json-stringify';

/** Fastify's serializer compiler: what writes a route's answers is compiled for the first of them. */
export function compileSerializer({ schema }: { schema: unknown }): (data: unknown) => string {
  let write: ((data: unknown) => string) | undefined;
  return (data) => {
    write ??= writerOf(schema as Parameters<typeof writerOf>[0]);
    return write(data);
  };
}
