import { ProForm } from '@ant-design/pro-components';
import { Button, InputNumber } from 'antd';
import { type ReactNode, useState } from 'react';
import { gridDeal } from '#contract/kinds/grid/deal';
import { Amount } from '@/components/Amount';
import { HoldButton } from '@/components/HoldButton';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError, failureText } from '@/services/CallError';
import { call } from '@/services/call';
import { WriteNames } from '@/services/WriteNames';

/** What a person does to a grid that stands. */
export type GridChange = 'cells' | 'amount';

interface Words {
  title: string;
  label: string;
  unit: string;
  extra: ReactNode;
}

const WORDS: Record<GridChange, Words> = {
  cells: {
    title: '移动区间',
    label: '移动',
    unit: '格',
    extra: '正数上移，负数下移。移出区间而还持有的格子保留平仓单，平掉后消失；新露出的格子按档位挂单。',
  },
  amount: {
    title: '追加投入',
    label: '追加投入',
    unit: 'USDT',
    extra: '每格数量不变，杠杆随之降低，强平价更远，止损止盈按新的投入计。用账户里的可用保证金。',
  },
};
const RULES = {
  cells: rulesOf(gridDeal.shift.body!).cells,
  amount: rulesOf(gridDeal.addMargin.body!).amount,
};

interface GridDialogProps {
  change: GridChange;
  dealId: string;
  cells: number;
  /** What one of its cells takes, USDT. */
  cell: { notional: number; margin: number };
  /** Before it, in words. */
  now: ReactNode;
  onDone: () => void;
  onClose: () => void;
}

interface Values {
  value: number | null;
}

/** Asks by how much; a range that moves puts in new orders, so that it has to be held. */
export default function GridDialog({ change, dealId: id, cells, cell, now, onDone, onClose }: GridDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const value = ProForm.useWatch('value', form);
  const added = Math.min(cells, Math.abs(value ?? 0));
  const isOpening = change === 'cells';
  const [names] = useState(() => new WriteNames());
  const [saving, setSaving] = useState(false);
  const { title, label, unit, extra } = WORDS[change];
  const save = async ({ value }: Values) => {
    setSaving(true);
    try {
      if (isOpening) {
        const body = { id, cells: value ?? 0 };
        const { lower, upper } = await names.run(body, (idempotencyKey) =>
          call(gridDeal.shift, { body }, { idempotencyKey }),
        );
        toast.success(`区间移到 ${lower} – ${upper}`);
      } else {
        const body = { id, amount: value ?? 0 };
        const { leverage } = await names.run(body, (idempotencyKey) =>
          call(gridDeal.addMargin, { body }, { idempotencyKey }),
        );
        toast.success(`已追加，杠杆 ${leverage.toFixed(2)} 倍`);
      }
      onDone();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const rest = showFieldErrors(
        form,
        error.fields.map(({ message }) => ({ field: 'value', message })),
      );
      if (error.fields.length === 0 || rest.length > 0) toast.error(failureText(error, '没有完成，请重试'));
      setSaving(false);
    }
  };
  const onHeld = async () => {
    const values = await form.validateFields().catch(() => null);
    if (values) await save(values);
  };
  return (
    <ModalForm<Values>
      title={title}
      form={form}
      initialValues={{ value: null }}
      keepsDraft
      unsavedIn={({ value }) => (value === null ? [] : [label])}
      onFinish={isOpening ? undefined : save}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          {isOpening ? (
            <HoldButton loading={saving} onHeld={() => void onHeld()}>
              按住 1 秒：{title}
            </HoldButton>
          ) : (
            <Button type="primary" loading={saving} onClick={form.submit}>
              {title}
            </Button>
          )}
        </>
      )}
    >
      <p>{now}</p>
      <Field name="value" label={label} rules={RULES[change]} extra={extra}>
        <InputNumber aria-label={label} suffix={unit} controls={false} style={{ width: 200 }} />
      </Field>
      {isOpening && added > 0 && (
        <p>
          最多新挂 {added} 格，名义约 <Amount value={added * cell.notional} unit="USDT" />
          ，全部成交时占用资金约 <Amount value={added * cell.margin} unit="USDT" />。
        </p>
      )}
    </ModalForm>
  );
}
