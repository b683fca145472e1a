import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { startThread } from '../work/threadCode';
import type { ClusterAnswer, ClusterCall, ClusterWord } from './clusterCall';
import { isDiskFull } from './databaseFailure';
import type { SyncIo } from './syncIo';

/** Why nothing is acknowledged any more: the disk refused a sync, or the database's thread has ended. */
export type ClusterFailure = 'disk' | 'thread';

export interface LineOptions {
  /** A disk of the caller's own; the database then runs in the caller's thread. */
  io?: SyncIo;
  /** Told once, before anybody who waits. */
  onFailure?: (failure: ClusterFailure, error: Error) => void;
}

/** What is asked, but for the number by which its answer is known. */
type Ask = ClusterCall extends infer Call ? (Call extends { id: number } ? Omit<Call, 'id'> : never) : never;

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** The end of the line that stays with those who ask: the thread of the database is at the other. */
export class ClusterLine {
  readonly #end: ThreadEnd;
  readonly #onFailure: LineOptions['onFailure'];
  readonly #calls = new Map<number, Waiter<ClusterAnswer | null>>();
  readonly #unsynced = new Set<Waiter<void> & { log: number }>();
  #opening: Waiter<void> | null = null;
  #lastId = 0;
  #synced = 0;
  /** Why nothing more can be asked. */
  #over: Error | null = null;

  private constructor(end: ThreadEnd, { onFailure }: LineOptions) {
    this.#end = end;
    this.#onFailure = onFailure;
    end.port.on('message', (word: ClusterWord) => this.#hear(word));
  }

  /** @throws when the folder does not open. */
  static async open(folder: string, options: LineOptions): Promise<ClusterLine> {
    const end = options.io ? await sameThread(folder, options.io) : ownThread(folder);
    const line = new ClusterLine(end, options);
    end.onEnd((error) => line.#fail('thread', new Error('PGlite is closed: its thread has ended', { cause: error })));
    try {
      await new Promise<void>((resolve, reject) => {
        line.#opening = { resolve, reject };
      });
      line.#opening = null;
      return line;
    } catch (error) {
      await end.stop();
      throw error;
    }
  }

  ask(call: Ask): Promise<ClusterAnswer | null> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#lastId += 1;
      this.#end.port.postMessage({ ...call, id: this.#lastId });
      this.#calls.set(this.#lastId, { resolve, reject });
    });
  }

  /** Resolves once so many writes to the log are on the disk; at once when they are. */
  async onDisk(log: number): Promise<void> {
    if (this.#over) throw this.#over;
    if (log <= this.#synced) return;
    await new Promise<void>((resolve, reject) => {
      const waiter = { log, resolve, reject };
      this.#unsynced.add(waiter);
    });
  }

  /** PostgreSQL said that it cannot go on. */
  end(error: Error): void {
    this.#fail(isDiskFull(error) ? 'disk' : 'thread', error);
  }

  /** Ends the database and its thread. @throws when it had failed, or does not end well. */
  async close(): Promise<void> {
    try {
      await this.ask({ ask: 'close' });
    } finally {
      this.#over ??= new Error('PGlite is closed');
      this.#refuseAll(this.#over);
      await this.#end.stop();
    }
  }

  #hear(word: ClusterWord): void {
    if (word.word === 'open') this.#opening?.resolve();
    else if (word.word === 'unfit') this.#opening?.reject(new Error(word.reason));
    else if (word.word === 'answer') this.#settle(word.id)?.resolve(word.answer);
    else if (word.word === 'failed') this.#settle(word.id)?.reject(new Error(word.reason));
    else if (word.word === 'synced') this.#tellSynced(word.log);
    else this.#fail('disk', new Error(word.reason));
  }

  #settle(id: number): Waiter<ClusterAnswer | null> | undefined {
    const waiter = this.#calls.get(id);
    this.#calls.delete(id);
    return waiter;
  }

  #tellSynced(log: number): void {
    this.#synced = log;
    for (const waiter of this.#unsynced) {
      if (waiter.log > log) continue;
      this.#unsynced.delete(waiter);
      waiter.resolve();
    }
  }

  #fail(failure: ClusterFailure, error: Error): void {
    if (this.#over) return;
    this.#over = error;
    if (this.#opening === null) this.#onFailure?.(failure, error);
    this.#refuseAll(error);
  }

  #refuseAll(error: Error): void {
    const waiting = [...this.#calls.values(), ...this.#unsynced];
    this.#calls.clear();
    this.#unsynced.clear();
    this.#opening?.reject(error);
    for (const { reject } of waiting) reject(error);
  }
}

interface ThreadEnd {
  port: Pick<MessagePort, 'postMessage'> & { on(event: 'message', listener: (word: ClusterWord) => void): unknown };
  /** Told when the thread ends unasked. */
  onEnd(listener: (error: unknown) => void): void;
  stop(): Promise<unknown>;
}

function ownThread(folder: string): ThreadEnd {
  const worker = startThread('db/cluster', folder);
  return {
    port: worker,
    onEnd(listener) {
      worker.on('error', listener);
      worker.on('messageerror', listener);
      worker.on('exit', (code) => listener(new Error(`exit code ${code}`)));
    },
    stop: () => worker.terminate(),
  };
}

/** The module comes with the first that wants it: those who have a thread for the database do without. */
async function sameThread(folder: string, io: SyncIo): Promise<ThreadEnd> {
  const { serveCluster } = await import('./clusterHost');
  const { port1, port2 } = new MessageChannel();
  void serveCluster(port2, folder, io);
  return { port: port1, onEnd: () => {}, stop: async () => port1.close() };
}
