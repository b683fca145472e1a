import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TEXT = /\.(ts|tsx|mjs|json|css|less|svg|md|html|sql|yml)$|^\.ci\/run$/;

/** Text files of the project that git tracks or would track, as paths from its root. */
export function projectFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  return listed
    .toString()
    .split('\n')
    .filter((file) => TEXT.test(file) && existsSync(path.join(ROOT, file)));
}

export const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
