import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/**
 * Sent as base64: the embedded driver spells bytes out one by one in hex, forty times slower. Readers ask
 * for `encode(column, 'base64')` for the same reason.
 */
const bytes = customType<{ data: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: (value) =>
    sql`decode(${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}, 'base64')`,
});
/** UTC milliseconds. */
const instant = (name: string) => bigint(name, { mode: 'number' });

export const user = pgTable(
  'app_user',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    role: text('role').notNull(),
    passwordHash: text('password_hash').notNull(),
    blocked: boolean('blocked').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    lastLoginAt: instant('last_login_at'),
  },
  (t) => [uniqueIndex('app_user_name_key').on(sql`lower(${t.name})`)],
);

export const session = pgTable(
  'session',
  {
    /** SHA-256 of the cookie's token, hex: the token itself is never stored. */
    tokenHash: text('token_hash').primaryKey(),
    id: uuid('id').notNull().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (t) => [index('session_user_idx').on(t.userId)],
);

/** Failed logins by name and address; survives a restart so that a restart does not reopen the door. */
export const loginFailure = pgTable('login_failure', {
  key: text('key').primaryKey(),
  failures: integer('failures').notNull(),
  firstAt: instant('first_at').notNull(),
  lockedUntil: instant('locked_until').notNull().default(0),
});

export const instrument = pgTable(
  'instrument',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    base: text('base').notNull(),
    quote: text('quote').notNull(),
    importedAt: instant('imported_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.symbol] })],
);

/**
 * Candles of one symbol, bar and calendar year (UTC), one column of little-endian float64 each.
 * Whole columns, because every reader wants them whole: 700,000 candles load in the time that
 * 20,000 rows would take.
 */
export const candle = pgTable(
  'candle',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    bar: text('bar').notNull(),
    year: integer('year').notNull(),
    count: integer('count').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    time: bytes('time').notNull(),
    open: bytes('open').notNull(),
    high: bytes('high').notNull(),
    low: bytes('low').notNull(),
    close: bytes('close').notNull(),
    volume: bytes('volume').notNull(),
    turnover: bytes('turnover').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.symbol, t.bar, t.year] })],
);

/** What the team thinks of a coin now. */
export const evaluate = pgTable(
  'evaluate',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    direction: text('direction'),
    note: text('note').notNull().default(''),
    updatedBy: uuid('updated_by')
      .notNull()
      .references(() => user.id),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.symbol] })],
);

/** Every edit of it, with the price at that moment; rows are only ever added. */
export const evaluateEdit = pgTable(
  'evaluate_edit',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    field: text('field').notNull(),
    before: text('before').notNull(),
    after: text('after').notNull(),
    price: doublePrecision('price'),
    authorId: uuid('author_id')
      .notNull()
      .references(() => user.id),
    at: instant('at').notNull(),
  },
  (t) => [index('evaluate_edit_symbol_idx').on(t.source, t.symbol, t.at)],
);
