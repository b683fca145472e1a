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

/** @param project of jest's configuration */
async function jest(project, workers, env = {}) {
  console.log(`\n== ${project}`);
  const report = path.join(reports, `${project}.json`);
  const options = ['--selectProjects', project, `--maxWorkers=${workers}`, '--json', `--outputFile=${report}`];
  // Pages and databases make much that lives shortly: a tenth of the time goes where it is collected too often.
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'];
  const args = [...node, 'node_modules/jest/bin/jest.js', ...options];
  const [code] = await once(
    spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }),
    'close',
  );
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
    tally.passed += numPassedTests;
    // A file that did not even load has no failed test to show for it.
    tally.failed += Math.max(numFailedTests, code === 0 ? 0 : numFailedTestSuites || 1);
  } catch {
    tally.failed += 1;
  }
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
  jest('web', processors, { TEST_TOGETHER: String(processors) }),
  // More workers than processors: many tests wait for a clock or for processes of their own.
  jest('server', processors * 2, isBuilt),
]);
// After the others, and two at a time: each has a server and a browser, and beside more of them limits of time are met.
if (isWhole && built) await jest('e2e', 2);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);
