import { parse, type QueryOptions, type Results, TransactionAbortedError, types } from '@electric-sql/pglite';
import { Mutex } from 'async-mutex';
import { ClusterLine, type LineOptions } from './clusterLine';
import { catchUp, copyCluster } from './copyCluster';
import { DISK_FULL, READ_ONLY } from './databaseFailure';
import { askingInTurn } from './heavyReads';
import { errorIn, messagesIn } from './wireMessages';

/** The major version of PostgreSQL inside PGlite; a folder of another one cannot be opened. */
export const POSTGRES_MAJOR = '18';

export type EmbeddedOptions = LineOptions;

interface Statement {
  text: string;
  values?: unknown[];
  options?: QueryOptions;
  simple?: boolean;
  begins?: boolean;
}

/** Results, and how much of the log must be on the disk before anybody is told. */
interface Ran<T> {
  results: Results<T>[];
  log: number;
}

/** What of PGlite a driver needs within a transaction. */
interface EmbeddedTransaction {
  query<T>(sql: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>>;
}

const ARRAY_TYPES = `
  select element.oid, element.typarray from pg_catalog.pg_type list
  join pg_catalog.pg_type element on element.oid = list.typelem where list.typcategory = 'A'`;

/**
 * PostgreSQL on a folder, in a thread of its own, with the calls of PGlite; answers are on the disk: whoever waits for
 * a statement or a transaction gets its result only after the log that carries it was synced. A statement that finds
 * everything synced does not wait; one that may have read another's fresh commit waits with it, because an answer
 * from a row that a power cut takes back would be a lie.
 */
export class EmbeddedPostgres {
  readonly #line: ClusterLine;
  readonly #place: string;
  readonly #transactions = new Mutex();
  readonly #inTurn = askingInTurn(1);
  readonly #statements = new Mutex();
  readonly #parsers = { ...types.parsers };

  private constructor(line: ClusterLine, place: string) {
    this.#line = line;
    this.#place = place;
  }

  /** Opens the folder, or makes a database in it when it is empty. A folder that does not open is left as it was. */
  static async open(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
    const postgres = new EmbeddedPostgres(await ClusterLine.open(folder, options), folder);
    try {
      await postgres.#learnArrays();
      return postgres;
    } catch (error) {
      await postgres.close().catch(() => undefined);
      throw error;
    }
  }

  async query<T>(text: string, values: unknown[] = [], options?: QueryOptions): Promise<Results<T>> {
    const run = () => this.#run<T>({ text, values, ...(options ? { options } : {}) });
    return this.#inTurn(async () => firstOf(await this.#durable(this.#transactions.runExclusive(run))));
  }

  /** One or more statements without values. */
  async exec(text: string): Promise<Results[]> {
    const run = () => this.#run<Record<string, unknown>>({ text, simple: true });
    return this.#durable(this.#transactions.runExclusive(run));
  }

  async transaction<T>(act: (tx: EmbeddedTransaction) => Promise<T>): Promise<T> {
    let answer: T;
    const ended = this.#transactions.runExclusive(async () => {
      const tx = new OpenTransaction((statement) => this.#run(statement));
      answer = await tx.keep(act);
      return tx.commit();
    });
    await this.#durable(ended);
    return answer!;
  }

  /**
   * Copies the files as they are between two statements into `target`, which is not there yet. Most are copied while
   * statements go on; they wait only for those that have changed since.
   */
  async copyTo(target: string): Promise<void> {
    // Little is left to be replayed when the copy is opened.
    await this.exec('CHECKPOINT');
    const since = Date.now();
    await copyCluster(this.#place, target);
    await this.#statements.runExclusive(async () => {
      // Its thread may still be at a checkpoint of its own.
      await this.#line.ask({ ask: 'rest' });
      await catchUp(this.#place, target, since);
    });
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  async #learnArrays(): Promise<void> {
    const { rows } = await this.query<{ oid: number; typarray: number }>(ARRAY_TYPES);
    for (const { oid, typarray } of rows) {
      this.#parsers[typarray] = (text) => types.arrayParser(text, this.#parsers[oid] ?? String, typarray);
    }
  }

  async #durable<T>(running: Promise<Ran<T>>): Promise<Results<T>[]> {
    const { results, log } = await running;
    await this.#line.onDisk(log);
    return results;
  }

  async #run<T>({ text, values = [], options, simple = false, begins = false }: Statement): Promise<Ran<T>> {
    const call = { ask: 'statement', text, values, simple, begins } as const;
    const answer = await this.#statements.runExclusive(() => this.#line.ask(call));
    const { bytes, log } = answer!;
    const told = messagesIn(bytes);
    const error = errorIn(told);
    if (error) {
      // It has ended and answers nobody any more.
      if (error.severity === 'PANIC') this.#line.end(error);
      // Nothing else lets it only read but a disk without room.
      const code = error.code === READ_ONLY ? DISK_FULL : error.code;
      throw Object.assign(error, { code, query: text, params: values });
    }
    return { results: parse.parseResults(told, this.#parsers, options) as Results<T>[], log };
  }
}

/** A transaction that begins with its first statement: one that asks nothing costs nothing. */
class OpenTransaction {
  readonly #run: <T>(statement: Statement) => Promise<Ran<T>>;
  #hasBegun = false;
  #isClosed = false;

  constructor(run: <T>(statement: Statement) => Promise<Ran<T>>) {
    this.#run = run;
  }

  /** Takes everything back when `act` fails. */
  async keep<T>(act: (tx: EmbeddedTransaction) => Promise<T>): Promise<T> {
    try {
      const answer = await act({ query: (...asked) => this.#query(...asked) });
      this.#isClosed = true;
      return answer;
    } catch (error) {
      this.#isClosed = true;
      if (this.#hasBegun) await this.#run({ text: 'ROLLBACK', simple: true });
      throw error;
    }
  }

  async commit(): Promise<Ran<unknown>> {
    if (!this.#hasBegun) return { results: [], log: 0 };
    const ran = await this.#run({ text: 'COMMIT', simple: true });
    if (ran.results[0]?.command === 'ROLLBACK') throw new TransactionAbortedError();
    return ran;
  }

  async #query<T>(text: string, values: unknown[] = [], options?: QueryOptions): Promise<Results<T>> {
    if (this.#isClosed) throw new Error('Transaction is closed');
    const begins = !this.#hasBegun;
    this.#hasBegun = true;
    return firstOf((await this.#run<T>({ text, values, begins, ...(options ? { options } : {}) })).results);
  }
}

const firstOf = <T>(results: Results<T>[]): Results<T> => results[0]!;
