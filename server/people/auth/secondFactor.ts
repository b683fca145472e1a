import { Secret, TOTP } from 'otpauth';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { BodyOf, DataOf } from '#contract/endpoint';
import type { secondFactor as api } from '#contract/secondFactor';
import type { User } from '#contract/user';
import { secretAt } from '../../base/db/accounts/secret';
import type { Queries } from '../../base/db/client';
import {
  dropFactor,
  enableFactor,
  FACTOR_PURPOSE,
  putRecovery,
  recoveryLeft,
  secondFactorOf,
  spendRecovery,
  spendStep,
  startFactor,
} from '../../base/db/users/secondFactor';
import { securityOf } from '../../base/db/users/security';
import { revokeOtherSessions } from '../../base/db/users/session';
import { Refusal, refused } from '../../base/http/refusal';
import { SecretDamaged, SecretLocked, type Vault } from '../../base/secret/vault';
import type { PeopleDeps } from '../deps';
import { countCode } from './attempts';
import { hashOfCode, newCode } from './oneTimeCode';
import { provePassword } from './ownPassword';
import { stillSignedIn } from './verified';

export type FactorDeps = Pick<PeopleDeps, 'db' | 'clock' | 'vault'>;

/** What every authenticator can do (RFC 6238). */
const SHAPE = { issuer: 'Hedge Console', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Half minutes before and after that a clock may be off. */
const WINDOW = 1;
/** 160 bits, as RFC 4226 asks for. */
const SECRET_BYTES = 20;
/** How long what was begun can be confirmed. */
const CONFIRM_MS = 10 * MINUTE_MS;
const RECOVERY_CODES = 10;
const RECOVERY_GROUPS = 3;

const nameOf = (userId: string) => ({ purpose: FACTOR_PURPOSE, recordId: userId, context: userId });
/** Of two users no code has the same hash. */
const recoveryHash = (userId: string, code: string) => hashOfCode(code, userId);

/** The half minute whose code this is; `null` when it is none of now. @throws SecretLocked */
async function stepOf({ db, clock, vault }: FactorDeps, userId: string, code: string): Promise<number | null> {
  const secret = Secret.fromBase32(await vault.read(db, nameOf(userId)));
  const timestamp = clock();
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / (SHAPE.period * SECOND_MS)) + delta;
}

/** Of two kinds of code: six digits of the authenticator, or one of those for who has lost it. */
type CodeKind = 'authenticator' | 'recovery';

/** Which kind of code of the user's it is, which is used up by it; null for none. */
async function kindOfCode(deps: FactorDeps, userId: string, typed: string): Promise<CodeKind | null> {
  const code = typed.normalize('NFKC').replace(/\s/g, '');
  if (!/^\d{6}$/.test(code))
    return (await spendRecovery(deps.db, userId, recoveryHash(userId, code))) ? 'recovery' : null;
  const step = await stepOf(deps, userId, code);
  return step !== null && (await spendStep(deps.db, userId, step)) ? 'authenticator' : null;
}

/** That the secret cannot be read is no fault of who types its code. */
const readable = (error: unknown): never => {
  if (!(error instanceof SecretLocked)) throw error;
  const why = error instanceof SecretDamaged ? '保存的密钥已损坏' : '服务器缺少它的主密钥';
  throw new Refusal(503, 503, `验证码现在不能核对：${why}。请用恢复码，或联系管理员`);
};

/** Whether the user signs in in two steps. */
export async function hasSecondFactor(db: Queries, userId: string): Promise<boolean> {
  return typeof (await secondFactorOf(db, userId))?.enabledAt === 'number';
}

/**
 * Which kind of code was typed, null where it is wrong; wrong ones are counted for the user, wherever they come from.
 * @throws 429, 503.
 */
export async function checkCode(deps: FactorDeps, userId: string, typed: string): Promise<CodeKind | null> {
  const guess = await countCode(deps.db, deps.clock, userId);
  const kind = await kindOfCode(deps, userId, typed).catch(async (error: unknown) => {
    await guess.giveBack();
    return readable(error);
  });
  if (kind !== null) await guess.succeed();
  return kind;
}

export async function factorState({ db, vault }: FactorDeps, userId: string): Promise<DataOf<typeof api.state>> {
  const enabledAt = (await secondFactorOf(db, userId))?.enabledAt ?? null;
  if (enabledAt === null) return { enabledAt, recoveryLeft: 0, isDamaged: false };
  const name = nameOf(userId);
  const isDamaged = vault.stateOf(name, await secretAt(db, name)) === 'damaged';
  return { enabledAt, recoveryLeft: await recoveryLeft(db, userId), isDamaged };
}

