import {
  type apiKey,
  credentialErrors,
  fitsVenue,
  KEYS_PER_USER,
  type KeyReport,
  type NewApiKey,
} from '#contract/apiKey';
import type { LiveExchange } from '#contract/candle';
import type { BodyOf } from '#contract/endpoint';
import {
  type ApiKeyRecord,
  deleteKey,
  giveKey,
  insertKey,
  isNameTaken,
  keyOf,
  keysOf,
  type StoredReport,
  updateKey,
} from '../../base/db/accounts/apiKey';
import type { Queries } from '../../base/db/client';
import { invalid, notFound, refused } from '../../base/http/refusal';
import type { KeyCredentials } from '../../market/keyCheck';
import type { PeopleDeps } from '../deps';
import { afterReport, askExchange, toldReport, whyNotStored } from './keyReport';
import { type KeyAccount, keyAccounts } from './keyRow';
import { credentialsOf, forgetCredentials, keepCredentials } from './keyVault';

type Needs = Pick<PeopleDeps, 'db' | 'clock' | 'vault' | 'keyCheck'>;

const TAIL = 4;

/** The user's key. @throws 404 */
async function ownKey(db: Queries, userId: string, id: string, forUpdate = false): Promise<ApiKeyRecord> {
  const record = await keyOf(db, userId, id, forUpdate);
  if (record === null) throw notFound('没有找到该密钥');
  return record;
}

/** @throws 400 at the passphrase when the exchange has none, or needs one. */
function typedCredentials(typed: Omit<NewApiKey, 'name'>): KeyCredentials {
  const [wrong] = credentialErrors(typed);
  if (wrong) throw invalid(wrong.field, wrong.message);
  const { exchange, key, secret, passphrase = null, subAccount = null } = typed;
  return { exchange, key, secret, passphrase, subAccount };
}

/** What the exchange says of a key that is to be stored. @throws a refusal when it must not be. */
async function fitReport({ vault, keyCheck, clock }: Needs, credentials: KeyCredentials) {
  if (vault.closed !== null) throw refused('keyStoreClosed', vault.closed);
  const report = await askExchange(keyCheck, credentials, clock());
  const refusal = whyNotStored(report, clock());
  if (refusal) throw refusal;
  // Where nobody could be asked, nothing is known of it.
  return report.outcome === 'unavailable' ? null : report;
}

/** Stores a key that its exchange accepts and that may not withdraw; answers its id. */
export async function createKey(deps: Needs, userId: string, { name, ...typed }: NewApiKey): Promise<string> {
  const { db, clock, vault } = deps;
  const credentials = typedCredentials(typed);
  const report = await fitReport(deps, credentials);
  return db.transaction(async (tx) => {
    if ((await keysOf(tx, userId)).length >= KEYS_PER_USER) throw refused('keyTooMany', `${KEYS_PER_USER} 个`);
    const { exchange, key, subAccount } = credentials;
    const rightsSeen = report?.rights ?? null;
    const row = { userId, exchange, name, subAccount, tail: key.slice(-TAIL), report, rightsSeen, createdAt: clock() };
    const made = await insertKey(tx, row);
    if (made === null) throw refused('keyNameTaken', '', 'name');
    await keepCredentials(vault, tx, made, credentials);
    return made.id;
  });
}

/** Puts a new key and secret in the place of the old ones; who uses the key goes on by the new. */
export async function rotateKey(deps: Needs, userId: string, body: BodyOf<typeof apiKey.rotate>): Promise<void> {
  const { db, clock, vault } = deps;
  const { id, ...typed } = body;
  const before = await ownKey(db, userId, id);
  const { exchange, subAccount } = before;
  const credentials = {
    ...typedCredentials({ ...typed, exchange: exchange as LiveExchange }),
    subAccount,
  };
  const report = await fitReport(deps, credentials);
  await db.transaction(async (tx) => {
    const record = await ownKey(tx, userId, id, true);
    const used = (await keyAccounts(tx, userId)).filter(({ apiKeyId }) => apiKeyId === id);
    for (const account of used) refuseOther(account, report?.uid ?? null, 'key');
    await keepCredentials(vault, tx, record, credentials);
    await updateKey(tx, id, {
      ...{ tail: credentials.key.slice(-TAIL), report, rotatedAt: clock() },
      // Another key: what was seen of the one before says nothing of it.
      ...{ failures: 0, failingSince: null },
      ...{ rightsSeen: report?.rights ?? null, rightsBefore: null, rightsChangedAt: null },
    });
  });
}

/**
 * Asks the exchange about a stored key, and keeps what it says and what that changes; where nobody waits for the answer
 * (`isUse`), silence takes the place of nothing. @throws keyLocked
 */
