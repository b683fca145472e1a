import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

// jest follows each test by a storage of the file's own and never ends it. Before Node 24 every promise of the process
// carries the values of all storages that were ever used: the fortieth file of a worker would carry forty of them.

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function runAndNote(...args) {
  used.add(this);
  return run.apply(this, args);
};

/** jest's environment of tests in Node, which leaves nothing of a file to those that come after it. */
export default class extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}
