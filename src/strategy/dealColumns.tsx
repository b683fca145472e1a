import { Space, Tag, Tooltip } from 'antd';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { DealRow } from '#contract/strategyRow';
import { inBps } from '@/components/Bps';
import { stateWord } from '@/components/HedgeStateTag';
import { LiquidationDistance } from '@/components/LiquidationDistance';
import { LiveTag } from '@/components/LiveTag';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { Missing } from '@/components/Missing';
import { MoneyButton } from '@/components/MoneyButton';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { venueLabel } from '@/scan/venueLabel';
import { type Column, drawnFrom } from '@/table/column';
import { decidingFirst } from '@/table/decidingFirst';
import { schemaColumns } from '@/table/schemaColumns';
import type { Afterwards } from './AfterClose';
import { dealName, unfreezeDeal } from './dealActions';
import { FundingAndFees } from './FundingAndFees';
import { MoreActions } from './MoreActions';
import { PairCell } from './PairCell';
import { NetOfPart, PartLeft, TakenTag } from './PartClosed';
import { LEG_TITLE, Resting } from './Resting';
import styles from './strategy.module.css';
import { confirmCloseDeal } from './strategyActions';
import { WhyCell, whyText } from './WhyCell';
import { isLeftUneven } from './whyHeld';

const NO_PRICE = '没有价格';

const legOf = ({ legs }: DealRow, leg: 'long' | 'short') => legs.find((one) => one.leg === leg);
const UNUSED = '这张交易单不用这一腿';

/** With its venue where the legs lie at several. */
function nameOf({ legs }: DealRow, { symbol, source }: DealRow['legs'][number]): string {
  return legs.every((leg) => leg.source === source) ? symbol : `${symbol} · ${venueLabel(source)}`;
}

const legColumn = (leg: 'long' | 'short'): Column<DealRow> => ({
  key: leg,
  title: LEG_TITLE[leg],
  width: 150,
  figure: true,
  render: (row) => {
    const found = legOf(row, leg);
    if (!found) return null;
    if (!found.isUsed) return <Missing reason={UNUSED} />;
    const hasEnded = HEDGE_ENDS.includes(row.state);
    return (
      <>
        <Quantity value={Number(hasEnded ? found.opened : found.quantity)} />
        <div className="soft">
          {'@ '}
          <Price value={found.entry} reason={hasEnded ? '现在没有持有' : '还没有成交'} />
        </div>
      </>
    );
  },
  csv: (row) => {
    const found = legOf(row, leg);
    return found?.isUsed ? nameOf(row, found) : '';
  },
});

const legPnl = (leg: 'long' | 'short'): Column<DealRow> => ({
  key: `${leg}Pnl`,
  title: `${LEG_TITLE[leg]}盈亏`,
  width: 112,
  figure: true,
  render: (row) => {
    const found = legOf(row, leg);
    return found?.isUsed === false ? (
      <Missing reason={UNUSED} />
    ) : (
      <Pnl value={found?.pricePnl ?? null} reason={NO_PRICE} />
    );
  },
  csv: (row) => (legOf(row, leg)?.isUsed ? (legOf(row, leg)?.pricePnl ?? null) : null),
  written: { digits: 2 },
});

/** What went as it was meant to, of one leg alone, brought the inventory to what is wanted. */
function stockedBy({ closeReason, legs }: DealRow): 'long' | 'short' | null {
  const [only, ...others] = legs.filter(({ isUsed }) => isUsed);
  return closeReason === 'done' && only !== undefined && others.length === 0 ? only.leg : null;
}

const STOCKED = { long: '补库存', short: '卖出多余库存' } as const;

function reasonText(row: DealRow): string {
  const { closeReason } = row;
  if (closeReason === null) return '';
  const stocked = stockedBy(row);
  const refusal = row.refusal ? `（${row.refusal}）` : '';
  return stocked === null ? `${CLOSE_REASON_LABEL[closeReason]}${refusal}` : STOCKED[stocked];
}

