// `npm run build`: the console into dist/console, precompressed, and the server into dist/server.
// With --server-only just the server.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { stampOf } from './start/stamp.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = path.join(ROOT, 'dist/console');
const SERVER = path.join(ROOT, 'dist/server');
const COMPRESSED = /\.(js|css|html|svg|json)$/;
/** Below this the header of an encoding costs more than it saves. */
const WORTH_COMPRESSING_BYTES = 512;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Runs Umi's build and stays silent unless it fails. */
function runUmi() {
  return new Promise((resolve, reject) => {
    const umi = spawn(process.execPath, [path.join(ROOT, 'node_modules/@umijs/max/bin/max.js'), 'build'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const output = [];
    umi.stdout.on('data', (chunk) => output.push(chunk));
    umi.stderr.on('data', (chunk) => output.push(chunk));
    umi.on('error', reject);
    umi.on('close', (code) => {
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new Error('控制台构建失败，原因见上'));
    });
  });
}

/** What is served as it lies in `public/` goes out without its comments, too. */
async function minify(file) {
  const { transform } = await import('esbuild');
  await writeFile(file, (await transform(await readFile(file, 'utf8'), { minify: true })).code);
}

async function compress(file) {
  const content = await readFile(file);
  if (content.length < WORTH_COMPRESSING_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)]);
}

async function buildConsole() {
  console.log('正在构建控制台（约一分钟）…');
  await runUmi();
  const files = filesIn(CONSOLE);
  for (const map of files.filter((file) => file.endsWith('.map'))) rmSync(map);
  console.log('正在压缩控制台文件…');
  await minify(path.join(CONSOLE, 'early.js'));
  await Promise.all(files.filter((file) => COMPRESSED.test(file)).map(compress));
}

/**
 * A module that looks for files beside itself must find them where the bundle keeps them: its
 * `import.meta.url` becomes the address it would have if the folders were kept.
 * `depth` leads from the bundle's file back to dist/server.
 */
const placed = (depth) => ({
  name: 'placed',
  setup(build) {
    build.onLoad({ filter: /[\\/]server[\\/].*\.ts$/ }, async ({ path: file }) => {
      const inside = path.relative(path.join(ROOT, 'server'), file).replaceAll(path.sep, '/').replace(/\.ts$/, '.js');
      const source = await readFile(file, 'utf8');
      const address = `new URL(${JSON.stringify(depth + inside)}, import.meta.url).href`;
      return { contents: source.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
});

/** Packages of hundreds of small modules, whose loading would take a third of a start, are part of the bundle. */
const INLINED = /^(typebox|drizzle-orm)(\/|$)/;
/** What a package hides is had by its file, which is found from where the bundle lies. */
const BY_FILE = /[\\/](node_modules[\\/]ccxt[\\/].+)$/;
const packages = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: BY_FILE }, ({ path: file }) => ({
      path: `../../${BY_FILE.exec(file)[1]}`,
      external: true,
    }));
    build.onResolve({ filter: /^[^.#/]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || INLINED.test(name) ? undefined : { path: name, external: true },
    );
  },
};

const bundling = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  alias: { '#contract': path.join(ROOT, 'contract') },
  logLevel: 'error',
};

async function buildServer() {
  console.log('正在构建服务端…');
  const { build } = await import('esbuild');
  await rm(SERVER, { recursive: true, force: true });
  await mkdir(SERVER, { recursive: true });
  const sources = path.join(ROOT, 'server');
  const commands = filesIn(path.join(sources, 'start/cli')).filter((file) => file.endsWith('.ts'));
  const workers = filesIn(sources).filter((file) => file.endsWith('.worker.ts'));
  await build({
    ...bundling,
    entryPoints: [path.join(sources, 'main.ts'), ...commands],
    outdir: SERVER,
    entryNames: '[name]',
    splitting: true,
    plugins: [packages, placed('./')],
  });
  for (const worker of workers) {
    const folder = path.relative(sources, path.dirname(worker));
    const depth = folder === '' ? './' : '../'.repeat(folder.split(path.sep).length);
    await build({
      ...bundling,
      entryPoints: [worker],
      outdir: path.join(SERVER, folder),
      plugins: [packages, placed(depth)],
    });
  }
  await cp(path.join(sources, 'base/db/migrations'), path.join(SERVER, 'base/db/migrations'), { recursive: true });
}

const PARTS = { console: buildConsole, server: buildServer };
const stampFile = (part) => path.join(ROOT, 'dist', `${part}.stamp`);

function isFresh(part, stamp) {
  return existsSync(stampFile(part)) && readFileSync(stampFile(part), 'utf8') === stamp;
}

async function make(part, stamp) {
  rmSync(stampFile(part), { force: true });
  await PARTS[part]();
  writeFileSync(stampFile(part), stamp);
}

/** Builds the parts whose sources changed since they were built, in a process of its own: what that used is given back. */
export function buildMissing(parts) {
  const stale = parts.filter((part) => !isFresh(part, stampOf(ROOT, part)));
  if (stale.length === 0) return;
  const only = stale.includes('console') ? [] : ['--server-only'];
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...only], { stdio: 'inherit' });
  if (status !== 0) throw new Error('构建失败，原因见上');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const parts = process.argv.includes('--server-only') ? ['server'] : ['server', 'console'];
  try {
    for (const part of parts) await make(part, stampOf(ROOT, part));
    console.log('构建完成');
  } catch (error) {
    console.error(error.code === 'ERR_MODULE_NOT_FOUND' ? '缺少依赖包，请先运行 npm ci' : error.message);
    process.exit(1);
  }
}
