import type { FastifyServerOptions } from 'fastify';

export type LogLevel = 'silent' | 'debug' | 'info' | 'warn' | 'error';

/** Where log lines go when it is not the standard output. */
export interface LogStream {
  write(line: string): void;
}

interface Failure {
  name?: unknown;
  code?: unknown;
  stack?: unknown;
  cause?: unknown;
}

/** The places a failure came through, without its message: that may quote a password, a key or a row. */
function framesOf(stack: unknown): string[] {
  if (typeof stack !== 'string') return [];
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}

function describe(error: Failure): Record<string, unknown> {
  const { name, code, stack, cause } = error;
  return {
    type: error.constructor?.name ?? String(name),
    ...(code === undefined ? {} : { code: String(code) }),
    frames: framesOf(stack),
    ...(typeof cause === 'object' && cause !== null ? { cause: describe(cause) } : {}),
  };
}

/** JSON lines, one a record. Headers and bodies are never written; of an error its class, code and frames are. */
export function logOptions(level: LogLevel, stream?: LogStream): FastifyServerOptions['logger'] {
  if (level === 'silent') return false;
  return {
    level,
    ...(stream ? { stream } : {}),
    serializers: {
      req: (request) => ({ method: request.method, url: request.url, remoteAddress: request.ip }),
      err: describe as never,
    },
    redact: { paths: ['*.password', '*.cookie', '*.authorization', '*.secret'], censor: '***' },
  };
}
