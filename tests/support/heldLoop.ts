import { readFileSync } from 'node:fs';

/** Time that this thread has worked for, ms: what other processes take of a machine is not in it, where the system tells. */
function workedMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** The longest work between two turns of the event loop while `act` runs, ms: noise only adds to it, so the least of some runs. */
export async function heldBy(act: () => Promise<unknown>, runs = 5): Promise<number> {
  const longest: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    let [last, most, isOver] = [workedMs(), 0, false];
    const turn = () => {
      const now = workedMs();
      most = Math.max(most, now - last);
      last = now;
      if (!isOver) setTimeout(turn, 1);
    };
    setImmediate(turn);
    await act();
    isOver = true;
    longest.push(most);
  }
  return Math.min(...longest);
}
