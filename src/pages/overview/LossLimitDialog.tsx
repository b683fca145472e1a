import { ProForm } from '@ant-design/pro-components';
import { Radio } from 'antd';
import { type AccountState, account, LOSS_GUARD } from '#contract/account';
import { formatNumber } from '@/components/formatNumber';
import { NumberInput } from '@/components/NumberInput';
import { toast } from '@/components/toast';
import { Field } from '@/form/Field';
import { FormDialog } from '@/form/FormDialog';
import { rulesOf } from '@/form/rulesOf';
import { confirmOpening } from '@/opening/confirmOpening';
import { call } from '@/services/call';

interface LossLimitDialogProps {
  account: Pick<AccountState, 'dailyLossLimit' | 'paused' | 'today'>;
  onSaved: () => void;
  onClose: () => void;
}

interface Values {
  dailyLossLimit: number | null;
  resume: boolean;
}

const LABEL = '账户单日最大亏损';
const RULES = rulesOf(account.lossLimit.body!);
const usdt = (value: number) => `${formatNumber(value, { digits: 2 })} USDT`;

/** Sets what the whole account may lose on a day; where the limit has paused it, asks what becomes of the pause. */
export default function LossLimitDialog({ account: own, onSaved, onClose }: LossLimitDialogProps) {
  const { dailyLossLimit: current, paused, today } = own;
  const [form] = ProForm.useForm<Values>();
  const limit = ProForm.useWatch('dailyLossLimit', form) ?? null;
  const lost = today === null ? null : Math.max(0, -today.pnl);
  const isPaused = paused?.by === LOSS_GUARD;
  const mayLift = isPaused && (limit === null || (lost !== null && lost < limit));
  const resumeWith = (dailyLossLimit: number | null) =>
    confirmOpening({
      title: '恢复我的全部开仓',
      verb: '恢复开仓',
      subject: '我的全部策略',
      consequence: `${LABEL}改为${dailyLossLimit === null ? '不限' : usdt(dailyLossLimit)}，并解除因原上限而设的暂停。`,
      act: 'limitAccount',
      input: { dailyLossLimit, resume: true },
      run: async ({ idempotencyKey, opens, words }) => {
        const body = { dailyLossLimit, resume: true, ...opens };
        const { resumed } = await call(account.lossLimit, { body }, { idempotencyKey });
        toast.success(resumed ? `已保存并恢复开仓：${words}` : '已保存；仍达到上限，没有恢复');
        onSaved();
      },
    });
  return (
    <FormDialog<Values>
      title={`修改${LABEL}`}
      subject={LABEL}
      form={form}
      initialValues={{ dailyLossLimit: current, resume: false }}
      keepsDraft
      losing={{ dailyLossLimit: LABEL }}
      save={async ({ dailyLossLimit = null, resume }, options) => {
        if (mayLift && resume) return resumeWith(dailyLossLimit);
        await call(account.lossLimit, { body: { dailyLossLimit } }, options);
        toast.success('已保存');
        onSaved();
      }}
      onClose={onClose}
    >
      <Field
        name="dailyLossLimit"
        label={LABEL}
        rules={RULES.dailyLossLimit}
        extra="整个账户自当日开始的亏损（含浮动，不计出入金）达到它，所有策略都暂停开仓；空为不限。各策略自己的单日最大亏损在策略参数里。"
      >
        <NumberInput aria-label={LABEL} suffix="USDT" placeholder="不限" step={100} style={{ width: '100%' }} />
      </Field>
      <p>今日{lost === null ? '盈亏未知' : `已亏损 ${usdt(lost)}`}。</p>
      {isPaused && !mayLift && <p>账户因原上限暂停中；新的上限仍不高于今日的亏损，保存后继续暂停。</p>}
      {mayLift && (
        <Field name="resume" label="账户因原上限暂停中，保存后">
          <Radio.Group
            options={[
              { value: false, label: '保持暂停' },
              { value: true, label: '一并恢复开仓：先列出会开的标的' },
            ]}
          />
        </Field>
      )}
    </FormDialog>
  );
}
