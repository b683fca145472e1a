import type { CallError } from './CallError';
import { onSession } from './sessionSignal';

/** Reads that a person has just opened or asks for again: how the next one ends is told. */
const asked = new Set<string>();
/** Reads that fail, until they succeed. */
const failing = new Set<string>();
/** What was told since any read succeeded: a lost network is one outage, however many reads notice it. */
const told = new Set<string>();

onSession(() => {
  for (const known of [asked, failing, told]) known.clear();
});

/** What is read again and again tells of each outage once: until it has succeeded, or a person asks again. */
export const outages = {
  ask: (read: string): void => void asked.add(read),
  /** Whether a failure is the same outage still. */
  isKnown: (read: string, { text }: CallError): boolean => {
    const isKnown = !asked.delete(read) && (failing.has(read) || told.has(text));
    failing.add(read);
    // What was not told must not keep others from telling it.
    if (!isKnown) told.add(text);
    return isKnown;
  },
  end: (read: string): void => {
    asked.delete(read);
    failing.delete(read);
    told.clear();
  },
};
