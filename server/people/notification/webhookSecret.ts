import { secretAt } from '../../base/db/accounts/secret';
import type { Queries } from '../../base/db/client';
import { plainWebhooks, sealAddress, WEBHOOK_PURPOSE, type WebhookRow } from '../../base/db/records/webhook';
import type { SecretName } from '../../base/secret/sealing';
import type { Vault } from '../../base/secret/vault';

/** Where deliveries go, and what they are signed with: robots carry their token in the address. */
export interface WebhookSecret {
  url: string;
  secret: string;
}

const nameOf = (userId: string): SecretName => ({ purpose: WEBHOOK_PURPOSE, recordId: userId, context: userId });

/** What of an address may be shown. */
export const maskedAddress = (url: string): string => `${new URL(url).origin}/****`;

export const keepWebhookSecret = (tx: Queries, vault: Vault, userId: string, kept: WebhookSecret): Promise<void> =>
  vault.keep(tx, nameOf(userId), JSON.stringify(kept));

/** @throws SecretLocked */
export async function webhookSecret(
  db: Queries,
  vault: Vault,
  { userId, url }: Pick<WebhookRow, 'userId' | 'url'>,
): Promise<WebhookSecret> {
  const text = await vault.read(db, nameOf(userId));
  return url === null ? (JSON.parse(text) as WebhookSecret) : { url, secret: text };
}

export const isWebhookDamaged = async (db: Queries, vault: Vault, userId: string): Promise<boolean> =>
  vault.stateOf(nameOf(userId), await secretAt(db, nameOf(userId))) === 'damaged';

export const forgetWebhookSecret = (tx: Queries, vault: Vault, userId: string): Promise<void> =>
  vault.forget(tx, nameOf(userId));

/** Seals the addresses that versions before kept in the open; what cannot be read stays as it is. */
export async function sealAddresses(db: Queries, vault: Vault): Promise<void> {
  if (vault.closed !== null) return;
  for (const { userId } of await plainWebhooks(db)) {
    await sealAddress(db, userId, async (tx, row) => {
      const kept = await webhookSecret(tx, vault, row).catch(() => null);
      if (kept === null) return null;
      await keepWebhookSecret(tx, vault, userId, kept);
      return maskedAddress(kept.url);
    });
  }
}
