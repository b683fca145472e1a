import Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { isOtherMode } from '#contract/apiKey';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { AccountTrouble } from '#contract/lifecycle';
import type { ApiKeyRecord } from '../../base/db/accounts/apiKey';
import { type NamedEvent, openJournal } from '../../base/db/accounts/liveJournal';
import type { Queries } from '../../base/db/client';
import { larger, plain, smaller, ZERO } from '../../base/maths/decimal';
import type { Clock, LeverageBracket } from '../exchange';
import type { KeyAnswer, KeyHoldings, KeySilence, KeyWallet } from '../keyCheck';
import {
  type AccountVenue,
  type VenueEvent,
  type VenueFunds,
  type VenueLookup,
  type VenueMargin,
  type VenueOrder,
  type VenuePosition,
  type VenueRefusalReason,
  VenueRefused,
  type VenueReport,
} from '../venue';
import { AccountHealth, type Illness } from './accountHealth';
import { isSpot } from './listing';
import { OnceADay } from './onceADay';
import { DeadMan } from './orders/deadMan';
import { LiveJournal } from './orders/liveJournal';
import { LiveOrders } from './orders/liveOrders';
import type { RealExchange, RealLine, RealOrders, RealRecords } from './orders/realExchange';
import { Unanswered } from './orders/unanswered';
import { UserStream } from './orders/userStream';

const CASH = 'USDT';
/** How often the exchange is asked what happened: while something is expected, and else. */
const READ_EVERY_MS = { expecting: 250, quiet: 10 * SECOND_MS };
/** Fills that an answer told of are expected for so long; after that they are found with all else. */
const EXPECTED_MS = 15 * SECOND_MS;
/** How long what a key may, and how its account is set up, is believed. */
const ADMITTED_MS = 10 * MINUTE_MS;
/** Nobody waits for longer to be told what positions take. */
const BRACKETS_WAIT_MS = 2 * SECOND_MS;
const ACCOUNTS_KEPT = 1_000;
/** The last settlement of a symbol is no longer ago. */
const LAST_SETTLED_MS = 9 * HOUR_MS;

interface LiveVenueOptions {
  db: Queries;
  clock: Clock;
  source: string;
  exchange: RealExchange;
  /** The key by which an account is traded; undefined while nobody has the account. @throws VenueRefused where it has none, or one that is not in use */
  keyOf(account: string): Promise<ApiKeyRecord | undefined>;
  /** The exchange's own account that an account was opened with; null while nobody has it. */
  uidOf(account: string): Promise<string | null>;
  /** Speaks by a key until it is told to end. */
  lineOf(key: ApiKeyRecord, signal: AbortSignal): Promise<RealLine>;
  /** What a symbol is worth now, USDT; null where nobody knows. */
  markOf(symbol: string): number | null;
  /** Whether it trades on the exchange's test network. */
  isTestnet?: boolean | undefined;
  /** The most that an account may hold together, USDT. */
  maxNotional: string;
  /** Something happened to an account that is written now. */
  onFound?(account: string): void;
  /** Something is wrong with an account that nobody told of, or nothing is any more. */
  onHealth?(account: string, illness: Illness | null): Promise<void>;
  onTrouble(what: string): void;
}

/** An account as it is found at its exchange, before anybody has it. */
export interface Opening {
  /** In its wallets, with what positions there have made, USDT. */
  cash: string;
  /** The exchange's own number of it. */
  uid: string;
  /** Begins its journal, in the transaction that makes it somebody's. */
  write(tx: Queries): Promise<void>;
}

/** What this process knows of an account that it trades. */
interface Traded {
  stream: UserStream;
  orders: RealOrders;
  records: RealRecords;
  line: RealLine;
  uid: string;
  admittedAt: number;
}

/** An account's line by one key. */
interface Line {
  by: string;
  traded: Promise<Traded>;
  end(): void;
}

/** How far the journal of an account was read, and fills of orders that it is to tell of. */
interface Reading {
  under: Promise<void> | null;
  at: number;
  /** When all was read, not only what was expected. */
  wholeAt: number;
  /** By client id. */
  expected: Map<string, { symbol: string; quantity: string; until: number }>;
  /** Symbols that the stream spoke of and that were not read since. */
  heard: Set<string>;
  /** Whether it has spoken since all was read. */
  isHeard: boolean;
  /** Whether this process has read all: what is found after that is what the stream was there for. */
  isCaughtUp: boolean;
}

