import { HedgePair } from '#contract/kinds/hedge/config';
import { HedgeRow } from '#contract/kinds/hedge/desk';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { CLOSE_REASON_LABEL, HEDGE_STATE_LABEL, HOLD_LABEL, PAIR_BLOCK_LABEL } from '@/components/labels';
import { zBasis } from '@/components/zBasis';
import { FundingAndFees } from '@/strategy/FundingAndFees';
import { PairCell } from '@/strategy/PairCell';
import { NetOfPart } from '@/strategy/PartClosed';
import strategy from '@/strategy/strategy.module.css';
import { type Column, drawnFrom } from '@/table/column';
import { stepped } from '@/table/columns';
import { decidingFirst } from '@/table/decidingFirst';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import { HedgeNote } from '../HedgeNote';
import { useHedgeScreen } from '../hedgeContext';
import { OtherSpread } from '../pairs/OtherSpread';
import { actedOn, RowActions } from '../RowActions';
import type { View } from './deskQuery';
import type { DeskRow } from './deskRows';
import { PlanCell } from './PlanCell';
import { StateCell, stateOf } from './StateCell';

type Own = OwnColumn<DeskRow>;

const NO_LEFT = '未设置、没有价格或没有持有';
const left = (key: 'stop' | 'target' | 'longest', title: string, unit: string, digits: number): Own => ({
  key,
  title,
  width: 96,
  figure: true,
  sort: 'ascend',
  spare: true,
  render: (row) => <Amount value={row[key]?.left} digits={digits} reason={NO_LEFT} />,
  csv: (row) => row[key]?.left ?? null,
  written: { digits },
  csvTitle: `${title} (${unit})`,
});

const quantity = (key: 'longQuantity' | 'shortQuantity'): Own => ({
  key,
  figure: true,
  render: ({ [key]: coins }) => (
    <span className="figure">{coins === null ? <span className="missing">-</span> : stepped(coins, null)}</span>
  ),
  // A number: with a sign in front a text would be escaped as a formula.
  csv: ({ [key]: coins }) => (coins === null ? null : Number(coins)),
});

const reasonOf = ({ closeReason }: DeskRow) => closeReason && CLOSE_REASON_LABEL[closeReason];

function stateText({ hedge, pair }: DeskRow): string {
  if (hedge) return HEDGE_STATE_LABEL[hedge.state];
  if (pair?.held) return HOLD_LABEL[pair.held.hold];
  return pair?.block ? PAIR_BLOCK_LABEL[pair.block] : '可以开仓';
}

/** z with what it was measured against, and whether it speaks of what is held. */
function ZCell({ row: { z, zOpen, zBar, zBars, hedgeRatio, pair } }: { row: DeskRow }) {
  const { match } = useHedgeScreen();
  return (
    <>
      <Amount value={z} signed reason="共同历史不足" />
      {zOpen !== null && <span className="soft">（开 {<Amount value={zOpen} signed />}）</span>}
      {zBar !== null && zBars !== null && <div className="basis">{zBasis({ bars: zBars, bar: zBar, hedgeRatio })}</div>}
      {pair && <OtherSpread ratio={pair.ratio} hedgeRatio={pair.hedgeRatio} onMatch={match} />}
    </>
  );
}

/** What both legs are worth together, below what it is told of. */
export const Gross = ({ value }: { value: number | null }) => (
  <div className={`soft ${strategy.below}`}>
    总敞口 <Amount money value={value} reason="有持有中的对冲单没有价格" />
  </div>
);

const noted = ({ id, note, noteBy, noteAt, long, short }: HedgeRow) => ({ id, note, noteBy, noteAt, long, short });

