import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { KeyReport, KeyRight } from '#contract/apiKey';
import type { CollectorProgress } from '#contract/dataSource';
import type { PairWarning } from '#contract/pair';
import type { PushTarget } from '#contract/pushChannel';
import type { TargetLeg } from './hedges/pairLegs';
import type { Reduction } from './strategies/reduction';
import type { SingleTerms } from './strategies/singleTerms';

/**
 * Sent as base64: the embedded driver spells bytes out one by one in hex, forty times slower. Readers ask
 * for `encode(column, 'base64')` for the same reason.
 */
const bytes = customType<{ data: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: (value) =>
    sql`decode(${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}, 'base64')`,
});
/** Whether something needs attention depends on when it is read. */
type StoredReport = Omit<KeyReport, 'findings'>;
/** UTC milliseconds. */
export const instant = (name: string) => bigint(name, { mode: 'number' });
/** Exact decimal: money in USDT, quantities in the base currency. */
export const decimal = (name: string) => numeric(name);
const owner = (name = 'user_id') =>
  uuid(name)
    .notNull()
    .references(() => user.id);
const inAccount = (name = 'account_id') =>
  uuid(name)
    .notNull()
    .references(() => account.id);
const ofStrategy = () =>
  uuid('strategy_id')
    .notNull()
    .references(() => strategy.id);
const ofDeal = () =>
  uuid('deal_id')
    .notNull()
    .references(() => deal.id);
/** Of what a user has one row. */
const oneOfUser = () =>
  uuid('user_id')
    .primaryKey()
    .references(() => user.id);

export const user = pgTable(
  'app_user',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    role: text('role').notNull(),
    /** null: a one-time code has to set one first. */
    passwordHash: text('password_hash'),
    blocked: boolean('blocked').notNull().default(false),
    /** The master who blocked; null where nobody did. */
    blockedBy: text('blocked_by'),
    createdAt: instant('created_at').notNull(),
    lastLoginAt: instant('last_login_at'),
    /** The exchange account id, digits. */
    binanceId: text('binance_id'),
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
    /** When its user last proved to be himself: by the login, or again later. */
    provenAt: instant('proven_at').notNull().default(0),
    /** As whom a master looks at the console; null while he is himself. */
    viewedUserId: uuid('viewed_user_id').references(() => user.id, { onDelete: 'set null' }),
  },
  (t) => [index('session_user_idx').on(t.userId)],
);

/** What masters have settled for everybody; one row, and none while nothing was changed. */
export const security = pgTable('security', {
  id: text('id').primaryKey(),
  /** Masters must have a second factor. */
  masterFactor: boolean('master_factor').notNull().default(false),
  /** Visitors may register. */
  registration: boolean('registration').notNull().default(true),
});

/** How a user wants to see the console; null where nothing was chosen. */
export const userPreference = pgTable('user_preference', {
  userId: oneOfUser(),
  /** Words of the contract's RISES and NUMBER_STYLES. */
  rise: text('rise'),
  numbers: text('numbers'),
  /** One of its TIME_ZONES. */
  timeZone: text('time_zone'),
});

/** With which a user who has no password may set one, once. */
export const oneTimeCode = pgTable('one_time_code', {
  userId: oneOfUser(),
  /** SHA-256, hex: a code has too many forms to be tried. */
  codeHash: text('code_hash').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** The second step of a login; what its codes are made of is a sealed secret. */
export const secondFactor = pgTable('second_factor', {
  userId: oneOfUser(),
  /** Confirmed with a first code; null before, when it asks for nothing. */
  enabledAt: instant('enabled_at'),
  startedAt: instant('started_at').notNull(),
  /** The newest half minute whose code was accepted: no code of it or before is accepted again. */
  usedStep: bigint('used_step', { mode: 'number' }).notNull().default(0),
});

/** One row for each code that was not used yet. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: owner(),
    /** SHA-256, hex. */
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Every attempt to sign in; old ones are deleted. */
export const loginAttempt = pgTable(
  'login_attempt',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    userId: uuid('user_id').references(() => user.id),
    /** Of a name that nobody has only the beginning: it may be a password. */
    name: text('name').notNull(),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
    /** Words of the contract's LOGIN_RESULTS and LOGIN_REASONS. */
    result: text('result').notNull(),
    reason: text('reason').notNull(),
    /** So many alike, from `firstAt` to `at`: what is refused is counted. */
    times: integer('times').notNull().default(1),
    firstAt: instant('first_at'),
    /** What refused ones are counted under; null for one that stands for itself. */
    tally: text('tally'),
  },
  (t) => [
    index('login_attempt_at_idx').on(t.at),
    index('login_attempt_user_idx').on(t.userId, t.at),
    uniqueIndex('login_attempt_tally_key').on(t.tally),
  ],
);

/**
 * Set by the database as a row is added: how many were added before, and the SHA-256 of the row and of the hash before it.
 * A row that is gone or was changed breaks the chain.
 */
const chained = {
  position: bigint('position', { mode: 'number' }).notNull().default(0),
  hash: text('hash').notNull().default(''),
};

/**
 * Every write that somebody signed in asked for, committed before it is done. Rows are only ever added; a trigger
 * refuses anything else.
 */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    actorId: owner('actor_id'),
    /** Name and role at that time. */
    actor: text('actor').notNull(),
    role: text('role').notNull(),
    /** Method and path. */
    action: text('action').notNull(),
    object: text('object'),
    /** What was asked, without secrets; null where nothing was said, or it was not even read. */
    input: jsonb('input').$type<Record<string, unknown>>(),
    address: text('address').notNull(),
    requestId: text('request_id').notNull(),
    ...chained,
  },
  (t) => [
    uniqueIndex('audit_position_key').on(t.position),
    index('audit_at_idx').on(t.at),
    index('audit_actor_idx').on(t.actorId, t.at),
    index('audit_action_idx').on(t.action, t.at),
    index('audit_object_idx').on(t.object.op('text_pattern_ops')),
  ],
);

