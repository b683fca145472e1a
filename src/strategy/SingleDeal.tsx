import { ProForm } from '@ant-design/pro-components';
import { Alert, Segmented, Skeleton } from 'antd';
import { useRef, useState } from 'react';
import type { BodyOf } from '#contract/endpoint';
import { MOST_WAIT_HOURS, ONCE_SECONDS, type PairBlock } from '#contract/lifecycle';
import { service } from '#contract/service';
import { type LegsTicket, type NowOrLater, type StrategyPreview, strategies } from '#contract/strategies';
import { mayBeReal, STRATEGY_MODES, type StrategyKind, type StrategyMode } from '#contract/strategy';
import { ActionAlert } from '@/components/ActionAlert';
import { Amount } from '@/components/Amount';
import ConfirmBody from '@/components/ConfirmBody';
import { NumberInput } from '@/components/NumberInput';
import { openDialog } from '@/components/openDialog';
import { PairWarnings } from '@/components/PairWarnings';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import { toast } from '@/components/toast';
import form from '@/form/form.module.css';
import { SchemaField } from '@/form/SchemaField';
import type { SchemaForm } from '@/form/schemaForm';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import { modeLabel } from '@/services/modeLabel';
import { type CallState, useCall } from '@/services/useCall';
import { AccountWays } from './AccountWays';
import { FigureList, type ListedFigure } from './FigureList';
import { StopBanners } from './StopBanners';
import type { Draft } from './StrategyDrawer';
import styles from './strategy.module.css';
import { TARGET_BLOCK_LABEL } from './strategyLabels';
import { riskFigures, TicketLegs } from './TicketLegs';
import { isStopped, useStops } from './useStops';

const REFRESH_MS = 3_000;
/** How far the limit prices may move between what is shown and the entry: 10 bps. */
const ALLOWED = 0.001;
/** What a form calls the fields by which a deal is held and closed. */
const HELD = ['planHours', 'planDays'];
const EXITS = '平仓与风控';

/** What a person confirms of one deal beside its params. */
type Confirmed = Pick<BodyOf<typeof strategies.single>, 'mode' | 'typed' | 'accepts'> & NowOrLater;

/** How one deal is asked about and opened. */
export interface SingleCalls<P extends object> {
  usePreview: (params: P, mode: StrategyMode) => Pick<CallState<StrategyPreview>, 'data' | 'error' | 'isLoading'>;
  open: (draft: Draft<P>, confirmed: Confirmed, idempotencyKey: string) => Promise<{ id: string }>;
}

export const PREVIEWED = { refreshInterval: REFRESH_MS, keepPreviousData: true } as const;

/** Of a kind whose params name what it trades. */
const callsOf = (kind: StrategyKind): SingleCalls<object> => ({
  usePreview: (params, mode) => useCall(strategies.preview, { body: { kind, params, mode } }, PREVIEWED),
  // It is opened now, or not at all.
  open: ({ name, params }, { worst, ...confirmed }, idempotencyKey) =>
    call(strategies.single, { body: { kind, name, params, worst: worst!, ...confirmed } }, { idempotencyKey }),
});

interface Asked<P extends object> {
  kind: StrategyKind;
  form: SchemaForm<P>;
  /** Of one deal. */
  draft: Draft<P>;
  calls?: SingleCalls<P>;
  /** What of it may still be changed here. */
  edits?: readonly (keyof P & string)[];
  /** What of it is shown besides; how it is held and closed where that is not told. */
  shows?: readonly (keyof P & string)[];
  /** What its rule waits for, where a person may let it wait. */
  later?: { block: PairBlock; words: (params: P, signal: number | null) => string };
  /** @param id of the strategy that holds the deal alone */
  onOpened: (id: string) => void;
}

/** What is offered at first. */
const WAIT_HOURS = 24;

/** Beyond these prices no order of the entry goes; null where a leg has none. */
function worstOf({ legs }: LegsTicket) {
  const of = (leg: 'long' | 'short') => legs.find((one) => one.leg === leg)?.limitPrice ?? null;
  const [long, short] = [of('long'), of('short')];
  return long === null || short === null ? null : { long: long * (1 + ALLOWED), short: short * (1 - ALLOWED) };
}

/** Asks whether one deal is opened, with its ticket; it is opened by holding the button. */
export const askSingle = <P extends object>(asked: Asked<P>): void =>
  openDialog(`开这一笔：${asked.draft.name}`, 760, (close) => <SingleDeal {...asked} onClose={close} />);

