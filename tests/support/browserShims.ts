/** What antd and the router ask of a browser and jsdom does not have. */
class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Node's own channel keeps the process alive after the last test; a task queue is all React needs. */
class TaskChannel {
  port1: { onmessage: ((event: { data: unknown }) => void) | null; close: () => void } = {
    onmessage: null,
    close: () => {},
  };
  port2 = {
    postMessage: (data: unknown) => {
      setTimeout(() => this.port1.onmessage?.({ data }), 0);
    },
    close: () => {},
  };
}

Object.assign(globalThis, { ResizeObserver: NoResizeObserver, MessageChannel: TaskChannel });

Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
    removeEventListener: () => {},
    dispatchEvent: () => false,
  }),
});
