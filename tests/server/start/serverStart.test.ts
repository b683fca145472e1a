import { cpSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { runToEnd, type ServerProcess, startProgram, startServer } from '../../support/serverProcess';
import { temporaryFolder } from '../../support/temporaryFolder';

const running: ServerProcess[] = [];

async function start(...options: Parameters<typeof startServer>): Promise<ServerProcess> {
  const server = await startServer(...options);
  running.push(server);
  return server;
}

const addressOf = (url: string) => ({ HOST: new URL(url).hostname, PORT: new URL(url).port });
/** Runs the server, which is expected to refuse, to its end. */
const refusedStart = (env: Record<string, string>) => runToEnd(startProgram('main.ts', [], { PORT: '0', ...env }));

const userCommand = (dataDir: string, args: string[], input = '') =>
  runToEnd(startProgram('start/cli/user.ts', args, { DATA_DIR: dataDir, PORT: '0' }), input);

const oneLine = (text: RegExp) => new RegExp(`^[^\\n]*${text.source}[^\\n]*\\n$`);

/** A folder that served a demo before and was closed; making one takes seconds. */
let used: string;

function copyOfUsed(): string {
  const dataDir = path.join(temporaryFolder(), 'data');
  cpSync(used, dataDir, { recursive: true });
  return dataDir;
}

/** What the commands say of the users. */
async function accountsOf({ dataDir }: ServerProcess): Promise<{ name: string; blocked: boolean }[]> {
  const { url, token } = JSON.parse(readFileSync(path.join(dataDir, 'control.json'), 'utf8'));
  const reply = await fetch(`${url}/user`, { headers: { authorization: `Bearer ${token}` } });
  return (await reply.json()).data;
}

/** What a server answered while it ran, and how it ended. */
const seen = {} as {
  server: ServerProcess;
  health: unknown;
  ready: unknown;
  controlMode: number;
  /** Statuses of the calls of the commands, without the token and with a wrong one. */
  uninvited: number[];
  code: number | null;
};

beforeAll(async () => {
  const server = await start();
  used = server.dataDir;
  const health = await fetch(`${server.url}/api/health`);
  // Its own port is in the address alone.
  const ready = await runToEnd(startProgram('start/cli/ready.ts', ['--wait', '60'], addressOf(server.url)));
  const control = path.join(used, 'control.json');
  const { url } = JSON.parse(readFileSync(control, 'utf8'));
  const uninvited = await Promise.all(
    ['', 'Bearer x'].map(async (authorization) => (await fetch(`${url}/user`, { headers: { authorization } })).status),
  );
  const controlMode = statSync(control).mode & 0o777;
  Object.assign(seen, { server, health: await health.json(), ready, controlMode, uninvited });
  seen.code = await server.kill('SIGTERM');
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill('SIGKILL')));
});

describe('a server', () => {
  test('says its address and the demo accounts, answers, and ends cleanly at SIGTERM', () => {
    const { server, ...answers } = seen;
    expect(server.stdout()).toContain('master / demo-master / master');
    expect(server.stdout()).toContain('trader / demo-trader / user');
    expect(answers).toMatchObject({ health: { code: 200, data: { ready: true } }, controlMode: 0o600, code: 0 });
    expect(answers.ready).toEqual({ code: 0, stdout: '已就绪\n', stderr: '' });
    expect(answers.uninvited).toEqual([401, 401]);
    expect(existsSync(path.join(used, 'control.json'))).toBe(false);
    expect(server.stderr()).toBe('');
  });

  test('refuses a folder that another process holds, also by a link, and a taken port; takes the folder after a SIGKILL', async () => {
    const first = await start({ dataDir: copyOfUsed() });
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(first.dataDir, link);
    for (const dataDir of [first.dataDir, link]) {
      const second = await refusedStart({ DATA_DIR: dataDir });
      expect(second.code).toBe(1);
      expect(second.stderr).toMatch(oneLine(/另一个进程/));
    }
    await first.kill('SIGKILL');
    // Whoever finds the port taken leaves the folder to the next.
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const refused = await refusedStart({ DATA_DIR: first.dataDir, PORT: String(port) });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(oneLine(new RegExp(`端口 ${port} 已被占用`)));
    other.close();
    const third = await start({ dataDir: first.dataDir });
    expect(await third.kill('SIGTERM')).toBe(0);
  });

  test('refuses a bad environment and an unfit folder without a stack', async () => {
    const open = await refusedStart({ HOST: '0.0.0.0', DATA_DIR: temporaryFolder() });
    expect(open).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine(/DEMO=0/)) });
    const foreign = temporaryFolder();
    writeFileSync(path.join(foreign, 'thesis.txt'), 'x');
    const refused = await refusedStart({ DATA_DIR: foreign });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine(/thesis\.txt/)) });
    const nowhere = await refusedStart({
      DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d',
      DATA_DIR: temporaryFolder(),
    });
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine(/ECONNREFUSED/)) });
    expect(nowhere.stderr).not.toContain('secret');
  });
});

