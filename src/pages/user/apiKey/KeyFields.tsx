import { ProForm } from '@ant-design/pro-components';
import { Input, Select } from 'antd';
import { type Exchange, hasPassphrase } from '#contract/apiKey';
import { Field } from '@/form/Field';
import { optionsOf } from '@/table/FilterSelect';
import { type KeyValues, LABELS, rules } from './keyForm';
import { EXCHANGE_LABEL } from './keyLabels';

const EXCHANGES = optionsOf(EXCHANGE_LABEL);
const trimmed = (text: string) => text.trim();
/** No keeper of passwords is to keep these. */
const UNKEPT = { autoComplete: 'new-password', spellCheck: false } as const;

/** Which key it is: exchange, name, sub-account. */
export const IdentityFields = () => (
  <>
    <Field name="exchange" label={LABELS.exchange} rules={rules.exchange}>
      <Select options={EXCHANGES} aria-label={LABELS.exchange} />
    </Field>
    <Field name="name" label={LABELS.name} rules={rules.name} help="自己看的名字；同一交易所里不能重复">
      <Input autoComplete="off" maxLength={32} placeholder="如：主账户、子账户 A" />
    </Field>
    <Field
      name="subAccount"
      label={`${LABELS.subAccount}（可不填）`}
      rules={rules.subAccount}
      normalize={trimmed}
      help="密钥属于哪个子账户，照交易所里的名字"
    >
      <Input autoComplete="off" maxLength={64} />
    </Field>
  </>
);

/** What a key consists of. @param exchange of a key that is replaced; chosen in the form otherwise. */
export function CredentialFields({ exchange }: { exchange?: Exchange }) {
  const chosen = ProForm.useWatch((values: Partial<KeyValues>) => values.exchange) as Exchange | undefined;
  const asksPassphrase = hasPassphrase(exchange ?? chosen ?? 'binance');
  return (
    <>
      <Field name="key" label={LABELS.key} rules={rules.key} normalize={trimmed} help="交易所的 API Key">
        <Input autoComplete="off" spellCheck={false} maxLength={256} />
      </Field>
      <Field
        name="secret"
        label={LABELS.secret}
        rules={rules.secret}
        normalize={trimmed}
        help="加密保存，只写入，任何人都不能再看到它"
      >
        <Input.Password {...UNKEPT} maxLength={512} />
      </Field>
      {asksPassphrase && (
        <Field
          name="passphrase"
          label={LABELS.passphrase}
          dependencies={['exchange']}
          rules={[...rules.passphrase, rules.passphraseAt(exchange)]}
          help="在 OKX 创建密钥时自己设的密码"
        >
          <Input.Password {...UNKEPT} maxLength={64} />
        </Field>
      )}
    </>
  );
}
