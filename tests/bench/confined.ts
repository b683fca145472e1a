import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where Linux divides processor time among groups of processes, version 1. */
const GROUPS = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;

/**
 * Gives a process, with the threads it has, no more than a share of one core, as a small machine of its own would.
 * @returns what lets it go again, or null where the system does not let us confine it
 */
export function confined(pid: number, share: number): (() => void) | null {
  const group = path.join(GROUPS, `hedge-console-bench-${pid}`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(Math.round(PERIOD_US * share)));
    writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
  } catch {
    return null;
  }
  return () => {
    writeFileSync(path.join(GROUPS, 'cgroup.procs'), String(pid));
    rmdirSync(group);
  };
}
