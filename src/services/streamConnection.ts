import { BEAT_MS, type StreamEventName, StreamEvents, stream, type Topic } from '#contract/stream';
import { user } from '#contract/user';
import { read } from './read';
import { signalSession } from './sessionSignal';

/** One event as it came; every kind of event by its name. */
export type StreamMessage = {
  [E in StreamEventName]: { name: E; data: StreamEvents[E]; id: string };
}[StreamEventName];

export type ConnectionState = 'connecting' | 'open' | 'down';

interface Wiring {
  onMessage: (message: StreamMessage) => void;
  onState: (state: ConnectionState) => void;
  /** The newest event that this browser has; the server goes on from there. */
  lastEventId: () => string | undefined;
}

const NAMES = Object.keys(StreamEvents.properties) as StreamEventName[];
/** Beats that may fail to come before the connection counts as dead. */
const SILENCE_MS = 3 * BEAT_MS;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Screens that open together ask together. */
const GATHER_MS = 50;
/** A topic that nobody wants now may be wanted again by the next screen. */
const LINGER_MS = 5_000;
/** What the contract lets one stream ask for. */
const MOST_TOPICS = 32;

/** The one connection of the browser: follows the topics that are wanted, and comes back by itself. */
export class StreamConnection {
  readonly #wiring: Wiring;
  #wanted: readonly Topic[] = [];
  #asked: readonly Topic[] = [];
  #source: EventSource | undefined;
  #retries = 0;
  #opening: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  /** From now on these topics; none closes the connection. */
  want(topics: Iterable<Topic>): void {
    const wanted = [...new Set(topics)].sort().slice(0, MOST_TOPICS);
    if (wanted.join() === this.#wanted.join()) return;
    this.#wanted = wanted;
    const isLess = wanted.every((topic) => this.#asked.includes(topic));
    this.#openIn(isLess && this.#source ? LINGER_MS : GATHER_MS);
  }

  /** Tries at once when the connection is down. */
  retry(): void {
    if (this.#source || this.#wanted.length === 0) return;
    this.#retries = 0;
    this.#openIn(0);
  }

  close(): void {
    clearTimeout(this.#opening);
    clearTimeout(this.#silence);
    this.#source?.close();
    this.#source = undefined;
    this.#wanted = [];
    this.#asked = [];
  }

  #openIn(ms: number): void {
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => this.#open(), ms);
  }

  #open(): void {
    if (this.#source && this.#asked.join() === this.#wanted.join()) return;
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#silence);
    this.#asked = this.#wanted;
    if (this.#wanted.length === 0) return;
    const lastEventId = this.#wiring.lastEventId();
    const query = new URLSearchParams({ topics: this.#wanted.join(), ...(lastEventId ? { lastEventId } : {}) });
    const source = new EventSource(`${stream.events.path}?${query}`);
    this.#source = source;
    // Once down it is down until the server has said hello.
    if (this.#retries === 0) this.#wiring.onState('connecting');
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        if (this.#source === source) this.#take(name, event as MessageEvent<string>);
      });
    }
    source.onerror = () => {
      if (this.#source !== source) return;
      // The browser gives up on an answer that is no stream; a broken connection it would try again by itself.
      if (source.readyState === EventSource.CLOSED) askForUser();
      this.#fail();
    };
    this.#listen();
  }

  #take(name: StreamEventName, { data, lastEventId }: MessageEvent<string>): void {
    this.#listen();
    const message = { name, data: JSON.parse(data), id: lastEventId } as StreamMessage;
    if (message.name === 'hello') {
      this.#retries = 0;
      this.#wiring.onState('open');
    }
    this.#wiring.onMessage(message);
    if (message.name !== 'end') return;
    if (message.data.reason === 'role') signalSession('signedIn', true);
    else askForUser();
    this.#fail();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#fail(), SILENCE_MS);
  }

  #fail(): void {
    clearTimeout(this.#silence);
    this.#source?.close();
    this.#source = undefined;
    if (this.#wanted.length === 0) return;
    this.#wiring.onState('down');
    const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries);
    this.#retries += 1;
    // Not all browsers at once, after a restart of the server.
    this.#openIn(longest * (0.5 + Math.random() / 2));
  }
}

/** An event source does not tell why it was refused; this call does, and leaves when the session is gone. */
function askForUser(): void {
  read(user.current, {}).catch(() => {});
}
