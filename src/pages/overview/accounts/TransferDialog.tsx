import { ProForm } from '@ant-design/pro-components';
import { Select } from 'antd';
import { type VenueAccount, venueAccount } from '#contract/venueAccount';
import { Amount } from '@/components/Amount';
import { NumberInput } from '@/components/NumberInput';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import styles from '../index.module.css';

interface Values {
  from: string;
  to: string;
  amount: number | null;
}

interface TransferDialogProps {
  accounts: readonly VenueAccount[];
  /** Chosen before; empty for none. */
  from: string;
  onMoved: () => void;
  onClose: () => void;
}

const rules = rulesOf(venueAccount.transfer.body!);

/** Moves USDT from one of the caller's accounts to another. */
export default function TransferDialog({ accounts, from: chosen, onMoved, onClose }: TransferDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const from = ProForm.useWatch('from', form);
  const source = accounts.find(({ id }) => id === from);
  const first = chosen || accounts[0]!.id;
  const initial: Values = { from: first, to: accounts.find(({ id }) => id !== first)!.id, amount: null };
  const options = accounts.map(({ id, name, venue }) => ({ value: id, label: `${name}（${venueLabel(venue)}）` }));
  return (
    <FormDialog
      title="账户间划转"
      form={form}
      initialValues={initial}
      losing={{ amount: '金额' }}
      okText="划转"
      save={async ({ amount, ...ends }, options) => {
        const body = { ...ends, amount: amount ?? 0 };
        const { minutes } = await call(venueAccount.transfer, { body }, options);
        toast.success(`已申请划转，转出后约 ${minutes} 分钟到账`);
        onMoved();
      }}
      onClose={onClose}
    >
      <Field name="from" label="转出账户" rules={rules.from}>
        <Select aria-label="转出账户" options={options} />
      </Field>
      <Field
        name="to"
        label="转入账户"
        dependencies={['from']}
        rules={[
          ...rules.to,
          ({ getFieldValue }) => ({
            validator: async (_, value) => {
              if (value === getFieldValue('from')) throw new Error('转出与转入不能是同一个账户');
            },
          }),
        ]}
      >
        <Select aria-label="转入账户" options={options} />
      </Field>
      <Field
        name="amount"
        label="金额"
        rules={rules.amount}
        extra={
          <>
            可划出 <Amount money value={numberOf(source?.withdrawable)} unit="USDT" reason="交易所没有回答" />
            ，另付手续费 1 USDT；途中 2–15 分钟，仍计入总权益；等它才能开仓的标的转为待确认
          </>
        }
      >
        <NumberInput className={styles.amount} min={0} suffix="USDT" controls={false} />
      </Field>
    </FormDialog>
  );
}

const numberOf = (text: string | null | undefined): number | null => (text == null ? null : Number(text));
