import { ProForm } from '@ant-design/pro-components';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { secondFactor } from '#contract/secondFactor';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
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

interface Values {
  password: string;
  code: string;
}

const rules = rulesOf(secondFactor.remove.body!);

/** Changes the second factor of who knows the password and has a code. */
export function ProofDialog({ what, onCodes, onClose }: ProofDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [working, setWorking] = useState(false);
  const act = async (body: Values) => {
    setWorking(true);
    try {
      if (what === 'renew') return onCodes((await call(secondFactor.renew, { body })).recoveryCodes);
      await call(secondFactor.remove, { body });
      toast.success('已关闭两步验证');
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error.fields);
      setWorking(false);
    }
  };
  return (
    <ModalForm<Values>
      title={TITLE[what]}
      form={form}
      initialValues={{ password: '', code: '' }}
      unsavedIn={() => []}
      onFinish={act}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" danger={what === 'remove'} loading={working} onClick={form.submit}>
            {TITLE[what]}
          </Button>
        </>
      )}
    >
      <p>{TEXT[what]}</p>
      <Field name="password" label="当前密码" rules={rules.password}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Field>
      <Field name="code" label="验证码" extra="认证器上的 6 位数字，或一个恢复码" rules={rules.code}>
        <Input autoComplete="one-time-code" maxLength={32} />
      </Field>
    </ModalForm>
  );
}
