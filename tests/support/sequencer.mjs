import TestSequencer from '@jest/test-sequencer';

/** Folders whose tests wait for processes and clocks most of their time, so that the others fill it. */
const WAITING = /[\\/]tests[\\/]server[\\/](postgres|start|db)[\\/]/;

/** What waits begins first: begun last, it would go on alone. */
export default class extends TestSequencer {
  sort(tests) {
    const ordered = super.sort(tests);
    return [...ordered.filter(({ path }) => WAITING.test(path)), ...ordered.filter(({ path }) => !WAITING.test(path))];
  }
}
