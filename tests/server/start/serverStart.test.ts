import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Runs the server, which is expected to refuse, to its end. */
const refusedStart = (env: Record<string, string>) => runToEnd(startProgram('main.ts', [], { PORT: '0', ...env }));

const userCommand = (dataDir: string, args: string[], input = '') =>
  runToEnd(startProgram('cli/user.ts', args, { DATA_DIR: dataDir, PORT: '0' }), input);

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

beforeAll(async () => {
  const server = await start({ dataDir: path.join(temporaryFolder(), 'data') });
  used = server.dataDir;
  await server.kill('SIGTERM');
}, 90_000);

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill('SIGKILL')));
});

describe('a server', () => {
  test('says its address and the demo accounts, answers, and ends cleanly at SIGTERM', async () => {
    const server = await start();
    expect(server.stdout()).toContain('master / demo-master / master');
    expect(server.stdout()).toContain('trader / demo-trader / user');
    const health = await fetch(`${server.url}/api/health`);
    expect(await health.json()).toMatchObject({ code: 200, data: { ready: true } });
    const control = path.join(server.dataDir, 'control.json');
    expect(statSync(control).mode & 0o777).toBe(0o600);
    const { url } = JSON.parse(readFileSync(control, 'utf8'));
    for (const authorization of ['', 'Bearer x']) {
      // The calls of the commands answer nobody without the token.
      const reply = await fetch(`${url}/user`, { headers: { authorization } });
      expect(reply.status).toBe(401);
    }
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(() => statSync(control)).toThrow();
    expect(server.stderr()).toBe('');
  }, 90_000);

  test('refuses a folder that another process holds, also by a link, and takes it after a SIGKILL', async () => {
    const first = await start({ dataDir: copyOfUsed() });
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(first.dataDir, link);
    for (const dataDir of [first.dataDir, link]) {
      const second = await refusedStart({ DATA_DIR: dataDir });
      expect(second.code).toBe(1);
      expect(second.stderr).toMatch(oneLine(/另一个进程/));
    }
    await first.kill('SIGKILL');
    const third = await start({ dataDir: first.dataDir });
    expect(await third.kill('SIGTERM')).toBe(0);
  }, 120_000);

  test('refuses a taken port in one line and leaves the folder to the next', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const dataDir = copyOfUsed();
    const refused = await refusedStart({ DATA_DIR: dataDir, PORT: String(port) });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(oneLine(new RegExp(`端口 ${port} 已被占用`)));
    other.close();
    await start({ dataDir });
  }, 90_000);

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
  }, 90_000);
});

test('of two servers started at the same instant on one folder exactly one runs', async () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  const both = await Promise.allSettled([start({ dataDir }), start({ dataDir })]);
  const failures = both.filter((one) => one.status === 'rejected');
  expect(failures).toHaveLength(1);
  expect(String(failures[0]?.reason)).toMatch(/另一个进程/);
}, 90_000);

describe('npm run user', () => {
  test('adds an account while a server without demo runs; the demo accounts are closed there, and open again with one', async () => {
    const server = await start({ dataDir: copyOfUsed(), env: { DEMO: '0' } });
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
    expect((await accountsOf(again)).map(({ blocked }) => blocked)).toEqual([false, false, false, false]);
  }, 120_000);

  test('adds one while no server runs, past the file of a killed one', async () => {
    const server = await start({ dataDir: copyOfUsed() });
    await server.kill('SIGKILL');
    expect(JSON.parse(readFileSync(path.join(server.dataDir, 'control.json'), 'utf8'))).toHaveProperty('token');
    const add = (name: string, role: string, password: string) =>
      userCommand(server.dataDir, ['add', name, '--role', role], `${password}\n`);
    expect(await add('lina', 'editor', 'correct horse battery')).toMatchObject({ code: 0 });
    expect(await add('LINA', 'editor', 'correct horse battery')).toMatchObject({
      code: 1,
      stderr: '用户名 LINA 已被使用\n',
    });
    expect((await userCommand(server.dataDir, ['list'])).stdout).toContain('lina\teditor');
  }, 120_000);
});
