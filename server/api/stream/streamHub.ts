import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import {
  BEAT_MS,
  type EventTopic,
  priceTopic,
  type StreamEventName,
  type StreamEvents,
  TOPICS_OF_ALL,
  type Topic,
} from '#contract/stream';
import type { Clock } from '../../market/exchange';
import type { Publication, Publisher } from '../../people/notification/publisher';
import { MOST_WAITING, type Reading, StreamReader } from './streamReader';

/** An event as it goes over the wire: JSON has no line ends, so one data line holds it. */
export function eventFrame<E extends StreamEventName>(name: E, data: StreamEvents[E], id?: string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** An event that no reader may lose. */
interface LastingEvent {
  /** Its place in the order of all such events. */
  number: number;
  isFor(reading: Reading): boolean;
  frame: Buffer;
}

/** The newest events that may not be lost, numbered from 1 without a gap. */
class EventRing {
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

/** Lasting events that a reader who was away can still get. */
const KEPT_EVENTS = 10_000;
const MOST_REPLAYED = MOST_WAITING / 2;
/** How long a browser waits before it tries again by itself. */
const RETRY_MS = 2_000;
/** Whoever has to read everything again does it once for all that was missed within this time. */
const MISSED_MS = 250;

export interface StreamHubOptions {
  clock: Clock;
  beatMs?: number;
  keptEvents?: number;
}

/** Answers whether readers may go on; it ends those who may not. */
type Check = () => Promise<boolean>;
type DemandListener = (topic: Topic, isWanted: boolean) => void;

interface Kept {
  topic: EventTopic;
  userId: string | null;
  frame: () => Buffer;
}

interface Missing {
  /** Null is everybody. */
  userIds: Set<string> | null;
  timer: NodeJS.Timeout;
}

/** Brings events to the readers of this server. */
export class StreamHub implements Publisher {
  readonly #clock: Clock;
  /** Part of every id: the numbers start over with the process. */
  readonly #boot = randomBytes(6).toString('hex');
  readonly #ring: EventRing;
  readonly #readers = new Set<StreamReader>();
  readonly #byTopic = new Map<Topic, Set<StreamReader>>();
  readonly #wholes = new Map<string, Kept>();
  readonly #demand = new Set<DemandListener>();
  readonly #beats: NodeJS.Timeout;
  #check: Check = async () => true;
  #missing: Missing | undefined;
  #isDue = false;
  #isClosed = false;

  constructor({ clock, beatMs = BEAT_MS, keptEvents = KEPT_EVENTS }: StreamHubOptions) {
    this.#clock = clock;
    this.#ring = new EventRing(keptEvents);
    this.#beats = setInterval(() => this.#beat(), beatMs).unref();
  }

  /** How many streams are open. */
  get size(): number {
    return this.#readers.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  publish<E extends StreamEventName>({ topic, userId, type, data, key, whole }: Publication<E>): void {
    if (this.#isClosed) return;
    const readers = this.#readersOf(topic, userId);
    if (key === undefined) {
      const frame = this.#keep((reading) => sees(reading, topic, userId), type, data);
      for (const reader of readers) reader.add(frame);
    } else {
      const place = `${topic} ${userId ?? ''} ${key}`;
      const frame = once(() => eventFrame(type, data));
      const wholeFrame = whole ? once(() => eventFrame(type, whole())) : frame;
      for (const reader of readers) reader.replace(place, frame, wholeFrame);
      // Evaluated when somebody comes, so that it gets what is newest then.
      if (whole && this.#byTopic.has(topic)) {
        this.#wholes.set(place, { topic, userId, frame: () => eventFrame(type, whole()) });
      }
    }
    if (readers.size > 0) this.#schedule();
  }

  missed(userIds?: Iterable<string>): void {
    if (this.#isClosed) return;
    this.#missing ??= { userIds: new Set(), timer: setTimeout(() => this.#tellMissing(), MISSED_MS).unref() };
    if (userIds === undefined) this.#missing.userIds = null;
    for (const userId of userIds ?? []) this.#missing.userIds?.add(userId);
  }

  /**
   * Streams to `out` until it closes. With the id of an event seen before, what was missed comes first,
   * or `reset` when it is gone. Answers how to end the stream.
   */
  attach(reading: Reading, out: Writable, lastEventId?: string): StreamReader {
    const reader = new StreamReader(reading, out, () => this.#schedule());
    reader.add(Buffer.from(`retry: ${RETRY_MS}\n\n`));
    if (lastEventId !== undefined) this.#resume(reader, lastEventId);
    reader.add(eventFrame('hello', { userId: reading.userId, at: this.#clock() }, this.#idOf(this.#ring.last)));
    for (const [place, { topic, userId, frame }] of this.#wholes) {
      if (sees(reader, topic, userId)) reader.replace(place, frame, frame);
    }
    this.#readers.add(reader);
    out.on('error', () => out.destroy());
    out.once('close', () => this.#detach(reader));
    for (const topic of reading.topics) this.#want(topic, reader);
    reader.flush(() => this.#beatFrame());
    return reader;
  }

  /** How many living streams somebody holds, whoever's events they bring. */
  countOf(holderId: string): number {
    let count = 0;
    for (const reader of this.#readers) if (reader.holderId === holderId && !reader.isOver) count += 1;
    return count;
  }

  /** Asked before events go out. */
  checkWith(check: Check): void {
    this.#check = check;
  }

  /** Hears of every topic that gets its first reader or loses its last. */
  onDemand(listener: DemandListener): void {
    this.#demand.add(listener);
  }

  /** Ends every stream at once; what is published afterwards goes nowhere. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#beats);
    clearTimeout(this.#missing?.timer);
    for (const reader of this.#readers) reader.end();
  }

  #readersOf(topic: EventTopic, userId: string | null): Set<StreamReader> {
    const found = new Set<StreamReader>();
    for (const reader of this.#byTopic.get(topic) ?? []) {
      if (userId === null || reader.userId === userId) found.add(reader);
    }
    const ofAll = topicOfAll(topic);
    if (ofAll) for (const reader of this.#byTopic.get(ofAll) ?? []) found.add(reader);
    return found;
  }

  /** Gives an event its number and keeps it for those who come again. */
  #keep<E extends StreamEventName>(isFor: LastingEvent['isFor'], type: E, data: StreamEvents[E]): Buffer {
    return this.#ring.push((number) => ({ number, isFor, frame: eventFrame(type, data, this.#idOf(number)) })).frame;
  }

  #tellMissing(): void {
    const { userIds = null } = this.#missing ?? {};
    this.#missing = undefined;
    const isFor = (reading: Reading) => misses(reading, userIds);
    const frame = this.#keep(isFor, 'reset', { at: this.#clock() });
    for (const reader of this.#readers) if (isFor(reader)) reader.add(frame);
    this.#schedule();
  }

  #resume(reader: StreamReader, lastEventId: string): void {
    const missed = this.#ring.since(this.#numberOf(lastEventId));
    const seen = missed?.filter(({ isFor }) => isFor(reader));
    // Reading everything again is cheaper than a long replay, which a reader could not hold.
    if (seen !== undefined && seen.length <= MOST_REPLAYED) for (const { frame } of seen) reader.add(frame);
    else reader.add(eventFrame('reset', { at: this.#clock() }, this.#idOf(this.#ring.last)));
  }

  #want(topic: Topic, reader: StreamReader): void {
    const readers = this.#byTopic.get(topic);
    if (readers) return void readers.add(reader);
    this.#byTopic.set(topic, new Set([reader]));
    for (const listener of this.#demand) listener(topic, true);
  }

  #detach(reader: StreamReader): void {
    this.#readers.delete(reader);
    for (const topic of reader.topics) {
      const readers = this.#byTopic.get(topic);
      readers?.delete(reader);
      if (readers?.size !== 0) continue;
      this.#byTopic.delete(topic);
      for (const [place, kept] of this.#wholes) if (kept.topic === topic) this.#wholes.delete(place);
      for (const listener of this.#demand) listener(topic, false);
    }
  }

  #beat(): void {
    for (const reader of this.#readers) {
      // Not every connection says that it has closed.
      if (reader.isOver) this.#detach(reader);
      else reader.beat();
    }
    this.#schedule();
  }

  /** What is published in one turn goes out together. */
  #schedule(): void {
    if (this.#isDue || this.#isClosed) return;
    this.#isDue = true;
    setImmediate(() => void this.#deliver());
  }

  async #deliver(): Promise<void> {
    this.#isDue = false;
    // Unchecked readers wait: the next beat asks again.
    if (!(await this.#check()) || this.#isClosed) return;
    const beat = once(() => this.#beatFrame());
    for (const reader of this.#readers) reader.flush(beat);
  }

  /** Carries the newest id: whoever got it has everything up to there. */
  #beatFrame(): Buffer {
    return eventFrame('beat', { at: this.#clock() }, this.#idOf(this.#ring.last));
  }

  #idOf(number: number): string {
    return `${this.#boot}-${number}`;
  }

  /** Number of an event of this process; -1, which the ring never has, of any other. */
  #numberOf(id: string): number {
    const [boot, number] = id.split('-');
    return boot === this.#boot && /^\d{1,15}$/.test(number ?? '') ? Number(number) : -1;
  }
}

export const createStreamHub = (options: StreamHubOptions): StreamHub => new StreamHub(options);

function topicOfAll(topic: EventTopic): Topic | undefined {
  return (TOPICS_OF_ALL as { [T in EventTopic]?: Topic })[topic];
}

function sees({ userId: reader, topics }: Reading, topic: EventTopic, userId: string | null): boolean {
  const ofAll = topicOfAll(topic);
  if (ofAll && topics.has(ofAll)) return true;
  return topics.has(topic) && (userId === null || userId === reader);
}

/** Whether a reader may lack something when events of these users are missing; prices come again by themselves. */
function misses({ userId, topics }: Reading, userIds: ReadonlySet<string> | null): boolean {
  if ([...topics].every((topic) => topic.startsWith(priceTopic('')))) return false;
  return userIds === null || userIds.has(userId) || Object.values(TOPICS_OF_ALL).some((topic) => topics.has(topic));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
