import { ProForm } from '@ant-design/pro-components';
import { Alert, Button, Form, type FormInstance, Input, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import {
  type ApiKeyRow,
  apiKey,
  credentialErrors,
  hasPassphrase,
  KEY_DEMANDS,
  type KeyDesk,
  type KeyReport,
  type NewApiKey,
} from '#contract/apiKey';
import { LIVE_EXCHANGES, type LiveExchange } from '#contract/candle';
import { toast } from '@/components/toast';
import { DrawerForm } from '@/form/DrawerForm';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { isOnTestnet } from '@/services/modeLabel';
import { optionsOf } from '@/table/FilterSelect';
import styles from './index.module.css';
import { keyTitle } from './keyLabels';
import { ReportView } from './ReportView';

const TESTNET_KEY =
  '这里是测试网：密钥要在交易所的测试网创建（币安 Demo Trading、OKX 模拟盘、Bybit Testnet、Gate TestNet），真实账户的密钥用不了。';

/** What the form holds: the optional ones are empty where they are not given. */
interface KeyValues {
  exchange: LiveExchange;
  name: string;
  key: string;
  secret: string;
  passphrase: string;
  subAccount: string;
}

const EMPTY: KeyValues = { exchange: 'binance', name: '', key: '', secret: '', passphrase: '', subAccount: '' };

const LABELS: Record<keyof KeyValues, string> = {
  exchange: '交易所',
  name: '名称',
  key: 'Key',
  secret: 'Secret',
  passphrase: 'Passphrase',
  subAccount: '子账户',
};

const rules = {
  ...rulesOf(apiKey.create.body!),
  /** The contract's rule across exchange and passphrase. @param exchange where the form does not ask for it. */
  passphraseAt:
    (exchange: LiveExchange | undefined) =>
    ({ getFieldsValue }: { getFieldsValue: () => unknown }) => ({
      validator: async (): Promise<void> => {
        const typed = getFieldsValue() as KeyValues;
        const [wrong] = credentialErrors({ ...typed, exchange: exchange ?? typed.exchange });
        if (wrong) throw new Error(wrong.message);
      },
    }),
};

/** As the API takes it: what is empty, and a passphrase that the exchange does not have, is left out. */
function toApi({ exchange, name, key, secret, passphrase, subAccount }: KeyValues): NewApiKey {
  return {
    exchange,
    name,
    key,
    secret,
    ...(hasPassphrase(exchange) ? { passphrase } : {}),
    ...(subAccount === '' ? {} : { subAccount }),
  };
}

interface KeyDrawerProps {
  desk: KeyDesk | undefined;
  /** The key whose place the typed one takes; null for another one. */
  replaced: ApiKeyRow | null;
  onSaved: () => void;
  onClose: () => void;
}

const NAMES = Object.keys(LABELS) as (keyof KeyValues)[];

/** Adds a key, or puts a new one in the place of another; either is tested before it is saved. */
export default function KeyDrawer({ desk, replaced, onSaved, onClose }: KeyDrawerProps) {
  const [form] = ProForm.useForm<KeyValues>();
  const [report, setReport] = useState<KeyReport>();
  const [busy, setBusy] = useState<'test' | 'save'>();
  const told = useRef<HTMLDivElement>(null);
  // It stands below a form that may fill the window.
  useEffect(() => {
    if (report) told.current?.scrollIntoView({ block: 'nearest' });
  }, [report]);
  const initial = replaced
    ? { ...EMPTY, exchange: replaced.exchange, name: replaced.name, subAccount: replaced.subAccount ?? '' }
    : EMPTY;
  const typed = () => toApi({ ...initial, ...form.getFieldsValue() });

  /** Does one of the two; what the server refuses is shown at its field. */
  const run = async (what: 'test' | 'save', act: () => Promise<void>) => {
    setBusy(what);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error.fields);
    } finally {
      setBusy(undefined);
    }
  };
  const test = async () => {
    const isFit = await form.validateFields().then(
      () => true,
      () => false,
    );
    if (!isFit) return;
    const { name: _name, ...body } = typed();
    await run('test', async () => setReport(await call(apiKey.test, { body })));
  };
  const save = () =>
    run('save', async () => {
      const { exchange: _exchange, name: _name, subAccount: _subAccount, ...credentials } = typed();
      if (replaced) await call(apiKey.rotate, { body: { id: replaced.id, ...credentials } });
      else await call(apiKey.create, { body: typed() });
      toast.success(replaced ? `${keyTitle(replaced)} 已更换` : '密钥已加密保存');
      onSaved();
      onClose();
    });

  return (
    <DrawerForm<KeyValues>
      title={replaced ? `更换密钥：${keyTitle(replaced)}` : '添加密钥'}
      width="min(520px, 100vw)"
      form={form}
      initialValues={initial}
      unsavedIn={(values) =>
        NAMES.filter((name) => (values[name] ?? initial[name]) !== initial[name]).map((name) => LABELS[name])
      }
      submitText={busy === 'save' ? '正在测试并保存…' : '测试并保存'}
      onFinish={() => (busy ? undefined : save())}
      onChange={() => setReport(undefined)}
      onClose={onClose}
    >
      {replaced && <p className="soft">名称、备注与使用它的账户不变。新的测试通过后才替换；旧的请随后在交易所删除。</p>}
      {desk?.closed && <Alert type="error" showIcon title="现在不能保存密钥" description={desk.closed} />}
      {desk?.exchange?.simulated && (
        <DemoKeys examples={desk.exchange.examples} form={form} onFill={() => setReport(undefined)} />
      )}
      <div>
        {replaced === null && <IdentityFields />}
        <CredentialFields exchange={replaced?.exchange} />
        <Button loading={busy === 'test'} onClick={test}>
          测试连接
        </Button>
      </div>
      <div ref={told}>{report && <ReportView report={report} />}</div>
    </DrawerForm>
  );
}

interface DemoKeysProps {
  examples: NonNullable<KeyDesk['exchange']>['examples'];
  form: FormInstance<KeyValues>;
  onFill: () => void;
}

/** Keys that the simulated exchange knows, to see what a test can come to. */
const DemoKeys = ({ examples, form, onFill }: DemoKeysProps) => (
  <details className={styles.examples}>
    <summary>模拟交易所：可以试的 Key（Secret 与 Passphrase 随意填写）</summary>
    <ul>
      {examples.map(({ key, effect }) => (
        <li key={key}>
          <Button
            size="small"
            type="link"
            onClick={() => {
              form.setFieldsValue({ key, secret: 'demo-secret', passphrase: 'demo' });
              onFill();
            }}
          >
            {key}
          </Button>
          <span className="soft">{effect}</span>
        </li>
      ))}
    </ul>
  </details>
);

const EXCHANGES = optionsOf(LIVE_EXCHANGES);
const trimmed = (text: string) => text.trim();
/** No keeper of passwords is to keep these. */
const UNKEPT = { autoComplete: 'new-password', spellCheck: false } as const;

/** Which key it is: exchange, name, sub-account. */
const IdentityFields = () => (
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
function CredentialFields({ exchange }: { exchange?: LiveExchange }) {
  const chosen = ProForm.useWatch((values: Partial<KeyValues>) => values.exchange) as LiveExchange | undefined;
  const own = exchange ?? chosen ?? 'binance';
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
      {hasPassphrase(own) && (
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
      <Form.Item>
        <span className="soft">
          {isOnTestnet() && TESTNET_KEY}
          {KEY_DEMANDS[own]}。请只开读取与策略所需的权限，关闭提现，并设置 IP 白名单。带提现权限的密钥不会被保存。
        </span>
      </Form.Item>
    </>
  );
}
