import type { StreamEventName, StreamEvents } from '#contract/stream';

/** An event as it goes over the wire: JSON has no line ends, so one data line holds it. */
export function eventFrame<E extends StreamEventName>(name: E, data: StreamEvents[E], id?: string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