/** Makes a secret, which asks for nothing until it is confirmed. @throws as `provePassword`; secondFactorOn; keyStoreClosed without a master key. */
export async function beginFactor(
  deps: FactorDeps,
  user: User,
  password: string,
  tokenHash: string,
): Promise<DataOf<typeof api.begin>> {
  const { db, clock, vault } = deps;
  await provePassword(deps, user, password);
  if (vault.closed !== null) throw refused('keyStoreClosed', vault.closed);
  const secret = new Secret({ size: SECRET_BYTES });
  const startedAt = clock();
  await db.transaction(async (tx) => {
    await stillSignedIn(tx, user, tokenHash);
    if (!(await startFactor(tx, user.id, startedAt))) throw refused('secondFactorOn');
    await vault.keep(tx, nameOf(user.id), secret.base32);
  });
  const uri = new TOTP({ ...SHAPE, label: user.name, secret }).toString();
  return { secret: secret.base32, uri, expiresAt: startedAt + CONFIRM_MS };
}

/** Ten new codes in the place of the old ones, in clear this once. */
async function newRecovery(tx: Queries, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newCode(RECOVERY_GROUPS));
  await putRecovery(
    tx,
    userId,
    codes.map((code) => recoveryHash(userId, code)),
  );
  return codes;
}

/** Switches on what was begun and ends the user's other sessions. @throws secondFactorOff, wrongCode, 429; 401 when this session was ended meanwhile. */
export async function confirmFactor(deps: FactorDeps, user: User, typed: string, tokenHash: string) {
  const { db, clock } = deps;
  const { id } = user;
  const since = clock() - CONFIRM_MS;
  const begun = await secondFactorOf(db, id);
  if (begun === null || begun.enabledAt !== null || begun.startedAt <= since) throw refused('secondFactorOff');
  const guess = await countCode(db, clock, id);
  const step = await stepOf(deps, id, typed.replace(/\s/g, '')).catch(readable);
  if (step === null) throw refused('wrongCode', '', 'code');
  await guess.succeed();
  return db.transaction(async (tx) => {
    await stillSignedIn(tx, user, tokenHash);
    if (!(await enableFactor(tx, id, clock(), since, step))) throw refused('secondFactorOff');
    await revokeOtherSessions(tx, id, tokenHash);
    return { recoveryCodes: await newRecovery(tx, id) };
  });
}

/** Makes sure that whoever has the session knows the password and has the second factor. @throws as both; secondFactorOff. */
async function proveBoth(deps: FactorDeps, user: User, { password, code }: BodyOf<typeof api.remove>): Promise<void> {
  if (!(await hasSecondFactor(deps.db, user.id))) throw refused('secondFactorOff');
  await provePassword(deps, user, password);
  if (!(await checkCode(deps, user.id, code))) throw refused('wrongCode', '', 'code');
}

export async function renewRecovery(
  deps: FactorDeps,
  user: User,
  proof: BodyOf<typeof api.renew>,
  tokenHash: string,
): Promise<DataOf<typeof api.renew>> {
  await proveBoth(deps, user, proof);
  return deps.db.transaction(async (tx) => {
    await stillSignedIn(tx, user, tokenHash);
    return { recoveryCodes: await newRecovery(tx, user.id) };
  });
}

/** @throws as `proveBoth`; masterFactorKept of a master who must have one, unless it is damaged: another takes its place; 401 */
export async function removeFactor(
  deps: FactorDeps,
  user: User,
  proof: BodyOf<typeof api.remove>,
  tokenHash: string,
): Promise<void> {
  const isKept = user.role === 'master' && (await securityOf(deps.db)).masterFactor;
  if (isKept && !(await factorState(deps, user.id)).isDamaged) throw refused('masterFactorKept');
  await proveBoth(deps, user, proof);
  await deps.db.transaction(async (tx) => {
    await stillSignedIn(tx, user, tokenHash);
    await forgetFactor(tx, deps.vault, user.id);
  });
}

/** Takes a second factor away, with its secret and its recovery codes. */
export async function forgetFactor(tx: Queries, vault: Vault, userId: string): Promise<void> {
  await dropFactor(tx, userId);
  await vault.forget(tx, nameOf(userId));
}