const OWN: Own[] = [
  {
    key: 'long',
    title: '多 / 空',
    csvTitle: '多头',
    fixed: 'left',
    render: drawnFrom(
      ({ long, short, source, gross }) => ({ long, short, source, gross }),
      ({ long, short, source, gross }) => (
        <>
          <PairCell
            legs={[
              { leg: 'long', symbol: long, source },
              { leg: 'short', symbol: short, source },
            ]}
          />
          {gross !== null && <Gross value={gross} />}
        </>
      ),
    ),
  },
  { key: 'state', render: drawnFrom(stateOf, (shown) => <StateCell {...shown} />), csv: stateText },
  {
    key: 'net',
    render: ({ hedge }) =>
      hedge ? (
        <NetOfPart net={hedge.net} closed={hedge.closedPart} realised={hedge.realised} reason="持有中而没有标记价" />
      ) : (
        <span className="missing">-</span>
      ),
  },
  { key: 'gross', spare: true },
  {
    key: 'funding',
    explain: { text: 'USDT，收到为正；下面是手续费' },
    render: drawnFrom(
      ({ funding, fees }) => ({ funding, fees }),
      ({ funding, fees }) =>
        funding === null ? <span className="missing">-</span> : <FundingAndFees {...{ funding, fees }} />,
    ),
  },
  { key: 'fees', spare: true },
  { key: 'z', render: (row) => <ZCell row={row} /> },
  {
    key: 'plan',
    title: '为何持有 / 何时开平',
    width: 236,
    explain: { text: '止损、止盈按净盈亏 / 名义，到期按最长持有，由服务器计算；没有持有的是开平的条件' },
    render: (row) => <PlanCell row={row} />,
  },
  {
    key: 'heldHours',
    csvTitle: '持有 (小时)',
    render: (row) => <Duration hours={row.heldHours} reason="还没有开仓" />,
  },
  {
    key: 'closeReason',
    render: drawnFrom(
      ({ closeReason, closedAt }) => ({ closeReason, closedAt }),
      ({ closeReason, closedAt }) =>
        closeReason === null ? (
          <span className="missing">-</span>
        ) : (
          <>
            {CLOSE_REASON_LABEL[closeReason]}
            {closedAt !== null && (
              <div className={`soft ${strategy.below}`}>
                <DateTime value={closedAt} />
              </div>
            )}
          </>
        ),
    ),
    csv: reasonOf,
  },
  {
    key: 'note',
    render: drawnFrom(
      ({ hedge }) => hedge && noted(hedge),
      (row) => row && <HedgeNote row={row} />,
    ),
  },
  left('stop', '距止损', 'USDT', 2),
  left('target', '距止盈', 'USDT', 2),
  {
    ...left('longest', '距到期', '小时', 1),
    ownUnit: true,
    render: (row) => <Duration hours={row.longest?.left} reason={NO_LEFT} />,
  },
  quantity('longQuantity'),
  quantity('shortQuantity'),
  {
    key: 'actions',
    title: '操作',
    width: 176,
    fixed: 'right',
    render: drawnFrom(actedOn, (_shown, now) => <RowActions now={now} withDetail />),
  },
];

const OF_HEDGES = schemaColumns(HedgeRow, {
  widths: {
    ...{ long: 156, state: 112, net: 108, netClosed: 104, netReturn: 148, marginReturn: 164, zOpen: 76, z: 128 },
    ...{ funding: 96, fees: 92, slippage: 92, heldHours: 80, closeReason: 120, note: 200, annualised: 140, naked: 196 },
    ...{ longQuantity: 112, shortQuantity: 112, short: 120, source: 100, id: 200, noteBy: 96 },
  },
  own: OWN as unknown as OwnColumn<HedgeRow>[],
}) as unknown as Column<DeskRow>[];

const OF_PAIRS = schemaColumns(HedgePair, {
  own: [
    {
      key: 'halfLifeHours',
      render: ({ halfLifeHours }) => <Duration hours={halfLifeHours} reason="不回归，或共同历史不足" />,
      csvTitle: '半衰期 (小时)',
    },
  ],
}) as unknown as Column<DeskRow>[];

/** What only one of the views has anything to say of. */
const ENDED_ONLY = ['closeReason', 'closedAt'];
/** When it was closed is told, and its first action has a longer name. */
const ENDED_OWN: Record<string, Partial<Column<DeskRow>>> = { closedAt: { spare: false }, actions: { width: 212 } };
const RUNNING_ONLY = ['plan', 'netClosed', 'gross', 'exposure', 'neutrality', 'stop', 'target', 'longest'];
const without = (keys: readonly string[]) => OF_HEDGES.filter(({ key }) => !keys.includes(key));

/** The columns by what is looked at; what a row is judged by first. */
export const COLUMNS: Record<View, Column<DeskRow>[]> = {
  running: decidingFirst(
    [...without(ENDED_ONLY), ...OF_PAIRS],
    ['long', 'state', 'net', 'netClosed', 'funding', 'z', 'plan', 'heldHours', 'netReturn', 'marginReturn'],
  ),
  ended: decidingFirst(without(RUNNING_ONLY), [
    ...['long', 'state', 'net', 'funding', 'heldHours', 'netReturn', 'marginReturn', 'closeReason', 'closedAt'],
  ]).map((column) => ({ ...column, ...ENDED_OWN[column.key] })),
};
