import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { journalEvents } from '../base/db/accounts/liveJournal';
import { accountById } from '../base/db/accounts/venueAccount';
import type { Database } from '../base/db/client';
import { realAccounts } from '../base/db/records/audit';
import { beginAudit, checkChains, endAudit } from '../base/db/records/auditTrail';
import { findUser, listUsers } from '../base/db/users/user';
import { answerErrors } from '../base/http/failure';
import { conflict, unauthenticated } from '../base/http/refusal';
import { compileValidator } from '../base/http/validation';
import { RotationOrder, rotateMaster, type Vault } from '../base/secret/vault';
import { audit, type Told } from '../engine/audit';
import type { Clock } from '../market/exchange';
import { createMarkets, marketLawOf } from '../market/markets';
import { createPaperVenue } from '../market/paper/paperVenue';
import { addUser, dropSecondFactor, NamedUser, NewPassword, NewUser, resetPassword } from '../people/auth/user';
import { CopyOrder } from './backup/takeCopy';
import { registerImportCall } from './import/runImport';

/** What the commands work on: the running server's own, or the command's when no server runs. */
export interface ControlDeps {
  db: Database;
  clock: Clock;
  /** Asked for where it is needed: opening one may make a master key. */
  vault: () => Promise<Vault>;
}

/** Where a running server listens for the commands of its own machine's user. */
export interface ControlAddress {
  url: string;
  token: string;
}

export const controlFile = (dataDir: string) => path.join(dataDir, 'control.json');

/** The commands as calls, in the envelope of the API. Without a listener they are reached by `inject`. */
export function buildControl({ db, clock, vault }: ControlDeps): FastifyInstance {
  const app = Fastify({ logger: false });
  app.setValidatorCompiler(compileValidator);
  answerErrors(app, db);
  const answer = (data: unknown = null) => ({ code: 200, message: 'ok', data });
  registerImportCall(app, { db, clock });
  app.get('/ping', async () => answer());
  app.get('/user', async () =>
    answer((await listUsers(db)).map(({ name, role, blocked }) => ({ name, role, blocked }))),
  );
  app.post<{ Body: NewUser }>('/user', { schema: { body: NewUser } }, async ({ body }) => {
    await addUser(db, clock, body);
    await note('user add', body.username, { role: body.role });
    return answer();
  });
  app.put<{ Body: NewPassword }>('/user/password', { schema: { body: NewPassword } }, async ({ body }) => {
    await resetPassword(db, body);
    await note('user passwd', body.username);
    return answer();
  });
  app.delete<{ Body: NamedUser }>('/user/factor', { schema: { body: NamedUser } }, async ({ body }) => {
    const had = await dropSecondFactor(db, await vault(), body.username);
    await note('user factor-off', body.username, { secondFactor: false }, { secondFactor: had });
    return answer({ had });
  });
  app.post<{ Body: RotationOrder }>('/secret/rotate', { schema: { body: RotationOrder } }, async ({ body }) =>
    answer(await rotateMaster(await vault(), db, body)),
  );
  app.post<{ Body: CopyOrder }>('/copy', { schema: { body: CopyOrder } }, async ({ body }) => {
    if (db.copyTo === undefined) throw conflict('正在运行的服务用的不是内嵌数据库');
    await db.copyTo(body.target);
    return answer();
  });
  app.get('/audit', async () =>
    answer({
      ...(await audit(db, await committed())),
      real: await realAccounts(db),
      trail: await checkChains(db),
    }),
  );
  return app;

  /** A venue of its own: it only reads, and what it reads is what the running ones have committed. No exchange is asked. */
  async function committed(): Promise<Told> {
    const markets = createMarkets({ db, clock, law: await marketLawOf(db) });
    const paper = createPaperVenue({ db, clock, markets });
    return {
      events: async (account, after, most) =>
        (await accountById(db, account))?.mode === 'live'
          ? journalEvents(db, account, after, most)
          : paper.events(account, after, most),
    };
  }

  /** Into the audit log goes what was done, under the user it was done to: on this machine nobody signs in. */
  async function note(action: string, username: string, after: Values = null, before: Values = null): Promise<void> {
    const user = await findUser(db, username);
    if (user === null) return;
    const row = { at: clock(), actorId: user.id, actor: '命令行', role: '本机', action, object: user.id, input: after };
    const id = await beginAudit(db, { ...row, address: '本机', requestId: randomUUID() });
    await endAudit(db, id, { status: 200, code: 200, message: 'ok', before, after });
  }
}

type Values = Record<string, unknown> | null;

/**
 * Opens the commands' calls on this machine's own address and writes where, with a random token, into
 * a file of the data folder that only its owner reads. Resolves to what closes both.
 */
export async function openControl(dataDir: string, deps: ControlDeps): Promise<() => Promise<void>> {
  const token = randomBytes(32).toString('base64url');
  const app = buildControl(deps);
  app.addHook('onRequest', async ({ headers }) => {
    if (!isToken(headers.authorization, token)) throw unauthenticated();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const file = controlFile(dataDir);
  const text = JSON.stringify({ url: `http://127.0.0.1:${port}`, token } satisfies ControlAddress);
  mkdirSync(dataDir, { recursive: true });
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return async () => {
    // A server that started since on the same folder has written its own.
    if (isOurs(file, text)) rmSync(file, { force: true });
    await app.close();
  };
}

function isToken(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function isOurs(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}
