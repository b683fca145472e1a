import { ProForm } from '@ant-design/pro-components';
import { Alert } from 'antd';
import { useEffect, useState } from 'react';
import { REFUSALS } from '#contract/codes';
import type { HedgeDesk, HedgeSettings } from '#contract/kinds/hedge/config';
import { basketOf } from '#contract/pair';
import { FormDialog } from '@/form/FormDialog';
import { showFieldErrors } from '@/form/fieldErrors';
import { AddButtons } from './AddButtons';
import { CarriedSettings, carriedInto } from './CarriedSettings';
import EntryPlan, { type Carried, useEntryQuote } from './EntryPlan';
import { PairFields, type Sides } from './PairFields';
import { PairPreview } from './PairPreview';
import { useAddPair } from './useAddPair';

export interface PairWish {
  /** A symbol, a comma-separated basket, or nothing. */
  long: string;
  short: string;
  /** Whose market the wish comes from, when it says so. */
  source: string | null;
  /** What a backtest was run with. */
  carried: Carried;
}

interface AddPairDialogProps {
  desk: HedgeDesk & { settings: HedgeSettings };
  wish: PairWish;
  onClose: () => void;
  onAdded: () => void;
}

/** Only one coin a side is traded; a basket is left for the person to choose from. */
const single = (text: string) => (basketOf(text).length === 1 ? basketOf(text)[0] : undefined);

/** Adds a pair: two coins, what entering them would take and risk, and whether that happens at once. */
export default function AddPairDialog({ desk, wish, onClose, onAdded }: AddPairDialogProps) {
  const [form] = ProForm.useForm<Sides>();
  const { add, saving, refusal, settings, forget } = useAddPair(desk);
  const [taken, setTaken] = useState(true);
  const long = ProForm.useWatch('long', form);
  const short = ProForm.useWatch('short', form);
  const { pairs } = desk;
  const reversed =
    refusal?.code === REFUSALS.pairReversed.code ||
    pairs.some((pair) => pair.long === short && pair.short === long && pair.source === settings.source);
  const carried = taken ? carriedInto(settings, wish.carried) : {};
  const chosen = long && short && long !== short ? { long, short } : null;
  const { data: quote } = useEntryQuote(chosen, carried);

  const [elsewhere, setElsewhere] = useState<string>();

  useEffect(() => {
    const left = refusal ? showFieldErrors(form, refusal.fields) : [];
    setElsewhere(refusal?.fields.length === 0 ? refusal.message : left[0]);
  }, [refusal, form]);

  const submit = async (arm: boolean) => {
    const sides = await form.validateFields().catch(() => null);
    if (!sides?.long || !sides.short) return;
    // As they are shown.
    const accepts = quote?.warnings ?? [];
    if (!(await add({ long: sides.long, short: sides.short, arm, accepts, confirmReversed: reversed, carried })))
      return;
    onAdded();
    onClose();
  };
  const initial = { long: single(wish.long), short: single(wish.short) };

  return (
    <FormDialog<Sides>
      title="添加交易对"
      width={720}
      form={form}
      initialValues={initial}
      keepsDraft
      losing={{ long: '多头', short: '空头' }}
      onChange={forget}
      onClose={onClose}
      buttons={(leave) => (
        <AddButtons
          onLeave={leave}
          onAdd={submit}
          saving={saving}
          again={reversed}
          // What is not known to wait may open at once.
          opensNow={chosen !== null && (quote === undefined || quote.block === null)}
        />
      )}
    >
      {wish.source !== null && wish.source !== settings.source && (
        <Alert
          type="warning"
          showIcon
          title={`这一对来自数据源 ${wish.source}，对冲配置用的是 ${settings.source}：同名币种的行情可能不同。`}
        />
      )}
      <PairFields desk={{ ...desk, settings }} wish={wish} long={long} short={short} />
      {reversed && (
        <Alert type="warning" showIcon title={`${REFUSALS.pairReversed.message}：两对方向相反，持有时互相抵消。`} />
      )}
      {elsewhere !== undefined && !reversed && <Alert type="error" showIcon title={elsewhere} />}
      <CarriedSettings settings={settings} wish={wish.carried} taken={taken} onTake={setTaken} />
      {chosen && <EntryPlan {...chosen} carried={carried} />}
      {chosen && <PairPreview settings={settings} {...chosen} />}
    </FormDialog>
  );
}
