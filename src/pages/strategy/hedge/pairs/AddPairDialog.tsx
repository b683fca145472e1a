import { ProForm } from '@ant-design/pro-components';
import { Alert, Button, Checkbox } from 'antd';
import { useEffect, useRef, useState } from 'react';
import * as REFUSALS from '#contract/codes';
import { type HedgeDesk, type HedgeSettings, hedgeConfig, waitsForPerson } from '#contract/kinds/hedge/config';
import type { PairBlock } from '#contract/lifecycle';
import { basketOf, type PairWarning } from '#contract/pair';
import { HoldButton } from '@/components/HoldButton';
import { PAIR_BLOCK_LABEL, sourceLabel } from '@/components/labels';
import { MoneyButton } from '@/components/MoneyButton';
import { toast } from '@/components/toast';
import { FormDialog } from '@/form/FormDialog';
import { showFieldErrors } from '@/form/fieldErrors';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { WriteNames } from '@/services/WriteNames';
import { settingsForm } from '../settings/settingsForm';
import EntryPlan, { type Carried, useEntryQuote } from './EntryPlan';
import { PairFields, type Sides } from './PairFields';
import { PairPreview } from './PairPreview';

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
  const openSingle = async (pair: Pick<NewPair, 'long' | 'short'>) => {
    const { askHedge } = await import('./singleHedge');
    askHedge({ ...settings, ...carried }, pair, () => {
      onAdded();
      onClose();
    });
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
          onSingle={chosen ? () => void openSingle(chosen) : undefined}
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
          title={`这一对来自数据源 ${sourceLabel(wish.source)}，对冲配置用的是 ${sourceLabel(settings.source)}：同名币种的行情可能不同。`}
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

interface AddButtonsProps {
  onLeave: () => void;
  onAdd: (arm: boolean) => Promise<void>;
  /** Opens one hedge of it, and adds no pair. */
  onSingle: (() => void) | undefined;
  saving: boolean;
  /** There is a pair the other way round. */
  again: boolean;
  opensNow: boolean;
}

/** Two ways to add a pair: to be entered, which has to be held where that costs money at once, or only to be kept; beside them one hedge without it. */
function AddButtons({ onLeave, onAdd, onSingle, saving, again, opensNow }: AddButtonsProps) {
  const still = again ? '仍然' : '';
  return (
    <>
      <Button onClick={onLeave}>取消</Button>
      {onSingle && (
        <MoneyButton disabled={saving} onClick={onSingle}>
          不添加，只开一笔
        </MoneyButton>
      )}
      <MoneyButton disabled={saving} danger={again} onClick={() => void onAdd(false)}>
        {still}添加，先不建仓
      </MoneyButton>
      {opensNow ? (
        <HoldButton loading={saving} onHeld={() => void onAdd(true)}>
          按住 1 秒：{still}添加并建仓
        </HoldButton>
      ) : (
        <MoneyButton type="primary" danger={again} loading={saving} onClick={() => void onAdd(true)}>
          {still}添加并建仓
        </MoneyButton>
      )}
    </>
  );
}

/** What of a wish can become a setting and is none yet; a leverage beyond the bounds is left out. */
function carriedInto(settings: HedgeSettings, { leverage, ratio }: Carried): Carried {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = settingsForm.facts('leverage');
  const fits = leverage !== undefined && leverage >= minimum && leverage <= maximum;
  return {
    ...(fits && leverage !== settings.leverage ? { leverage } : {}),
    ...(ratio !== undefined && ratio !== settings.ratio ? { ratio } : {}),
  };
}

interface CarriedSettingsProps {
  settings: HedgeSettings;
  /** As the wish has it. */
  wish: Carried;
  taken: boolean;
  onTake: (taken: boolean) => void;
}

/** What a backtest brought along beside the pair, against what is saved: the reader decides whether it is taken over. */
function CarriedSettings({ settings, wish, taken, onTake }: CarriedSettingsProps) {
  const carried = carriedInto(settings, wish);
  const names = settingsForm.names.filter((name) => name in carried);
  const { minimum, maximum } = settingsForm.facts('leverage');
  const keepsOwnLeverage =
    wish.leverage !== undefined && wish.leverage !== settings.leverage && !('leverage' in carried);
  if (names.length === 0 && !keepsOwnLeverage) return null;
  const after = { ...settings, ...carried };
  return (
    <Alert
      type="info"
      title="回测所用与对冲配置不同"
      description={
        <>
          {names.map((name) => (
            <div key={name}>
              {settingsForm.label(name)}：{settingsForm.text(settings, name)} → {settingsForm.text(after, name)}
            </div>
          ))}
          {keepsOwnLeverage && (
            <div>
              回测杠杆 {wish.leverage} 倍在配置的范围（{minimum} – {maximum}）之外，没有带入。
            </div>
          )}
          {names.length > 0 && (
            <Checkbox checked={taken} onChange={({ target }) => onTake(target.checked)}>
              添加时把对冲配置改为回测所用（之后的对冲单都按它开）
            </Checkbox>
          )}
        </>
      }
    />
  );
}

interface NewPair {
  long: string;
  short: string;
  /** Whether it is to be entered; otherwise it is only added. */
  arm: boolean;
  /** What speaks against it and was shown. */
  accepts: PairWarning[];
  confirmReversed: boolean;
  /** Settings to be saved before. */
  carried: Carried;
}

/** What has become of the pair, as a toast tells it. @param isConfirmed it waits for a person */
function toldOf({ long, short, arm }: NewPair, block: PairBlock | null, isConfirmed: boolean): string {
  const pair = `多 ${long} / 空 ${short}`;
  if (!arm) return `已添加 ${pair}，先不建仓：要建仓时在交易对里点「建仓」`;
  if (block === null) return `已添加 ${pair}，正在建仓`;
  const then = isConfirmed ? '要开仓时请在交易对里点「确认开仓」' : '条件满足后自动建仓';
  return `已添加 ${pair}，还没有建仓（${PAIR_BLOCK_LABEL[block]}）：${then}`;
}

/** Adds a pair to the desk, after the settings that come with it; a refusal stays until the next try. */
function useAddPair(desk: HedgeDesk & { settings: HedgeSettings }) {
  const [refusal, setRefusal] = useState<CallError>();
  const [saving, setSaving] = useState(false);
  const [names] = useState(() => new WriteNames());
  /** Settings that were saved here though the pair was refused after it. */
  const saved = useRef(desk);
  const standing = saved.current.version > desk.version ? saved.current : desk;

  /** Whether it was added. */
  const add = async (wish: NewPair): Promise<boolean> => {
    const { long, short, arm, accepts, confirmReversed, carried } = wish;
    setSaving(true);
    setRefusal(undefined);
    try {
      if (Object.keys(carried).length > 0) {
        // Nothing but the pair that is added here is to be entered.
        const body = { ...standing.settings, ...carried, version: standing.version, open: [] };
        const update = (idempotencyKey: string) => call(hedgeConfig.update, { body }, { idempotencyKey });
        saved.current = { ...standing, ...(await names.run(body, update)) };
      }
      const body = { long, short, arm, ...(arm ? { accepts } : {}), ...(confirmReversed ? { confirmReversed } : {}) };
      const { block } = await names.run(body, (idempotencyKey) =>
        call(hedgeConfig.addPair, { body }, { idempotencyKey }),
      );
      toast.success(toldOf(wish, block, block === 'unconfirmed' || waitsForPerson(standing.settings, block)));
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setSaving(false);
      setRefusal(error);
      return false;
    }
  };

  return { add, saving, refusal, settings: standing.settings, forget: () => setRefusal(undefined) };
}
