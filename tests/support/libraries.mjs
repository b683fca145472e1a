import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Each file of page tests has modules and globals of its own. Loading libraries of some thousand modules anew for each of
// them takes longer than most tests, so they are put together once.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = path.join(ROOT, 'node_modules/.cache/hedge-console');

/** A global takes long to find within jest's sandbox, so libraries look up these once. */
const GLOBALS =
  'Array BigInt Boolean DataView Error Float64Array Int32Array JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol TypeError Uint8Array WeakMap WeakSet parseInt';

const onceLookedUp = `${GLOBALS.split(' ')
  .map((name) => `const own${name} = globalThis.${name};`)
  .join('\n')}
export { ${GLOBALS.split(' ')
  .map((name) => `own${name} as ${name}`)
  .join(', ')} };
`;

const WEB = ['antd', '@ant-design/icons', '@ant-design/pro-components', 'typebox'];
const REACT = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'scheduler'];
/** Those that tests and libraries must share, or that the tests put something in the place of. */
const SHARED = ['dayjs', 'lightweight-charts'].flatMap((name) => [name, `${name}/*`]);

/** Parts of the libraries that work out style sheets: what in them is put in the place of what. */
const STYLING = {
  'Dom/dynamicCSS.js': () => `
    const style = document.createElement('style');
    export const injectCSS = () => style;
    export const updateCSS = injectCSS;
    export const removeCSS = () => {};
    export const clearContainerCache = () => {};`,
  '@ant-design/cssinjs/es/hooks/useStyleRegister.js': (source) =>
    inPlaceOf(source, 'export default function', 'export default () => {};\nfunction'),
  '@ant-design/cssinjs/es/hooks/useCSSVarRegister.js': (source) =>
    inPlaceOf(source, 'export default useCSSVarRegister;', 'export default () => {};'),
  // Every component asks for the tokens of its theme: they are kept, and where their variables are written is not told.
  '@ant-design/cssinjs/es/hooks/useGlobalCache.js': () => `
    const kept = new Map();
    export default (prefix, path, make) => {
      const key = [prefix, ...path].join('%');
      if (!kept.has(key)) kept.set(key, make());
      return kept.get(key);
    };`,
  '@ant-design/cssinjs/es/hooks/useCacheToken.js': (source) =>
    inPlaceOf(source, 'flattenToken(cssVar)', 'cssVar.prefix'),
  '@ant-design/pro-components/es/provider/useStyle/index.js': (source) =>
    inPlaceOf(source, 'hashString(JSON.stringify(token))', "''"),
};

function inPlaceOf(source, text, other) {
  if (!source.includes(text)) throw new Error(`These libraries have no more “${text}”.`);
  return source.replace(text, other);
}

/**
 * Nothing on a test page depends on the style sheets that antd works out and writes into it. To do so takes a sixth of
 * the time of a page, and jsdom a third more to hold and read them.
 */
const withoutStyleSheets = {
  name: 'without style sheets',
  setup: ({ onLoad }) =>
    Object.entries(STYLING).forEach(([part, contentsOf]) => {
      const filter = new RegExp(`[\\\\/]${part.replaceAll('/', '[\\\\/]')}$`);
      onLoad({ filter }, async ({ path: file }) => ({ contents: contentsOf(await readFile(file, 'utf8')) }));
    }),
};

/**
 * Page tests run React and antd as they are shipped. React's `act` is not: what is done in ours is on the page when it
 * ends, its effects included.
 */
const webEntry = `
import * as react from 'react';
import { flushSync } from 'react-dom';
const act = (callback) => {
  let result;
  flushSync(() => {
    result = callback();
  });
  return Promise.resolve(result);
};
${[...REACT.slice(1), ...WEB].map((name, i) => `import * as library${i} from '${name}';`).join('\n')}
module.exports = {
  react: { ...react, act },
${[...REACT.slice(1), ...WEB].map((name, i) => `  '${name}': { __esModule: true, ...library${i} },`).join('\n')}
};
`;

async function bundle(folder) {
  await build({
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
    absWorkingDir: ROOT,
    stdin: { contents: webEntry, resolveDir: ROOT },
    inject: [path.join(folder, 'globals.mjs')],
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    external: SHARED,
    plugins: [withoutStyleSheets],
    define: { 'process.env.NODE_ENV': '"production"' },
    outfile: path.join(folder, 'all.cjs'),
  });
  for (const name of [...REACT, ...WEB]) {
    writeFileSync(path.join(folder, fileOf(name)), `module.exports = require('./all.cjs')['${name}'];\n`);
  }
}

const fileOf = (name) => `${name.replaceAll('/', '+')}.cjs`;

/** The folder of the bundle; it is kept until the installed packages or this file change. */
async function bundled() {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(CACHE, `web-${hash}`);
  if (existsSync(folder)) return folder;
  // Aside first: several runs may come here at once.
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  writeFileSync(path.join(aside, 'globals.mjs'), onceLookedUp);
  await bundle(aside);
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** What jest's `moduleNameMapper` is to say of the libraries of page tests. */
export async function webLibraries() {
  const folder = await bundled();
  return Object.fromEntries(
    [...REACT, ...WEB].map((name) => [`^(.*/node_modules/)?${name}$`, path.join(folder, fileOf(name))]),
  );
}
