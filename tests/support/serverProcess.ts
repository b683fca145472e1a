import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { openedFolder } from './prepared';
import { ROOT } from './projectFiles';

export interface ServerOptions {
  /** Default: a new one that was opened before; a first start in an empty place takes seconds more. */
  dataDir?: string;
  env?: Record<string, string>;
  /** Runs dist/server, which must be built, in place of the sources; the whole test command, which builds it, does so by default. */
  built?: boolean;
  /** Another program of the sources, as seen from `server`. */
  program?: string;
}

/** A server in a process of its own, on a port nobody else has. */
export interface ServerProcess {
  url: string;
  dataDir: string;
  child: ChildProcess;
  /** Milliseconds from the start of the process to its address being printed. */
  readyMs: number;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the end; answers the exit code, null after a signal. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

/** How a process ended that was not to stay. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const READY = /已启动：(http:\/\/\S+)/;
/** A first start on a busy machine. */
const TIMEOUT_MS = 60_000;

const BUILT = process.env.TEST_SERVER === 'built';

const quiet = {
  DEMO: '',
  DEMO_STORY: '0',
  HOST: '',
  DATABASE_URL: '',
  ALLOWED_HOSTS: '',
  TRUSTED_PROXY: '',
  TRADING: '',
  LOG_LEVEL: '',
};

/** Starts a program of the server, sources or built; its environment is only what is given. */
export function startProgram(source: string, args: string[], env: Record<string, string>, built = BUILT): ChildProcess {
  const program = built ? ['dist/server', `${path.basename(source, '.ts')}.js`] : ['server', source];
  const loader = built ? [] : ['--import', 'tsx'];
  return spawn(process.execPath, [...loader, path.join(ROOT, ...program), ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', ...quiet, ...env },
  });
}

/** Collects what a process prints, from the moment of the call. */
function outputOf(child: ChildProcess) {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    text.stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    text.stderr += String(chunk);
  });
  return text;
}

/** Runs a program to its end, with `input` on its standard input. */
export async function runToEnd(child: ChildProcess, input = ''): Promise<Ended> {
  const text = outputOf(child);
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

/** Starts the server and waits until it says its address. @throws with what it printed when it ends first. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await openedFolder());
  const startedAt = performance.now();
  const { program = 'main.ts', built = options.program === undefined ? BUILT : false } = options;
  const child = startProgram(program, [], { DATA_DIR: dataDir, PORT: '0', ...options.env }, built);
  const text = outputOf(child);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`The server was not ready in time:\n${text.stdout}${text.stderr}`)),
      TIMEOUT_MS,
    );
    child.stdout?.on('data', () => {
      const address = READY.exec(text.stdout)?.[1];
      if (address) resolve(address);
      if (address) clearTimeout(late);
    });
    void ended.then(() => reject(new Error(`The server ended:\n${text.stderr}`))).finally(() => clearTimeout(late));
  });
  return {
    url,
    dataDir,
    child,
    readyMs: performance.now() - startedAt,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    async kill(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
