import { Alert, Checkbox, Modal } from 'antd';
import { useState } from 'react';
import { type OneTimeCode, type UserRow, userAdmin } from '#contract/userAdmin';
import { failureText } from '@/services/CallError';
import { call } from '@/services/call';

interface ResetDialogProps {
  row: UserRow;
  onCode: (code: OneTimeCode) => void;
  onClose: () => void;
}

/** Takes a user's password away, and the second factor if it is lost too. */
export function ResetDialog({ row, onCode, onClose }: ResetDialogProps) {
  const [removeSecondFactor, setRemove] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const reset = async () => {
    setWorking(true);
    try {
      onCode(await call(userAdmin.resetPassword, { body: { userId: row.id, removeSecondFactor } }));
    } catch (error) {
      setRefusal(failureText(error, '没有完成，请重试'));
      setWorking(false);
    }
  };
  return (
    <Modal
      open
      title={`重置密码：${row.name}`}
      okText="重置密码"
      okButtonProps={{ danger: true, loading: working }}
      cancelText="返回"
      onOk={reset}
      onCancel={onClose}
    >
      <p>旧密码与全部登录会话立即失效。随后显示一个一次性代码，24 小时内有效：用户用它设置新密码后才能登录。</p>
      {row.secondFactor && (
        <Checkbox checked={removeSecondFactor} onChange={({ target }) => setRemove(target.checked)}>
          同时关闭两步验证（用户丢失了认证器与恢复码）
        </Checkbox>
      )}
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </Modal>
  );
}
