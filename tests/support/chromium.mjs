import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { isExecutable } from './isExecutable.mjs';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  // It draws what is asked for, not a whole browser's windows, in two thirds of the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Flags for a sandboxless machine; without the background ones Chromium looks up foreign hosts at every start. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const NEEDED =
  '浏览器测试需要 Chromium：请安装 chromium 与 fonts-noto-cjk（apt-get install -y chromium fonts-noto-cjk），或用 CHROMIUM_PATH 指明可执行文件';

/** Path of an installed Chromium, or undefined. */
export function findChromium() {
  return CANDIDATES.find((file) => file && isExecutable(file));
}

/** Finds Chromium, or installs it where apt-get and root allow; else says in one line what to install. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return { path: found };
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return { problem: NEEDED };
  const apt = async (...args) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const [code] = await once(spawn('apt-get', args, { stdio: 'inherit', env }), 'close');
    return code === 0;
  };
  const install = (browser) => apt('install', '-y', '--no-install-recommends', browser, 'fonts-noto-cjk');
  await apt('update');
  // Debian has the shell as a package of its own; others do not.
  if (!(await install('chromium-headless-shell'))) await install('chromium');
  const installed = findChromium();
  return installed ? { path: installed } : { problem: NEEDED };
}
