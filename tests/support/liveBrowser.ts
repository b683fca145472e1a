import type { StreamEventName, StreamEvents } from '#contract/stream';

type Listener = (event: MessageEvent<string>) => void;

/** What jsdom lacks of a browser that can stream: an event source whose events the test sends. */
export class TestEventSource {
  static readonly CLOSED = 2;
  static readonly all: TestEventSource[] = [];
  readonly url: URL;
  readyState = 1;
  onerror: (() => void) | null = null;
  readonly #listeners = new Map<string, Listener>();

  constructor(url: string) {
    this.url = new URL(url, 'http://localhost');
    TestEventSource.all.push(this);
  }

  static get open(): TestEventSource[] {
    return TestEventSource.all.filter(({ readyState }) => readyState !== TestEventSource.CLOSED);
  }

  get topics(): string[] {
    return this.url.searchParams.get('topics')?.split(',') ?? [];
  }

  get lastEventId(): string | null {
    return this.url.searchParams.get('lastEventId');
  }

  addEventListener(name: string, listener: Listener): void {
    this.#listeners.set(name, listener);
  }

  close(): void {
    this.readyState = TestEventSource.CLOSED;
  }

  /** The server sends an event. */
  send<E extends StreamEventName>(name: E, data: StreamEvents[E], id = ''): void {
    if (this.readyState === TestEventSource.CLOSED) throw new Error(`nobody hears ${name}: the stream is closed`);
    this.#listeners.get(name)?.({ data: JSON.stringify(data), lastEventId: id } as MessageEvent<string>);
  }

  /** The connection breaks; `refused` when the server answered with something that is no stream. */
  fail(refused = false): void {
    if (refused) this.readyState = TestEventSource.CLOSED;
    this.onerror?.();
  }
}

/** Locks of a browser with several tabs: one holder a name, the others wait in turn. */
function testLocks() {
  const waiting = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, { signal }: { signal?: AbortSignal }, run: () => unknown) => {
      const turn = (waiting.get(name) ?? Promise.resolve()).then(() => (signal?.aborted ? undefined : run()));
      waiting.set(name, turn);
      return turn;
    },
  };
}

/** Makes jsdom a browser that can stream; answers how to undo it. */
export function installLiveBrowser(): () => void {
  TestEventSource.all.length = 0;
  Object.assign(globalThis, { EventSource: TestEventSource });
  Object.defineProperty(navigator, 'locks', { configurable: true, value: testLocks() });
  return () => {
    Reflect.deleteProperty(globalThis, 'EventSource');
    Reflect.deleteProperty(navigator, 'locks');
    Reflect.deleteProperty(document, 'hidden');
  };
}

/** Another tab covers this one, or it is seen again. */
export function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}
