import { closeSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** A span of the loop between two looks at the clock, ms. */
interface Turn {
  start: number;
  end: number;
  /** What the thread had of a processor; unknown where the system does not tell. */
  worked: number;
}

/** The longest turns of the loop, ms. */
export interface LongestTurns {
  /** By the clock: with the time in which others had the processor. */
  byClock: number;
  /** By what the thread worked. */
  worked: number;
  /** The same without the collection of garbage. */
  uncollected: number;
}

const EVERY_MS = 1;
const NS_PER_MS = 1e6;

/** What the main thread has worked, ms. */
function processorClock(): { read: () => number; close: () => void } {
  if (process.platform !== 'linux') return { read: () => Number.NaN, close: () => undefined };
  const file = openSync('/proc/self/schedstat', 'r');
  const text = Buffer.alloc(64);
  return {
    read: () => Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)), 10) / NS_PER_MS,
    close: () => closeSync(file),
  };
}

/** Watches the turns of this process' loop until its `stop` is called. */
export function meterTurns(): { turns: Turn[]; stop: () => Promise<LongestTurns> } {
  const turns: Turn[] = [];
  const collections: { start: number; end: number }[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      collections.push({ start: startTime, end: startTime + duration });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const processor = processorClock();
  let [start, before] = [performance.now(), processor.read()];
  const look = () => {
    const [end, now] = [performance.now(), processor.read()];
    turns.push({ start, end, worked: Number.isNaN(now) ? end - start : now - before });
    [start, before] = [end, now];
    timer = setTimeout(look, EVERY_MS);
  };
  let timer = setTimeout(look, EVERY_MS);
  return {
    turns,
    async stop() {
      clearTimeout(timer);
      processor.close();
      // What was collected last is told in a later turn.
      await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS));
      observer.disconnect();
      const collected = (turn: Turn) =>
        collections.reduce(
          (sum, { start, end }) => sum + Math.max(0, Math.min(end, turn.end) - Math.max(start, turn.start)),
          0,
        );
      const longest = (of: (turn: Turn) => number) => turns.reduce((most, turn) => Math.max(most, of(turn)), 0);
      return {
        byClock: longest(({ start, end }) => end - start),
        worked: longest(({ worked }) => worked),
        uncollected: longest((turn) => (turn.worked < 5 ? 0 : turn.worked - collected(turn))),
      };
    },
  };
}
