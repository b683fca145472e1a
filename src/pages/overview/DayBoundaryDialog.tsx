import { ProForm } from '@ant-design/pro-components';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { type AccountState, account, DAY_BOUNDARY_STEP } from '#contract/account';
import { clockWords } from '@/components/clockWords';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { ModalForm } from '@/form/ModalForm';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';

interface DayBoundaryDialogProps {
  /** Minutes after 00:00 UTC. */
  current: number;
  day: AccountState['day'];
  onSaved: () => void;
  onClose: () => void;
}

interface Values {
  dayBoundary: number;
}

const LABEL = '当日开始';
const OPTIONS = Array.from({ length: 1440 / DAY_BOUNDARY_STEP }, (_, i) => ({
  value: i * DAY_BOUNDARY_STEP,
  label: clockWords(i * DAY_BOUNDARY_STEP),
}));

/** Chooses the time of the clock at which the account's days begin, and says what becomes of the day that runs. */
export default function DayBoundaryDialog({ current, day, onSaved, onClose }: DayBoundaryDialogProps) {
  const [form] = ProForm.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const save = async ({ dayBoundary }: Values) => {
    setSaving(true);
    try {
      const saved = await call(account.dayBoundary, { body: { dayBoundary } });
      toast.success(`已保存：当前一日到 ${formatDateTime(saved.day.end)} 结束`);
      onSaved();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      form.setFields([{ name: 'dayBoundary', errors: [error.message] }]);
    } finally {
      setSaving(false);
    }
  };
  return (
    <ModalForm<Values>
      title={`修改${LABEL}`}
      subject={LABEL}
      form={form}
      initialValues={{ dayBoundary: current }}
      unsavedIn={({ dayBoundary }) => (dayBoundary === current ? [] : [LABEL])}
      onFinish={save}
      onClose={onClose}
      buttons={(leave) => (
        <>
          <Button onClick={leave}>取消</Button>
          <Button type="primary" loading={saving} onClick={form.submit}>
            保存
          </Button>
        </>
      )}
    >
      <Field name="dayBoundary" label={LABEL} extra="今日盈亏、单日最大亏损与盈亏日历都从这个时刻起算，整点或半点">
        <Select options={OPTIONS} showSearch={{ optionFilterProp: 'label' }} aria-label={LABEL} />
      </Field>
      <p>
        当前一日自 {formatDateTime(day.start)} 起，不会缩短：至少满 24
        小时，到其后第一个新的时刻才开始下一日。已有的亏损与暂停不变，日历从下一日起按新的时刻划分。
      </p>
    </ModalForm>
  );
}
