import { ProForm } from '@ant-design/pro-components';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { user } from '#contract/user';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { ModalForm } from '@/form/ModalForm';
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

const LABEL = '币安 UID';
const rules = rulesOf(user.binanceId.body!).binanceId;

/** Asks for the id, checks its form, and shows what it replaces before it is saved. */
export default function BinanceIdDialog({ current, onSaved, onClose }: BinanceIdDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [wanted, setWanted] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const save = async (binanceId: string) => {
    setSaving(true);
    try {
      const saved = await call(user.binanceId, { body: { binanceId } });
      toast.success(`已保存${LABEL}`);
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
    <ModalForm<Values>
      title={`${current === null ? '绑定' : '修改'}${LABEL}`}
      subject={LABEL}
      form={form}
      initialValues={{ binanceId: current ?? '' }}
      unsavedIn={({ binanceId }) => (binanceId === (current ?? '') ? [] : [LABEL])}
      onFinish={({ binanceId }) => (wanted === null ? setWanted(binanceId) : save(wanted))}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={wanted === null ? leave : () => setWanted(null)}>
            {wanted === null ? '取消' : '返回修改'}
          </Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            {wanted === null ? '下一步' : '确认保存'}
          </Button>
        </>
      )}
    >
      <div hidden={wanted !== null}>
        <Field
          name="binanceId"
          label={LABEL}
          extra="4 到 20 位数字，可在币安的个人资料页找到"
          rules={rules}
          normalize={(text: string) => text.trim()}
        >
          <Input inputMode="numeric" autoComplete="off" maxLength={24} />
        </Field>
      </div>
      {wanted !== null && (
        <p>
          {current === null ? '将绑定为' : `由 ${current} 改为`} <strong>{wanted}</strong>
          。请核对无误：它用于对应你在交易所的账户。
        </p>
      )}
    </ModalForm>
  );
}
