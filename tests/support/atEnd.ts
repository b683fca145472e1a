const ends: (() => unknown)[] = [];

/** Runs after all tests of this file; what was opened last is closed first. */
export function atEnd(end: () => unknown): void {
  if (ends.length === 0)
    afterAll(async () => {
      for (const one of ends.toReversed()) await one();
    });
  ends.push(end);
}