/** What came of it, written when the answer is out; missing where the server ended before. Only ever added, too. */
export const auditResult = pgTable(
  'audit_result',
  {
    auditId: bigint('audit_id', { mode: 'number' })
      .primaryKey()
      .references(() => audit.id),
    /** HTTP status, and the answer's code and message. */
    status: integer('status').notNull(),
    code: integer('code').notNull(),
    message: text('message').notNull(),
    /** What the handler told of the object, without secrets. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    ...chained,
  },
  (t) => [uniqueIndex('audit_result_position_key').on(t.position)],
);

/** Where each of the two chains ends; nobody but the database itself writes it. */
export const auditChain = pgTable('audit_chain', {
  log: text('log').primaryKey(),
  position: bigint('position', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
});

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
 * Candles of one symbol and bar, a calendar year (UTC) a row, of minutes an hour; one column of little-endian float64 each.
 * Whole columns, because every reader wants them whole: 700,000 candles load in the time that
 * 20,000 rows would take.
 */
export const candle = pgTable(
  'candle',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    bar: text('bar').notNull(),
    /** The year; of minutes the hour, counted from 1970: what is added each minute writes all of its row anew. */
    part: integer('year').notNull(),
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
  (t) => [primaryKey({ columns: [t.source, t.symbol, t.bar, t.part] })],
);

/** Imported settlements of one symbol, whole: columns of little-endian float64, as of candles. */
export const funding = pgTable(
  'funding',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    /** Between the newest two. */
    hours: integer('hours').notNull(),
    time: bytes('time').notNull(),
    rate: bytes('rate').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.symbol] })],
);

/** What stood open of a perpetual that is watched, and its premium, every five minutes; null where the exchange did not say. */
export const marketSample = pgTable(
  'market_sample',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    at: instant('at').notNull(),
    /** Base currency, and USDT at the mark. */
    interest: doublePrecision('interest'),
    interestUsdt: doublePrecision('interest_usdt'),
    /** Of the mark over the index (F3), a fraction. */
    premium: doublePrecision('premium'),
    /** Interest a day of borrowing the coin, a fraction. */
    borrow: doublePrecision('borrow'),
  },
  (t) => [primaryKey({ columns: [t.source, t.symbol, t.at] }), index('market_sample_at_idx').on(t.at)],
);

/** Who stores what an exchange has traded, one process at a time, and how far it is. */
export const collector = pgTable('collector', {
  source: text('source').primaryKey(),
  holder: text('holder'),
  leaseUntil: instant('lease_until').notNull().default(0),
  progress: jsonb('progress').$type<CollectorProgress>(),
  /** Whether all that is known of it, accounts too, is of its test network: the two never meet in one database. */
  isTestnet: boolean('is_testnet').notNull().default(false),
});

/** What the team thinks of a coin now. */
export const evaluate = pgTable(
  'evaluate',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    direction: text('direction'),
    note: text('note').notNull().default(''),
    updatedBy: owner('updated_by'),
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
    authorId: owner('author_id'),
    at: instant('at').notNull(),
  },
  (t) => [index('evaluate_edit_symbol_idx').on(t.source, t.symbol, t.at)],
);

/**
 * One book a user: what guards all that is traded for it, and which process trades it. `pausedAt` ... `flattenAskedAt`
 * are intents that calls write; the lease and the day belong to the engine that holds the lease.
 */
export const book = pgTable('book', {
  userId: oneOfUser(),
  /** Moves on with every intent, so that the holder of the lease sees that there is one. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(0),
  /** No new entries since; null when entries are allowed. */
  pausedAt: instant('paused_at'),
  pausedBy: text('paused_by'),
  pauseReason: text('pause_reason'),
  /** What the whole account may lose on a day before it is paused, USDT; null for no limit. */
  dailyLossLimit: doublePrecision('daily_loss_limit'),
  /** The day (UTC ms of its start) whose loss limit was lifted by a resume with a reason. */
  lossLiftedDay: instant('loss_lifted_day'),
  flattenAskedAt: instant('flatten_asked_at'),
  flattenAskedBy: text('flatten_asked_by'),
  leaseHolder: text('lease_holder'),
  leaseToken: bigint('lease_token', { mode: 'number' }).notNull().default(0),
  leaseUntil: instant('lease_until').notNull().default(0),
  /** Minutes after 00:00 UTC at which the account's days begin; a day that runs keeps the start it has. */
  dayBoundary: integer('day_boundary').notNull().default(0),
  /** Equity at the start of `day` (UTC ms) and what was moved in or out since, for the day's result. */
  day: instant('day'),
  dayEquity: decimal('day_equity'),
  /** The same of what is traded for real; null where nothing is. */
  dayEquityLive: decimal('day_equity_live'),
  /** Since when looks at it fail one after another, with what, and when that was over; null where it never was, or is not. */
  failingSince: instant('failing_since'),
  failingWhat: text('failing_what'),
  failingUntil: instant('failing_until'),
  /** What of the paper accounts has no price, so that no paper is opened: as the engine saw it last; null where all has one. */
  unvalued: text('unvalued'),
  /** The same of the real ones. */
  unvaluedLive: text('unvalued_live'),
});

