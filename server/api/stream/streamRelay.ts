import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import { Mutex } from 'async-mutex';
import { Array as Arr, Integer, Object as Obj, Optional, type Static, String as Str, Unknown } from 'typebox';
import { type StreamEventName, StreamEvents } from '#contract/stream';
import { Maybe, OneOf } from '#contract/value';
import type { Database } from '../../base/db/client';
import type { Channel } from '../../base/db/connection/postgresChannel';
import type { Publication, Publisher } from '../../people/notification/publisher';
import type { StreamHub } from './streamHub';

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const MOST_BYTES = 7_900;
/** What the head of a note takes of them at most. */
const HEAD_BYTES = 100;

/** The topics that others must hear of too; each carries the event of its name. */
const RELAYED_TOPICS = ['hedge', 'order', 'account', 'notice', 'notification'] as const;
type RelayedTopic = (typeof RELAYED_TOPICS)[number];

interface RelayedEvent<T extends RelayedTopic = RelayedTopic> {
  topic: T;
  userId: string | null;
  key?: string | undefined;
  data: StreamEvents[T];
}

/** Events of a user, or with null of all, may be missing. */
interface RelayedGap {
  missed: string | null;
}

type RelayedItem = RelayedEvent | RelayedGap;

const ajv = new Ajv({ strict: false });
const isGap = ajv.compile<RelayedGap>(Obj({ missed: Maybe(Str()) }));
const isAddressed = ajv.compile<RelayedEvent>(
  Obj({ topic: OneOf(RELAYED_TOPICS), userId: Maybe(Str()), key: Optional(Str()), data: Unknown() }),
);
const isData = {
  hedge: ajv.compile(StreamEvents.properties.hedge),
  order: ajv.compile(StreamEvents.properties.order),
  account: ajv.compile(StreamEvents.properties.account),
  notice: ajv.compile(StreamEvents.properties.notice),
  notification: ajv.compile(StreamEvents.properties.notification),
} satisfies { [T in RelayedTopic]: unknown };
/** What another version of the product may put in is none: nobody here could have asked for it. */
const isItem = (item: unknown): item is RelayedItem =>
  isGap(item) || (isAddressed(item) && isData[item.topic](item.data));

/** What one process, by the name of its boot, tells the others at once; its notes are numbered from 1. */
const Note = Obj({ boot: Str(), number: Integer(), items: Arr(Unknown()) });
type Note = Static<typeof Note>;
const isNote = ajv.compile<Note>(Note);

/** An item as a note has it; of what is too long only that it is missing. */
function itemText(item: RelayedItem): string {
  const text = JSON.stringify(item);
  if ('missed' in item || Buffer.byteLength(text) <= MOST_BYTES - HEAD_BYTES) return text;
  return itemText({ missed: item.userId });
}

/** Packs items into as few notes as hold them, in their order; `next` numbers a note. */
function packNotes(boot: string, next: () => number, items: readonly string[]): string[] {
  const packs: string[][] = [];
  let room = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(item) + 1;
    if (bytes > room) {
      packs.push([]);
      room = MOST_BYTES - HEAD_BYTES;
    }
    packs.at(-1)!.push(item);
    room -= bytes;
  }
  return packs.map((pack) => `{"boot":${JSON.stringify(boot)},"number":${next()},"items":[${pack.join()}]}`);
}

/** Answers nothing for what is no note. */
function readNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text);
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

const CHANNEL = 'hedge_console_stream';
/** What may wait while the others cannot be reached; beyond this they are told that they missed it. */
const MOST_WAITING = 10_000;

interface RelayOptions {
  db: Database;
  /** Brings events to the readers of this process. */
  hub: StreamHub;
  onLost?: (error: Error) => void;
}

/**
 * Brings what this process publishes to the readers of every process on the same database, and what the others
 * publish to its own. The embedded database has one process alone: with it this is the hub and nothing more.
 */
export class StreamRelay implements Publisher {
  readonly #openChannel: Database['openChannel'];
  readonly #hub: StreamHub;
  readonly #onLost: (error: Error) => void;
  /** By it a process knows its own notes when they come back. */
  readonly #boot = randomUUID();
  #number = 0;
  /** Items for the next notes. */
  #waiting: string[] = [];
  /** Notes that were sent, or may have been: they are sent again until it is certain, under the same numbers. */
  #sent: string[] = [];
  /** Number of the last note of each process. */
  readonly #heard = new Map<string, number>();
  #channel: Channel | undefined;
  #isDue = false;
  readonly #sending = new Mutex();

  constructor({ db, hub, onLost = () => {} }: RelayOptions) {
    this.#openChannel = db.openChannel;
    this.#hub = hub;
    this.#onLost = onLost;
  }

  publish<E extends StreamEventName>(publication: Publication<E>): void {
    this.#hub.publish(publication);
    const { topic, userId, key, data } = publication;
    if (isRelayed(topic)) this.#tell({ topic, userId, key, data } as RelayedItem);
  }

  missed(userIds?: Iterable<string>): void {
    const users = userIds === undefined ? undefined : [...userIds];
    this.#hub.missed(users);
    for (const missed of users ?? [null]) this.#tell({ missed });
  }

  /** Answers once the others are heard, or cannot be for now. */
  async start(): Promise<void> {
    this.#channel = await this.#openChannel?.(CHANNEL, {
      onNote: (text) => this.#hear(text),
      onBack: () => {
        this.#hub.missed();
        this.#schedule();
      },
      onLost: this.#onLost,
    });
    this.#schedule();
  }

  /** Sends what waits; nothing is heard or told afterwards. */
  async close(): Promise<void> {
    await this.#flush();
    const channel = this.#channel;
    this.#channel = undefined;
    await channel?.close();
  }

  #tell(item: RelayedItem): void {
    if (this.#openChannel === undefined) return;
    if (this.#waiting.length >= MOST_WAITING) this.#waiting = [itemText({ missed: null })];
    else this.#waiting.push(itemText(item));
    this.#schedule();
  }

  /** What is published in one turn, or while notes are on their way, goes out together. */
  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#flush();
    });
  }

  #flush(): Promise<void> {
    return this.#sending.runExclusive(() => this.#send());
  }

  async #send(): Promise<void> {
    if (this.#channel === undefined) return;
    try {
      for (;;) {
        if (this.#sent.length === 0) {
          this.#sent = packNotes(this.#boot, () => ++this.#number, this.#waiting.splice(0));
          if (this.#sent.length === 0) return;
        }
        await this.#channel.send(this.#sent);
        this.#sent = [];
      }
    } catch {
      // The channel says when it is back, and they go out again.
    }
  }

  #hear(text: string): void {
    const note = readNote(text);
    if (note === undefined || note.boot === this.#boot) return;
    if (note.number <= (this.#heard.get(note.boot) ?? 0)) return;
    this.#heard.set(note.boot, note.number);
    for (const item of note.items.filter(isItem)) {
      if ('missed' in item) this.#hub.missed(item.missed === null ? undefined : [item.missed]);
      else this.#hub.publish({ ...item, type: item.topic });
    }
  }
}

const isRelayed = (topic: string): boolean => (RELAYED_TOPICS as readonly string[]).includes(topic);
