import type { EventTopic, StreamEventName, StreamEvents } from '#contract/stream';

export interface Publication<E extends StreamEventName> {
  topic: EventTopic;
  /** Whose event it is; null is everybody's. */
  userId: string | null;
  type: E;
  data: StreamEvents[E];
  /** With a key only the newest of that key matters: a slow reader does not get the ones before. Without it none is lost. */
  key?: string;
  /**
   * For events that tell only what changed: everything, for a reader who missed one or has just come.
   * Kept while the topic has a reader.
   */
  whole?: () => StreamEvents[E];
}

/** Takes what readers of the live stream are to know. */
export interface Publisher {
  /** Brings an event to everybody who may see it and asked for its topic, to each once. */
  publish<E extends StreamEventName>(publication: Publication<E>): void;
  /** Events of these users, or of all, may be missing: their readers, and those of everybody, read everything again. */
  missed(userIds?: Iterable<string>): void;
}