/** One switch for everybody: a master's 暂停开仓. One row, `id` is `all`. */
export const killSwitch = pgTable('kill_switch', {
  id: text('id').primaryKey(),
  pausedAt: instant('paused_at'),
  pausedBy: text('paused_by'),
  reason: text('reason'),
});

/** Where a user's money lies at one venue, which knows it by its id. The first one of a user has the user's id. */
export const account = pgTable(
  'account',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: owner(),
    /** The simulated market and what was imported share one. */
    venue: text('venue').notNull(),
    /** `paper`. */
    mode: text('mode').notNull(),
    name: text('name').notNull().default('主账户'),
    /** The newest event of the venue that was booked. */
    sequence: bigint('sequence', { mode: 'number' }).notNull().default(0),
    /** By which its venue is spoken to; a paper account needs none. */
    apiKeyId: uuid('api_key_id').references(() => apiKey.id, { onDelete: 'set null' }),
    /** The account that it is at its exchange, by that one's own number; null on paper. Nobody else has it. */
    exchangeUid: text('exchange_uid'),
    /** Signed quantities that no deal explains and its owner knows of, by `symbolKey`: another quantity is news again. */
    ignored: jsonb('ignored').$type<Record<string, string>>().notNull().default({}),
  },
  (t) => [
    uniqueIndex('account_venue_key').on(t.userId, t.venue, t.mode),
    uniqueIndex('account_exchange_key').on(t.venue, t.mode, t.exchangeUid),
  ],
);

/** USDT or a coin on its way between two accounts of one user: an intent that a call writes, everything after it is the engine's. */
export const accountTransfer = pgTable(
  'account_transfer',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: owner(),
    fromId: inAccount('from_id'),
    toId: inAccount('to_id'),
    /** What is moved; of a coin its spot at both ends, and its price when it left, USDT. */
    asset: text('asset').notNull().default('USDT'),
    fromSymbol: text('from_symbol'),
    toSymbol: text('to_symbol'),
    price: decimal('price'),
    /** What arrives, in the asset; the fee is paid beside it, USDT. */
    amount: decimal('amount').notNull(),
    fee: decimal('fee').notNull(),
    /** How long it takes once it has left, ms. */
    travelMs: bigint('travel_ms', { mode: 'number' }).notNull(),
    /** A word of the contract's TransferState. */
    state: text('state').notNull().default('asked'),
    askedAt: instant('asked_at').notNull(),
    leftAt: instant('left_at'),
    arrivedAt: instant('arrived_at'),
    /** Why it waits or never left, a word of the engine's. */
    reason: text('reason'),
  },
  (t) => [
    index('account_transfer_user_idx').on(t.userId, t.askedAt),
    index('account_transfer_live_idx').on(t.userId).where(sql`state in ('asked', 'transit')`),
  ],
);

/** How the newest daily check of a user's real accounts against their exchange ended. */
export const reconciliation = pgTable('reconciliation', {
  userId: owner().primaryKey(),
  at: instant('at').notNull(),
  /** A word of the contract's verdicts. */
  verdict: text('verdict').notNull(),
  /** What differs or could not be asked, in words for people. */
  said: text('said').array().notNull(),
});

/** What a user runs, with its settings and its switch: intents that calls write. */
export const strategy = pgTable(
  'strategy',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: owner(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    mode: text('mode').notNull(),
    /** The contract's params of the kind; null before they were saved for the first time, and `version` 0 then. */
    params: jsonb('params'),
    version: integer('version').notNull().default(0),
    /** A word of the contract's STRATEGY_STATES. */
    state: text('state').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    updatedBy: text('updated_by').notNull(),
    switchedAt: instant('switched_at'),
    switchedBy: text('switched_by'),
    /** Since it was stopped with what it holds, somebody has said that he looks after it himself. */
    selfManagedAt: instant('self_managed_at'),
    selfManagedBy: text('self_managed_by'),
    /** Of a strategy of one deal: what a person confirmed. */
    single: jsonb('single').$type<SingleTerms>(),
    /** Intent: one more deal was asked for by hand. */
    onceAskedAt: instant('once_asked_at'),
    /** Of one with real money: the one on paper that it was made from and is held against. */
    twinId: uuid('twin_id').references((): AnyPgColumn => strategy.id),
    note: text('note').notNull().default(''),
    noteBy: text('note_by'),
    noteAt: instant('note_at'),
    /** A strategy that is gone keeps its row: deals and orders name it. */
    removedAt: instant('removed_at'),
  },
  (t) => [index('strategy_user_idx').on(t.userId)],
);

/** What a strategy may not exceed, and how its breaker stands; money in USDT, null for no limit. */
export const strategyGuard = pgTable('strategy_guard', {
  strategyId: uuid('strategy_id')
    .primaryKey()
    .references(() => strategy.id),
  maxDrawdown: doublePrecision('max_drawdown'),
  dailyLoss: doublePrecision('daily_loss'),
  maxNotional: doublePrecision('max_notional'),
  /** Why it tripped; null while it has not, or somebody has resumed it. */
  tripped: text('tripped'),
  /** Which of its limits; the loss of the day is that of its params too. */
  trippedBy: text('tripped_by'),
  trippedAt: instant('tripped_at'),
  /** When it was last resumed, and its net PnL then: losses count from there. */
  resumedAt: instant('resumed_at'),
  resumedNet: doublePrecision('resumed_net'),
  /** From when on the loss of the day is counted, UTC ms, and its net PnL then, USDT: written by the engine. */
  lossFrom: instant('loss_from'),
  lossBase: doublePrecision('loss_base'),
});

