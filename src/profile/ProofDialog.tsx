import { Input } from 'antd';
import { secondFactor } from '#contract/secondFactor';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';

const TITLE = { renew: '换一组恢复码', remove: '关闭两步验证' } as const;
const TEXT = {
  renew: '旧的恢复码随即失效，新的只显示一次。',
  remove: '此后登录只要密码；认证器里的条目可以删除。',
} as const;

interface ProofDialogProps {
  what: keyof typeof TITLE;
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}

const rules = rulesOf(secondFactor.remove.body!);

/** Changes the second factor of who knows the password and has a code. */
export function ProofDialog({ what, onCodes, onClose }: ProofDialogProps) {
  return (
    <FormDialog
      title={TITLE[what]}
      initialValues={{ password: '', code: '' }}
      okText={TITLE[what]}
      danger={what === 'remove'}
      save={async (body, options) => {
        if (what === 'renew') return onCodes((await call(secondFactor.renew, { body }, options)).recoveryCodes);
        await call(secondFactor.remove, { body }, options);
        toast.success('已关闭两步验证');
        onClose();
      }}
      onClose={onClose}
    >
      <p>{TEXT[what]}</p>
      <Field name="password" label="当前密码" rules={rules.password}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Field>
      <Field name="code" label="验证码" extra="认证器上的 6 位数字，或一个恢复码" rules={rules.code}>
        <Input autoComplete="one-time-code" maxLength={32} />
      </Field>
    </FormDialog>
  );
}
