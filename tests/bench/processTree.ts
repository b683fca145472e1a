import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux: what `/proc` counts processor time in. */
const TICKS_A_SECOND = 100;
const KB_A_MB = 1024;
/** Behind the name, which may hold spaces itself, the fields of `/proc/PID/stat` begin at the third. */
const PARENT = 1;
const TIMES = [11, 12, 13, 14];

/** The fields of `/proc/PID/stat` behind the name; null of a process that has ended meanwhile. */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function pssOf(pid: string): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** A process and all below it, now: seconds of processor time, those of children that ended too, and MB (PSS). */
export function processTree(root: number): { seconds: number; mb: number } {
  const all = readdirSync('/proc').flatMap((pid) => {
    const stat = /^\d+$/.test(pid) ? statOf(pid) : null;
    return stat === null ? [] : [{ pid, parent: stat[PARENT]!, stat }];
  });
  const own = new Set([String(root)]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  let [ticks, kb] = [0, 0];
  for (const { pid, stat } of all) {
    if (!own.has(pid)) continue;
    ticks += TIMES.reduce((sum, field) => sum + Number(stat[field]), 0);
    kb += pssOf(pid);
  }
  return { seconds: ticks / TICKS_A_SECOND, mb: kb / KB_A_MB };
}
