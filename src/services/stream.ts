import { priceTopic, type Topic } from '#contract/stream';
import { onSession } from './sessionSignal';
import { type ConnectionState, StreamConnection, type StreamMessage } from './streamConnection';

/** What screens hear: events of their topics, and `reset` when everything must be read again. */
export type LiveEvent = Extract<
  StreamMessage,
  { name: 'price' | 'hedge' | 'order' | 'account' | 'notice' | 'notification' | 'reset' }
>;

export interface Live {
  /** `off`: nobody listens; `unsupported`: this browser cannot, at this address; `down`: it tries again by itself. */
  state: 'off' | 'unsupported' | ConnectionState;
  /** When the last sign of life came, UTC ms; beats come every five seconds. */
  lastEventAt: number | undefined;
}

interface Subscription {
  topics: readonly Topic[];
  handler: (event: LiveEvent) => void;
}

/** Between the tabs of one browser: all tell the leader what they want, the leader tells all what comes. */
type TabMessage =
  | { kind: 'want'; tab: string; topics: readonly Topic[] }
  | { kind: 'gone'; tab: string }
  | { kind: 'retry' }
  | { kind: 'who' }
  | { kind: 'state'; state: ConnectionState; lastEventId: string | undefined; userId: string | undefined }
  | { kind: 'event'; message: StreamMessage };

interface Want {
  topics: readonly Topic[];
  /** Roll calls since it last answered. */
  missed: number;
}

/** Lock and channel. Both are the origin's, so every tab of this browser finds the same. */
const NAME = 'live';
const ROLL_CALL_MS = 30_000;
const MOST_MISSED = 2;

const isSupported = (): boolean =>
  typeof EventSource === 'function' && typeof BroadcastChannel === 'function' && navigator.locks !== undefined;

/** A tab's part while it listens: one tab holds the lock and with it the connection of the browser. */
class Tab {
  readonly #id = crypto.randomUUID();
  readonly #channel = new BroadcastChannel(NAME);
  readonly #left = new AbortController();
  readonly #wants = new Map<string, Want>();
  readonly #hear: (message: StreamMessage) => void;
  readonly #see: (state: ConnectionState) => void;
  #topics: readonly Topic[] = [];
  #state: ConnectionState = 'connecting';
  #connection: StreamConnection | undefined;
  #rollCall: ReturnType<typeof setInterval> | undefined;
  #lastEventId: string | undefined;
  #userId: string | undefined;

  constructor(hear: (message: StreamMessage) => void, see: (state: ConnectionState) => void) {
    this.#hear = hear;
    this.#see = see;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#answer(data);
    const untilLeft = () => {
      this.#lead();
      return new Promise<void>((resolve) => this.#left.signal.addEventListener('abort', () => resolve()));
    };
    // Refused only when the tab leaves before its turn comes.
    navigator.locks.request(NAME, { signal: this.#left.signal }, untilLeft).catch(() => {});
  }

  get userId(): string | undefined {
    return this.#userId;
  }

  want(topics: readonly Topic[]): void {
    this.#topics = topics;
    this.#tellWant();
  }

  /** Tries at once when the connection is down. */
  retry(): void {
    if (this.#connection) this.#connection.retry();
    else this.#tell({ kind: 'retry' });
  }

  leave(): void {
    this.#tell({ kind: 'gone', tab: this.#id });
    this.#channel.close();
    this.#connection?.close();
    clearInterval(this.#rollCall);
    this.#left.abort();
  }

  #lead(): void {
    if (this.#left.signal.aborted) return;
    this.#connection = new StreamConnection({
      lastEventId: () => this.#lastEventId,
      onMessage: (message) => {
        this.#tell({ kind: 'event', message });
        this.#take(message);
      },
      onState: (state) => {
        this.#state = state;
        this.#tellState();
        this.#see(state);
      },
    });
    this.#rollCall = setInterval(() => this.#callRoll(), ROLL_CALL_MS);
    this.#tellWant();
    this.#tell({ kind: 'who' });
  }

  /** Tabs that died without a word stop to count. */
  #callRoll(): void {
    for (const [tab, want] of this.#wants) {
      want.missed += 1;
      if (want.missed > MOST_MISSED) this.#wants.delete(tab);
    }
    this.#tell({ kind: 'who' });
    this.#follow();
  }

  #answer(message: TabMessage): void {
    if (message.kind === 'who') this.#tellWant();
    else if (message.kind === 'event') this.#take(message.message);
    else if (message.kind === 'state') {
      this.#lastEventId = message.lastEventId ?? this.#lastEventId;
      this.#userId = message.userId ?? this.#userId;
      this.#see(message.state);
    } else if (this.#connection) this.#serve(message);
  }

  /** What the other tabs ask of the leader. */
  #serve(message: Extract<TabMessage, { kind: 'want' | 'gone' | 'retry' }>): void {
    if (message.kind === 'retry') this.#connection?.retry();
    else if (message.kind === 'gone') this.#wants.delete(message.tab);
    else {
      // A tab that has just come knows nothing yet.
      if (!this.#wants.has(message.tab)) this.#tellState();
      this.#wants.set(message.tab, { topics: message.topics, missed: 0 });
    }
    this.#follow();
  }

  #take(message: StreamMessage): void {
    if (message.id !== '') this.#lastEventId = message.id;
    if (message.name === 'hello') this.#userId = message.data.userId;
    this.#hear(message);
  }

  #tellWant(): void {
    if (this.#connection) this.#follow();
    else this.#tell({ kind: 'want', tab: this.#id, topics: this.#topics });
  }

  #tellState(): void {
    this.#tell({ kind: 'state', state: this.#state, lastEventId: this.#lastEventId, userId: this.#userId });
  }

