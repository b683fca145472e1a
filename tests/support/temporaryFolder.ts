import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];

/** A new empty folder; all of them go when the process ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hedge-console-')));
  if (made.length === 0)
    process.on('exit', () => made.forEach((one) => void rmSync(one, { recursive: true, force: true })));
  made.push(folder);
  return folder;
}
