import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = path.join(ROOT, 'node_modules/.cache/hedge-console');

/** Of some thousand modules each, which every file of page tests would load one by one. */
const LIBRARIES = ['antd', '@ant-design/icons', '@ant-design/pro-components', 'typebox'];
/** Those that tests and libraries must share, or that the tests put something in the place of. */
const SHARED = ['react', 'react-dom', 'dayjs', 'lightweight-charts'].flatMap((name) => [name, `${name}/*`]);

/**
 * Nothing on a test page depends on the style sheets that antd writes into it, and jsdom takes a third of the time of
 * a page to hold and read them.
 */
const withoutStyleSheets = {
  name: 'without style sheets',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]Dom[\\/]dynamicCSS\.js$/ }, () => ({
      contents: `
        export const injectCSS = () => document.createElement('style');
        export const updateCSS = injectCSS;
        export const removeCSS = () => {};
        export const clearContainerCache = () => {};`,
    })),
};

const entry = `${LIBRARIES.map((name, i) => `import * as library${i} from '${name}';`).join('\n')}
module.exports = {
${LIBRARIES.map((name, i) => `  '${name}': { __esModule: true, ...library${i} },`).join('\n')}
};
`;

/**
 * Bundles the libraries into one file and answers jest's `moduleNameMapper` for it. The file is kept until the
 * installed packages change.
 */
export async function bundledLibraries() {
  const lock = readFileSync(path.join(ROOT, 'package-lock.json'));
  const hash = createHash('sha256')
    .update(lock)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(CACHE, `libraries-${hash}`);
  if (!existsSync(folder)) await bundle(folder);
  return Object.fromEntries(
    LIBRARIES.map((name, i) => [`^(.*/node_modules/)?${name}$`, path.join(folder, `${i}.cjs`)]),
  );
}

/** Written aside: several runs may come here at once. */
async function bundle(folder) {
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  await build({
    stdin: { contents: entry, resolveDir: ROOT },
    bundle: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    external: SHARED,
    plugins: [withoutStyleSheets],
    define: { 'process.env.NODE_ENV': '"test"' },
    outfile: path.join(aside, 'all.cjs'),
    logLevel: 'error',
  });
  for (const [i, name] of LIBRARIES.entries()) {
    writeFileSync(path.join(aside, `${i}.cjs`), `module.exports = require('./all.cjs')['${name}'];\n`);
  }
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
