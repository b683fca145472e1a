import TestSequencer from '@jest/test-sequencer';

/** Folders whose tests mostly wait for processes of their own. */
const WAITING = /[\\/]tests[\\/]server[\\/](postgres|start|db)[\\/]/;
/** The longest of all: begun last, it would go on alone. */
const LONGEST = /[\\/]kills\.test\.ts$/;
const longestFirst = (a, b) => Number(LONGEST.test(b.path)) - Number(LONGEST.test(a.path));

/** Of three that run beside each other one waits: together they would wait for each other. */
export default class extends TestSequencer {
  sort(tests) {
    const ordered = super.sort(tests);
    const waiting = ordered.filter(({ path }) => WAITING.test(path));
    waiting.sort(longestFirst);
    const others = ordered.filter(({ path }) => !WAITING.test(path));
    others.sort(longestFirst);
    return others
      .flatMap((test, i) => (i % 2 === 0 ? [waiting[i / 2], test] : [test]))
      .concat(waiting.slice(Math.ceil(others.length / 2)))
      .filter((test) => test !== undefined);
  }
}
