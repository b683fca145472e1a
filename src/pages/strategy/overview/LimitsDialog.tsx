import { ProForm } from '@ant-design/pro-components';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { type LimitName, type OverviewRow, StrategyLimits, strategyOverview } from '#contract/strategyOverview';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { LIMIT_LABEL } from './limitLabels';

interface LimitsDialogProps {
  row: OverviewRow;
  onSaved: () => void;
  onClose: () => void;
}

const RULES = rulesOf(StrategyLimits);
const NAMES = Object.keys(LIMIT_LABEL) as LimitName[];
const HELP: Record<LimitName, string> = {
  maxDrawdown: '自 30 日内最高累计盈亏的回落',
  dailyLoss: '自账户当日开始的亏损，含浮动；策略参数里也有时以较低的为准',
  maxNotional: '持有的各腿名义之和',
};

/** Sets what a strategy may not exceed. */
export default function LimitsDialog({ row, onSaved, onClose }: LimitsDialogProps) {
  const [form] = ProForm.useForm<StrategyLimits>();
  const [saving, setSaving] = useState(false);
  const save = async (values: StrategyLimits) => {
    setSaving(true);
    const limits = Object.fromEntries(NAMES.map((name) => [name, values[name] ?? null])) as StrategyLimits;
    try {
      await call(
        strategyOverview.limit,
        { body: { id: row.id, limits } },
        { quiet: ({ fields }) => fields.length > 0 },
      );
      toast.success(`${row.name}：限额已保存`);
      onSaved();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const fields = error.fields.map(({ field, message }) => ({ field: field.replace(/^limits\./, ''), message }));
      showFieldErrors(form, fields);
      setSaving(false);
    }
  };
  return (
    <ModalForm<StrategyLimits>
      title={`${row.name} 的限额`}
      form={form}
      initialValues={row.limits}
      unsavedIn={(values) =>
        NAMES.filter((name) => (values[name] ?? null) !== row.limits[name]).map((name) => LIMIT_LABEL[name])
      }
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
      <p className="soft">
        超过任何一项即熔断：不再开仓并通知，持有的照常看护；恢复需要写明原因，此后的亏损从恢复时算起。
      </p>
      {NAMES.map((name) => (
        <Field key={name} name={name} label={LIMIT_LABEL[name]} help={HELP[name]} rules={RULES[name]}>
          <InputNumber aria-label={LIMIT_LABEL[name]} suffix="USDT" placeholder="不限" style={{ width: '100%' }} />
        </Field>
      ))}
    </ModalForm>
  );
}
