import { closeSync, openSync } from 'node:fs';
import type { SyncIo } from './syncIo';

/**
 * Keeps count of what was written to the write-ahead log and what of it is on the disk.
 * Many commits that wait at the same moment share one `fdatasync`.
 */
export class WalSync {
  /** Bytes written since the count was last taken back; decides when a checkpoint is due. */
  bytesSinceCheckpoint = 0;
  #written = 0;
  #synced = 0;
  #segment: { file: string; fd: number } | null = null;
  #running: Promise<void> | null = null;
  #failure: Error | null = null;

  constructor(
    private readonly io: SyncIo,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** The count of writes that have to be synced for all to be on the disk; 0 when all are. */
  get unsynced(): number {
    return this.#synced < this.#written ? this.#written : 0;
  }

  /** A segment is about to be written: what is unsynced in the one before goes to the disk first. */
  noteWrite(file: string, bytes: number): void {
    if (this.#segment?.file !== file) {
      this.flushNow();
      this.#release();
      this.#segment = { file, fd: openSync(file, 'r+') };
    }
    this.#written += 1;
    this.bytesSinceCheckpoint += bytes;
  }

  /** Puts the log on the disk before a page, a removal or a checkpoint that relies on it. */
  flushNow(): void {
    this.#refuseBroken();
    if (this.#segment === null || this.#synced >= this.#written) return;
    const { fd, file } = this.#segment;
    this.attempt(() => this.io.dataNow(fd, file));
    this.#synced = this.#written;
  }

  /** Resolves once everything written so far is on the disk; at once when it is already. */
  async settle(): Promise<void> {
    const target = this.#written;
    this.#refuseBroken();
    while (this.#synced < target) {
      this.#running ??= this.#round().finally(() => {
        this.#running = null;
      });
      await this.#running;
    }
  }

  /** Runs a sync call; its failure is final, because the system may already have dropped what it could not write. */
  attempt(sync: () => void): void {
    try {
      sync();
    } catch (error) {
      this.#fail(error as Error);
      throw error;
    }
  }

  close(): void {
    this.#release();
  }

  async #round(): Promise<void> {
    const segment = this.#segment;
    const target = this.#written;
    if (segment === null) return;
    try {
      await this.io.data(segment.fd, segment.file);
    } catch (error) {
      // A segment left behind meanwhile was synced when it was left.
      if (segment === this.#segment) this.#fail(error as Error);
    }
    this.#refuseBroken();
    this.#synced = Math.max(this.#synced, target);
  }

  #release(): void {
    const segment = this.#segment;
    this.#segment = null;
    if (segment === null) return;
    const close = () => closeSync(segment.fd);
    // A sync that is under way still needs the descriptor.
    if (this.#running) void this.#running.then(close, close);
    else close();
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = new Error('The write-ahead log could not be put on the disk', { cause: error });
    this.onFailure(this.#failure);
  }

  #refuseBroken(): void {
    if (this.#failure) throw this.#failure;
  }
}
