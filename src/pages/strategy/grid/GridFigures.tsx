import type { ReactNode } from 'react';
import type { GridRecord, GridReplay } from '#contract/kinds/grid/deal';
import { Amount } from '@/components/Amount';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { FigureList } from '@/strategy/FigureList';

/** What a grid that traded and one that was replayed tell in the same words. */
type Shared = GridRecord & GridReplay;
type Told = Pick<Shared, keyof GridRecord & keyof GridReplay>;

type Figure<R> = readonly [label: string, formula: string, show: (row: R) => ReactNode];

const SHARED: readonly Figure<Told>[] = [
  [
    '在区间内',
    '小时收盘与现在的价格在当时区间内的占比',
    ({ inRange }) => <Percent value={inRange} digits={1} reason="还没有满一小时" />,
  ],
  [
    '每天成交',
    '成交笔数 / 天数',
    ({ fillsPerDay }) => <Amount value={fillsPerDay} digits={1} unit="笔" reason="不足一天" />,
  ],
  [
    '最多持有',
    '持有数量的绝对值最大时，及当时的价值',
    ({ mostHeld, mostHeldValue }) => (
      <>
        <Amount value={mostHeld} digits={4} />
        <span className="soft">
          {' '}
          ≈ <Amount value={mostHeldValue} digits={0} unit="USDT" />
        </span>
      </>
    ),
  ],
  [
    '最大回撤',
    'F20：(投入 + 净盈亏) / 此前最高 − 1，按小时收盘',
    ({ drawdown, drawdownUsdt }) => (
      <>
        <Percent value={drawdown} digits={2} reason="还没有价格" />
        <span className="soft">
          {' '}
          <Amount value={drawdownUsdt} unit="USDT" />
        </span>
      </>
    ),
  ],
  [
    '对比持有',
    '净盈亏 − 同样投入在开始时买币持有的盈亏，不加杠杆',
    ({ versusHold, hold }) => (
      <>
        <Pnl value={versusHold} unit="USDT" reason="没有价格" />
        <div className="soft">
          持有 <Amount value={hold} signed reason="没有价格" />
        </div>
      </>
    ),
  ],
];

interface GridFiguresProps<R extends Told> {
  label: string;
  row: R;
  /** Before those that both share. */
  own?: readonly Figure<R>[];
  inputAt: string;
}

/** How a grid did. */
export function GridFigures<R extends Told>({ label, row, own = [], inputAt }: GridFiguresProps<R>) {
  const figures = [...own, ...SHARED].map(([name, formula, show]) => ({ label: name, formula, figure: show(row) }));
  return <FigureList label={label} figures={figures} inputAt={inputAt} />;
}
