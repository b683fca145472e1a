import { Ajv } from 'ajv';
import { Array as Arr, Integer, Object as Obj, Optional, type Static, String as Str, Unknown } from 'typebox';
import { StreamEvents } from '#contract/stream';
import { Maybe, OneOf } from '#contract/value';

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const MOST_BYTES = 7_900;
/** What the head of a note takes of them at most. */
const HEAD_BYTES = 100;

/** The topics that others must hear of too; each carries the event of its name. */
export const RELAYED_TOPICS = ['hedge', 'order', 'account', 'notice', 'notification'] as const;
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

export type RelayedItem = RelayedEvent | RelayedGap;

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
export const isItem = (item: unknown): item is RelayedItem =>
  isGap(item) || (isAddressed(item) && isData[item.topic](item.data));

/** What one process, by the name of its boot, tells the others at once; its notes are numbered from 1. */
const Note = Obj({ boot: Str(), number: Integer(), items: Arr(Unknown()) });
type Note = Static<typeof Note>;
const isNote = ajv.compile<Note>(Note);

/** An item as a note has it; of what is too long only that it is missing. */
export function itemText(item: RelayedItem): string {
  const text = JSON.stringify(item);
  if ('missed' in item || Buffer.byteLength(text) <= MOST_BYTES - HEAD_BYTES) return text;
  return itemText({ missed: item.userId });
}

/** Packs items into as few notes as hold them, in their order; `next` numbers a note. */
export function packNotes(boot: string, next: () => number, items: readonly string[]): string[] {
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
export function readNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text);
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}
