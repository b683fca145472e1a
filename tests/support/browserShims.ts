/** What antd and the router ask of a browser and jsdom does not have. */
class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Of the clock that is real: while a test stands in for it, React's queue would stop for good. */
const later = globalThis.setTimeout;

/** Node's own channel keeps the process alive after the last test; a task queue is all React needs. */
class TaskChannel {
  port1: { onmessage: ((event: { data: unknown }) => void) | null; close: () => void } = {
    onmessage: null,
    close: () => {},
  };
  port2 = {
    postMessage: (data: unknown) => {
      later(() => this.port1.onmessage?.({ data }), 0);
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
const blank = document.createElement('div');
const styleOf = (element?: Element): CSSStyleDeclaration => {
  const { style } = blank.cloneNode() as HTMLElement;
  Object.assign(style, SHOWN);
  if (element) style.cssText += element.getAttribute('style') ?? '';
  return style;
};
/** That of nearly every element, made once. */
const shown = styleOf();
window.getComputedStyle = (element: Element, pseudo?: string | null): CSSStyleDeclaration => {
  const style = pseudo || !element.hasAttribute('style') ? shown : styleOf(element);
  if (!element.hasAttribute('hidden')) return style;
  const hidden = style === shown ? styleOf() : style;
  hidden.display = 'none';
  return hidden;
};

// React takes a stack for every element it makes, and a deep one takes longer than the element.
Error.stackTraceLimit = 4;