/** What people and the breaker did to a strategy; rows are only ever added. */
export const strategyEvent = pgTable(
  'strategy_event',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    strategyId: ofStrategy(),
    at: instant('at').notNull(),
    /** `config`, `switched`, `limits`, `tripped`, `resumed`. */
    kind: text('kind').notNull(),
    detail: text('detail').notNull(),
    by: text('by').notNull(),
  },
  (t) => [index('strategy_event_at_idx').on(t.at), index('strategy_event_strategy_idx').on(t.strategyId, t.at)],
);

/** What users are told of a deal that is held, or of what a strategy may open; a row stands until it is over. */
export const strategyAlert = pgTable(
  'strategy_alert',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: owner(),
    strategyId: ofStrategy(),
    /** The deal or the target. */
    subject: uuid('subject').notNull(),
    /** Of the kind's own: what it is told of stands once for each subject. */
    word: text('word').notNull(),
    /** A word of the contract's NOTIFICATION_LEVELS. */
    level: text('level').notNull(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    at: instant('at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('strategy_alert_at_idx').on(t.at),
    uniqueIndex('strategy_alert_standing_key').on(t.subject, t.word).where(sql`ended_at is null`),
  ],
);

/** What a strategy may open. */
export const target = pgTable(
  'target',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: owner(),
    strategyId: ofStrategy(),
    /** In an order of the kind's own. */
    legs: jsonb('legs').$type<TargetLeg[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    removedAt: instant('removed_at'),
    /** A target is opened once each time it is armed; 0 never was. An intent moves it on (reopen), the engine notes which one it used. */
    armedAt: instant('armed_at').notNull(),
    /** Engine: the arming that the last entry used up, and when. */
    usedArmAt: instant('used_arm_at'),
    triggeredAt: instant('triggered_at'),
    /** Engine: how often it was opened. */
    rounds: integer('rounds').notNull().default(0),
    /** Engine: how often there was something to open it for; of kinds that count it. */
    seen: integer('seen').notNull().default(0),
    /** Engine: why it does not enter now, a word of the contract's BLOCKS; null when nothing stands in the way. */
    block: text('block'),
    /** Why it waits for a person, a word of the contract's TARGET_HOLDS, since when, and who put it so; until it is armed. */
    hold: text('hold'),
    heldAt: instant('held_at'),
    heldBy: text('held_by'),
    /** What speaks against it (the contract's PAIR_WARNINGS) that a person was shown who armed it: it is opened in spite of that. */
    accepted: jsonb('accepted').$type<PairWarning[]>().notNull().default([]),
  },
  (t) => [
    index('target_user_idx').on(t.userId),
    uniqueIndex('target_standing_key').on(t.strategyId, t.legs).where(sql`removed_at is null`),
  ],
);

/** What is opened, held and closed as one. */
export const deal = pgTable(
  'deal',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    strategyId: ofStrategy(),
    targetId: uuid('target_id')
      .notNull()
      .references(() => target.id),
    state: text('state').notNull(),
    /** When the state was reached. */
    stateAt: instant('state_at').notNull(),
    createdAt: instant('created_at').notNull(),
    openedAt: instant('opened_at'),
    closedAt: instant('closed_at'),
    closeReason: text('close_reason'),
    /** Intent: asked to close; the engine takes it up. */
    closeAskedAt: instant('close_asked_at'),
    closeAskedBy: text('close_asked_by'),
    /** Intent: everything of its owner was asked to close. */
    flattenAskedAt: instant('flatten_asked_at'),
    /** Intent: what a person took back of it is placed again. */
    repairAskedAt: instant('repair_asked_at'),
    /** Intent: how a person wants legs that are apart to be brought together, a word of the contract's REBALANCE_WAYS, and since when. */
    rebalanceWay: text('mend_way'),
    rebalanceAskedAt: instant('mend_asked_at'),
    /** Intent: what both legs are to be taken down to. */
    reduction: jsonb('reduction').$type<Reduction>(),
    /** Engine: when the one was asked for that it has done last. */
    reducedAt: instant('reduced_at'),
    /** Intent: its expiring leg is to go on in the next expiry. */
    rollAskedAt: instant('roll_asked_at'),
    /** Engine: when a deal of the next expiry was last begun in its place. */
    rollTriedAt: instant('roll_tried_at'),
    /** Engine: the deal of the expiry before, whose other leg it takes over. */
    rolledFrom: uuid('rolled_from').references((): AnyPgColumn => deal.id),
    /** Engine: a person took its entry back, and it is not entered any further. */
    entryCancelledAt: instant('entry_cancelled_at'),
    /** Why nothing more is sent for this deal: an order in doubt, quantities that shrank, an order that was stopped. */
    frozen: text('frozen'),
    /** Intent: a person who has looked into why wants it to go on: since when, who, and the words for it. */
    unfreezeAskedAt: instant('thaw_asked_at'),
    unfreezeAskedBy: text('thaw_asked_by'),
    unfreezeReason: text('thaw_reason'),
    /** Engine: when it was last held against the venue because of that. */
    unfreezeTriedAt: instant('thaw_tried_at'),
    /** The params of its strategy that it was opened with. */
    params: jsonb('params').notNull(),
    /** What the kind noted of the market when it was opened, in words of its own. */
    opening: jsonb('opening'),
    /** What the kind goes by (z of a hedge, basis, rate ...) when it was opened and closed. */
    signalOpen: doublePrecision('signal_open'),
    signalClose: doublePrecision('signal_close'),
    /** Most adverse and most favourable net PnL while held, USDT. */
    mae: doublePrecision('mae'),
    mfe: doublePrecision('mfe'),
    /** Exposure of one leg without the other, USDT x seconds. */
    naked: doublePrecision('naked').notNull().default(0),
    /** Since when one leg has been without the other. */
    oneLegSince: instant('one_leg_since'),
    /** Up to when `naked` is counted. */
    nakedAt: instant('naked_at'),
    attempts: integer('attempts').notNull().default(0),
    note: text('note').notNull().default(''),
    noteBy: text('note_by'),
    noteAt: instant('note_at'),
  },
  (t) => [
    index('deal_user_idx').on(t.userId, t.createdAt),
    index('deal_created_idx').on(t.createdAt),
    index('deal_strategy_idx').on(t.strategyId, t.createdAt),
    index('deal_user_state_idx').on(t.userId, t.stateAt),
    index('deal_running_idx').on(t.userId).where(sql`state not in ('closed', 'failed')`),
  ],
);

