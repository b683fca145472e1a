import { apiKey, credentialErrors, type Exchange, hasPassphrase, type NewApiKey } from '#contract/apiKey';
import { rulesOf } from '@/form/rulesOf';

/** What the form holds: the optional ones are empty where they are not given. */
export interface KeyValues {
  exchange: Exchange;
  name: string;
  key: string;
  secret: string;
  passphrase: string;
  subAccount: string;
}

export const EMPTY: KeyValues = { exchange: 'binance', name: '', key: '', secret: '', passphrase: '', subAccount: '' };

export const LABELS: Record<keyof KeyValues, string> = {
  exchange: '交易所',
  name: '名称',
  key: 'Key',
  secret: 'Secret',
  passphrase: 'Passphrase',
  subAccount: '子账户',
};

export const rules = {
  ...rulesOf(apiKey.create.body!),
  /** The contract's rule across exchange and passphrase. @param exchange where the form does not ask for it. */
  passphraseAt:
    (exchange: Exchange | undefined) =>
    ({ getFieldsValue }: { getFieldsValue: () => unknown }) => ({
      validator: async (): Promise<void> => {
        const typed = getFieldsValue() as KeyValues;
        const [wrong] = credentialErrors({ ...typed, exchange: exchange ?? typed.exchange });
        if (wrong) throw new Error(wrong.message);
      },
    }),
};

/** As the API takes it: what is empty, and a passphrase that the exchange does not have, is left out. */
export function toApi({ exchange, name, key, secret, passphrase, subAccount }: KeyValues): NewApiKey {
  return {
    exchange,
    name,
    key,
    secret,
    ...(hasPassphrase(exchange) ? { passphrase } : {}),
    ...(subAccount === '' ? {} : { subAccount }),
  };
}
