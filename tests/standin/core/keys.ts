import { createHmac, timingSafeEqual } from 'node:crypto';

/** What lets a program in on behalf of an account. */
export interface ApiKey {
  key: string;
  secret: string;
  /** The word that is said beside it, where the exchange wants one. */
  passphrase: string;
  account: string;
  canTrade: boolean;
  canWithdraw: boolean;
  /** Whether it may move money between the account's own wallets. */
  canTransfer: boolean;
  /** Addresses that it is let in from; from anywhere while there are none. */
  addresses: readonly string[];
  /** UTC ms. */
  createdAt: number;
}

/** The keys of one exchange. */
export class Keys {
  readonly #keys = new Map<string, ApiKey>();

  /** @param key what differs from a key that may trade and move money between wallets, from anywhere */
  add(key: Pick<ApiKey, 'key' | 'secret' | 'account'> & Partial<ApiKey>): ApiKey {
    const whole = {
      passphrase: '',
      canTrade: true,
      canWithdraw: false,
      canTransfer: true,
      addresses: [],
      createdAt: 0,
      ...key,
    };
    this.#keys.set(key.key, whole);
    return whole;
  }

  revoke(key: string): void {
    this.#keys.delete(key);
  }

  /** All of an account. */
  of(account: string): ApiKey[] {
    return [...this.#keys.values()].filter((key) => key.account === account);
  }

  find(key: string): ApiKey | undefined {
    return this.#keys.get(key);
  }
}

/** Whether a text is signed with a secret. */
export function isSigned(
  text: string,
  secret: string,
  signature: string,
  encoding: 'base64' | 'hex',
  hash = 'sha256',
): boolean {
  const right = createHmac(hash, secret).update(text).digest();
  const given = Buffer.from(signature, encoding);
  return given.length === right.length && timingSafeEqual(given, right);
}