  #follow(): void {
    this.#connection?.want([...this.#topics, ...[...this.#wants.values()].flatMap(({ topics }) => topics)]);
  }

  #tell(message: TabMessage): void {
    this.#channel.postMessage(message);
  }
}

const subscriptions = new Set<Subscription>();
const listeners = new Set<() => void>();
let live: Live = { state: 'off', lastEventAt: undefined };
let tab: Tab | undefined;

function show(next: Partial<Live>): void {
  live = { ...live, ...next };
  for (const listener of [...listeners]) listener();
}

/** A hidden tab shows no prices, so it asks for none; of its orders it still hears. */
function wantedTopics(): Topic[] {
  const topics = [...subscriptions].flatMap((subscription) => subscription.topics);
  return document.hidden ? topics.filter((topic) => !topic.startsWith(priceTopic(''))) : topics;
}

/** Which topics an event belongs to. The orders of others come to a master who asked for all. */
function topicsOf(event: LiveEvent): Topic[] {
  if (event.name === 'price') return [priceTopic(event.data.source)];
  if (event.name === 'order') return event.data.userId === tab?.userId ? ['order', 'order:all'] : ['order:all'];
  // A notice does not say whose it is: the server sends a tab's person only what concerns that person.
  if (event.name === 'notice') return ['notice', 'notice:all'];
  return event.name === 'reset' ? [] : [event.name];
}

function hear(message: StreamMessage): void {
  show({ lastEventAt: Date.now() });
  if (message.name === 'hello' || message.name === 'beat' || message.name === 'end') return;
  // It reads them again when it is seen.
  if (message.name === 'price' && document.hidden) return;
  const topics = topicsOf(message);
  for (const subscription of [...subscriptions]) {
    const concerns = message.name === 'reset' || subscription.topics.some((topic) => topics.includes(topic));
    if (concerns) subscription.handler(message);
  }
}

function start(): void {
  show({ state: isSupported() ? 'connecting' : 'unsupported' });
  if (!isSupported()) return;
  tab = new Tab(hear, (state) => show({ state }));
  tab.want(wantedTopics());
}

function stop(): void {
  tab?.leave();
  tab = undefined;
  show({ state: 'off', lastEventAt: undefined });
}

/**
 * Hears the events of topics, over the one connection that all tabs of this browser share. Only for
 * somebody who is signed in. Answers how to stop.
 */
export function subscribe(topics: readonly Topic[], handler: (event: LiveEvent) => void): () => void {
  const subscription = { topics, handler };
  subscriptions.add(subscription);
  if (tab) tab.want(wantedTopics());
  else start();
  return () => {
    subscriptions.delete(subscription);
    tab?.want(wantedTopics());
  };
}

/** Listens for changes of `liveNow()`; answers how to stop. */
export function onLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const liveNow = (): Live => live;

/** Tries at once when the connection is down. */
export const retryLive = (): void => tab?.retry();

// Another session has other rights, and no event of the last one may reach it.
onSession((event) => {
  stop();
  if (event === 'signedIn' && subscriptions.size > 0) start();
});

document.addEventListener('visibilitychange', () => {
  tab?.want(wantedTopics());
  if (!document.hidden) tab?.retry();
});
window.addEventListener('online', () => tab?.retry());
window.addEventListener('pagehide', stop);
// Back from the browser's own cache of pages.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && subscriptions.size > 0) start();
});