/** One to n of a deal; money in USDT. */
export const dealLeg = pgTable(
  'deal_leg',
  {
    dealId: ofDeal(),
    /** Its name within the deal. */
    leg: text('leg').notNull(),
    /** So that reading one user's deals looks at no other's legs. */
    userId: owner(),
    accountId: inAccount(),
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    /** `long`, `short`, or `both` for what may hold either. */
    side: text('side').notNull(),
    /** What it aims at beside the other legs. */
    weight: doublePrecision('weight').notNull(),
    /** Mid price at the decision to open, for slippage and the ratio. */
    midOpen: doublePrecision('mid_open'),
    /** Signed quantity still held, and what it cost (signed notional). */
    quantity: decimal('quantity').notNull().default('0'),
    cost: decimal('cost').notNull().default('0'),
    /** Largest absolute quantity ever held, and the notional paid for it at entry. */
    opened: decimal('opened').notNull().default('0'),
    notional: decimal('notional').notNull().default('0'),
    realised: decimal('realised').notNull().default('0'),
    funding: decimal('funding').notNull().default('0'),
    fees: decimal('fees').notNull().default('0'),
    /** Paid against the mid at the decision. */
    slippage: decimal('slippage').notNull().default('0'),
    /** Average price at which it was taken down. */
    exit: decimal('exit'),
  },
  (t) => [primaryKey({ columns: [t.dealId, t.leg] }), index('deal_leg_user_idx').on(t.userId)],
);

/**
 * Somebody's wish that all of a scope be closed; rows are only ever added. What came of it is told by the orders, fills
 * and states of its deals.
 */
export const flatten = pgTable(
  'flatten',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    at: instant('at').notNull(),
    byId: owner('by_id'),
    /** Name at that time. */
    by: text('by').notNull(),
    reason: text('reason').notNull().default(''),
    /** A word of the contract's FLATTEN_SCOPES. */
    scope: text('scope').notNull(),
    /** Whose; null for everybody's. */
    userId: uuid('user_id').references(() => user.id),
    strategyId: uuid('strategy_id').references(() => strategy.id),
  },
  (t) => [index('flatten_at_idx').on(t.at)],
);

/** A deal that was to be closed by it, and what was said of it then; money in USDT, null for what was not known. */
export const flattenDeal = pgTable(
  'flatten_deal',
  {
    flattenId: uuid('flatten_id')
      .notNull()
      .references(() => flatten.id),
    dealId: ofDeal(),
    userId: owner(),
    /** Of each leg that held something: its mid, and the signed quantity, base currency. */
    legs: jsonb('legs').$type<Record<string, { mid: number | null; quantity: string }>>().notNull(),
    notional: doublePrecision('notional'),
    /** Fees and slippage that were expected, and the deal's net PnL after them. */
    cost: doublePrecision('cost'),
    net: doublePrecision('net'),
  },
  (t) => [primaryKey({ columns: [t.flattenId, t.dealId] }), index('flatten_deal_user_idx').on(t.userId)],
);

/** What happened to a deal, in words of the contract; rows are only ever added. */
export const dealEvent = pgTable(
  'deal_event',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    dealId: ofDeal(),
    at: instant('at').notNull(),
    kind: text('kind').notNull(),
    detail: text('detail').notNull().default(''),
  },
  (t) => [index('deal_event_deal_idx').on(t.dealId, t.id), index('deal_event_at_idx').on(t.at)],
);

