import { setPriority } from 'node:os';

/** Niceness of a thread that computes: who answers and who keeps the data come first where processors are few. */
const NICENESS = 10;

// Only Linux has a priority for each thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(NICENESS);
  } catch {
    // Without the right to it the thread works as it is.
  }
}
