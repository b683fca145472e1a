import type { Reading } from './streamReader';

/** An event that no reader may lose. */
export interface LastingEvent {
  /** Its place in the order of all such events. */
  number: number;
  isFor(reading: Reading): boolean;
  frame: Buffer;
}

/** The newest events that may not be lost, numbered from 1 without a gap. */
export class EventRing {
  readonly #events: LastingEvent[] = [];
  readonly #capacity: number;
  #last = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of the newest event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Keeps the event that `make` builds for its number; the oldest goes when the ring is full. */
  push(make: (number: number) => LastingEvent): LastingEvent {
    this.#last += 1;
    const event = make(this.#last);
    this.#events[this.#last % this.#capacity] = event;
    return event;
  }

  /** What came after that number, oldest first; `null` when not all of it is there any more, or it never was. */
  since(number: number): LastingEvent[] | null {
    if (number > this.#last || number < Math.max(0, this.#last - this.#capacity)) return null;
    const events: LastingEvent[] = [];
    for (let next = number + 1; next <= this.#last; next += 1) events.push(this.#events[next % this.#capacity]!);
    return events;
  }
}
