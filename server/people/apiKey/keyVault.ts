import type { LiveExchange } from '#contract/candle';
import { type ApiKeyRecord, KEY_PURPOSE } from '../../base/db/accounts/apiKey';
import type { SecretRow } from '../../base/db/accounts/secret';
import type { Queries } from '../../base/db/client';
import { refused } from '../../base/http/refusal';
import type { SecretName } from '../../base/secret/sealing';
import { SecretDamaged, SecretLocked, type SecretState, type Vault } from '../../base/secret/vault';
import type { KeyCredentials } from '../../market/keyCheck';

type Sealed = Pick<KeyCredentials, 'key' | 'secret' | 'passphrase'>;
type Owned = Pick<ApiKeyRecord, 'id' | 'userId' | 'exchange'>;

/** A secret that was put under another key, user or exchange does not open. */
const nameOf = ({ id, userId, exchange }: Owned): SecretName => ({
  purpose: KEY_PURPOSE,
  recordId: id,
  context: `${userId}/${exchange}`,
});

/** Seals what a key consists of, in the place of what it was. */
export async function keepCredentials(vault: Vault, tx: Queries, owned: Owned, typed: KeyCredentials): Promise<void> {
  const { key, secret, passphrase } = typed;
  await vault.keep(tx, nameOf(owned), JSON.stringify({ key, secret, passphrase } satisfies Sealed));
}

export const forgetCredentials = (vault: Vault, tx: Queries, owned: Owned): Promise<void> =>
  vault.forget(tx, nameOf(owned));

export const secretStateOf = (vault: Vault, owned: Owned, row: SecretRow | null): SecretState =>
  vault.stateOf(nameOf(owned), row);

/** @throws keyDamaged; keyLocked when no master key here opens it. */
export async function credentialsOf(vault: Vault, db: Queries, record: ApiKeyRecord): Promise<KeyCredentials> {
  try {
    const sealed = JSON.parse(await vault.read(db, nameOf(record))) as Sealed;
    return { exchange: record.exchange as LiveExchange, subAccount: record.subAccount, ...sealed };
  } catch (error) {
    if (error instanceof SecretDamaged) throw refused('keyDamaged');
    if (error instanceof SecretLocked) throw refused('keyLocked');
    throw error;
  }
}
