import type { MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { ClusterCall, ClusterWord } from './clusterCall';
import { OpeningJournal } from './openingJournal';
import { runStatement } from './runStatement';
import { SyncedFolder } from './syncedFolder';
import { diskSync, type SyncIo } from './syncIo';
import { WalSync } from './walSync';

/** Single-user PostgreSQL takes no checkpoint by itself: the log would grow for ever, and the next start with it. */
const CHECKPOINT_BYTES = 32 * 1024 * 1024;

/**
 * With less room than this nothing is stored any more. PostgreSQL ends where it cannot write its log, which takes up the
 * disk in segments of 16 MB; what was refused before can go on as soon as there is room.
 */
const RESERVE_BYTES = 48 * 1024 * 1024;
/** How long a look at the room holds. */
const ROOM_MS = 250;

const SYNCING_START = [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'fsync=on'];

/** Opens the folder, or makes a database in it when it is empty, and does what is asked at `port`. */
export async function serveCluster(port: MessagePort, folder: string, io: SyncIo = diskSync): Promise<void> {
  const say = (word: ClusterWord) => port.postMessage(word);
  const wal = new WalSync(io, ({ message }) => say({ word: 'broken', reason: message }));
  try {
    const postgres = await openCluster(folder, wal, io);
    const host = new ClusterHost(port, postgres, wal, () => io.room?.(folder) ?? Number.POSITIVE_INFINITY);
    port.on('message', (call: ClusterCall) => host.take(call));
    say({ word: 'open' });
  } catch (error) {
    say({ word: 'unfit', reason: String(error) });
  }
}

/** A folder that does not open is left as it was. */
async function openCluster(folder: string, wal: WalSync, io: SyncIo): Promise<PGlite> {
  const files = new SyncedFolder(folder, wal, io.all);
  const journal = new OpeningJournal();
  files.journal = journal;
  try {
    const postgres = new PGlite({ fs: files, startParams: SYNCING_START });
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

/** Does one call after the other; of what it wrote it says when it is on the disk. */
class ClusterHost {
  readonly #port: MessagePort;
  readonly #postgres: PGlite;
  readonly #wal: WalSync;
  /** The newest write that somebody waits for. */
  #awaited = 0;
  #syncing = false;
  readonly #room: () => number;
  #roomAt = Number.NEGATIVE_INFINITY;
  #isReadOnly = false;

  constructor(port: MessagePort, postgres: PGlite, wal: WalSync, room: () => number) {
    this.#port = port;
    this.#postgres = postgres;
    this.#wal = wal;
    this.#room = room;
  }

  take(call: ClusterCall): void {
    if (call.ask === 'close') void this.#close(call.id);
    else if (call.ask === 'rest') this.#say({ word: 'answer', id: call.id, answer: null });
    else this.#answer(call);
  }

  #answer(call: Extract<ClusterCall, { ask: 'statement' }>): void {
    let bytes: ArrayBuffer;
    try {
      this.#keepRoom();
      bytes = runStatement(this.#postgres, call);
    } catch (error) {
      this.#say({ word: 'failed', id: call.id, reason: (error as Error).message });
      return;
    }
    const log = this.#wal.unsynced;
    this.#port.postMessage({ word: 'answer', id: call.id, answer: { bytes, log } } satisfies ClusterWord, [bytes]);
    // Nobody is told of a transaction before its end.
    if (this.#postgres.isInTransaction()) return;
    void this.#sync(log);
    this.#checkpointWhenDue();
  }

  /** Without room what comes next may only read; with room it may write again. */
  #keepRoom(): void {
    const now = performance.now();
    if (now - this.#roomAt < ROOM_MS || this.#postgres.isInTransaction()) return;
    this.#roomAt = now;
    const isReadOnly = this.#room() < RESERVE_BYTES;
    if (isReadOnly === this.#isReadOnly) return;
    const text = `SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;
    runStatement(this.#postgres, { text, values: [], simple: true, begins: false });
    this.#isReadOnly = isReadOnly;
  }

  /** Those who ask while a sync is under way share the next one. */
  async #sync(log: number): Promise<void> {
    this.#awaited = Math.max(this.#awaited, log);
    if (this.#syncing || log === 0) return;
    this.#syncing = true;
    try {
      while (this.#awaited > 0) {
        const target = this.#awaited;
        await this.#wal.settle();
        this.#say({ word: 'synced', log: target });
        if (this.#awaited === target) this.#awaited = 0;
      }
    } catch {
      // The log itself has said that it is broken.
    } finally {
      this.#syncing = false;
    }
  }

  #checkpointWhenDue(): void {
    if (this.#wal.bytesSinceCheckpoint <= CHECKPOINT_BYTES) return;
    this.#wal.bytesSinceCheckpoint = 0;
    runStatement(this.#postgres, { text: 'CHECKPOINT', values: [], simple: true, begins: false });
  }

  async #close(id: number): Promise<void> {
    try {
      await this.#postgres.close();
      await this.#wal.settle();
      this.#say({ word: 'answer', id, answer: null });
    } catch (error) {
      this.#say({ word: 'failed', id, reason: (error as Error).message });
    } finally {
      this.#wal.close();
    }
  }

  #say(word: ClusterWord): void {
    this.#port.postMessage(word);
  }
}
