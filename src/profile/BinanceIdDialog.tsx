import { Input } from 'antd';
import { useState } from 'react';
import { user } from '#contract/user';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';

interface BinanceIdDialogProps {
  /** null: none is bound yet. */
  current: string | null;
  onSaved: (binanceId: string) => void;
  onClose: () => void;
}

const LABEL = '币安 UID';
const rules = rulesOf(user.binanceId.body!).binanceId;

/** Asks for the id, checks its form, and shows what it replaces before it is saved. */
export default function BinanceIdDialog({ current, onSaved, onClose }: BinanceIdDialogProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const askAnew = () => setWanted(null);
  return (
    <FormDialog
      title={`${current === null ? '绑定' : '修改'}${LABEL}`}
      subject={LABEL}
      initialValues={{ binanceId: current ?? '' }}
      losing={{ binanceId: LABEL }}
      okText={wanted === null ? '下一步' : '确认保存'}
      back={wanted === null ? undefined : { text: '返回修改', go: askAnew }}
      refusedAt="binanceId"
      save={async (body, options) => {
        if (wanted === null) return setWanted(body.binanceId);
        const saved = await call(user.binanceId, { body }, options).finally(askAnew);
        toast.success(`已保存${LABEL}`);
        onSaved(saved.binanceId);
      }}
      onClose={onClose}
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
    </FormDialog>
  );
}