/** Every order, committed before it goes out; `id` is the client id at the venue. */
export const tradeOrder = pgTable(
  'trade_order',
  {
    id: text('id').primaryKey(),
    userId: owner(),
    accountId: inAccount(),
    dealId: uuid('deal_id').references(() => deal.id),
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    leg: text('leg').notNull(),
    /** What of the deal it is for; null where that is nothing that could be placed twice. */
    slot: text('slot'),
    side: text('side').notNull(),
    /** `market` or `maker`. */
    type: text('type').notNull(),
    /** Why: entry, exit, complete, unwind, rebalance, liquidation. */
    purpose: text('purpose').notNull(),
    reduceOnly: boolean('reduce_only').notNull(),
    quantity: decimal('quantity').notNull(),
    limitPrice: decimal('limit_price').notNull(),
    /** Mid of the book when it was decided. */
    decisionMid: doublePrecision('decision_mid').notNull(),
    state: text('state').notNull(),
    reason: text('reason'),
    filledQuantity: decimal('filled_quantity').notNull().default('0'),
    filledNotional: decimal('filled_notional').notNull().default('0'),
    fee: decimal('fee').notNull().default('0'),
    /** What the venue has said is filled: the order is live until as much is booked. */
    reportedQuantity: decimal('reported_quantity').notNull().default('0'),
    /** How the venue has said it ended; null while it has not. */
    reportedState: text('reported_state'),
    exchangeId: text('exchange_id'),
    cancelAskedAt: instant('cancel_asked_at'),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    answeredAt: instant('answered_at'),
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('trade_order_created_idx').on(t.createdAt),
    index('trade_order_user_idx').on(t.userId, t.createdAt),
    index('trade_order_account_idx').on(t.accountId, t.createdAt),
    index('trade_order_symbol_idx').on(t.symbol, t.createdAt),
    index('trade_order_deal_idx').on(t.dealId),
    index('trade_order_exchange_idx').on(t.exchangeId),
    index('trade_order_live_idx').on(t.userId).where(sql`state in ('registered', 'open', 'inDoubt')`),
    // Nothing is placed twice.
    uniqueIndex('trade_order_slot_key').on(t.dealId, t.slot).where(sql`state in ('registered', 'open', 'inDoubt')`),
  ],
);

export const fill = pgTable(
  'fill',
  {
    /** The venue's id of the fill: a fill that is told twice is booked once. */
    id: text('id').primaryKey(),
    userId: owner(),
    orderId: text('order_id')
      .notNull()
      .references(() => tradeOrder.id),
    accountId: inAccount(),
    dealId: uuid('deal_id').references(() => deal.id),
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    side: text('side').notNull(),
    quantity: decimal('quantity').notNull(),
    price: decimal('price').notNull(),
    /** USDT. */
    fee: decimal('fee').notNull(),
    /** Of a fee that was taken from the coin that was bought, base currency: so much less was received. */
    feeInBase: decimal('fee_in_base').notNull().default('0'),
    maker: boolean('maker').notNull(),
    realised: decimal('realised').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    index('fill_at_idx').on(t.at),
    index('fill_user_idx').on(t.userId, t.at),
    index('fill_account_idx').on(t.accountId, t.at),
    index('fill_symbol_idx').on(t.symbol, t.at),
    index('fill_order_idx').on(t.orderId),
    index('fill_deal_idx').on(t.dealId),
  ],
);

/**
 * Every change of cash: a fill's amount is minus its signed notional, so that cash plus the value of the
 * positions is the equity. Rows are only ever added; a trigger refuses anything else.
 */
export const ledger = pgTable(
  'ledger',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: owner(),
    accountId: inAccount(),
    dealId: uuid('deal_id').references(() => deal.id),
    kind: text('kind').notNull(),
    /** What `amount` is an amount of. */
    asset: text('asset').notNull().default('USDT'),
    source: text('source').notNull().default(''),
    symbol: text('symbol').notNull().default(''),
    amount: decimal('amount').notNull(),
    /** Signed change of the position by a fill or a coin that was moved; the position charged at a funding. */
    quantity: decimal('quantity'),
    /** Fill price or mark. */
    price: decimal('price'),
    /** Funding rate. */
    rate: decimal('rate'),
    /** Names what it is booked for: the same thing is never booked twice. */
    reference: text('reference').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    uniqueIndex('ledger_reference_key').on(t.accountId, t.reference),
    index('ledger_user_idx').on(t.userId, t.at),
    index('ledger_user_row_idx').on(t.userId, t.id),
    index('ledger_money_idx').on(t.userId, t.at, t.id).where(sql`kind in ('transfer', 'move', 'bailout')`),
    index('ledger_deal_idx').on(t.dealId),
    index('ledger_at_idx').on(t.at),
  ],
);

/**
 * Sums of the ledger, which a trigger keeps as rows are added: what an account has is known without reading all that was
 * ever booked.
 */
export const ledgerTotal = pgTable(
  'ledger_total',
  {
    userId: owner(),
    accountId: inAccount(),
    kind: text('kind').notNull(),
    asset: text('asset').notNull(),
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    amount: decimal('amount').notNull(),
    /** Sum of the absolute amounts. */
    traded: decimal('traded').notNull(),
    quantity: decimal('quantity').notNull(),
    /** The newest of the rows. */
    lastId: bigint('last_id', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.kind, t.asset, t.source, t.symbol] }),
    index('ledger_total_user_idx').on(t.userId),
  ],
);

/** The same by day (UTC) and kind of row alone. */
export const ledgerDay = pgTable(
  'ledger_day',
  {
    userId: owner(),
    accountId: inAccount(),
    /** Its midnight. */
    day: instant('day').notNull(),
    kind: text('kind').notNull(),
    amount: decimal('amount').notNull(),
    traded: decimal('traded').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.day, t.kind] }), index('ledger_day_user_idx').on(t.userId, t.day)],
);

