// `npm test`: every check and every test of the project, browser included, and one closing line that counts them.
// With --without-browser (`npm run check`) neither the console is built nor what needs it is run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { ensureChromium } from './support/chromium.mjs';

const reports = mkdtempSync(path.join(tmpdir(), 'hedge-console-test-'));
const tally = { passed: 0, failed: 0 };
/** No busy machine fails more files than these. */
const FEW_FILES = 3;
/** What runs once more. */
const seconds = [];
/** What passed then only. */
const unsteady = [];

/** A check without tests of its own counts as one. What it says comes in one piece: others run beside it. */
async function check(title, command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => said.push(piece));
  const [code] = await once(child, 'close');
  console.log(`\n== ${title}\n${Buffer.concat(said)}`);
  tally[code === 0 ? 'passed' : 'failed'] += 1;
  return code === 0;
}

/** Of a report, what counts of some files: a file that did not even load has no failed test to show for it. */
function countOf(suites) {
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const [passed, failed] = ['passed', 'failed'].map((kind) => tests.filter(({ status }) => status === kind).length);
  const unloaded = suites.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return { passed, failed: failed + unloaded.length };
}

/**
 * Each file's result; null where jest itself came to grief.
 * @param project of jest's configuration
 * @param files which alone; absent: all
 */
async function suitesOf(project, workers, env, files = []) {
  const report = path.join(reports, `${project}.json`);
  rmSync(report, { force: true });
  const options = ['--selectProjects', project, `--maxWorkers=${workers}`, '--json', `--outputFile=${report}`];
  // Pages and databases make much that lives shortly: a tenth of the time goes where it is collected too often.
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'];
  const args = [
    ...node,
    'node_modules/jest/bin/jest.js',
    ...options,
    ...(files.length ? ['--runTestsByPath', ...files] : []),
  ];
  const [code] = await once(
    spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }),
    'close',
  );
  try {
    const { success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    return code === 0 || !success ? testResults : null;
  } catch {
    return null;
  }
}

/**
 * All of a project. Where no more than a few files failed, they run once more, alone and one after the other: a machine
 * that stood still fails none of them twice, a fault does. What needed its second run is told with the closing line.
 */
async function jest(project, workers, env = {}, mostAgain = FEW_FILES) {
  console.log(`\n== ${project}`);
  const suites = await suitesOf(project, workers, env);
  const failed = suites?.filter(({ status }) => status === 'failed') ?? [];
  const isFew = failed.length > 0 && failed.length <= mostAgain;
  count(isFew ? suites.filter((suite) => !failed.includes(suite)) : suites);
  if (isFew) seconds.push({ project, env, files: failed.map(({ name }) => path.relative('.', name)) });
}

async function runSeconds() {
  for (const { project, env, files } of seconds.splice(0)) {
    console.log(`\n== ${project}, once more: ${files.join(' ')}`);
    const suites = await suitesOf(project, 1, env, files);
    count(suites);
    for (const { name, status } of suites ?? []) if (status === 'passed') unsteady.push(path.relative('.', name));
  }
}

function count(suites) {
  const { passed, failed } = suites ? countOf(suites) : { passed: 0, failed: 1 };
  tally.passed += passed;
  tally.failed += failed;
}

function refuse(problem) {
  console.error(problem);
  process.exit(1);
}

const isWhole = !process.argv.includes('--without-browser');
// It may have to be fetched: the checks need not wait for it.
const browser = (isWhole ? ensureChromium() : Promise.resolve({})).then(({ problem }) => problem && refuse(problem));
await check('setup', 'npx', ['max', 'setup']);
const [built] = await Promise.all([
  check('build', 'node', ['server/build.mjs', ...(isWhole ? [] : ['--server-only'])]),
  check('lint', 'npm', ['run', '--silent', 'lint']),
  check('types', 'npx', ['tsc', '--noEmit', '--checkers', '1']),
  check('dead code', 'npx', ['knip']),
  browser,
]);
const processors = availableParallelism();
const isBuilt = built ? { TEST_SERVER: 'built' } : {};
await Promise.all([
  // Page tests are all in a few files, and each that fails is tried again at once.
  jest('web', processors, { TEST_TOGETHER: String(processors) }, 0),
  // More workers than processors: many tests wait for a clock or for processes of their own.
  jest('server', processors * 2, isBuilt),
]);
await runSeconds();
// After the others, and two at a time: each has a server and a browser, and beside more of them limits of time are met.
if (isWhole && built) await jest('e2e', 2);
await runSeconds();

rmSync(reports, { recursive: true, force: true });
if (unsteady.length) console.log(`\nFailed first, passed when run alone: ${unsteady.join(', ')}`);
console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);
