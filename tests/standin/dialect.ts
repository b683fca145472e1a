import type { IncomingHttpHeaders } from 'node:http';

/** One request, as it came. */
export interface Call {
  method: string;
  path: string;
  /** Of the address and of a body that is a form; in that order. */
  params: URLSearchParams;
  /** Both as they were sent: what signatures are of. */
  query: string;
  body: string;
  headers: IncomingHttpHeaders;
  /** Address of who asks. */
  from: string;
}

export interface Answer {
  status: number;
  /** Sent as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

/** One connection that streams. */
export interface Connection {
  path: string;
  params: URLSearchParams;
  /** A word as it is, anything else as JSON. */
  send(message: unknown): void;
  close(): void;
  onMessage(listener: (message: string) => void): void;
  onClose(listener: () => void): void;
}

/** How one exchange speaks: it translates, and knows nothing of prices and orders. */
export interface Dialect {
  /** Whether a path is one of this exchange's. */
  serves(path: string): boolean;
  answer(call: Call): Promise<Answer>;
  /** What it answers while it is in maintenance; null to what it answers all the same. */
  closed(call: Call): Answer | null;
  connect(connection: Connection): void;
  /** Time has passed: what is due is streamed. */
  tick(): void;
}