/** An account at full sampling instants; what the equity curves are drawn from. All but `btc` in USDT. */
export const equityPoint = pgTable(
  'equity_point',
  {
    userId: owner(),
    accountId: inAccount(),
    at: instant('at').notNull(),
    equity: doublePrecision('equity').notNull(),
    /** Running sums of the ledger up to then. */
    transfers: doublePrecision('transfers').notNull(),
    /** Came from other accounts of the user less what went there: summed over them, what is on its way is missing. */
    moved: doublePrecision('moved').notNull().default(0),
    funding: doublePrecision('funding').notNull(),
    fees: doublePrecision('fees').notNull(),
    slippage: doublePrecision('slippage').notNull(),
    traded: doublePrecision('traded').notNull(),
    /** Realised plus unrealised price PnL of the long and the short legs. */
    longPnl: doublePrecision('long_pnl').notNull(),
    shortPnl: doublePrecision('short_pnl').notNull(),
    /** Signed and absolute sum of position values. */
    net: doublePrecision('net').notNull(),
    gross: doublePrecision('gross').notNull(),
    btc: doublePrecision('btc'),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.at] }),
    index('equity_point_user_idx').on(t.userId, t.at),
    // Midnights of all accounts at once. An index of all instants would be taken for the newest point of an account, too,
    // and one that has none yet would be sought through everybody's.
    index('equity_point_midnight_idx').on(t.at).where(sql`at % 86400000 = 0`),
  ],
);

/** Answers of calls that move money, by the caller's own key: the same key gets the same answer. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: owner(),
    call: text('call').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of query and body. */
    bodyHash: text('body_hash').notNull(),
    /** null while the first call is at work. */
    answer: text('answer'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.call, t.key] }), index('idempotency_created_idx').on(t.createdAt)],
);

/** The paper venue's own books; nobody else reads them. */
export const paperAccount = pgTable('paper_account', {
  account: text('account').primaryKey(),
  cash: decimal('cash').notNull(),
  sequence: bigint('sequence', { mode: 'number' }).notNull().default(0),
  /** Settlements up to here are charged, UTC ms. */
  fundedUntil: instant('funded_until').notNull(),
  /** Moves on with every change, so that who changed an older state of it is told so. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(0),
});

export const paperPosition = pgTable(
  'paper_position',
  {
    account: text('account').notNull(),
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    quantity: decimal('quantity').notNull(),
    /** Signed notional that it cost. */
    cost: decimal('cost').notNull().default('0'),
    leverage: doublePrecision('leverage').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.source, t.symbol] })],
);

export const paperOrder = pgTable(
  'paper_order',
  {
    clientId: text('client_id').primaryKey(),
    account: text('account').notNull(),
    /** The venue's VenueOrder and VenueReport; both null where the venue has vouched that no such order will ever be. */
    order: jsonb('order'),
    report: jsonb('report'),
    resting: boolean('resting').notNull(),
  },
  (t) => [
    index('paper_order_resting_idx').on(t.account).where(sql`resting`),
    index('paper_order_ended_idx').on(sql`((report ->> 'at')::bigint)`).where(sql`not resting`),
  ],
);

export const paperEvent = pgTable(
  'paper_event',
  {
    account: text('account').notNull(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    event: jsonb('event').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.sequence] }),
    // What left an account, or came into it, does so once.
    uniqueIndex('paper_event_move_key').on(t.account, sql`(event ->> 'moveId')`).where(sql`event ->> 'kind' = 'move'`),
  ],
);

/** Orders of ours at real exchanges, by their id: written before anything is sent. */
export const liveOrder = pgTable(
  'live_order',
  {
    clientId: uuid('client_id').primaryKey(),
    accountId: inAccount(),
    source: text('source').notNull().default(''),
    /** Empty where nobody sent it, and it was vouched for that nobody ever will. */
    symbol: text('symbol').notNull().default(''),
    /** The exchange takes it no later than then, by its clock, UTC ms. */
    deadline: instant('deadline').notNull().default(0),
    /** Signed, base currency; none where it was vouched for that there is no such order. */
    quantity: decimal('quantity').notNull().default('0'),
    /** What it is worth at its limit price, USDT; none where it only takes away. */
    notional: decimal('notional').notNull().default('0'),
    /** The newest VenueReport; null before the first. */
    report: jsonb('report'),
    /** Sent to rest, and not told yet to have ended: by its fills where it was filled, else by an event of its own. */
    rests: boolean('rests').notNull().default(false),
  },
  (t) => [
    index('live_order_account_idx').on(t.accountId, t.symbol),
    index('live_order_rests_idx').on(t.accountId).where(sql`rests`),
  ],
);

/** What happened to accounts at real exchanges: how far each was read. */
export const liveJournal = pgTable('live_journal', {
  accountId: inAccount().primaryKey(),
  /** What happened before is in its first events, UTC ms by the exchange's clock. */
  since: instant('since').notNull(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  /** A JournalCursors. */
  cursors: jsonb('cursors').notNull(),
  /** Signed quantities that the events come to, by symbol. */
  held: jsonb('held').notNull().default({}),
  /** Moves on with every change, so that who read by an older state of it is told so. */
  revision: bigint('revision', { mode: 'number' }).notNull().default(0),
  /** What was last wrong with the account, and why in a venue's word where it said so. */
  trouble: text('trouble'),
  troubleReason: text('trouble_reason'),
  troubledAt: instant('troubled_at'),
  /** null while it lasts. */
  recoveredAt: instant('recovered_at'),
});

export const liveEvent = pgTable(
  'live_event',
  {
    accountId: inAccount(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    /** By the exchange's own number: what is told again is not written again. */
    name: text('name').notNull(),
    event: jsonb('event').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.sequence] }),
    uniqueIndex('live_event_name_key').on(t.accountId, t.name),
    index('live_event_order_idx').on(sql`(event ->> 'clientId')`).where(sql`event ->> 'clientId' is not null`),
    index('live_event_at_idx').on(t.accountId, sql`((event ->> 'at')::bigint)`),
  ],
);

