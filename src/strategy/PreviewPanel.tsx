import { Alert } from 'antd';
import { useEffect, useRef } from 'react';
import type { Leg } from '#contract/lifecycle';
import { type StrategyPreview, strategies } from '#contract/strategies';
import type { StrategyKind } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { ActionAlert } from '@/components/ActionAlert';
import { Amount } from '@/components/Amount';
import { inBps } from '@/components/Bps';
import { DateTime } from '@/components/DateTime';
import { formatNumber } from '@/components/formatNumber';
import { LiveTag } from '@/components/LiveTag';
import { HOLD_LABEL } from '@/components/labels';
import { OutsideMet } from '@/components/OutsideMet';
import { Pnl } from '@/components/Pnl';
import { venueLabel } from '@/scan/venueLabel';
import { modeLabel } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { changeColumn, costColumn, numberColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import { AccountWays } from './AccountWays';
import { FigureList } from './FigureList';
import { LadderFigures } from './LadderFigures';
import { isOneInstrument, legText } from './legText';
import { StopBanners } from './StopBanners';
import styles from './strategy.module.css';
import { TARGET_BLOCK_LABEL } from './strategyLabels';
import { riskFigures, StartTicket, TicketLegs } from './TicketLegs';
import { isStopped, useStops } from './useStops';

type Target = StrategyRow['targets'][number];
/** What a person made of it, where the strategy has it already. */
type Row = StrategyPreview['targets'][number] & Pick<Partial<Target>, 'held'> & { stopped: boolean };
type AccountNeed = StrategyPreview['accounts'][number];

const SIGNAL = changeColumn<Row>('signal', '名义净年化', { reason: '成本不全' });
const ON_CAPITAL = changeColumn<Row>('signalOnCapital', '净年化', { reason: '成本不全' });
const EDGE: Column<Row> = {
  ...costColumn<Row>('signal', '净价差'),
  render: ({ signal }) => <Pnl value={inBps(signal)} digits={1} reason="成本不全" />,
};

/** Every reason that keeps it from opening now. */
const blocksText = ({ stopped, held, block, lacking }: Row): string =>
  [
    stopped && '已暂停开仓',
    held && HOLD_LABEL[held.hold],
    block && TARGET_BLOCK_LABEL[block],
    lacking && TARGET_BLOCK_LABEL[lacking],
  ]
    .filter(Boolean)
    .join('、');

/** What it would do now. A hedge of stock has one instrument at both legs. */
function willText(row: Row): string {
  if (!row.isStock) return '会开仓';
  return isOneInstrument(row) ? '会对冲库存' : '会补库存';
}

const THIN = '盘口装不下这个数量';
type StockCost = NonNullable<StrategyPreview['stock']>;
const STOCK_FIGURES: [label: string, formula: string, figure: (cost: StockCost) => number | null][] = [
  ['建库存', '要买卖的现货', ({ notional }) => notional],
  ['手续费', '买卖现货', ({ fees }) => fees],
  ['滑点', '买卖现货，均价相对中间价（F9）', ({ slippage }) => slippage],
  ['对冲永续', '按库存做空，一倍杠杆；0 为不对冲，库存全额承担涨跌', ({ hedge }) => hedge],
  ['对冲成本', '永续开仓的手续费与滑点', ({ hedgeCost }) => hedgeCost],
  ['需要余额', '现货的成本与永续的保证金', ({ capital }) => capital],
];

const PLACES = ['long', 'longSource', 'short', 'shortSource'] as const;

/** A symbol is never broken: all of it stands on one line, a venue may come below. */
const legColumn = (leg: Leg, title: string): Column<Row> => ({
  ...wordColumn<Row>(leg, title, 166, (row) => legText(row, leg)),
  render: (row) => <span className={styles.unbroken}>{legText(row, leg)}</span>,
});

const COLUMNS: Column<Row>[] = [
  legColumn('long', '多头腿'),
  legColumn('short', '空头腿'),
  {
    key: 'block',
    title: '现在',
    width: 146,
    render: (row) => blocksText(row) || <span className="up">{willText(row)}</span>,
  },
  SIGNAL,
  costColumn<Row>('cost', '进出成本', { width: 104, reason: '深度不足' }),
];

const NO_ACCOUNT = '在该交易所还没有账户';

const ACCOUNT_COLUMNS: Column<AccountNeed>[] = [
  wordColumn<AccountNeed>('source', '账户', 90, ({ source }) => venueLabel(source)),
  numberColumn<AccountNeed>('cash', '买现货需要', { money: true, width: 120 }),
  numberColumn<AccountNeed>('spendable', '可用余额', { money: true, width: 120, reason: NO_ACCOUNT }),
  numberColumn<AccountNeed>('margin', '保证金需要', { money: true, width: 120 }),
  numberColumn<AccountNeed>('freeMargin', '可用保证金', { money: true, width: 120, reason: NO_ACCOUNT }),
];

/** With real money the cap of an account counts too. */
const REAL_COLUMNS: Column<AccountNeed>[] = [
  ...ACCOUNT_COLUMNS.map((column) => ({ ...column, width: 90 })),
  numberColumn<AccountNeed>('notional', '名义需要', { money: true, width: 90 }),
  numberColumn<AccountNeed>('room', '名义可用', {
    ...{ money: true, width: 90, reason: '没有账户，或交易所没有回答' },
    explain: { formula: '每个账户的名义上限 − 账户里已有的持仓' },
  }),
];

const cardOf = (columns: Column<AccountNeed>[]) =>
  columnsCard(columns, { label: ({ source }) => venueLabel(source), head: ['source'], end: [] });
const accountCard = cardOf(ACCOUNT_COLUMNS);
const realCard = cardOf(REAL_COLUMNS);

const capFigure = (real: StrategyPreview['real']) =>
  real === undefined
    ? []
    : [
        {
          label: '每个账户的名义上限',
          formula: 'LIVE_MAX_NOTIONAL',
          figure: <Amount value={real.cap} unit="USDT" reason="本服务器不做实盘" />,
        },
      ];

/** What the accounts lack for all of it; null where they have it. */
function lackingText(need: AccountNeed, mode: StrategyRow['mode']): string | null {
  const { source, cash, spendable, margin, freeMargin, room, notional, isSilent } = need;
  if (isSilent) return `${venueLabel(source)} 没有应答，余额读不到：恢复后再试算`;
  if (spendable === null || freeMargin === null) {
    return `${venueLabel(source)} 还没有${mode === 'live' ? modeLabel(mode) : ''}账户`;
  }
  if (room !== undefined && notional !== undefined && notional > room) {
    return `${venueLabel(source)} 超过账户的名义上限：还可用 ${formatNumber(room, { digits: 2 })} USDT`;
  }
  if ((cash ?? 0) > spendable) return `${venueLabel(source)} 可用余额不足`;
  return (cash ?? 0) + (margin ?? 0) > freeMargin ? `${venueLabel(source)} 可用保证金不足` : null;
}

/** Of kinds with levels: what the narrowest of them makes. */
const LADDER_COLUMNS = COLUMNS.map((column) => (column === SIGNAL ? { ...column, title: '每格净利' } : column));

/** Of spot with levels, which is only bought: its one leg. */
const SPOT_COLUMNS = LADDER_COLUMNS.filter(({ key }) => key !== 'short').map((column) =>
  column.key === 'long' ? { ...column, title: '标的' } : column,
);

/** Of kinds that go by the gap between two venues. */
const EDGE_COLUMNS = COLUMNS.map((column) => (column === SIGNAL ? EDGE : column));

/** Of kinds that earn by settlements. */
const BREAK_EVEN = numberColumn<Row>('breakEven', '回本期数', { digits: 0, reason: '回不了本' });

function columnsOf(data: StrategyPreview | undefined): Column<Row>[] {
  if (data?.ladder) return data.ladder.market === 'spot' ? SPOT_COLUMNS : LADDER_COLUMNS;
  if (data?.signalIs === 'edge') return EDGE_COLUMNS;
  const yearly = COLUMNS.flatMap((column) => (column === SIGNAL ? [ON_CAPITAL, SIGNAL] : column));
  return data?.targets.some(({ breakEven }) => breakEven !== null) ? [...yearly, BREAK_EVEN] : yearly;
}

/** What each target would be sent: at once where it is one, else those that somebody opens. */
function Tickets({ targets }: Pick<StrategyPreview, 'targets'>) {
  if (targets.length === 1) return targets[0]!.ticket ? <TicketLegs ticket={targets[0]!.ticket} /> : null;
  return targets.map(
    (row) =>
      row.ticket && (
        <details key={`${row.long} ${row.short}`} className={styles.folded}>
          <summary>
            {legText(row, 'long')} / {legText(row, 'short')}
          </summary>
          <TicketLegs ticket={row.ticket} />
        </details>
      ),
  );
}

interface PreviewPanelProps {
  kind: StrategyKind;
  /** Params that the form found nothing wrong with. */
  params: unknown;
  /** Whose accounts it is held against: those with play money, or the real ones. */
  mode: StrategyRow['mode'];
  /** Null where it is still to be made. */
  strategyId: string | null;
  /** What it may open already. */
  targets: readonly Target[];
  /** For the how manyth time it is asked. */
  time: number;
  /** Whether it could be said, as far as is known. */
  onTold: (told: boolean) => void;
}

/** What the strategy would do now, on real prices, and what it takes when all of it is open. */
export function PreviewPanel({ kind, params, mode, strategyId, targets, time, onTold }: PreviewPanelProps) {
  const { data, error, isLoading, retry } = useCall(
    strategies.preview,
    { body: { kind, mode, params, ...(strategyId !== null && { id: strategyId }) } },
    { keepPreviousData: true },
  );
  const stops = useStops().data;
  const place = useRef<HTMLElement>(null);
  // It comes up below the fields.
  useEffect(() => {
    if (data) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [data]);
  useEffect(() => onTold(error === undefined), [error, onTold]);
  const again = useRef(retry);
  again.current = retry;
  useEffect(() => {
    if (time > 1) void again.current();
  }, [time]);
  if (error) return <Alert type="warning" showIcon title={`不能试算：${error.text}`} />;
  const stopped = stops !== undefined && isStopped(stops, mode);
  const rows = data?.targets.map((row): Row => {
    const own = targets.find((target) => PLACES.every((place) => target[place] === row[place]));
    return { ...row, stopped, ...(own && { held: own.held }) };
  });
  const lacking = (data?.accounts ?? []).flatMap((account) => lackingText(account, mode) ?? []);
  return (
    <section ref={place} aria-label="试算" className={styles.preview}>
      <h3>
        试算（全部开满） <LiveTag mode={mode} />
      </h3>
      {data && (
        <p className="soft">
          按 <DateTime value={data.at} precision="second" /> 的行情，打开时读取
        </p>
      )}
      <StopBanners kind={kind} strategyId={strategyId} />
      <FigureList figures={[...riskFigures(data), ...capFigure(data?.real)]} />
      {data?.stock && (
        <FigureList
          label="建库存的成本"
          figures={STOCK_FIGURES.map(([label, formula, figure]) => ({
            ...{ label, formula },
            figure: <Amount value={figure(data.stock!)} unit="USDT" reason={THIN} />,
          }))}
          inputAt="打开时的行情"
        />
      )}
      {data?.ladder && <LadderFigures ladder={data.ladder} />}
      {data?.ladder?.start && <StartTicket leg={data.ladder.start} />}
      <Tickets targets={data?.targets ?? []} />
      <PlainTable
        label="用到的账户"
        rowKey="source"
        columns={data?.real ? REAL_COLUMNS : ACCOUNT_COLUMNS}
        card={data?.real ? realCard : accountCard}
        rows={data?.accounts}
        loading={isLoading}
      />
      {lacking.length > 0 && (
        <ActionAlert
          type="warning"
          title={`全部开满时：${lacking.join('；')}`}
          action={<AccountWays accounts={data?.accounts ?? []} mode={mode} />}
        />
      )}
      <OutsideMet rows={data?.targets ?? []} />
      <PlainTable
        label="每个标的现在会怎样"
        rowKey={(row) => `${row.long} ${row.short}`}
        columns={columnsOf(data)}
        rows={rows}
        loading={isLoading}
        maxHeight={220}
      />
    </section>
  );
}
