import { Link } from '@umijs/max';
import { Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { ORDER_TYPE_LABEL } from '#contract/kinds/hedge/config';
import {
  FORCED_PURPOSES,
  ORDER_PURPOSE_LABEL,
  ORDER_SIDE_LABEL,
  ORDER_STATE_LABEL,
  type OrderState,
} from '#contract/lifecycle';
import { type FillRow, OrderRow } from '#contract/order';
import { CopyId } from '@/components/CopyId';
import { LiveTag } from '@/components/LiveTag';
import { dealPath } from '@/strategy/dealPath';
import { LIMIT_PRICE } from '@/strategy/steppedColumns';
import { called } from '@/table/columns';
import { columnsCard } from '@/table/RowCard';
import { type OwnColumn, schemaColumns } from '@/table/schemaColumns';
import styles from './trades.module.css';

type Trade = OrderRow | FillRow;

/** Buying opens a long position or ends a short one; selling the other way round. Of what others traded nobody here knows. */
export const sideWords = ({ side, opens, purpose }: Trade) =>
  `${ORDER_SIDE_LABEL[side]}${purpose === 'outside' ? '' : `${opens ? '开' : '平'}${(side === 'buy') === opens ? '多' : '空'}`}`;

/** Buying or selling: by word, arrow and colour. */
function SideCell({ row }: { row: Trade }) {
  return (
    <span className={`${row.side === 'buy' ? 'up' : 'down'} ${styles.side}`}>
      <span className="arrow" aria-hidden="true">
        {row.side === 'buy' ? '▲' : '▼'}
      </span>
      {sideWords(row)}
    </span>
  );
}

/** The way to the deal that a row belongs to: to itself on the desk, else to the screen of its kind. */
function DealLink({ row: { hedgeId, kind } }: { row: Trade }) {
  if (hedgeId === null || kind === null) return <span className="missing">-</span>;
  return (
    <Link to={dealPath(kind, hedgeId)} title={hedgeId}>
      {hedgeId.slice(0, 8)}
    </Link>
  );
}

const byVenue = ({ purpose }: Trade) => FORCED_PURPOSES.includes(purpose);
const originOf = (row: Trade) =>
  `${byVenue(row) || row.purpose === 'outside' ? '' : '策略·'}${ORDER_PURPOSE_LABEL[row.purpose]}`;

function Origin({ row }: { row: Trade }) {
  return byVenue(row) ? <Tag color="error">{originOf(row)}</Tag> : originOf(row);
}

const COLOR: Record<OrderState, string> = {
  registered: 'processing',
  open: 'processing',
  filled: 'success',
  cancelled: 'default',
  expired: 'default',
  refused: 'error',
  inDoubt: 'warning',
  lost: 'error',
};

/** State of an order; that it is being cancelled. */
function OrderStateTag({ row: { state, cancelAskedAt } }: { row: OrderRow }) {
  return (
    <>
      <Tag color={COLOR[state]}>{ORDER_STATE_LABEL[state]}</Tag>
      {state === 'open' && cancelAskedAt !== null && (
        <Tooltip title="已请求撤单，等待交易所确认">
          <Tag>撤销中</Tag>
        </Tooltip>
      )}
    </>
  );
}

/** What orders and fills show otherwise than their fields' forms have it. */
export const own = <R extends Trade>(): OwnColumn<R>[] => [
  {
    key: 'symbol',
    fixed: 'left',
    render: ({ symbol, mode }) => (
      <>
        <span className={styles.whole}>{symbol}</span>
        <LiveTag mode={mode} />
      </>
    ),
  },
  {
    key: 'strategy',
    render: ({ strategy }) => (
      <span className="one-line" title={strategy ?? undefined}>
        {strategy ?? <span className="missing">-</span>}
      </span>
    ),
  },
  { ...called<R>('side', sideWords), render: (row) => <SideCell row={row} /> },
  { ...called<R>('purpose', originOf), render: (row) => <Origin row={row} /> },
  called<R>('type', ({ type }) => ORDER_TYPE_LABEL[type]),
  { key: 'hedgeId', render: (row) => <DealLink row={row} /> },
];

export const idOf = <R extends Trade>(key: keyof R & string): OwnColumn<R> => ({
  key,
  width: 150,
  render: (row) => <CopyId id={row[key] as string | null} />,
});

export const WIDTHS = {
  ...{ symbol: 184, user: 72, account: 96, strategy: 96, hedgeId: 96, side: 96, opens: 76, type: 64 },
  ...{ purpose: 112, reduceOnly: 80, maker: 92, quantity: 96, fee: 128, slippageBps: 104, decisionMid: 112 },
};

export const ORDER_COLUMNS = schemaColumns(OrderRow, {
  deciding: [
    ...['symbol', 'createdAt', 'user', 'strategy', 'side', 'type', 'state', 'limitPrice', 'quantity', 'filled'],
    ...[
      'averagePrice',
      'filledQuantity',
      'filledNotional',
      'account',
      'source',
      'fee',
      'slippageBps',
      'purpose',
      'hedgeId',
    ],
    ...['reason', 'latencyMs', 'maker', 'reduceOnly', 'id', 'exchangeId'],
  ],
  widths: {
    ...WIDTHS,
    ...{ state: 92, averagePrice: 100, filledQuantity: 104, filled: 84, filledNotional: 128, reason: 140 },
    ...{ latencyMs: 96 },
  },
  own: [
    ...own<OrderRow>(),
    LIMIT_PRICE,
    {
      ...called<OrderRow>('state', ({ state }) => ORDER_STATE_LABEL[state]),
      render: (row) => <OrderStateTag row={row} />,
    },
    { key: 'filled', csvTitle: '成交比例' },
    {
      key: 'reason',
      // Rows keep their height, however much an exchange says.
      render: ({ reason }) =>
        reason === null ? (
          <span className="missing">-</span>
        ) : (
          <span className="one-line" title={reason}>
            {reason}
          </span>
        ),
    },
    idOf('id'),
    idOf('exchangeId'),
  ],
});

export const labelOf = ({ user, symbol }: Trade) => `${user} ${symbol}`;

/** An order on a phone. @param foot what may be done with it */
export const orderCard = (foot?: (row: OrderRow) => ReactNode) =>
  columnsCard(ORDER_COLUMNS, {
    ...{ label: labelOf, head: ['symbol', 'side', 'user'], end: ['state'], maybe: ['reason'], foot },
    figures: [
      ...['createdAt', 'type', 'quantity', 'limitPrice', 'filled', 'filledNotional', 'slippageBps', 'account'],
      ...['source', 'strategy', 'hedgeId', 'reason'],
    ],
  });
