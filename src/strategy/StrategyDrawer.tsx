import { ProForm } from '@ant-design/pro-components';
import { Alert, Input, Select } from 'antd';
import { Suspense, useRef, useState } from 'react';
import { takesReal } from '#contract/candle';
import { service } from '#contract/service';
import { strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import { mayBeReal, STRATEGY_MODES } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { late } from '@/components/late';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { ChangesTable } from '@/form/ChangesTable';
import { DrawerForm } from '@/form/DrawerForm';
import { Field } from '@/form/Field';
import { showFieldErrors } from '@/form/fieldErrors';
import { SchemaFields } from '@/form/SchemaFields';
import type { SchemaForm } from '@/form/schemaForm';
import { confirmOpening } from '@/opening/confirmOpening';
import { isRaised, RESUME, RESUME_CHOICE, resumedWords } from '@/opening/resumeChoice';
import { CallError, failureText } from '@/services/CallError';
import { call } from '@/services/call';
import { modeLabel, worded } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import { WriteNames } from '@/services/WriteNames';
import { PreviewPanel } from './PreviewPanel';
import { realOf } from './realMoney';
import styles from './strategy.module.css';
import { confirmStart, confirmStartOf } from './strategyActions';

const RealMoney = late(() => import('@/components/RealMoney'));

/** What a drawer was opened for. */
export interface Draft<P> {
  /** A strategy that is edited; absent for a new one. */
  edited?: StrategyRow;
  name: string;
  params: P;
  /** Of a new one with real money: the one on paper that it is made from and held against. */
  twin?: { id: string; name: string };
}

interface StrategyDrawerProps<P extends object> {
  kind: StrategyKind;
  form: SchemaForm<P>;
  draft: Draft<P>;
  onClose: () => void;
  /** @param id of the strategy that was saved */
  onSaved: (id: string) => void;
}

type Values<P> = P & { name: string; mode: StrategyRow['mode']; typed?: string };

interface Plan<P> {
  name: string;
  params: P;
  /** What confirms real money. */
  typed?: string;
}

const typedIn = (mode: StrategyRow['mode'], { typed = '' }: { typed?: string }) =>
  mode === 'live' ? { typed: typed.trim() } : {};

/** The limit that every kind has among its params, USDT. */
const lossLimitOf = (params: { dailyLossLimit?: number | null }) => params.dailyLossLimit;

function submitText(saving: boolean, isPriced: boolean): string {
  if (saving) return '正在保存';
  return isPriced ? '保存' : '试算';
}

const NAME = /^\S.{0,31}$/u;

/** Sets a strategy up: its name, its params by the schema of its kind, and what it would do now before it is saved. */
export default function StrategyDrawer<P extends object>(props: StrategyDrawerProps<P>) {
  const { kind, form: shape, draft, onClose, onSaved } = props;
  const [form] = ProForm.useForm<Values<P>>();
  const [tried, setTried] = useState<{ params: P; mode: StrategyRow['mode']; text: string; time: number }>();
  /** Whether it could be said what these would do: what cannot be tried is not saved either. */
  const [isTold, setTold] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [saving, setSaving] = useState(false);
  /** The same at once: of two clicks the second is no other wish. */
  const isSaving = useRef(false);
  const [names] = useState(() => new WriteNames());
  const isPriced = tried !== undefined && isTold;
  const { edited, twin } = draft;
  /** Where it is not chosen here. */
  const fixed = edited?.mode ?? (twin && 'live');
  const initial = { name: draft.name, mode: fixed ?? 'paper', ...shape.toForm(draft.params) } as Values<P>;
  const tradesReal = (useCall(service.environment, {}).data?.trading ?? 'paper') !== 'paper';
  const noReal = !mayBeReal(kind) ? ONLY_PAPER : tradesReal ? undefined : NO_REAL;
  /** Whether it is to be started once it is saved. */
  const starts = useRef(false);

  // A name, and what is typed to confirm, change nothing of what would be opened.
  const forget = () =>
    setTried((now) => {
      const values = form.getFieldsValue();
      const isSame =
        now?.mode === (fixed ?? values.mode) && now.text === JSON.stringify(shape.toApi({ ...initial, ...values }));
      return isSame ? now : undefined;
    });

  const save = async (values: Values<P>) => {
    const params = shape.toApi(values);
    const text = JSON.stringify(params);
    const mode = fixed ?? values.mode;
    // What was changed since is tried before it is saved.
    if (tried?.text !== text) return setTried({ params, mode, text, time: 1 });
    if (!isTold) return setTried({ ...tried, time: tried.time + 1 });
    const plan = { name: values.name, params, ...typedIn(mode, values) };
    const mayResume = edited?.state === 'tripped' && isRaised(lossLimitOf(draft.params), lossLimitOf(params));
    if (edited && (edited.state === 'running' || mayResume)) return confirmEdit(edited, plan, mayResume);
    if (!isSaving.current) await write(plan, mode);
  };
  const write = async (plan: Plan<P>, mode: StrategyRow['mode']) => {
    const { name } = plan;
    isSaving.current = true;
    setSaving(true);
    setRefusal(undefined);
    try {
      const { id } = await (edited
        ? change(edited, plan)
        : create({ kind, mode, ...plan, ...(twin && { twin: twin.id }) }));
      onSaved(id);
      onClose();
      if (starts.current) startSaved({ id, name, mode });
      else toast.success(edited ? '已保存，进行中的交易单保持开仓时的参数' : '已新建，启动后才会开仓');
    } catch (error) {
      showRefusal(error);
    } finally {
      starts.current = false;
      isSaving.current = false;
      setSaving(false);
    }
  };
  // What has to be typed of one with real money is read with it.
  const startSaved = ({ id, name, mode }: { id: string; name: string; mode: StrategyRow['mode'] }) => {
    const started = () => onSaved(id);
    if (mode === 'live') void confirmStartOf({ id, kind }, started).catch(showRefusal);
    else confirmStart({ id, name, mode, running: 0, state: 'stopped' }, started);
  };
  const change = ({ id, version }: StrategyRow, plan: Plan<P>) => {
    const body = { id, version, ...plan };
    return names.run(body, (idempotencyKey) => call(strategies.update, { body }, { idempotencyKey }));
  };
  const create = (body: Plan<P> & { kind: StrategyKind; mode: StrategyRow['mode']; twin?: string }) =>
    names.run(body, (idempotencyKey) => call(strategies.create, { body }, { idempotencyKey }));
  const showRefusal = (error: unknown) => {
    const fields = error instanceof CallError ? error.fields : [];
    const own = fields.map(({ field, message }) => ({ field: field.replace(/^params\./, ''), message }));
    const rest = showFieldErrors(form, own);
    setRefusal(fields.length > 0 && rest.length === 0 ? undefined : failureText(error, '没有保存，请重试'));
  };
  // One that runs may open at once by what is saved, and so may one that a limit stopped and a higher one lets go on.
  const confirmEdit = ({ id, version, ...row }: StrategyRow, plan: Plan<P>, mayResume: boolean) =>
    confirmOpening({
      real: realOf(row),
      verb: '保存',
      subject: plan.name,
      consequence: '进行中的交易单保持开仓时的参数，新参数用于之后的交易单。',
      choose: mayResume ? RESUME_CHOICE : undefined,
      act: 'update',
      input: (picked) => ({ id, version, ...plan, ...(picked.includes(RESUME) && { resume: true }) }),
      run: async ({ opens, words }, picked) => {
        const resume = picked.includes(RESUME);
        try {
          const body = { id, version, ...plan, ...(resume && { resume }), ...opens };
          const { resumed } = await names.run(body, (idempotencyKey) =>
            call(strategies.update, { body }, { idempotencyKey }),
          );
          toast.success(resume ? resumedWords(resumed, words) : `已保存：${words}`);
        } catch (error) {
          // The drawer says it at its field.
          showRefusal(error);
          return;
        }
        onSaved(id);
        onClose();
      },
    });
  // In sight where money may be real, among the terms that are seldom touched where all of it is play money.
  const mode = !fixed && <ModeField noReal={noReal} />;
  return (
    <DrawerForm<Values<P>>
      title={edited ? `修改 ${edited.name}` : twin ? `${worded('转实盘')}：${twin.name}` : '新建策略'}
      width="min(820px, 100vw)"
      form={form}
      initialValues={initial}
      keepsDraft
      unsavedIn={(values) => [
        ...(values.name === initial.name ? [] : ['名称']),
        ...shape.changed(initial, values).map(shape.label),
      ]}
      also={
        isPriced && !edited
          ? {
              text: '保存并启动',
              onClick: () => {
                starts.current = true;
                form.submit();
              },
            }
          : undefined
      }
      submitText={submitText(saving, isPriced)}
      onChange={forget}
      onFinish={save}
      onClose={onClose}
    >
      {(changed) => (
        <>
          {edited && <p className="soft">进行中的交易单保持开仓时的参数，新参数用于之后的交易单。</p>}
          {twin && (
            <p className="soft">
              新建一个停止的{modeLabel('live')}策略，规模已按比例缩小，其余参数与「{twin.name}
              」相同；模拟照常运行，作为它的模拟对照。
            </p>
          )}
          <div>
            <Field
              name="name"
              label="名称"
              rules={[
                { required: true, message: '请输入名称' },
                { pattern: NAME, message: '名称 1 到 32 个字符' },
              ]}
            >
              <Input aria-label="名称" maxLength={32} />
            </Field>
            {noReal === undefined && mode}
          </div>
          <div>
            <SchemaFields
              form={shape}
              more={noReal !== undefined && mode}
              onFill={(values) => {
                form.setFieldsValue(values as Parameters<typeof form.setFieldsValue>[0]);
                // What was wrong with them is asked anew.
                void form.validateFields(Object.keys(values) as never).catch(() => {});
                changed();
              }}
            />
          </div>
          <RealMoneyFields
            mode={fixed}
            at={edited && realOf(edited)}
            edits={edited !== undefined}
            isTried={isPriced}
            names={shape.names}
          />
          {tried && edited && <Changes form={shape} draft={draft} params={tried.params} />}
          {tried && (
            <PreviewPanel
              kind={kind}
              {...tried}
              strategyId={edited?.id ?? null}
              targets={edited?.targets ?? []}
              onTold={setTold}
            />
          )}
          {refusal && <Alert type="error" showIcon title={refusal} />}
        </>
      )}
    </DrawerForm>
  );
}

const NO_REAL = '实盘需要真实交易所，本服务器只能模拟（TRADING=paper）';
const ONLY_PAPER = '这一类策略只能模拟';

/** @param noReal why it cannot trade for real */
const ModeField = ({ noReal }: { noReal: string | undefined }) => (
  <Field name="mode" label="模式" help={noReal}>
    <Select
      aria-label="模式"
      options={STRATEGY_MODES.map((value) => ({
        value,
        label: modeLabel(value),
        disabled: value === 'live' && noReal !== undefined,
      }))}
    />
  </Field>
);

interface RealMoneyFieldsProps {
  /** Where it is not chosen here. */
  mode: StrategyRow['mode'] | undefined;
  at: RealMoneyAt;
  edits: boolean;
  /** Whether what would be opened has been shown: before that nothing is confirmed. */
  isTried: boolean;
  /** Of the form's fields. */
  names: readonly string[];
}

const TO_TYPE = '输入第一个标的的代码；自选标的的策略输入策略名称';

/** Of a strategy in live mode: that its money is real, and what is typed to confirm it. */
function RealMoneyFields({ mode, at, edits, isTried, names }: RealMoneyFieldsProps) {
  const chosen = ProForm.useWatch('mode');
  const sources = ProForm.useWatch((values: Record<string, unknown>) =>
    names.map((name) => String(values[name])).filter((value) => takesReal(value)),
  );
  if ((mode ?? chosen) !== 'live') return null;
  return (
    <div>
      <Suspense fallback={null}>
        <RealMoney at={at ?? (sources?.length ? sources : undefined)} />
      </Suspense>
      <Field
        name="typed"
        label={`确认${modeLabel('live')}`}
        rules={isTried ? [{ required: true, message: '请输入标的代码' }] : []}
        help={`${edits ? `修改${modeLabel('live')}策略同样要确认：` : ''}${TO_TYPE}；试算不用填，保存时核对`}
      >
        <Input aria-label={`确认${modeLabel('live')}`} placeholder={TO_TYPE} maxLength={64} autoComplete="off" />
      </Field>
    </div>
  );
}

interface ChangesProps<P extends object> {
  form: SchemaForm<P>;
  draft: Draft<P>;
  params: P;
}

/** What of its params a save would change. */
function Changes<P extends object>({ form, draft, params }: ChangesProps<P>) {
  const before = form.toApi(form.toForm(draft.params));
  const count = form.changed(before, params).length;
  if (count === 0) return <p className="soft">参数没有改动。</p>;
  return (
    <section aria-label="改动" className={styles.preview}>
      <h3>{count} 项改动</h3>
      <ChangesTable form={form} before={before} after={params} />
    </section>
  );
}
