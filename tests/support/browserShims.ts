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

// Nothing is laid out here: a window that shows every column of a table, and nothing to scroll.
window.innerWidth = 8_000;
Element.prototype.scrollIntoView = () => {};

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

/**
 * jsdom matches every rule of antd's style sheets for every element that is asked about, which takes
 * most of a page test's time. What hides something from a person here is in its own attributes.
 */
const SHOWN = { display: 'block', visibility: 'visible', opacity: '1', pointerEvents: 'auto', content: 'none' };
const scratch = document.createElement('div');
window.getComputedStyle = (element: Element, pseudo?: string | null): CSSStyleDeclaration => {
  const style = (scratch.cloneNode() as HTMLElement).style;
  Object.assign(style, SHOWN);
  if (!pseudo) style.cssText += element.getAttribute('style') ?? '';
  if (element.hasAttribute('hidden')) style.display = 'none';
  return style;
};

// React takes a stack for every element it makes, and a deep one takes longer than the element.
Error.stackTraceLimit = 4;