/** Real accounts at one exchange. Prices and terms are its market's. */
export class LiveVenue implements AccountVenue {
  readonly #options: LiveVenueOptions;
  readonly #orders: LiveOrders;
  readonly #journal: LiveJournal;
  readonly #traded = new LRUCache<string, Line>({ max: ACCOUNTS_KEPT, dispose: ({ end }) => end() });
  readonly #readings = new Map<string, Reading>();
  readonly #health: AccountHealth;
  /** What is held, while the turn lasts in which it was asked for. */
  readonly #asked = new Map<string, Promise<KeyHoldings>>();
  readonly #deadMan: DeadMan;
  /** By account, those of each symbol. */
  readonly #brackets: OnceADay<ReadonlyMap<string, readonly LeverageBracket[]>>;

  constructor(options: LiveVenueOptions) {
    const { db, source, exchange } = options;
    this.#options = options;
    const ordersOf = async (account: string) => (await this.#of(account)).orders;
    const recordsOf = async (account: string) => (await this.#of(account)).records;
    const cap = { most: options.maxNotional, markOf: options.markOf };
    const { clock, onTrouble } = options;
    const look = (account: string, clientId: string) => this.#orders.lookup(account, clientId, false);
    this.#deadMan = new DeadMan({
      ...{ db, clock, exchange, ordersOf, look, onTrouble },
      open: (account, symbols) => this.#orders.open(account, symbols),
      onEnded: (account, symbol) => {
        this.#readingOf(account).heard.add(symbol);
        this.#wake(account);
      },
    });
    this.#orders = new LiveOrders({
      ...{ db, exchange, ordersOf, watch: (order) => this.#deadMan.watch(order) },
      capFor: async ({ account }) => {
        await this.#admit(account);
        return cap;
      },
    });
    this.#journal = new LiveJournal({ db, source, recordsOf });
    const tell = async (account: string, illness: Illness | null) => options.onHealth?.(account, illness);
    this.#health = new AccountHealth({ clock, tell });
    this.#brackets = new OnceADay(clock);
  }

  /**
   * Looks at an account that nobody has yet, by a key.
   * @throws VenueRefused where the key or the settings do not allow to trade it; Unanswered
   */
  async opening(account: string, key: ApiKeyRecord): Promise<Opening> {
    try {
      const { uid } = await this.#lineBy(account, key);
      await this.#admit(account);
      const { since, events } = await this.#journal.found(account);
      const [{ event }] = events as [NamedEvent];
      const cash = event.kind === 'transfer' ? event.amount : '0';
      return { cash, uid, write: (tx) => openJournal(tx, { accountId: account, since }, events) };
    } catch (error) {
      this.#traded.delete(account);
      throw error;
    }
  }

  /** Whether it was looked at and nobody may have it yet. */
  isOpening(account: string): boolean {
    return this.#traded.has(account);
  }

  /** Ends what it speaks by, and waits for what is read. */
  async stop(): Promise<void> {
    this.#traded.clear();
    await this.idle();
  }

  async submit(order: VenueOrder): Promise<VenueReport> {
    const { account, symbol, quantity } = order;
    const report = await this.#orders.submit(order);
    // What goes at the market is filled or over by now, told or not.
    const isUntold = order.type === 'market' && report.state === 'open';
    this.#expect(account, symbol, isUntold ? { ...report, filledQuantity: quantity } : report);
    return report;
  }

  async cancel(account: string, clientId: string): Promise<VenueReport> {
    const { symbol, report } = await this.#orders.cancel(account, clientId);
    return this.#expect(account, symbol, report);
  }

  async lookup(account: string, clientId: string, vouch = true): Promise<VenueLookup> {
    const { symbol, ...answer } = await this.#orders.lookup(account, clientId, vouch);
    if (answer.found) this.#expect(account, symbol, answer.report);
    return answer;
  }

  /** What is written; what is not is read meanwhile, so that nobody waits for the exchange. */
  async events(account: string, after: number, most?: number): Promise<VenueEvent[]> {
    this.#wake(account);
    return this.#journal.events(account, after, most);
  }

  async positions(account: string): Promise<VenuePosition[]> {
    const { source } = this.#options;
    const { positions, balances } = await this.#holdings(account);
    const coins = this.#coinsOf(await this.#journal.heldThen(account), balances);
    const contracts = positions.map(({ symbol, quantity, entryPrice, unrealised, leverage }) => ({
      ...{ source, symbol, quantity, leverage },
      told: { entryPrice, unrealised },
    }));
    const held: VenuePosition[] = [...contracts, ...coins.map((coin) => ({ source, ...coin }))];
    return held.filter(({ quantity }) => !new Big(quantity).eq(0));
  }

  /** Where a settlement of something that was held then is not told yet it is waited for. */
  async settled(account: string): Promise<number | null> {
    const { records } = await this.#of(account);
    await this.#journal.read(account);
    const journal = await this.#journal.stand(account);
    const now = await records.time();
    for (const symbol of await this.#journal.heldSince(account, now - LAST_SETTLED_MS)) {
      const last = isSpot(symbol) ? undefined : await records.settlement(symbol, now);
      if (last === undefined || last.at <= journal.since || new Big(last.rate).eq(0)) continue;
      const held = new Big((await this.#journal.heldThen(account, last.at)).get(symbol) ?? 0);
      if (!held.eq(0) && !(await this.#journal.isSettled(account, symbol, last.at))) return null;
    }
    return journal.sequence;
  }

  async funds(account: string): Promise<VenueFunds> {
    const { balances, positions } = await this.#holdings(account);
    const ours = balances.filter(({ asset }) => asset === CASH);
    const wallet = ours.reduce((sum, { total }) => sum.plus(total), ZERO);
    const cost = positions.reduce(
      (sum, { quantity, markPrice, unrealised }) => sum.plus(new Big(quantity).times(markPrice)).minus(unrealised),
      ZERO,
    );
    return { wallet: plain(wallet), cost: plain(cost) };
  }

  async margin(account: string): Promise<VenueMargin> {
    const { equity, initialMargin, maintenanceMargin, balances } = await this.#holdings(account);
    const cash = balances.find(({ wallet, asset }) => isForSpot(wallet) && asset === CASH);
    // Of one wallet for all it is in the equity of contracts already.
    const apart = cash?.wallet === 'spot' ? cash : undefined;
    const booked = await this.#journal.heldThen(account);
    const coins = this.#coinsOf(booked, balances).reduce((sum, { symbol, quantity }) => {
      const mark = this.#options.markOf(symbol);
      if (mark === null) throw new Error('a coin without a price');
      return sum.plus(new Big(quantity).times(mark));
    }, ZERO);
    return {
      equity: plain(new Big(equity).plus(apart?.total ?? 0).plus(coins)),
      marginBalance: equity,
      spendable: cash?.free ?? '0',
      ...(apart && { beside: apart.free }),
      initialMargin,
      maintenanceMargin,
      room: this.#roomOf(booked, await this.#orders.resting(account)),
    };
  }

  /** Under the cap beside what is held, which is refused where something of that has no price, and what rests. */
  #roomOf(booked: ReadonlyMap<string, string>, resting: Big): string {
    let room = new Big(this.#options.maxNotional).minus(resting);
    for (const [symbol, quantity] of booked) {
      if (new Big(quantity).eq(0)) continue;
      const mark = this.#options.markOf(symbol);
      room = mark === null ? ZERO : room.minus(new Big(quantity).abs().times(mark));
      if (mark === null) break;
    }
    return plain(larger(room, ZERO));
  }

  /** Where they are not told the account goes by those of the market. */
  async brackets(account: string, symbol: string): Promise<readonly LeverageBracket[] | undefined> {
    const ask = async () => (await this.#of(account)).records.brackets?.();
    await this.#brackets.ready(account, ask, BRACKETS_WAIT_MS);
    return this.#brackets.of(account)?.get(symbol);
  }

  async tend(account: string): Promise<AccountTrouble | null> {
    this.#deadMan.tend(account);
    return this.#health.of(account);
  }

  /** Waits for what is read. */
  async idle(): Promise<void> {
    await Promise.all([...this.#readings.values()].map(({ under }) => under));
    await this.#deadMan.idle();
  }

  /** What is asked for in one turn, positions and margin mostly, is one question: the exchange counts each of them. */
  #holdings(account: string): Promise<KeyHoldings> {
    const asked = this.#asked.get(account) ?? this.#of(account).then(({ records }) => records.holdings());
    if (!this.#asked.has(account)) setImmediate(() => this.#asked.delete(account));
    this.#asked.set(account, asked);
    return asked;
  }

  /** Coins of the books, as far as they are there: others that the account holds are nobody's here. */
  #coinsOf(
    booked: ReadonlyMap<string, string>,
    balances: KeyHoldings['balances'],
  ): { symbol: string; quantity: string }[] {
    return [...booked]
      .filter(([symbol, quantity]) => isSpot(symbol) && new Big(quantity).gt(0))
      .map(([symbol, quantity]) => {
        const there = balances.find(({ wallet, asset }) => isForSpot(wallet) && symbol === `${asset}${CASH}_SPOT`);
        return { symbol, quantity: plain(smaller(new Big(quantity), new Big(there?.total ?? 0))) };
      });
  }

  async #of(account: string): Promise<Traded> {
    const key = await this.#options.keyOf(account);
    if (key !== undefined) return this.#lineBy(account, key);
    const looked = this.#traded.get(account);
    if (looked === undefined) throw new VenueRefused('notPermitted');
    return looked.traded;
  }

  /** By the key that an account has now: by one that was replaced nothing is asked any more. */
  #lineBy(account: string, key: ApiKeyRecord): Promise<Traded> {
    const by = `${key.id} ${key.rotatedAt}`;
    const known = this.#traded.get(account);
    if (known?.by === by) return known.traded;
    const ending = new AbortController();
    const line: Line = { by, traded: this.#open(account, key, ending.signal), end: () => ending.abort() };
    this.#traded.set(account, line);
    line.traded.catch(() => {
      if (this.#traded.peek(account) === line) this.#traded.delete(account);
    });
    return line.traded;
  }

  async #open(account: string, key: ApiKeyRecord, ending: AbortSignal): Promise<Traded> {
    const line = await this.#options.lineOf(key, ending);
    // Before anything is asked or sent by it: what another account holds would be booked here.
    const uid = await line.uid().catch((error: Unanswered) => {
      throw new VenueRefused(this.#isShut(error) ? 'notPermitted' : 'unreachable');
    });
    const bound = await this.#options.uidOf(account);
    if (bound !== null && bound !== uid) throw new VenueRefused('otherAccount');
    const { exchange } = this.#options;
    const [orders, records] = [exchange.orders(line), exchange.records(line)];
    const stream = new UserStream({ line, onHeard: (symbol) => this.#hear(account, symbol) });
    return { line, uid, orders, records, stream, admittedAt: Number.NEGATIVE_INFINITY };
  }

  /** @throws VenueRefused where the key may too much or too little, or the account is set up otherwise */
  async #admit(account: string, isAnew = false): Promise<void> {
    const traded = await this.#of(account);
    const now = this.#options.clock();
    if (now - traded.admittedAt < ADMITTED_MS && !isAnew) return;
    traded.admittedAt = Number.NEGATIVE_INFINITY;
    const { line } = traded;
    const check = () => this.#options.exchange.checkKey(line.client, (question) => question());
    const answer = await line.asked<KeyAnswer | KeySilence>('the key', check).catch(() => null);
    const reason = reasonAgainst(answer, this.#options.isTestnet);
    if (reason !== null) throw new VenueRefused(reason);
    traded.admittedAt = now;
  }

  /** The fills that an answer tells of are read at once. */
  #expect(account: string, symbol: string, report: VenueReport): VenueReport {
    const { clientId, filledQuantity: quantity } = report;
    const until = this.#options.clock() + EXPECTED_MS;
    if (Number(quantity) > 0) this.#readingOf(account).expected.set(clientId, { symbol, quantity, until });
    return report;
  }

  #readingOf(account: string): Reading {
    const never = Number.NEGATIVE_INFINITY;
    const fresh = { expected: new Map(), heard: new Set<string>(), isHeard: false, isCaughtUp: false };
    const reading = this.#readings.get(account) ?? { under: null, at: never, wholeAt: never, ...fresh };
    this.#readings.set(account, reading);
    return reading;
  }

  #hear(account: string, symbol: string): void {
    const reading = this.#readingOf(account);
    reading.heard.add(symbol);
    reading.isHeard = true;
    this.#deadMan.hear(account);
    this.#wake(account);
  }

  /** Reads on in the background unless that was done just now. */
  #wake(account: string): void {
    const reading = this.#readingOf(account);
    const now = this.#options.clock();
    const isWhole = now - reading.wholeAt >= READ_EVERY_MS.quiet;
    const awaits = reading.expected.size + reading.heard.size > 0;
    const isExpecting = awaits && now - reading.at >= READ_EVERY_MS.expecting;
    if (reading.under !== null || !(isWhole || isExpecting)) return;
    reading.at = now;
    if (isWhole) reading.wholeAt = now;
    reading.under = this.#read(account, reading, isWhole)
      .then(() => (isWhole ? this.#lookOver(account) : undefined))
      .catch(async (error: Error) => {
        this.#options.onTrouble(`journal: ${error.message}`);
        this.#health.failed(account, await this.#illnessBy(account, error));
      })
      .finally(() => {
        reading.under = null;
      });
  }

  /** All of an account was read: what else has to be right for it to be added to. @throws VenueRefused, Unanswered */
  async #lookOver(account: string): Promise<void> {
    await this.#admit(account);
    const { line } = await this.#of(account);
    // Farther from the exchange's clock than it takes a request after it was signed.
    const { skewMs } = line;
    const isOff = Math.abs(skewMs) > this.#options.exchange.takenWithinMs;
    this.#health.read(account, isOff ? { what: 'clockOff', reason: `${skewMs}` } : null);
  }

  /** What is wrong with an account that cannot be read, by what came instead of an answer; null where it may yet come. */
  async #illnessBy(account: string, error: Error): Promise<Illness | null> {
    const refused = this.#isShut(error) ? await this.#admit(account, true).catch((why: Error) => why) : error;
    if (!(refused instanceof VenueRefused) || refused.reason === 'unreachable') return null;
    return { what: 'keyRefused', reason: refused.reason };
  }

  #isShut(error: Error): boolean {
    return error instanceof Unanswered && error.code !== null && this.#options.exchange.isNotLetIn(error.code);
  }

  async #read(account: string, reading: Reading, isWhole: boolean): Promise<void> {
    const { expected, heard } = reading;
    const asked = [...heard];
    const symbols = new Set([...asked, ...[...expected.values()].map(({ symbol }) => symbol)]);
    heard.clear();
    try {
      const { fills, ends } = await this.#journal.read(account, symbols, isWhole);
      if (fills + ends > 0) this.#options.onFound?.(account);
      // Fills that nobody streamed: the stream has ended without a word.
      const isSilent = isWhole && reading.isCaughtUp && fills > 0 && !reading.isHeard;
      if (isSilent) await (await this.#of(account)).stream.renew();
      if (isWhole) {
        reading.isHeard = false;
        reading.isCaughtUp = true;
      }
    } catch (error) {
      for (const symbol of asked) heard.add(symbol);
      throw error;
    }
    const told = await this.#journal.filled(account, [...expected.keys()]);
    for (const [clientId, { quantity, until }] of expected) {
      const isTold = new Big(told.get(clientId) ?? 0).gte(quantity);
      if (isTold || this.#options.clock() > until) expected.delete(clientId);
    }
  }
}

/** Whether spot is bought from a wallet. */
const isForSpot = (wallet: KeyWallet): boolean => wallet !== 'usdm';

/**
 * Why an account is not traded by a key; null where it may be. On a test network there is nothing to steal, and not all
 * of them tell of addresses.
 */
export function reasonAgainst(answer: KeyAnswer | KeySilence | null, isTestnet = false): VenueRefusalReason | null {
  if (answer === null || answer.outcome !== 'accepted')
    return answer?.outcome === 'rejected' ? 'notPermitted' : 'unreachable';
  if (!('rights' in answer) || answer.rights === null) return 'unreachable';
  const { rights, ipRestricted, positionMode, marginMode, accountType } = answer;
  if (rights.includes('withdraw')) return 'mayWithdraw';
  if (!rights.includes('derivative') || !rights.includes('spot')) return 'notPermitted';
  // Futures do not let it in, whatever it may.
  if (accountType === 'spot') return 'notPermitted';
  if (isOtherMode(accountType)) return 'accountMode';
  if (ipRestricted !== true && !isTestnet) return 'openKey';
  if (positionMode !== 'oneWay') return 'twoWay';
  return marginMode === 'cross' ? null : 'isolated';
}
