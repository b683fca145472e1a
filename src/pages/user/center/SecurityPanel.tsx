import { ProForm } from '@ant-design/pro-components';
import { Alert, Button, Skeleton, Switch } from 'antd';
import { useState } from 'react';
import { type SecuritySettings, security } from '#contract/security';
import { ErrorState } from '@/components/ErrorState';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { useLeaveGuard } from '@/form/useLeaveGuard';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';

type Values = Pick<SecuritySettings, 'masterFactor' | 'registration'>;

const LABELS: Record<keyof Values, string> = { masterFactor: '管理员必须开启两步验证', registration: '开放注册' };
const NAMES = Object.keys(LABELS) as (keyof Values)[];

/** What masters settle for the safety of all accounts. */
export function SecurityPanel() {
  const { data, error, retry, mutate } = useCall(security.settings, {});
  if (error && data === undefined) return <ErrorState error={error} onRetry={retry} />;
  if (data === undefined) return <Skeleton active className={styles.settings} />;
  const { masterFactor, registration } = data;
  return (
    <SecurityForm key={`${masterFactor} ${registration}`} settings={data} onSaved={(saved) => void mutate(saved)} />
  );
}

interface SecurityFormProps {
  settings: SecuritySettings;
  onSaved: (saved: SecuritySettings) => void;
}

function SecurityForm({ settings, onSaved }: SecurityFormProps) {
  const [form] = ProForm.useForm<Values>();
  const [values, setValues] = useState<Values>(settings);
  const [saving, setSaving] = useState(false);
  const changed = NAMES.filter((name) => values[name] !== settings[name]);
  useLeaveGuard({ subject: '安全设置', unsaved: changed.map((name) => LABELS[name]) });
  const save = async () => {
    setSaving(true);
    const body = Object.fromEntries(changed.map((name) => [name, values[name]]));
    try {
      onSaved(await call(security.setSettings, { body }, { quiet: ({ fields }) => fields.length > 0 }));
      toast.success('已保存，并记入审计日志');
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      showFieldErrors(form, failure.fields);
    } finally {
      setSaving(false);
    }
  };
  const without = settings.mastersWithout;
  return (
    <ProForm<Values>
      className={styles.settings}
      form={form}
      initialValues={{ masterFactor: settings.masterFactor, registration: settings.registration }}
      onValuesChange={() => setValues(form.getFieldsValue())}
      onFinish={async () => void save()}
      autoFocusFirstInput={false}
      omitNil={false}
      submitter={false}
    >
      <Field
        name="masterFactor"
        label={LABELS.masterFactor}
        valuePropName="checked"
        extra="开启后，没有两步验证的管理员从下一次请求起只能先去设置它，做完才能使用控制台。自己要先开启。"
      >
        <Switch />
      </Field>
      {without.length > 0 && (
        <Alert
          className={styles.without}
          type={settings.masterFactor ? 'info' : 'warning'}
          showIcon
          title={`还没有开启两步验证的管理员：${without.join('、')}`}
        />
      )}
      <Field
        name="registration"
        label={LABELS.registration}
        valuePropName="checked"
        extra="关闭后，注册页与登录页不再提供注册，服务器拒绝注册；管理员仍可创建用户。已有用户不受影响。"
      >
        <Switch />
      </Field>
      <Button type="primary" htmlType="submit" loading={saving} disabled={changed.length === 0}>
        保存
      </Button>
    </ProForm>
  );
}
