import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartRefusal } from '../base/startRefusal';

/** A password typed twice without being shown, or one line of standard input when nobody sits at it. */
export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const password = await askHidden('密码：');
  if ((await askHidden('再次输入：')) !== password) throw new StartRefusal('两次输入的密码不一致');
  return password;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new StartRefusal('标准输入中没有密码');
}

/** Readline echoes what is typed to its output; this one swallows it. */
function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    terminal.on('SIGINT', () => reject(new StartRefusal('已取消')));
    terminal.question('', (answer) => {
      terminal.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
