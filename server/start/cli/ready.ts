import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { service } from '#contract/service';
import { StartRefusal } from '../../base/startRefusal';
import { type Config, readConfig } from '../config';
import { runProgram } from '../runProgram';

const USAGE = `用法：npm run ready -- [--wait 秒]
问 HOST 与 PORT 上的服务是否就绪：就绪时以 0 结束，否则写出原因，以 1 结束。--wait 最多等这么多秒，每秒再问一次。`;

/** A server that is asked says within about a second why it is not ready. */
const WITHIN_MS = 5_000;
const AGAIN_MS = 1_000;
/** An address that listens everywhere is reached by loopback. */
const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function readWait(): number | null {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean' }, wait: { type: 'string', default: '0' } } });
    if (values.help) return null;
    const seconds = Number(values.wait);
    if (Number.isInteger(seconds) && seconds >= 0) return seconds * 1000;
  } catch {
    // Told below.
  }
  throw new StartRefusal(USAGE);
}

/** @returns why it is not ready; null when it is */
function ask({ host, port }: Config): Promise<string | null> {
  return new Promise((done) => {
    const where = { host: EVERYWHERE[host] ?? host, port, path: service.ready.path };
    // The name is one that every server answers to, wherever it listens.
    const asking = get({ ...where, headers: { host: 'localhost' }, timeout: WITHIN_MS }, async (answer) => {
      const text = (await answer.toArray().catch(() => [])).join('');
      done(answer.statusCode === 200 ? null : wordsOf(text, answer.statusCode));
    });
    asking.on('timeout', () => asking.destroy(Object.assign(new Error(), { code: '超时' })));
    asking.on('error', ({ code }: NodeJS.ErrnoException) => done(`${host} 的端口 ${port} 上没有服务答复（${code}）`));
  });
}

function wordsOf(text: string, status: number | undefined): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return `答复的不是本产品的服务（HTTP ${status}）`;
  }
}

async function main(): Promise<void> {
  const waitMs = readWait();
  if (waitMs === null) return console.log(USAGE);
  const config = readConfig();
  if (config.port === 0) throw new StartRefusal('PORT 为 0 时端口由系统选定，这里无从得知');
  const until = performance.now() + waitMs;
  for (;;) {
    const reason = await ask(config);
    if (reason === null) return console.log('已就绪');
    if (performance.now() >= until) throw new StartRefusal(reason);
    await pause(AGAIN_MS);
  }
}

await runProgram(main);
