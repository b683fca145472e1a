import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ROLES } from '#contract/access';
import { StartRefusal } from '../../base/startRefusal';
import { readConfig } from '../config';
import { type ControlCall, withControl } from '../controlClient';
import { runProgram } from '../runProgram';

const USAGE = `用法：npm run user -- add 用户名 --role ${ROLES.join('|')}
      npm run user -- passwd 用户名
      npm run user -- factor-off 用户名   （手机与恢复码都丢失时关闭两步验证）
      npm run user -- list
密码从键盘输入（不显示），或从标准输入读取一行。`;

interface ListedUser {
  name: string;
  role: string;
  blocked: boolean;
}

async function add(name: string, role: string | undefined): Promise<void> {
  if (role === undefined) throw new StartRefusal(`请用 --role 指明角色：${ROLES.join('、')}`);
  if (!ROLES.includes(role as (typeof ROLES)[number])) {
    throw new StartRefusal(`没有 ${role} 这个角色，可选 ${ROLES.join('、')}`);
  }
  await withUsers(async (call, users) => {
    // Before the password is asked: nobody likes to think one up for nothing.
    if (users.some((user) => user.name.toLowerCase() === name.toLowerCase())) {
      throw new StartRefusal(`用户名 ${name} 已被使用`);
    }
    await call('POST', '/user', { username: name, role, password: await askPassword() });
    console.log(`已创建用户 ${name}（${role}）`);
  });
}

async function changePassword(name: string): Promise<void> {
  await withUsers(async (call, users) => {
    if (!users.some((user) => user.name.toLowerCase() === name.toLowerCase())) {
      throw new StartRefusal(`没有用户 ${name}`);
    }
    await call('PUT', '/user/password', { username: name, password: await askPassword() });
    console.log(`已更改 ${name} 的密码，其设备已全部退出`);
  });
}

const switchFactorOff = (name: string) =>
  withUsers(async (call) => {
    const { had } = await call<{ had: boolean }>('DELETE', '/user/factor', { username: name });
    console.log(
      had ? `已关闭 ${name} 的两步验证，其设备已全部退出；已记入审计日志` : `${name} 没有开启两步验证，设备已全部退出`,
    );
  });

const list = () =>
  withUsers(async (_call, users) => {
    for (const { name, role, blocked } of users) console.log(`${name}\t${role}${blocked ? '\t已停用' : ''}`);
  });

function withUsers(work: (call: ControlCall, users: ListedUser[]) => Promise<void>): Promise<void> {
  return withControl(readConfig(), async (call) => work(call, await call<ListedUser[]>('GET', '/user')));
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { role: { type: 'string' }, help: { type: 'boolean' } } });
  } catch {
    throw new StartRefusal(USAGE);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [command, name, ...rest] = positionals;
  if (values.help) return console.log(USAGE);
  if (rest.length === 0 && command === 'add' && name) return add(name, values.role);
  if (rest.length === 0 && command === 'passwd' && name) return changePassword(name);
  if (rest.length === 0 && command === 'factor-off' && name) return switchFactorOff(name);
  if (command === 'list' && name === undefined) return list();
  throw new StartRefusal(USAGE);
}

await runProgram(main);

/** A password typed twice without being shown, or one line of standard input when nobody sits at it. */
async function askPassword(): Promise<string> {
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
