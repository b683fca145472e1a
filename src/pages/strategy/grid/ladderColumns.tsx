import type { GridLevel } from '#contract/gridDeal';
import { Amount } from '@/components/Amount';
import { LEG_LABEL, ORDER_SIDE_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import type { Column } from '@/table/column';
import { priceColumn } from '@/table/columns';
import styles from './grid.module.css';
import { LEVEL_STATE_LABEL } from './gridLabels';

const WRONG: readonly GridLevel['state'][] = ['missing', 'duplicate', 'suspended'];

export const isWrong = ({ state }: GridLevel): boolean => WRONG.includes(state);

/** Every cell of a grid: what is to rest for it, whether it does, and what it has made. */
export const LADDER_COLUMNS: Column<GridLevel>[] = [
  {
    key: 'cell',
    title: '格',
    width: 84,
    render: ({ cell, leg }) => (
      <>
        {cell} <span className="soft">{LEG_LABEL[leg]}</span>
      </>
    ),
  },
  {
    key: 'side',
    title: '方向',
    width: 64,
    render: ({ side }) => <span className={side === 'buy' ? 'up' : 'down'}>{ORDER_SIDE_LABEL[side]}</span>,
  },
  priceColumn<GridLevel>('price', '价格'),
  {
    key: 'quantity',
    title: '数量',
    width: 92,
    figure: true,
    render: ({ quantity }) => <Amount value={Number(quantity)} digits={4} />,
  },
  {
    key: 'held',
    title: '持有',
    width: 92,
    figure: true,
    render: ({ held }) => <Amount value={Number(held)} digits={4} signed />,
  },
  {
    key: 'state',
    title: '状态',
    width: 92,
    render: (row) => (
      <span className={isWrong(row) ? styles.wrong : row.state === 'waiting' ? 'soft' : undefined}>
        {LEVEL_STATE_LABEL[row.state]}
        {row.orders > 1 && ` ${row.orders} 笔`}
      </span>
    ),
  },
  { key: 'pairs', title: '套利', width: 60, figure: true, render: ({ pairs }) => pairs },
  { key: 'profit', title: '配对利润', width: 96, figure: true, render: ({ profit }) => <Pnl value={profit} /> },
];
