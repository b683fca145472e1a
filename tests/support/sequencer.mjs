import TestSequencer from '@jest/test-sequencer';

/** Folders whose tests mostly wait for processes of their own. */
const WAITING = /[\\/]tests[\\/]server[\\/](postgres|start|db)[\\/]/;
/** The longest of all: begun last, they would go on alone. */
const LONGEST = /[\\/](kills|pages\d+)\.test\.ts$/;
const longestFirst = (a, b) => Number(LONGEST.test(b.path)) - Number(LONGEST.test(a.path));

/** Each has a product and a browser of its own, and waits for both. */
const BROWSER = /[\\/]tests[\\/]e2e[\\/]/;

/** Those of a lane in places from 0 on; all of them lie before `end` of 1. */
const placed = (tests, end) => tests.map((test, i) => ({ test, at: (i / tests.length) * end }));

/**
 * Tests that wait run beside such that do not: together they would wait for each other. What takes longest comes early, so
 * that nothing goes on alone.
 */
export default class extends TestSequencer {
  sort(tests) {
    const ordered = super.sort(tests).sort(longestFirst);
    const browser = ordered.filter(({ path }) => BROWSER.test(path));
    const waiting = ordered.filter(({ path }) => WAITING.test(path));
    const others = ordered.filter(({ path }) => !BROWSER.test(path) && !WAITING.test(path));
    return [...placed(others, 1), ...placed(waiting, 0.9), ...placed(browser, 0.6)]
      .sort((a, b) => a.at - b.at)
      .map(({ test }) => test);
  }
}
