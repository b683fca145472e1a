import { ProForm } from '@ant-design/pro-components';
import type { ReactNode } from 'react';
import { gridDeal } from '#contract/kinds/grid/deal';
import { Amount } from '@/components/Amount';
import { NumberInput } from '@/components/NumberInput';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { call } from '@/services/call';

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

type Values = Partial<Record<GridChange, number | null>>;

/** Asks by how much; a range that moves puts in new orders, so that it has to be held. */
export default function GridDialog({ change, dealId: id, cells, cell, now, onDone, onClose }: GridDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const moved = ProForm.useWatch('cells', form);
  const added = Math.min(cells, Math.abs(moved ?? 0));
  const { title, label, unit, extra } = WORDS[change];
  return (
    <FormDialog<Values>
      title={title}
      form={form}
      initialValues={{ [change]: null }}
      keepsDraft
      losing={{ [change]: label }}
      okText={title}
      money={change === 'cells'}
      save={async ({ cells, amount }, options) => {
        if (change === 'cells') {
          const { lower, upper } = await call(gridDeal.shift, { body: { id, cells: cells ?? 0 } }, options);
          toast.success(`区间移到 ${lower} – ${upper}`);
        } else {
          const { leverage } = await call(gridDeal.addMargin, { body: { id, amount: amount ?? 0 } }, options);
          toast.success(`已追加，杠杆 ${leverage.toFixed(2)} 倍`);
        }
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{now}</p>
      <Field name={change} label={label} rules={RULES[change]} extra={extra}>
        <NumberInput aria-label={label} suffix={unit} controls={false} style={{ width: 200 }} />
      </Field>
      {added > 0 && (
        <p>
          最多新挂 {added} 格，名义约 <Amount value={added * cell.notional} unit="USDT" />
          ，全部成交时占用资金约 <Amount value={added * cell.margin} unit="USDT" />。
        </p>
      )}
    </FormDialog>
  );
}
