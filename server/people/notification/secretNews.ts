import { keysOf } from '../../base/db/accounts/apiKey';
import type { SecretRow } from '../../base/db/accounts/secret';
import type { Queries } from '../../base/db/client';
import type { News } from '../../base/db/records/notification';
import { WEBHOOK_PURPOSE, webhookSecrets } from '../../base/db/records/webhook';
import { FACTOR_PURPOSE, factorSecrets } from '../../base/db/users/secondFactor';
import type { Vault } from '../../base/secret/vault';
import { secretStateOf } from '../apiKey/keyVault';
import { keyLink, nameOfKey } from './keyNews';

/** What a user is told of one that is damaged. */
type Words = Pick<News, 'title' | 'text' | 'link'>;

const FACTOR: Words = {
  title: '两步验证的密钥已损坏',
  text: '认证器的验证码无法再核对：请用恢复码登录，关闭两步验证后重新设置',
  link: null,
};
const WEBHOOK: Words = {
  title: '推送地址已损坏',
  text: '保存的推送地址与签名密钥读不出来，通知不再推送：请重新设置',
  link: null,
};

/** Stored secrets that no master key will ever open: their owners are told, once each. */
export async function secretNews(db: Queries, vault: Vault, now: number): Promise<News[]> {
  const [keys, factors, webhooks] = [await keysOf(db), await factorSecrets(db), await webhookSecrets(db)];
  return [
    ...keys.flatMap(({ key, secret }) =>
      secretStateOf(vault, key, secret) === 'damaged'
        ? [
            newsOf(key.userId, `apiKey:${key.id}`, secret, now, {
              ...KEY,
              text: KEY.text(nameOfKey(key)),
              link: keyLink(key),
            }),
          ]
        : [],
    ),
    ...factors.filter(isDamaged(vault, FACTOR_PURPOSE)).map((one) => ofUser(one, FACTOR_PURPOSE, now, FACTOR)),
    ...webhooks.filter(isDamaged(vault, WEBHOOK_PURPOSE)).map((one) => ofUser(one, WEBHOOK_PURPOSE, now, WEBHOOK)),
  ];
}

interface Owned {
  userId: string;
  secret: SecretRow | null;
}

const KEY = { title: '交易所密钥已损坏', text: (name: string) => `${name}：保存的密钥读不出来，请更换` };

const isDamaged =
  (vault: Vault, purpose: string) =>
  ({ userId, secret }: Owned): boolean =>
    vault.stateOf({ purpose, recordId: userId, context: userId }, secret) === 'damaged';

const ofUser = ({ userId, secret }: Owned, purpose: string, now: number, words: Words): News =>
  newsOf(userId, `${purpose}:${userId}`, secret, now, words);

/** One that is set anew and damaged again is news again. */
const newsOf = (userId: string, name: string, secret: SecretRow | null, at: number, words: Words): News => ({
  userId,
  key: `damaged:${name}:${secret?.wrappedKey.slice(0, 16) ?? ''}`,
  kind: 'key',
  level: 'error',
  ...words,
  at,
});
