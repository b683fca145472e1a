// Nothing here is timed: who takes longer than this on two cores, among pages and browsers, hangs.
const LONGEST_MS = 600_000;

type Run = (...given: never[]) => unknown;
type Define = (title: string, run: Run) => void;

function within(ms: number, run: Run): Run {
  return async (...given) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Not done within ${ms} ms.`)), ms);
    });
    try {
      await Promise.race([run(...given), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const timed =
  (define: Define) =>
  (title: string, run: Run, ms = LONGEST_MS) =>
    define(title, within(ms, run));

/** The runner calls this once a worker: it ends nothing by itself, neither what hangs nor, at last, the worker. */
export default function limitTimes(): void {
  process.once('disconnect', () => process.exit());
  const { test: define } = globalThis as unknown as {
    test: Define & { only: Define; each(...table: never[]): Define };
  };
  const each = (...table: never[]) => timed(define.each(...table));
  const test = Object.assign(timed(define), { only: timed(define.only), each });
  const hooks = (['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const).map((name) => {
    const hook = globalThis[name] as (run: Run) => void;
    return [name, (run: Run, ms = LONGEST_MS) => hook(within(ms, run))] as const;
  });
  Object.assign(globalThis, { test, ...Object.fromEntries(hooks) });
}