test('of two servers started at the same instant on one folder exactly one runs', async () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  const both = await Promise.allSettled([start({ dataDir }), start({ dataDir })]);
  const failures = both.filter((one) => one.status === 'rejected');
  expect(failures).toHaveLength(1);
  expect(String(failures[0]?.reason)).toMatch(/另一个进程/);
});

describe('npm run ready', () => {
  const ready = (env: Record<string, string>, ...args: string[]) =>
    runToEnd(startProgram('start/cli/ready.ts', args, env));
  /** Answers so to who asks first, and is ready then. */
  async function standIn(status: number, body: string) {
    let asked = 0;
    const other = createHttpServer((_request, answer) => {
      asked += 1;
      answer.writeHead(asked > 1 ? 200 : status).end(body);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    return { other, port: String((other.address() as { port: number }).port) };
  }

  test('says why a server is not ready, and waits for one that will be', async () => {
    const message = '尚未就绪：磁盘已满，不能保存';
    const { other, port } = await standIn(503, JSON.stringify({ code: 503, message, data: null }));
    expect(await ready({ PORT: port })).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
    other.close();
    const late = await standIn(503, 'Service Unavailable');
    // It listens everywhere: loopback reaches it.
    const everywhere = { PORT: late.port, HOST: '0.0.0.0', DEMO: '0' };
    expect(await ready(everywhere, '--wait', '60')).toEqual({ code: 0, stdout: '已就绪\n', stderr: '' });
    late.other.close();
    const nobody = await ready({ PORT: late.port });
    expect(nobody.stderr).toMatch(oneLine(new RegExp(`端口 ${late.port} 上没有服务答复（ECONNREFUSED）`)));
    const wrong = await standIn(404, 'Not Found');
    expect((await ready({ PORT: wrong.port })).stderr).toBe('答复的不是本产品的服务（HTTP 404）\n');
    wrong.other.close();
    const misused = await Promise.all([['--wait', 'soon'], ['now']].map((args) => ready({ PORT: port }, ...args)));
    for (const one of misused) expect(one).toMatchObject({ code: 1, stderr: expect.stringMatching(/^用法/) });
  });
});

describe('npm run user', () => {
  test('adds an account while a server without demo runs, where the demo accounts are closed, and past a killed one, where they are open again', async () => {
    const server = await start({
      dataDir: copyOfUsed(),
      env: { DEMO: '0', HOST: '0.0.0.0', ALLOWED_HOSTS: '0.0.0.0' },
    });
    expect(server.stdout()).toMatch(/明文 HTTP 对外监听/);
    expect(seen.server.stdout()).not.toMatch(/明文/);
    expect(server.stdout()).not.toContain('demo-');
    expect((await accountsOf(server)).map(({ blocked }) => blocked)).toEqual([true, true, true]);
    const added = await userCommand(server.dataDir, ['add', '王小芳', '--role', 'master'], 'correct horse battery\n');
    expect(added).toMatchObject({ code: 0, stdout: '已创建用户 王小芳（master）\n', stderr: '' });
    const add = (name: string, role: string, password: string) =>
      userCommand(server.dataDir, ['add', name, '--role', role], `${password}\n`);
    expect(await add('carol', 'user', 'password123')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/过于常见/),
    });
    expect(await add('lіna', 'editor', 'correct horse battery')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^用户名不能混用不同文字的字母.*\n$/),
    });
    expect(await add('WANGxf', 'user', 'correct horse battery')).toMatchObject({ code: 0 });
    expect(await add('wangXF', 'user', 'correct horse battery')).toMatchObject({
      code: 1,
      stderr: '用户名 wangXF 已被使用\n',
    });
    expect((await add('boss', 'owner', 'correct horse battery')).stderr).toMatch(oneLine(/没有 owner 这个角色/));
    const login = (username: string, password: string) =>
      fetch(`${server.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url },
        body: JSON.stringify({ username, password }),
      }).then((reply) => reply.json());
    expect(await login('王小芳', 'correct horse battery')).toMatchObject({ code: 201 });
    expect(await login('master', 'demo-master')).toMatchObject({ code: 1004 });
    await server.kill('SIGTERM');
    const again = await start({ dataDir: server.dataDir });
    expect((await accountsOf(again)).every(({ blocked }) => !blocked)).toBe(true);
    await again.kill('SIGKILL');
    expect(JSON.parse(readFileSync(path.join(server.dataDir, 'control.json'), 'utf8'))).toHaveProperty('token');
    expect(await add('lina', 'editor', 'correct horse battery')).toMatchObject({ code: 0 });
    expect((await userCommand(server.dataDir, ['list'])).stdout).toContain('lina\teditor');
  });
});
