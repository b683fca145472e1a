import type { Writable } from 'node:stream';
import type { Topic } from '#contract/stream';

/** Events that may not be lost, waiting for one reader: beyond this it is closed and resumes from the ring. */
export const MOST_WAITING = 1_000;
const MOST_WAITING_BYTES = 1024 * 1024;

/** Who reads, and what. */
export interface Reading {
  /** Whose events. */
  userId: string;
  /** Who reads them: the user, or a master who looks on. */
  holderId: string;
  topics: ReadonlySet<Topic>;
}

/**
 * One connection. Events that may not be lost wait in order; of the replaceable ones only the newest of
 * each key waits. While the connection takes nothing, nothing is written.
 */
export class StreamReader implements Reading {
  readonly userId: string;
  readonly holderId: string;
  readonly topics: ReadonlySet<Topic>;
  readonly #out: Writable;
  #lasting: Buffer[] = [];
  #lastingBytes = 0;
  readonly #newest = new Map<string, () => Buffer>();
  #owesBeat = false;
  #isFull = false;

  constructor({ userId, holderId, topics }: Reading, out: Writable, onDrain: () => void) {
    this.userId = userId;
    this.holderId = holderId;
    this.topics = topics;
    this.#out = out;
    out.on('drain', () => {
      this.#isFull = false;
      onDrain();
    });
  }

  /** Whether nothing can be said to it any more. */
  get isOver(): boolean {
    return this.#out.destroyed || this.#out.writableEnded;
  }

  /** Queues an event that may not be lost. */
  add(frame: Buffer): void {
    this.#lasting.push(frame);
    this.#lastingBytes += frame.length;
    if (this.#lasting.length > MOST_WAITING || this.#lastingBytes > MOST_WAITING_BYTES) this.cut();
  }

  /** Queues a replaceable event; `whole` is what stands for it and the one it takes the place of. */
  replace(key: string, frame: () => Buffer, whole: () => Buffer): void {
    this.#newest.set(key, this.#newest.has(key) ? whole : frame);
  }

  beat(): void {
    this.#owesBeat = true;
  }

  /** Writes what waits; the beat comes last, as it says that everything before it was sent. */
  flush(beat: () => Buffer): void {
    if (this.#isFull || this.isOver) return;
    const frames = [...this.#lasting, ...[...this.#newest.values()].map((frame) => frame())];
    if (this.#owesBeat) frames.push(beat());
    this.#lasting = [];
    this.#lastingBytes = 0;
    this.#newest.clear();
    this.#owesBeat = false;
    if (frames.length === 0) return;
    this.#isFull = !this.#out.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  /** Says a last thing, if the connection takes it, and closes; what waits is not sent. */
  end(last?: Buffer): void {
    if (this.isOver) return;
    if (this.#isFull) this.cut();
    else this.#out.end(last);
  }

  /** Closes at once. */
  cut(): void {
    this.#out.destroy();
  }
}