function SingleDeal<P extends object>(asked: Asked<P> & { onClose: () => void }) {
  const { kind, form: shape, draft, edits = [], onOpened, onClose } = asked;
  const { usePreview, open } = asked.calls ?? (callsOf(kind) as SingleCalls<P>);
  const [chosen, setChosen] = useState<StrategyMode>('paper');
  const [params, setParams] = useState(draft.params);
  const [isWrong, setWrong] = useState(false);
  const tradesReal = (useCall(service.environment, {}).data?.trading ?? 'paper') !== 'paper';
  const mayChoose = tradesReal && mayBeReal(kind);
  const mode = mayChoose ? chosen : 'paper';
  const { data, error, isLoading } = usePreview(params, mode);
  /** Whether what is shown is of what is chosen. */
  const isTold = !isLoading && error === undefined;
  const stops = useStops().data;
  const row = data?.targets[0];
  const { worst, later, waitHours, setWaitHours, when } = useWhen(asked, row, params);
  // A call whose answer was lost is made again as it was.
  const sent = useRef(new Map<string, Pick<Confirmed, 'worst' | 'waitHours' | 'accepts'>>());
  const run = async ({ typed, idempotencyKey }: { typed: string; idempotencyKey: string }) => {
    const agreed = sent.current.get(idempotencyKey) ?? (when && { ...when, accepts: row?.warnings ?? [] });
    if (!agreed) return false;
    sent.current.set(idempotencyKey, agreed);
    const confirmed = { ...agreed, mode, ...(mode === 'live' && { typed }) };
    const { id } = await open({ ...draft, params }, confirmed, idempotencyKey);
    toast.info(agreed.waitHours === undefined ? '已确认，正在开仓' : '已确认，条件成立时开仓');
    onOpened(id);
    return true;
  };
  const exits = shape.view.groups.find(({ title }) => title.startsWith(EXITS))?.fields ?? [];
  const named = asked.shows ?? shape.names.filter((field) => HELD.includes(field) || exits.includes(field));
  // What has no say by what else is chosen is left out.
  const hasSay = (field: keyof P & string) => !shape.view.fields[field].isIdle?.(params);
  const shown = named.filter(hasSay);
  const [edited] = ProForm.useForm<P>();
  const change = () => {
    setWrong(true);
    const take = (values: P) => {
      setParams(shape.toApi({ ...shape.toForm(draft.params), ...values }));
      setWrong(false);
    };
    // What is wrong stands at its field; where another check came between nothing may be.
    void edited.validateFields().then(take, ({ errorFields }: { errorFields: unknown[] }) => {
      if (errorFields.length === 0) take(edited.getFieldsValue());
      else setWrong(true);
    });
  };
  return (
    <ConfirmBody
      onClose={onClose}
      action={{
        ...{ verb: later === null ? '开这一笔' : '等到了再开', subject: draft.name, money: true, run },
        // What a person chooses alone: a z that arrives meanwhile is no other wish.
        content: [mode, params, waitHours],
        real: mode === 'live' && row ? [...new Set([row.longSource, row.shortSource])] : null,
        typed: mode === 'live' ? { hint: row?.long ?? '' } : undefined,
        waits: isWrong || !isTold || when === null || !stops || isStopped(stops, mode),
        consequence: (
          <div className={styles.close}>
            <StopBanners kind={kind} strategyId={null} />
            {mayChoose && (
              <div>
                <Segmented
                  aria-label="模式"
                  value={mode}
                  options={STRATEGY_MODES.map((value) => ({ value, label: modeLabel(value) }))}
                  onChange={setChosen}
                />
              </div>
            )}
            {edits.length > 0 && (
              <ProForm<P>
                form={edited}
                submitter={false}
                initialValues={shape.toForm(draft.params)}
                onValuesChange={change}
              >
                <div className={form.grid}>
                  {edits.filter(hasSay).map((name) => (
                    <SchemaField key={name} form={shape} name={name} />
                  ))}
                </div>
              </ProForm>
            )}
            {error && <Alert type="warning" showIcon title={`没有票据：${error.text}`} />}
            {!data && !error && <Skeleton active title={false} />}
            <WaitFor later={later} hours={waitHours} onChange={setWaitHours} />
            {data && row && !error && <Ticket data={data} row={row} worst={worst} isLater={later !== null} />}
            <FigureList
              label="持有与平仓"
              figures={shown.map((field) => ({ label: shape.label(field), figure: shape.text(params, field) }))}
            />
            <span className="soft">
              只开这一张，不留策略：
              {later === null ? `${ONCE_SECONDS} 秒内开不成就放弃` : '到时还没有等到就放弃，等待中随时可以撤销'}
              ；平仓后不再开，自动停止并收入已结束的单笔。
            </span>
          </div>
        ),
      }}
    />
  );
}

