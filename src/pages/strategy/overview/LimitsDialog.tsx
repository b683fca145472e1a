import { ProForm } from '@ant-design/pro-components';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { type LimitName, type OverviewRow, StrategyLimits, strategyOverview } from '#contract/strategyOverview';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { ModalForm } from '@/form/ModalForm';
import { rulesOf } from '@/form/rulesOf';
import { confirmOpening } from '@/opening/confirmOpening';
import { isRaised, RESUME, RESUME_CHOICE, resumedWords } from '@/opening/resumeChoice';
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
  const saved = (text: string) => {
    toast.success(`${row.name}：${text}`);
    onSaved();
    onClose();
  };
  // What it tripped by may be reached no more.
  const confirmRaised = (limits: StrategyLimits) =>
    confirmOpening({
      verb: '保存限额',
      subject: row.name,
      consequence: `它已熔断：${row.tripped}。`,
      choose: RESUME_CHOICE,
      act: 'limit',
      input: (picked) => ({ id: row.id, limits, resume: picked.includes(RESUME) }),
      run: async ({ idempotencyKey, opens, words }, picked) => {
        const resume = picked.includes(RESUME);
        const body = { id: row.id, limits, resume, ...(resume && opens) };
        const { resumed } = await call(strategyOverview.limit, { body }, { idempotencyKey });
        saved(resume ? resumedWords(resumed, words) : '限额已保存，继续熔断');
      },
    });
  const save = async (values: StrategyLimits) => {
    const limits = Object.fromEntries(NAMES.map((name) => [name, values[name] ?? null])) as StrategyLimits;
    if (row.tripped !== null && NAMES.some((name) => isRaised(row.limits[name], limits[name])))
      return confirmRaised(limits);
    setSaving(true);
    try {
      await call(
        strategyOverview.limit,
        { body: { id: row.id, limits } },
        { quiet: ({ fields }) => fields.length > 0 },
      );
      saved('限额已保存');
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
      keepsDraft
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
