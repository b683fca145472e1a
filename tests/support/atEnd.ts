const ends: (() => unknown)[] = [];
const endsOfTest = new Map<string, () => Promise<void>>();

/** Runs after all tests of the file that is being loaded; what was opened last is closed first. Measurements end with their process. */
export function atEnd(end: () => unknown): void {
  if (!('afterAll' in globalThis)) return;
  if (ends.length === 0) {
    // What was made for all tests of a file goes on.
    beforeEach(() => endsOfTest.clear());
    afterEach(async () => {
      for (const one of endsOfTest.values()) await one();
    });
    // Files that follow in this process have ends of their own.
    afterAll(async () => {
      for (const one of ends.splice(0).toReversed()) await one();
    });
  }
  ends.push(end);
}

/**
 * Runs after the test that is under way, in place of what was to end the same; null: nothing has to be ended any more.
 * The file has something to end itself, its database mostly. Measurements have no tests.
 */
export function atEndOfTest(what: string, end: (() => Promise<void>) | null): void {
  if (end === null) endsOfTest.delete(what);
  else if (ends.length === 0 && 'afterEach' in globalThis) throw new Error('The file of this test ends nothing.');
  else endsOfTest.set(what, end);
}
