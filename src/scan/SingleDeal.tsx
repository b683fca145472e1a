import { Alert, Skeleton } from 'antd';
import { useRef } from 'react';
import { ONCE_SECONDS } from '#contract/lifecycle';
import { service } from '#contract/service';
import { type LegsTicket, type StrategyPreview, strategies } from '#contract/strategies';
import { mayBeReal, type StrategyKind } from '#contract/strategy';
import { ActionAlert } from '@/components/ActionAlert';
import { Amount } from '@/components/Amount';
import ConfirmBody from '@/components/ConfirmBody';
import { openDialog } from '@/components/openDialog';
import { Percent } from '@/components/Percent';
import { Price } from '@/components/Price';
import { toast } from '@/components/toast';
import type { SchemaForm } from '@/form/schemaForm';
import { call } from '@/services/call';
import { worded } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import { AccountWays } from '@/strategy/AccountWays';
import { FigureList } from '@/strategy/FigureList';
import { StopBanners } from '@/strategy/StopBanners';
import type { Draft } from '@/strategy/StrategyDrawer';
import styles from '@/strategy/strategy.module.css';
import { TARGET_BLOCK_LABEL } from '@/strategy/strategyLabels';
import { riskFigures, TicketLegs } from '@/strategy/TicketLegs';
import { isStopped, useStops } from '@/strategy/useStops';

const REFRESH_MS = 3_000;
/** How far the limit prices may move between what is shown and the entry: 10 bps. */
const ALLOWED = 0.001;
/** What a form calls the fields by which a deal is held and closed. */
const HELD = ['planHours', 'planDays'];
const EXITS = '平仓与风控';

interface Asked<P extends object> {
  kind: StrategyKind;
  form: SchemaForm<P>;
  /** Of one deal. */
  draft: Draft<P>;
  /** @param id of the strategy that holds the deal alone */
  onOpened: (id: string) => void;
}

/** Beyond these prices no order of the entry goes; null where a leg has none. */
function worstOf({ legs }: LegsTicket) {
  const of = (leg: 'long' | 'short') => legs.find((one) => one.leg === leg)?.limitPrice ?? null;
  const [long, short] = [of('long'), of('short')];
  return long === null || short === null ? null : { long: long * (1 + ALLOWED), short: short * (1 - ALLOWED) };
}

/** Asks whether one deal is opened, with its ticket; it is opened by holding the button. */
export const askSingle = <P extends object>(asked: Asked<P>): void =>
  openDialog(`开这一笔：${asked.draft.name}`, 760, (close) => <SingleDeal {...asked} onClose={close} />);

function SingleDeal<P extends object>({ kind, form, draft, onOpened, onClose }: Asked<P> & { onClose: () => void }) {
  const { name, params } = draft;
  const body = { kind, params };
  const { data, error } = useCall(
    strategies.preview,
    { body },
    { refreshInterval: REFRESH_MS, keepPreviousData: true },
  );
  const tradesReal = (useCall(service.environment, {}).data?.trading ?? 'paper') !== 'paper';
  const stops = useStops().data;
  const row = data?.targets[0];
  const worst = row?.ticket ? worstOf(row.ticket) : null;
  // A call whose answer was lost is made again as it was.
  const sent = useRef(new Map<string, NonNullable<typeof worst>>());
  const run = async ({ idempotencyKey }: { idempotencyKey: string }) => {
    const agreed = sent.current.get(idempotencyKey) ?? worst;
    if (agreed === null) return false;
    sent.current.set(idempotencyKey, agreed);
    const { id } = await call(strategies.single, { body: { ...body, name, worst: agreed } }, { idempotencyKey });
    toast.info('已确认，正在开仓');
    onOpened(id);
    return true;
  };
  const exits = form.view.groups.find(({ title }) => title.startsWith(EXITS))?.fields ?? [];
  const shown = form.names.filter((field) => HELD.includes(field) || exits.includes(field));
  return (
    <ConfirmBody
      onClose={onClose}
      action={{
        // A deal of its own is opened with play money alone.
        ...{ verb: '开这一笔', subject: name, money: true, real: null, run },
        waits: worst === null || row?.block !== null || stops === undefined || isStopped(stops, 'paper'),
        consequence: (
          <div className={styles.close}>
            <StopBanners kind={kind} strategyId={null} />
            {tradesReal && (
              <Alert
                type="info"
                showIcon
                title={`单笔只用模拟资金${mayBeReal(kind) ? worded('；要在实盘开仓，请新建策略，模式选实盘') : ''}`}
              />
            )}
            {error && <Alert type="warning" showIcon title={`没有票据：${error.text}`} />}
            {!data && !error && <Skeleton active title={false} />}
            {data && row && <Ticket data={data} row={row} worst={worst} />}
            <FigureList
              label="持有与平仓"
              figures={shown.map((field) => ({ label: form.label(field), figure: form.text(params, field) }))}
            />
            <span className="soft">
              只开这一张，不留策略：{ONCE_SECONDS} 秒内开不成就放弃；平仓后不再开，自动停止并收入已结束的单笔。
            </span>
          </div>
        ),
      }}
    />
  );
}

interface TicketProps {
  data: StrategyPreview;
  row: StrategyPreview['targets'][number];
  worst: ReturnType<typeof worstOf>;
}

/** What is sent, what it costs and may lose, and beyond which prices nothing is opened. */
function Ticket({ data, row, worst }: TicketProps) {
  const need = (of: 'cash' | 'margin') => data.accounts.reduce((sum, account) => sum + (account[of] ?? 0), 0);
  return (
    <>
      {row.block !== null && (
        <ActionAlert
          type="warning"
          title={`现在不会开仓：${TARGET_BLOCK_LABEL[row.block]}`}
          action={row.block === 'noAccount' && <AccountWays accounts={data.accounts} />}
        />
      )}
      {row.ticket && <TicketLegs ticket={row.ticket} />}
      <FigureList
        label="成本与风险"
        figures={[
          {
            label: '净年化',
            formula: '名义净年化 / 占用资金（F12）',
            figure: <Percent value={row.signalOnCapital} signed reason="成本不全" />,
          },
          { label: '名义净年化', figure: <Percent value={row.signal} signed reason="成本不全" /> },
          ...riskFigures(data),
          {
            label: '需要余额',
            formula: '现货的成本 + 合约的保证金 + 一进一出的成本',
            figure: <Amount value={need('cash') + need('margin')} unit="USDT" />,
          },
          { label: '买入最差价', figure: <Price value={worst?.long ?? null} unit="USDT" reason="没有限价" /> },
          { label: '卖出最差价', figure: <Price value={worst?.short ?? null} unit="USDT" reason="没有限价" /> },
        ]}
      />
      <span className="soft">
        最差价比现在的限价多留 10
        bps：开仓的每一笔委托都不越过它。到开仓时限价已越过，就不开并写明原因；开到一半越过，其余不再追，缺腿的按单腿规则平掉。
      </span>
    </>
  );
}
