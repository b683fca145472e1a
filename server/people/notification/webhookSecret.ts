import type { PushTarget } from '#contract/pushChannel';
import { secretAt } from '../../base/db/accounts/secret';
import type { Queries } from '../../base/db/client';
import { plainWebhooks, sealAddress, type WebhookRow } from '../../base/db/records/webhook';
import type { SecretName } from '../../base/secret/sealing';
import type { Vault } from '../../base/secret/vault';

/** How a secret begins that deliveries are signed with; base64 follows. */
export const WEBHOOK_SECRET = 'whsec_';

/** Where deliveries go, and what they are signed with: robots carry their token in the address. */
export interface WebhookSecret {
  url: string;
  secret: string;
}

/** What a way out is set up with is kept for its own purpose, one of each user's. */
export const pushSecretName = (userId: string, channel: PushTarget): SecretName => ({
  purpose: channel,
  recordId: userId,
  context: userId,
});

/** What of an address may be shown. */
export const maskedAddress = (url: string): string => `${new URL(url).origin}/****`;

export const keepWebhookSecret = (tx: Queries, vault: Vault, userId: string, kept: WebhookSecret): Promise<void> =>
  vault.keep(tx, pushSecretName(userId, 'webhook'), JSON.stringify(kept));

/** @throws SecretLocked */
export async function webhookSecret(
  db: Queries,
  vault: Vault,
  { userId, url }: Pick<WebhookRow, 'userId' | 'url'>,
): Promise<WebhookSecret> {
  const text = await vault.read(db, pushSecretName(userId, 'webhook'));
  return url === null ? (JSON.parse(text) as WebhookSecret) : { url, secret: text };
}

export async function isPushDamaged(db: Queries, vault: Vault, userId: string, channel: PushTarget): Promise<boolean> {
  const name = pushSecretName(userId, channel);
  return vault.stateOf(name, await secretAt(db, name)) === 'damaged';
}

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
