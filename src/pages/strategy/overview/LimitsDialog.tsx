import { type LimitName, StrategyLimits } from '#contract/strategyLimits';
import { type OverviewRow, strategyOverview } from '#contract/strategyOverview';
import { NumberInput } from '@/components/NumberInput';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { confirmOpening } from '@/opening/confirmOpening';
import { isRaised, RESUME, RESUME_CHOICE, resumedWords } from '@/opening/resumeChoice';
import { call } from '@/services/call';
import { LIMIT_LABEL } from '@/strategy/limitLabels';
import { realOf } from '@/strategy/realMoney';

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
      real: realOf(row),
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
  return (
    <FormDialog<StrategyLimits>
      title={`${row.name} 的限额`}
      initialValues={row.limits}
      keepsDraft
      losing={LIMIT_LABEL}
      save={async (values, options) => {
        const limits = Object.fromEntries(NAMES.map((name) => [name, values[name] ?? null])) as StrategyLimits;
        if (row.tripped !== null && NAMES.some((name) => isRaised(row.limits[name], limits[name])))
          return confirmRaised(limits);
        await call(strategyOverview.limit, { body: { id: row.id, limits } }, options);
        saved('限额已保存');
      }}
      onClose={onClose}
    >
      <p className="soft">
        超过任何一项即熔断：不再开仓并通知，持有的照常看护；恢复需要写明原因，此后的亏损从恢复时算起。
      </p>
      {NAMES.map((name) => (
        <Field key={name} name={name} label={LIMIT_LABEL[name]} help={HELP[name]} rules={RULES[name]}>
          <NumberInput aria-label={LIMIT_LABEL[name]} suffix="USDT" placeholder="不限" style={{ width: '100%' }} />
        </Field>
      ))}
    </FormDialog>
  );
}