interface WaitForProps {
  later: string | null;
  hours: number | null;
  onChange: (hours: number | null) => void;
}

/** What it waits for, and for how long, where it would. */
const WaitFor = ({ later, hours, onChange }: WaitForProps) =>
  later !== null && (
    <Alert
      type="info"
      showIcon
      title={
        <div className={styles.wait}>
          {later}，最多等
          <NumberInput
            aria-label="最多等"
            min={1}
            max={MOST_WAIT_HOURS}
            precision={0}
            value={hours}
            onChange={onChange}
            suffix="小时"
          />
        </div>
      }
    />
  );

/** By what it would be opened: the worst prices of its ticket now, or as long as its rule is waited for; null where by neither. */
function useWhen<P extends object>(
  { later: rule }: Pick<Asked<P>, 'later'>,
  row: StrategyPreview['targets'][number] | undefined,
  params: P,
) {
  const [waitHours, setWaitHours] = useState<number | null>(WAIT_HOURS);
  const worst = row?.ticket ? worstOf(row.ticket) : null;
  const later = row && rule?.block === row.block ? rule.words(params, row.signal) : null;
  const now = row?.block === null && worst !== null ? { worst } : null;
  const when: NowOrLater | null = later === null ? now : waitHours === null ? null : { waitHours };
  return { worst, later, waitHours, setWaitHours, when };
}

interface TicketProps {
  data: StrategyPreview;
  row: StrategyPreview['targets'][number];
  worst: ReturnType<typeof worstOf>;
  /** It is opened by the prices of then. */
  isLater: boolean;
}

/** What is sent, what it costs and may lose, and beyond which prices nothing is opened. */
function Ticket({ data, row, worst, isLater }: TicketProps) {
  const need = (of: 'cash' | 'margin') => data.accounts.reduce((sum, account) => sum + (account[of] ?? 0), 0);
  return (
    <>
      {row.block !== null && !isLater && (
        <ActionAlert
          type="warning"
          title={`现在不会开仓：${TARGET_BLOCK_LABEL[row.block]}`}
          action={row.block === 'noAccount' && <AccountWays accounts={data.accounts} />}
        />
      )}
      {row.warnings && (
        <div>
          <PairWarnings warnings={row.warnings} />
        </div>
      )}
      {row.ticket && <TicketLegs ticket={row.ticket} />}
      <FigureList
        label="成本与风险"
        figures={[
          ...signalFigures(data, row),
          ...riskFigures(data),
          {
            label: '需要余额',
            formula: '现货的成本 + 合约的保证金 + 一进一出的成本',
            figure: <Amount value={need('cash') + need('margin')} unit="USDT" />,
          },
          ...capFigures(data),
          ...(isLater ? [] : worstFigures(worst)),
        ]}
      />
      <span className="soft">{isLater ? BY_THEN : BY_WORST}</span>
    </>
  );
}

const BY_WORST =
  '最差价比现在的限价多留 10 bps：开仓的每一笔委托都不越过它。到开仓时限价已越过，就不开并写明原因；开到一半越过，其余不再追，缺腿的按单腿规则平掉。';
const BY_THEN = '票据按现在的盘口算；到条件成立时按那时的盘口开，滑点不超过滑点上限，保证金与名义上限那时再核对。';

const worstFigures = (worst: TicketProps['worst']): ListedFigure[] => [
  { label: '买入最差价', figure: <Price value={worst?.long ?? null} unit="USDT" reason="没有限价" /> },
  { label: '卖出最差价', figure: <Price value={worst?.short ?? null} unit="USDT" reason="没有限价" /> },
];

/** Of real accounts: what counts against the cap of each, and what it has left. */
const capFigures = ({ accounts }: StrategyPreview): ListedFigure[] =>
  accounts.flatMap(({ source, notional, room }) =>
    room === undefined
      ? []
      : [
          {
            label: `${venueLabel(source)}名义 / 上限还剩`,
            figure: (
              <>
                <Amount value={notional ?? null} /> / <Amount value={room} unit="USDT" />
              </>
            ),
          },
        ],
  );

/** What a kind goes by, now. */
const signalFigures = ({ signalIs }: StrategyPreview, row: TicketProps['row']): ListedFigure[] =>
  signalIs === undefined
    ? [
        {
          label: '净年化',
          formula: '名义净年化 / 占用资金（F12）',
          figure: <Percent value={row.signalOnCapital} signed reason="成本不全" />,
        },
        { label: '名义净年化', figure: <Percent value={row.signal} signed reason="成本不全" /> },
      ]
    : [];