export async function askAboutStored(
  { db, clock, vault, keyCheck }: Needs,
  before: ApiKeyRecord,
  isUse: boolean,
): Promise<StoredReport> {
  const { userId, id } = before;
  const report = await askExchange(keyCheck, await credentialsOf(vault, db, before), clock());
  if (!isUse && report.outcome === 'unanswered') return report;
  await db.transaction(async (tx) => {
    const now = await keyOf(tx, userId, id, true);
    // What was said of a key that was replaced meanwhile says nothing of the new one.
    if (now === null || now.rotatedAt !== before.rotatedAt) return;
    const used = isUse && report.outcome !== 'unavailable' ? { usedAt: clock() } : {};
    await updateKey(tx, id, { report, ...afterReport(now, report), ...used });
  });
  return report;
}

async function testStored(deps: Needs, userId: string, id: string): Promise<KeyReport> {
  const report = await askAboutStored(deps, await ownKey(deps.db, userId, id), true);
  return toldReport(report, deps.keyCheck, deps.clock());
}

/** Tests a stored key by its id, or what was typed, of which nothing is kept. */
export async function testKey(deps: Needs, userId: string, body: BodyOf<typeof apiKey.test>): Promise<KeyReport> {
  const { id, ...typed } = body;
  if (id !== undefined) {
    if (Object.keys(typed).length > 0) throw invalid('id', '已保存的密钥只按 id 测试，不能同时填写其他内容');
    return testStored(deps, userId, id);
  }
  const { exchange, key, secret } = typed;
  if (exchange === undefined) throw invalid('exchange', '请输入交易所');
  if (key === undefined) throw invalid('key', '请输入Key');
  if (secret === undefined) throw invalid('secret', '请输入Secret');
  const credentials = typedCredentials({ ...typed, exchange, key, secret });
  const report = await askExchange(deps.keyCheck, credentials, deps.clock());
  return toldReport(report, deps.keyCheck, deps.clock());
}

export async function editKey({ db }: Needs, userId: string, body: BodyOf<typeof apiKey.edit>): Promise<void> {
  const { id, name, note } = body;
  await db.transaction(async (tx) => {
    const record = await ownKey(tx, userId, id, true);
    if (await isNameTaken(tx, record, name)) throw refused('keyNameTaken', '', 'name');
    await updateKey(tx, id, { name, note });
  });
}

export async function switchKey({ db }: Needs, userId: string, body: BodyOf<typeof apiKey.status>): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await ownKey(tx, userId, body.id, true);
    await updateKey(tx, id, { enabled: body.enabled });
  });
}

/** @throws keyInUse while a strategy that was not stopped trades in one of these accounts. */
function refuseInUse(accounts: readonly KeyAccount[]): void {
  const busy = accounts.flatMap(({ strategies }) => strategies.filter(({ state }) => state !== 'stopped'));
  if (busy.length > 0) throw refused('keyInUse', [...new Set(busy.map(({ name }) => name))].join('、'));
}

/**
 * @param uid of the key's own account at its exchange; null where it did not say so, which is found out before it is used
 * @throws keyOtherAccount where a real account was opened with another one
 */
function refuseOther({ exchangeUid }: Pick<KeyAccount, 'exchangeUid'>, uid: string | null, field: string): void {
  if (exchangeUid !== null && uid !== null && uid !== exchangeUid) throw refused('keyOtherAccount', '', field);
}

/** Forgets a key and what it consists of. @throws keyInUse */
export async function removeKey({ db, vault }: Needs, userId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const record = await ownKey(tx, userId, id, true);
    refuseInUse((await keyAccounts(tx, userId)).filter(({ apiKeyId }) => apiKeyId === id));
    await forgetCredentials(vault, tx, record);
    await deleteKey(tx, id);
  });
}

/** Says which key one of the user's accounts uses; null for none. @throws 404; keyOtherVenue, keyOtherAccount at `id`; keyInUse for none. */
export async function assignKey({ db }: Needs, userId: string, accountId: string, id: string | null): Promise<void> {
  await db.transaction(async (tx) => {
    const key = id === null ? null : await ownKey(tx, userId, id, true);
    const account = (await keyAccounts(tx, userId)).find((one) => one.id === accountId);
    if (account === undefined) throw notFound('没有找到该交易账户');
    if (key === null && account.apiKeyId !== null) refuseInUse([account]);
    if (key !== null && !fitsVenue(key.exchange, account.venue)) throw refused('keyOtherVenue', '', 'id');
    refuseOther(account, key?.report?.uid ?? null, 'id');
    await giveKey(tx, userId, accountId, id);
  });
}
