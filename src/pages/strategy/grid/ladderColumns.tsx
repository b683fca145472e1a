import type { GridLevel } from '#contract/kinds/grid/deal';
import { DateTime } from '@/components/DateTime';
import { LEG_LABEL, ORDER_SIDE_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import type { Column } from '@/table/column';
import styles from './grid.module.css';
import { LEVEL_STATE_LABEL } from './gridLabels';

const WRONG: readonly GridLevel['state'][] = ['missing', 'duplicate', 'suspended'];

export const isWrong = ({ state }: GridLevel): boolean => WRONG.includes(state);

/** Every cell of a grid: what is to rest for it, whether it does, and what it has made. */
export const LADDER_COLUMNS: Column<GridLevel>[] = [
  {
    key: 'cell',
    title: '格',
    width: 64,
    render: ({ cell, leg }) => (
      <>
        {cell} <span className="soft">{LEG_LABEL[leg]}</span>
      </>
    ),
  },
  {
    key: 'price',
    title: '该挂',
    width: 120,
    figure: true,
    render: ({ side, price }) => (
      <>
        <span className={side === 'buy' ? 'up' : 'down'}>{ORDER_SIDE_LABEL[side]}</span> <Price value={price} />
      </>
    ),
  },
  {
    key: 'quantity',
    title: '数量 / 持有',
    width: 88,
    figure: true,
    render: ({ quantity, held }) => (
      <>
        <Quantity value={Number(quantity)} />
        <div className="soft">
          <Quantity value={Number(held)} signed />
        </div>
      </>
    ),
  },
  {
    key: 'state',
    title: '状态',
    width: 80,
    render: (row) => (
      <span
        className={isWrong(row) ? styles.wrong : row.state === 'waiting' || row.state === 'paused' ? 'soft' : undefined}
      >
        {LEVEL_STATE_LABEL[row.state]}
        {row.orders > 1 && ` ${row.orders} 笔`}
      </span>
    ),
  },
  {
    key: 'lastBuy',
    title: '最近买入',
    width: 124,
    figure: true,
    render: ({ lastBuy }) => (
      <>
        <Price value={lastBuy?.price ?? null} reason="还没有买过" />
        {lastBuy && (
          <div className="soft">
            <DateTime value={lastBuy.at} />
          </div>
        )}
      </>
    ),
  },
  {
    key: 'profit',
    title: '配对利润',
    width: 92,
    figure: true,
    render: ({ profit, pairs }) => (
      <>
        <Pnl value={profit} />
        <div className="soft">{pairs} 次</div>
      </>
    ),
  },
];
