import { Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { user } from '#contract/user';
import { toast } from '@/components/toast';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';

interface BinanceIdDialogProps {
  /** null: none is bound yet. */
  current: string | null;
  onSaved: (binanceId: string) => void;
  onClose: () => void;
}

interface Values {
  binanceId: string;
}

const rules = rulesOf(user.binanceId.body!).binanceId;

/** Asks for the id, checks its form, and shows what it replaces before it is saved. */
export default function BinanceIdDialog({ current, onSaved, onClose }: BinanceIdDialogProps) {
  const [form] = Form.useForm<Values>();
  const [wanted, setWanted] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const check = async () => {
    const values = await form.validateFields().catch(() => null);
    if (values) setWanted(values.binanceId);
  };
  const save = async (binanceId: string) => {
    setSaving(true);
    try {
      const saved = await call(user.binanceId, { body: { binanceId } });
      toast.success('已保存币安账户编号');
      onSaved(saved.binanceId);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setWanted(null);
      form.setFields([{ name: 'binanceId', errors: [error.message] }]);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Modal
      open
      title={current === null ? '绑定币安账户编号' : '修改币安账户编号'}
      okText={wanted === null ? '下一步' : '确认保存'}
      cancelText={wanted === null ? '取消' : '返回修改'}
      confirmLoading={saving}
      onOk={() => (wanted === null ? check() : save(wanted))}
      onCancel={() => (wanted === null ? onClose() : setWanted(null))}
    >
      <Form form={form} layout="vertical" hidden={wanted !== null} requiredMark={false} onFinish={check}>
        <Form.Item
          name="binanceId"
          label="币安账户编号"
          extra="4 到 20 位数字，可在币安的个人资料页找到"
          rules={rules}
          initialValue={current ?? ''}
          normalize={(text: string) => text.trim()}
        >
          <Input inputMode="numeric" autoComplete="off" maxLength={24} />
        </Form.Item>
      </Form>
      {wanted !== null && (
        <p>
          {current === null ? '将绑定为' : `由 ${current} 改为`} <strong>{wanted}</strong>
          。请核对无误：它用于对应你在交易所的账户。
        </p>
      )}
    </Modal>
  );
}
