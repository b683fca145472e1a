import type { Queries } from '../db/client';
import type { SecretName } from '../secret/sealing';
import type { Vault } from '../secret/vault';

const nameOf = (userId: string): SecretName => ({ purpose: 'webhook', recordId: userId, context: userId });

export const keepWebhookSecret = (tx: Queries, vault: Vault, userId: string, secret: string): Promise<void> =>
  vault.keep(tx, nameOf(userId), secret);

/** What a user's deliveries are signed with. @throws SecretLocked */
export const webhookSecret = (db: Queries, vault: Vault, userId: string): Promise<string> =>
  vault.read(db, nameOf(userId));

export const forgetWebhookSecret = (tx: Queries, vault: Vault, userId: string): Promise<void> =>
  vault.forget(tx, nameOf(userId));