/** Levels of one instrument that hold none of it now; what a pair has lost is told by itself. */
const isEmptyGrid = (legs: DealRow['legs']): boolean =>
  new Set(legs.map(({ source, symbol }) => `${source} ${symbol}`)).size === 1 &&
  legs.every(({ quantity }) => Number(quantity) === 0);

function stateText(row: DealRow): string {
  const { state, closeReason, closeAsked, legs } = row;
  const reason = closeReason === null ? '' : `：${reasonText(row)}`;
  return `${stateWord(state, isEmptyGrid(legs))}${closeAsked && state !== 'closing' ? '（已请求平仓）' : ''}${reason}`;
}

function DealMenu({ row, items }: { row: DealRow; items: DealItem[] }) {
  if (items.length === 0) return null;
  return <MoreActions name={dealName(row)} items={items} />;
}

/** What a kind shows of its deals beside the usual figures, and what else may be done with one that runs. */
export interface DealView {
  columns: readonly Column<DealRow>[];
  /** What the signal of an entry is, of some kinds told in bps; absent: the net APR. */
  signal?: { text: string; inBps?: true };
  /** Keys of usual figures that say nothing of its deals. */
  without?: readonly string[];
  /** What the totals row is called where it is not the strategy's whole. */
  totals?: string;
  /** Why one is held that no rule closes; absent: until somebody closes it. */
  unruled?: string;
  actions?: (row: DealRow, done: () => void) => DealItem[];
}

interface DealItem {
  key: string;
  label: string;
  disabled?: boolean;
  run: () => void;
}

/** What may be done with a deal of any kind that is frozen. */
const unfreezeItem = (row: DealRow, done: () => void): DealItem => ({
  key: 'unfreeze',
  label: row.mayThaw ? '恢复' : '恢复（正在自动核对）',
  disabled: !row.mayThaw,
  run: () => unfreezeDeal(row, done),
});

const RUNNING: readonly DealRow['state'][] = ['waiting', 'opening', 'open'];

/** What may be done with one that runs, beside closing it. */
const itemsOf = (row: DealRow, done: () => void, { actions }: DealView): DealItem[] =>
  // Nobody would do anything of it: what is left is to close it, or to take it over.
  row.unguarded
    ? []
    : [
        ...(row.frozen === null ? [] : [unfreezeItem(row, done)]),
        ...(row.state === 'waiting' ? [] : (actions?.(row, done) ?? [])),
      ];

/** What a strategy holds and held, the newest first. @param afterwards what follows when one is closed by hand */
export const dealColumns = (
  done: () => void,
  view: DealView = { columns: [] },
  afterwards: Afterwards = 'byHand',
): Column<DealRow>[] =>
  decidingFirst(everyColumn(done, view, afterwards), DECIDING).filter(({ key }) => !view.without?.includes(key));

const DECIDING = ['subject', 'state', 'net', 'netClosed', 'why', 'funding', 'heldDays', 'liquidationDistance'];

const FIGURES = schemaColumns(DealRow, {
  inputAt: '',
  widths: { netClosed: 104, funding: 100, heldDays: 92, liquidationDistance: 88 },
});
const figures = (...keys: string[]) => FIGURES.filter(({ key }) => keys.includes(key));

/** What the entry was decided by; purchases for the inventory look at none. */
function signalColumn({ signal }: DealView): Column<DealRow> {
  const { inBps: isInBps = false, ...explain } = signal ?? {};
  const entrySignal = ({ signalOpen }: DealRow) => (isInBps ? inBps(signalOpen) : signalOpen);
  return {
    ...figures('signalOpen')[0]!,
    ...(signal && { explain }),
    ...(isInBps && { title: '开仓信号 bps', width: 120, written: { digits: 1 } }),
    render: (row) =>
      stockedBy(row) === null ? (
        <Pnl percent={!isInBps} digits={isInBps ? 1 : 2} value={entrySignal(row)} />
      ) : (
        <Missing reason="调整库存不看信号" />
      ),
    csv: (row) => (stockedBy(row) === null ? entrySignal(row) : null),
  };
}

