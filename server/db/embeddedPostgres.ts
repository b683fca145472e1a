import {
  type ExecProtocolOptions,
  PGlite,
  type QueryOptions,
  type Results,
  type Transaction,
} from '@electric-sql/pglite';
import { catchUp, copyCluster } from './copyCluster';
import { LoopTurns } from './loopTurns';
import { OpeningJournal } from './openingJournal';
import { SyncedFolder } from './syncedFolder';
import { diskSync, type SyncIo } from './syncIo';
import { WalSync } from './walSync';

/** The major version of PostgreSQL inside PGlite; a folder of another one cannot be opened. */
export const POSTGRES_MAJOR = '18';

/** Single-user PostgreSQL takes no checkpoint by itself: the log would grow for ever, and the next start with it. */
const CHECKPOINT_BYTES = 32 * 1024 * 1024;

const SYNCING_START = [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'fsync=on'];

export interface EmbeddedOptions {
  io?: SyncIo;
  /** Told once when the disk refused a sync: nothing can be acknowledged after that. */
  onDiskFailure?: (error: Error) => void;
}

/**
 * PostgreSQL on a folder whose answers are on the disk: whoever waits for a statement or a transaction
 * gets its result only after the log that carries it was synced. A statement that finds everything
 * synced does not wait; one that may have read another's fresh commit waits with it, because an answer
 * from a row that a power cut takes back would be a lie.
 */
export class EmbeddedPostgres extends PGlite {
  readonly #wal: WalSync;
  readonly #place: string;
  readonly #turns = new LoopTurns();
  #checkpoint: Promise<unknown> | null = null;

  private constructor(place: string, folder: SyncedFolder, wal: WalSync) {
    super({ fs: folder, startParams: SYNCING_START });
    this.#place = place;
    this.#wal = wal;
  }

  /** Opens the folder, or makes a database in it when it is empty. A folder that does not open is left as it was. */
  static async open(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
    const io = options.io ?? diskSync;
    const wal = new WalSync(io, (error) => options.onDiskFailure?.(error));
    const files = new SyncedFolder(folder, wal, io.all);
    const journal = new OpeningJournal();
    files.journal = journal;
    try {
      const postgres = new EmbeddedPostgres(folder, files, wal);
      await postgres.waitReady;
      return postgres;
    } catch (error) {
      wal.close();
      journal.undo();
      throw error;
    } finally {
      files.journal = null;
    }
  }

  override async query<T>(sql: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>> {
    return this.#durable(await super.query<T>(sql, params, options));
  }

  /** Every message of every statement comes here, also within a transaction. */
  override async execProtocolRaw(message: Uint8Array, options?: ExecProtocolOptions): Promise<Uint8Array> {
    await this.#turns.breathe();
    return super.execProtocolRaw(message, options);
  }

  override async exec(sql: string, options?: QueryOptions): Promise<Results[]> {
    return this.#durable(await super.exec(sql, options));
  }

  override async transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#durable(await super.transaction(run));
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
    await this.runExclusive(() => catchUp(this.#place, target, since));
  }

  override async close(): Promise<void> {
    await this.#checkpoint;
    try {
      await super.close();
      await this.#wal.settle();
    } finally {
      this.#wal.close();
    }
  }

  async #durable<T>(result: T): Promise<T> {
    await this.#wal.settle();
    if (this.#wal.bytesSinceCheckpoint > CHECKPOINT_BYTES) {
      this.#wal.bytesSinceCheckpoint = 0;
      this.#checkpoint = super.exec('CHECKPOINT').catch(() => undefined);
    }
    return result;
  }
}