/** How far each part of the demo's past has been traded. */
export const demoStory = pgTable('demo_story', {
  id: text('id').primaryKey(),
  until: instant('until').notNull(),
  done: boolean('done').notNull(),
  /** The server that trades it, and when it said so last by the database's clock, UTC ms. */
  teller: text('teller'),
  toldAt: instant('told_at').notNull().default(0),
});

/** What the prices of the simulated market follow in this database: one row, by the newest law when it was made. */
export const simulatedLaw = pgTable('simulated_law', {
  law: integer('law').primaryKey(),
});

/** A key of a user at an exchange. What it consists of is a `secret` of it; here is what may be seen. */
export const apiKey = pgTable(
  'api_key',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: owner(),
    exchange: text('exchange').notNull(),
    name: text('name').notNull(),
    subAccount: text('sub_account'),
    /** The last four characters of the key. */
    tail: text('tail').notNull(),
    note: text('note').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    /** The last test; null before the first. */
    report: jsonb('report').$type<StoredReport>(),
    usedAt: instant('used_at'),
    createdAt: instant('created_at').notNull(),
    rotatedAt: instant('rotated_at'),
    /** How often its exchange has refused it, one time after another, and since when. */
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    /** What its exchange last said that it may, and before it said otherwise, and when that was seen. */
    rightsSeen: jsonb('rights_seen').$type<KeyRight[]>(),
    rightsBefore: jsonb('rights_before').$type<KeyRight[]>(),
    rightsChangedAt: instant('rights_changed_at'),
  },
  (t) => [uniqueIndex('api_key_name_key').on(t.userId, t.exchange, sql`lower(${t.name})`)],
);

/** What only the server may read, each sealed with a data key of its own, and that with a master key. */
export const secret = pgTable(
  'secret',
  {
    /** What kind of record it belongs to, and which one: both are bound into the seal. */
    purpose: text('purpose').notNull(),
    recordId: uuid('record_id').notNull(),
    /** Which master key. */
    masterId: text('master_id').notNull(),
    wrappedKey: text('wrapped_key').notNull(),
    sealed: text('sealed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.purpose, t.recordId] })],
);

/** What users are told, until they read it and a while longer; bounded per user. */
export const notification = pgTable(
  'notification',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** Names the event it tells of: an event is told once to each user, whoever comes to tell it. */
    key: text('key').notNull(),
    /** Words of the contract's NOTIFICATION_KINDS and NOTIFICATION_LEVELS. */
    kind: text('kind').notNull(),
    level: text('level').notNull(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    link: text('link'),
    /** Of the event, UTC ms. */
    at: instant('at').notNull(),
    readAt: instant('read_at'),
  },
  (t) => [
    uniqueIndex('notification_key').on(t.userId, t.key),
    index('notification_user_idx').on(t.userId, t.at),
    index('notification_unread_idx').on(t.userId).where(sql`read_at is null`),
  ],
);

/** How far the engine's records have been told; one row, `id` is `all`. */
export const notificationProgress = pgTable('notification_progress', {
  id: text('id').primaryKey(),
  /** Everything up to these is told for certain: what was seen a while ago, so that no open transaction hides one of less. */
  eventId: bigint('event_id', { mode: 'number' }).notNull(),
  ledgerId: bigint('ledger_id', { mode: 'number' }).notNull(),
  /** The newest that were there at `seenAt`, by the database's clock, UTC ms. */
  seenEventId: bigint('seen_event_id', { mode: 'number' }).notNull(),
  seenLedgerId: bigint('seen_ledger_id', { mode: 'number' }).notNull(),
  seenAt: instant('seen_at').notNull(),
});

/** Which kinds of notification a user does not want to be bothered with, by which way. */
export const notificationSetting = pgTable('notification_setting', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  /** Not counted as unread. */
  muted: jsonb('muted').$type<string[]>().notNull(),
  /** Not sent to the webhook. */
  webhookOff: jsonb('webhook_off').$type<string[]>().notNull().default([]),
  /** Shown by the browser at all, and not of which kinds. */
  browser: boolean('browser').notNull().default(false),
  browserOff: jsonb('browser_off').$type<string[]>().notNull().default([]),
});

/** Where a user's notifications go as well, by the way that they take. */
export const webhook = pgTable(
  'webhook',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** `webhook`, or a channel of the contract; what it was set up with is a `secret` of the user's for this purpose. */
    channel: text('channel').$type<PushTarget>().notNull().default('webhook'),
    /** What of it may be shown, such as scheme and host of an address: what follows may be a token. */
    masked: text('masked').notNull().default(''),
    /** The address as versions before kept it; a start seals it. */
    url: text('url'),
    /** When its host said that it is gone for good. */
    endedAt: instant('ended_at'),
    createdAt: instant('created_at').notNull(),
    /** How the last delivery ended. */
    lastAt: instant('last_at'),
    lastOk: boolean('last_ok'),
    lastDetail: text('last_detail'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.channel] })],
);

/** Filters and order of a screen under a name of the user's own. */
/** Coins that a user watches, whatever source lists them. */
export const star = pgTable(
  'star',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** The base coin. */
    coin: text('coin').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.coin] })],
);

export const savedView = pgTable(
  'saved_view',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    screen: text('screen').notNull(),
    name: text('name').notNull(),
    /** What stands after `?` in the address. */
    query: text('query').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [uniqueIndex('saved_view_key').on(t.userId, t.screen, t.name)],
);
