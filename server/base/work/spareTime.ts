import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Of the loop's time: who is asked beyond it waits for his turn. */
const BUSY = 0.6;
/** Over which that is measured, and after which it is looked at again, ms. */
const LOOK_MS = 100;
/** Nothing is put off for longer at a time, ms: a machine may be busy for ever. */
const PATIENCE_MS = 500;

let known = { utilization: 0, since: performance.eventLoopUtilization(), at: performance.now() };

function isBusy(): boolean {
  if (performance.now() - known.at >= LOOK_MS) {
    const { utilization } = performance.eventLoopUtilization(known.since);
    known = { utilization, since: performance.eventLoopUtilization(), at: performance.now() };
  }
  return known.utilization > BUSY;
}

/** Resolves once the process has time for work that nobody waits for: prices, orders and answers go first. */
export async function spareTime(signal: AbortSignal): Promise<void> {
  const late = performance.now() + PATIENCE_MS;
  while (isBusy() && performance.now() < late && !signal.aborted) {
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
