import { Link } from '@umijs/max';
import { createContext, use } from 'react';
import { isLiveSource, isOneMarket } from '#contract/candle';
import { type RateCell, RateMatrixRow } from '#contract/kinds/cexRate/scan';
import { Countdown } from '@/components/Countdown';
import { DirectionTag } from '@/components/DirectionTag';
import { Missing } from '@/components/Missing';
import { Percent } from '@/components/Percent';
import { LIVE } from '@/scan/scanColumns';
import { venueLabel } from '@/scan/venueLabel';
import type { Column } from '@/table/column';
import { wordColumn } from '@/table/columns';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './matrix.module.css';
import type { Unit } from './rateQuery';

export const UNIT_LABEL: Record<Unit, string> = { rate: '原始', rate8h: '每 8h', apr: '年化' };
const DIGITS: Record<Unit, number> = { rate: 4, rate8h: 4, apr: 2 };

const cellAt = ({ cells }: RateMatrixRow, venue: string) => cells.find(({ source }) => source === venue);

/** A cell is drawn anew for another row, and for another unit by this. */
export const UnitContext = createContext<Unit>('rate');

interface CellProps {
  cell: RateCell | undefined;
  best: 'long' | 'short' | null;
}

/** A coin at one venue: the rate, which way it is best traded there, and when it settles. */
function Cell({ cell, best }: CellProps) {
  const unit = use(UnitContext);
  if (cell === undefined) return <span className="missing">无合约</span>;
  const { source, symbol, hours, nextAt } = cell;
  return (
    <div className={styles.cell}>
      <span className={styles.rate}>
        {best && <DirectionTag direction={best} />}
        <Link to={`/indicator/symbol/detail/${encodeURIComponent(symbol)}?source=${source}&tab=funding`}>
          <Percent value={cell[unit]} digits={DIGITS[unit]} signed />
        </Link>
      </span>
      <span className="basis">
        {hours} h · <Countdown to={nextAt} />
      </span>
    </div>
  );
}

const bestAt = ({ bestLong, bestShort }: RateMatrixRow, venue: string) =>
  bestLong === venue ? 'long' : bestShort === venue ? 'short' : null;

const venueColumn = (venue: string, unit: Unit): Column<RateMatrixRow> => ({
  key: venue,
  title: venueLabel(venue),
  width: 196,
  figure: true,
  explain: {
    text: '本期预测费率，下面是结算间隔与距下次结算；多、空标出年化最低与最高的交易所',
    inputAt: LIVE,
  },
  render: (row) =>
    row.cells.some(({ source }) => !isOneMarket(source, venue)) ? (
      <Missing reason="实时与模拟行情各占一行" />
    ) : (
      <Cell cell={cellAt(row, venue)} best={bestAt(row, venue)} />
    ),
  csv: (row) => cellAt(row, venue)?.[unit] ?? null,
  written: { digits: DIGITS[unit], percent: true },
  csvTitle: `${venueLabel(venue)} ${UNIT_LABEL[unit]}`,
});

const nameOf = ({ base, cells }: RateMatrixRow) =>
  cells.some(({ source }) => isLiveSource(source)) ? `${base} · 实时` : base;

/** @param venues that may have a cell */
export const matrixColumns = (unit: Unit, venues: readonly string[]): Column<RateMatrixRow>[] => [
  wordColumn<RateMatrixRow>('base', '币种', 104, nameOf, { fixed: 'left' }),
  ...venues.map((venue) => venueColumn(venue, unit)),
  ...schemaColumns(RateMatrixRow, { inputAt: LIVE }),
];
