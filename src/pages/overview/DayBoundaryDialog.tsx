import { Select } from 'antd';
import { type AccountState, account, DAY_BOUNDARY_STEP } from '#contract/account';
import { clockWords } from '@/components/clockWords';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { call } from '@/services/call';

interface DayBoundaryDialogProps {
  /** Minutes after 00:00 UTC. */
  current: number;
  day: AccountState['day'];
  onSaved: () => void;
  onClose: () => void;
}

const LABEL = '当日开始';
const OPTIONS = Array.from({ length: 1440 / DAY_BOUNDARY_STEP }, (_, i) => ({
  value: i * DAY_BOUNDARY_STEP,
  label: clockWords(i * DAY_BOUNDARY_STEP),
}));

/** Chooses the time of the clock at which the account's days begin, and says what becomes of the day that runs. */
export default function DayBoundaryDialog({ current, day, onSaved, onClose }: DayBoundaryDialogProps) {
  return (
    <FormDialog
      title={`修改${LABEL}`}
      subject={LABEL}
      initialValues={{ dayBoundary: current }}
      losing={{ dayBoundary: LABEL }}
      refusedAt="dayBoundary"
      save={async (body, options) => {
        const saved = await call(account.dayBoundary, { body }, options);
        toast.success(`已保存：当前一日到 ${formatDateTime(saved.day.end)} 结束`);
        onSaved();
      }}
      onClose={onClose}
    >
      <Field name="dayBoundary" label={LABEL} extra="今日盈亏、单日最大亏损与盈亏日历都从这个时刻起算，整点或半点">
        <Select options={OPTIONS} showSearch={{ optionFilterProp: 'label' }} aria-label={LABEL} />
      </Field>
      <p>
        当前一日自 {formatDateTime(day.start)} 起，不会缩短：至少满 24
        小时，到其后第一个新的时刻才开始下一日。已有的亏损与暂停不变，日历从下一日起按新的时刻划分。
      </p>
    </FormDialog>
  );
}
