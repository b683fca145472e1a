import { Form, Modal, Select } from 'antd';
import { useState } from 'react';
import { type AccountState, account, DAY_BOUNDARY_STEP } from '#contract/account';
import { clockWords } from '@/components/clockWords';
import { formatDateTime } from '@/components/DateTime';
import { toast } from '@/components/toast';
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

const OPTIONS = Array.from({ length: 1440 / DAY_BOUNDARY_STEP }, (_, i) => ({
  value: i * DAY_BOUNDARY_STEP,
  label: clockWords(i * DAY_BOUNDARY_STEP),
}));

/** Chooses the time of the clock at which the account's days begin, and says what becomes of the day that runs. */
export default function DayBoundaryDialog({ current, day, onSaved, onClose }: DayBoundaryDialogProps) {
  const [form] = Form.useForm<Values>();
  const [saving, setSaving] = useState(false);
  const save = async ({ dayBoundary }: Values) => {
    setSaving(true);
    try {
      const saved = await call(account.dayBoundary, { body: { dayBoundary } }, { idempotencyKey: crypto.randomUUID() });
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
    <Modal
      open
      title="修改当日开始"
      okText="保存"
      cancelText="取消"
      confirmLoading={saving}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" requiredMark={false} onFinish={save}>
        <Form.Item
          name="dayBoundary"
          label="当日开始"
          extra="今日盈亏、单日最大亏损与盈亏日历都从这个时刻起算，整点或半点"
          initialValue={current}
        >
          <Select options={OPTIONS} showSearch optionFilterProp="label" aria-label="当日开始" />
        </Form.Item>
      </Form>
      <p>
        当前一日自 {formatDateTime(day.start)} 起，不会缩短：至少满 24
        小时，到其后第一个新的时刻才开始下一日。已有的亏损与暂停不变，日历从下一日起按新的时刻划分。
      </p>
    </Modal>
  );
}
