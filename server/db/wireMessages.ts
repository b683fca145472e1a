import type { messages } from '@electric-sql/pglite';
import type { DatabaseError } from 'pg-protocol';
import { Parser } from 'pg-protocol/dist/parser';

/** A message of PostgreSQL as PGlite's own parser would tell it. */
type Message = messages.BackendMessage;

/** PostgreSQL's messages one by one. Not by PGlite's parser: that takes several times as long, and whoever reads waits. */
export function messagesIn(bytes: ArrayBuffer): Message[] {
  const found: Message[] = [];
  new Parser().parse(Buffer.from(bytes), (message) => found.push(message as Message));
  return found;
}

export const errorIn = (told: readonly Message[]): DatabaseError | undefined =>
  told.find(({ name }) => name === 'error') as DatabaseError | undefined;