const everyColumn = (done: () => void, view: DealView, afterwards: Afterwards): Column<DealRow>[] => [
  {
    key: 'subject',
    title: '标的',
    width: 216,
    fixed: 'left',
    render: drawnFrom(
      ({ legs }) => legs.filter(({ isUsed }) => isUsed).map(({ leg, symbol, source }) => ({ leg, symbol, source })),
      (legs) => {
        const isApart = legs.some(({ source }) => source !== legs[0]?.source);
        return <PairCell legs={legs.map((leg) => (isApart ? { ...leg, at: venueLabel(leg.source) } : leg))} />;
      },
    ),
  },
  {
    key: 'state',
    title: '状态',
    width: 100,
    render: (row) => (
      <>
        <span>{stateText(row)}</span>
        <LiveTag mode={row.mode} />
        {row.reducing !== undefined && <Tag color="processing">正在平 {row.reducing}%</Tag>}
        {row.oneLegSince !== null && <Tag color="error">裸腿</Tag>}
        {row.oneLegSince === null && isLeftUneven(row) && <Tag color="error">两腿不等</Tag>}
        {row.taken && <TakenTag taken={row.taken} />}
        {row.unguarded && (
          <Tooltip title="策略已停止：止损、反转与移仓都不会触发；接管看护之后才有其他操作">
            <Tag color="error">无人看护</Tag>
          </Tooltip>
        )}
        {row.frozen !== null && (
          <Tooltip title={row.frozen}>
            <Tag color="error">冻结</Tag>
          </Tooltip>
        )}
        {row.alerts.length > 0 && (
          <Tooltip title={row.alerts.map((text) => <div key={text}>{text}</div>)}>
            <Tag color="warning">提醒 {row.alerts.length}</Tag>
          </Tooltip>
        )}
        <PartLeft closed={row.closedPart ?? null} />
        {row.resting && (
          <div className="soft">
            <Resting resting={row.resting} />
          </div>
        )}
      </>
    ),
    csv: stateText,
  },
  ...figures('openedAt', 'closedAt'),
  legColumn('long'),
  legColumn('short'),
  ...figures('imbalance'),
  signalColumn(view),
  ...figures('heldDays'),
  ...view.columns,
  legPnl('long'),
  legPnl('short'),
  {
    ...figures('funding')[0]!,
    explain: { text: 'USDT，收到为正；下面是手续费' },
    render: drawnFrom(
      ({ funding, fees }) => ({ funding, fees }),
      (made) => <FundingAndFees {...made} />,
    ),
  },
  { ...figures('fees')[0]!, spare: true },
  {
    ...figures('net')[0]!,
    render: ({ net, closedPart = null, realised, roi }) => (
      <>
        <NetOfPart net={net} closed={closedPart} realised={realised} reason={NO_PRICE} />
        {roi !== null && (
          <div className={styles.below}>
            <Pnl percent value={roi} />
          </div>
        )}
      </>
    ),
  },
  ...figures('netClosed'),
  {
    key: 'why',
    title: '为何持有 / 何时平',
    width: 208,
    explain: { text: '在等什么、到哪里就平；时间到了最迟何时平。指针停在上面看全部条件' },
    render: (row) => <WhyCell row={row} unruled={view.unruled} />,
    csv: (row) => (HEDGE_ENDS.includes(row.state) ? null : whyText(row, view.unruled)),
  },
  {
    ...figures('liquidationDistance')[0]!,
    render: drawnFrom(
      ({ liquidationDistance }) => liquidationDistance,
      (distance) => <LiquidationDistance value={distance} reason="没有持有衍生品、不会强平，或现在读不到" />,
    ),
  },
  { ...figures('roi')[0]!, spare: true },
  ...figures('apr'),
  {
    key: 'actions',
    title: '操作',
    width: 140,
    fixed: 'right',
    render: (row) =>
      HEDGE_ENDS.includes(row.state) ? null : (
        <Space size={4}>
          <MoneyButton
            size="small"
            danger
            why={row.closeAsked ? '正在平仓' : undefined}
            onClick={() => confirmCloseDeal(row, afterwards, done)}
          >
            平仓
          </MoneyButton>
          {RUNNING.includes(row.state) && !row.closeAsked && <DealMenu row={row} items={itemsOf(row, done, view)} />}
        </Space>
      ),
  },
];
