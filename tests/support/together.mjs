import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// A file of page tests loads the whole console, and its first pages run code that is not compiled yet. A run of all
// of them does so a few times in place of once a file. They are all loaded before the first test begins: a time that is
// taken as a file is loaded may be minutes old by then.

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(TESTS, '../dist/tests');

/** What does something before or after each test does so for all files, whichever of them loads it first. */
const HOOKS = /^(before|after)(Each|All)\(/m;

const filesIn = (folder, ending) =>
  readdirSync(folder)
    .filter((name) => ending.test(name))
    .map((name) => path.join(folder, name));

/** Puts all page tests into so many files of like size, each under the name of its own. @returns their folder */
export function pageTestsTogether(count) {
  const hooked = filesIn(path.join(TESTS, 'support'), /\.tsx?$/).filter((file) =>
    HOOKS.test(readFileSync(file, 'utf8')),
  );
  const files = filesIn(path.join(TESTS, 'web'), /\.test\.tsx?$/)
    .map((file) => ({ file, bytes: statSync(file).size }))
    .sort((a, b) => b.bytes - a.bytes);
  const parts = Array.from({ length: count }, () => ({ bytes: 0, files: [] }));
  for (const { file, bytes } of files) {
    const least = parts.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.bytes += bytes;
    least.files.push(file);
  }
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  parts.forEach((part, i) => {
    const lines = [
      ...hooked.map((file) => `require(${JSON.stringify(file)});`),
      ...part.files.map((file) => `describe('${path.basename(file)}', () => void require(${JSON.stringify(file)}));`),
    ];
    writeFileSync(path.join(FOLDER, `pages${i + 1}.test.ts`), `${lines.join('\n')}\n`);
  });
  return FOLDER;
}
