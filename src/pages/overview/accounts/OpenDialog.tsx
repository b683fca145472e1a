import { Input, Select } from 'antd';
import type { VenueSource } from '#contract/candle';
import { spaced } from '#contract/spaced';
import { venueAccount } from '#contract/venueAccount';
import { NumberInput } from '@/components/NumberInput';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import styles from '../index.module.css';

interface Values {
  name: string;
  venue: VenueSource;
  amount: number | null;
}

interface OpenDialogProps {
  /** Those without an account. */
  venues: readonly VenueSource[];
  onOpened: () => void;
  onClose: () => void;
}

const rules = rulesOf(venueAccount.open.body!);
const AMOUNT = 100_000;

/** Opens a paper account at another venue. */
export default function OpenDialog({ venues, onOpened, onClose }: OpenDialogProps) {
  const [first] = venues;
  const initial: Values = { name: spaced(`${venueLabel(first!)}账户`), venue: first!, amount: AMOUNT };
  return (
    <FormDialog
      title="开立模拟账户"
      initialValues={initial}
      first="name"
      losing={{ name: '账户', amount: '账户' }}
      keepsDraft
      okText="开户"
      save={async ({ amount, ...own }, options) => {
        await call(venueAccount.open, { body: { ...own, amount: amount ?? 0 } }, options);
        toast.success(`已在 ${venueLabel(own.venue)} 开户`);
        onOpened();
      }}
      onClose={onClose}
    >
      <Field
        name="venue"
        label="交易所"
        rules={rules.venue}
        extra="每个交易所一个模拟账户；跨所策略两边都要有账户。实时交易所是真实盘口与资金费，成交与资金为模拟"
      >
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
        <NumberInput className={styles.amount} precision={0} step={10_000} suffix="USDT" controls={false} />
      </Field>
    </FormDialog>
  );
}
