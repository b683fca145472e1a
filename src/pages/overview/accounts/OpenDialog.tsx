import { ProForm } from '@ant-design/pro-components';
import { Button, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import type { SimulatedSource } from '#contract/candle';
import { venueAccount } from '#contract/venueAccount';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { venueLabel } from '@/scan/venueLabel';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import styles from '../index.module.css';

interface Values {
  name: string;
  venue: SimulatedSource;
  amount: number | null;
}

interface OpenDialogProps {
  /** Those without an account. */
  venues: readonly SimulatedSource[];
  onOpened: () => void;
  onClose: () => void;
}

const rules = rulesOf(venueAccount.open.body!);
const AMOUNT = 100_000;

/** Opens a paper account at another venue. */
export default function OpenDialog({ venues, onOpened, onClose }: OpenDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const [first] = venues;
  const initial: Values = { name: `${venueLabel(first!)}账户`, venue: first!, amount: AMOUNT };
  const save = async ({ name, venue, amount }: Values) => {
    setSaving(true);
    try {
      await call(venueAccount.open, { body: { name, venue, amount: amount ?? 0 } });
      toast.success(`已在 ${venueLabel(venue)} 开户`);
      onOpened();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error.fields);
      setSaving(false);
    }
  };
  return (
    <ModalForm<Values>
      title="开立模拟账户"
      form={form}
      initialValues={initial}
      unsavedIn={({ name, amount }) => (name === initial.name && amount === AMOUNT ? [] : ['账户'])}
      onFinish={save}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            开户
          </Button>
        </>
      )}
    >
      <Field name="venue" label="交易所" rules={rules.venue} extra="每个交易所一个模拟账户；跨所策略两边都要有账户">
        <Select aria-label="交易所" options={venues.map((value) => ({ value, label: venueLabel(value) }))} />
      </Field>
      <Field name="name" label="账户名称" rules={rules.name}>
        <Input maxLength={32} />
      </Field>
      <Field
        name="amount"
        label="本金"
        rules={rules.amount}
        extra="模拟资金，记为外部入金，不算盈亏；等它才能开仓的标的转为待确认"
      >
        <InputNumber className={styles.amount} precision={0} step={10_000} suffix="USDT" controls={false} />
      </Field>
    </ModalForm>
  );
}
