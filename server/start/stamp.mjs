import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What each part of the product is built from. */
const SOURCES = {
  server: ['contract', 'server', 'package.json', 'package-lock.json'],
  console: [
    'contract',
    'src',
    'public',
    '.umirc.ts',
    'antdStyles.ts',
    'plugin.ts',
    'bundle',
    'server/build.mjs',
    'package.json',
    'package-lock.json',
  ],
};

function filesOf(source) {
  if (!existsSync(source)) return [];
  if (statSync(source).isFile()) return [source];
  return readdirSync(source, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.umi'))
    .flatMap(({ name }) => filesOf(path.join(source, name)));
}

/** A fingerprint of the sources of `part`, by content: a new checkout of the same sources needs no build. */
export function stampOf(root, part) {
  const hash = createHash('sha256').update(process.version);
  for (const file of SOURCES[part].flatMap((source) => filesOf(path.join(root, source))).sort()) {
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}
