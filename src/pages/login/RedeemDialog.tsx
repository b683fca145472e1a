import { Form, Input, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { password } from '#contract/password';
import { toast } from '@/components/toast';
import { showFieldErrors } from '@/form/fieldErrors';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { type GivenCode, hideCode } from './givenCode';

interface RedeemDialogProps {
  /** What of it is known. */
  given: GivenCode;
  /** The account, which may sign in now. */
  onDone: (account: { username: string; password: string }) => void;
  onClose: () => void;
}

interface Values extends GivenCode {
  newPassword: string;
  repeated: string;
}

const rules = rulesOf(password.redeem.body!);

/** Sets a password with a one-time code. */
export default function RedeemDialog({ given, onDone, onClose }: RedeemDialogProps) {
  const [form] = Form.useForm<Values>();
  const [working, setWorking] = useState(false);
  // With a link only the password is still to be typed.
  const begin = () => form.getFieldInstance(given.code ? 'newPassword' : 'username')?.focus();
  // Not before: the page may begin anew until it is all there.
  useEffect(hideCode, []);
  const redeem = async ({ username, code, newPassword }: Values) => {
    setWorking(true);
    try {
      await call(password.redeem, { body: { username, code, newPassword } });
      toast.success('已设置新密码');
      onDone({ username, password: newPassword });
    } catch (error) {
      if (error instanceof CallError) showFieldErrors(form, error.fields);
      setWorking(false);
    }
  };
  return (
    <Modal
      open
      title="用一次性代码设置密码"
      okText="设置密码并登录"
      cancelText="返回"
      confirmLoading={working}
      onOk={form.submit}
      onCancel={onClose}
      afterOpenChange={begin}
    >
      <Form name="redeem" form={form} layout="vertical" requiredMark={false} initialValues={given} onFinish={redeem}>
        <Form.Item name="username" label="用户名" rules={rules.username}>
          <Input autoComplete="username" maxLength={64} />
        </Form.Item>
        <Form.Item name="code" label="一次性代码" extra="由管理员给出，24 小时内有效" rules={rules.code}>
          <Input autoComplete="off" maxLength={64} />
        </Form.Item>
        <Form.Item name="newPassword" label="新密码" extra="至少 10 个字符" rules={rules.newPassword}>
          <Input.Password autoComplete="new-password" maxLength={200} />
        </Form.Item>
        <Form.Item
          name="repeated"
          label="确认新密码"
          dependencies={['newPassword']}
          rules={[
            { required: true, message: '请输入确认新密码' },
            ({ getFieldValue }) => ({
              validator: async (_, value) => {
                if (value && value !== getFieldValue('newPassword')) throw new Error('两次输入的密码不一致');
              },
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" maxLength={200} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
