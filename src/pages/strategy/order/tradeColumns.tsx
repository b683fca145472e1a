import { Link } from '@umijs/max';
import { Tag } from 'antd';
import { FORCED_PURPOSES } from '#contract/lifecycle';
import type { FillRow, OrderRow } from '#contract/order';
import { Amount } from '@/components/Amount';
import { CopyId } from '@/components/CopyId';
import { ORDER_PURPOSE_LABEL, ORDER_SIDE_LABEL, ORDER_TYPE_LABEL } from '@/components/labels';
import { Price } from '@/components/Price';
import { venueLabel } from '@/scan/venueLabel';
import { dealPath } from '@/strategy/dealPath';
import { type DecimalKey, steppedColumn } from '@/strategy/steppedColumns';
import type { Column } from '@/table/column';
import { exactColumn, wordColumn } from '@/table/columns';
import styles from './trades.module.css';

type Trade = OrderRow | FillRow;

export const NOT_FILLED = '没有成交';

/** An exact amount of USDT, shown rounded; the pointer tells the rest. */
export const exactMoneyColumn = <R extends object>(
  key: DecimalKey<R>,
  title: string,
  digits: number,
  rest: Partial<Column<R>> = {},
): Column<R> => ({
  ...exactColumn<R>(key, `${title} (USDT)`, 128, rest),
  written: { digits },
  render: (row) => {
    const text = row[key] as string | null;
    return (
      <span title={text ?? undefined}>
        <Amount money value={text === null ? null : Number(text)} digits={digits} reason={NOT_FILLED} />
      </span>
    );
  },
});

export const idColumn = <R extends object>(
  key: keyof R & string,
  title: string,
  rest: Partial<Column<R>> = {},
): Column<R> => ({
  key,
  title,
  width: 150,
  sort: 'ascend',
  spare: true,
  render: (row) => <CopyId id={row[key] as string | null} />,
  csv: (row) => row[key] as string | null,
  ...rest,
});

/** Buying opens a long position or ends a short one; selling the other way round. */
export const sideWords = ({ side, opens }: Trade) =>
  `${ORDER_SIDE_LABEL[side]}${opens ? '开' : '平'}${(side === 'buy') === opens ? '多' : '空'}`;
const yesNo = (flag: boolean) => (flag ? '是' : '否');
const roleOf = ({ maker }: Trade) => (maker === null ? null : maker ? '挂单' : '吃单');

/** Buying or selling: by word, arrow and colour. */
export function SideCell({ row }: { row: Trade }) {
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
export function DealLink({ row: { hedgeId, kind } }: { row: Trade }) {
  if (hedgeId === null || kind === null) return <span className="missing">-</span>;
  return (
    <Link to={dealPath(kind, hedgeId)} title={hedgeId}>
      {hedgeId.slice(0, 8)}
    </Link>
  );
}

/** The columns that orders and fills share. */
export function tradeColumns<R extends Trade>() {
  return {
    symbol: wordColumn<R>('symbol', '合约', 120, (row) => row.symbol, { fixed: 'left' }),
    user: wordColumn<R>('user', '用户', 88, (row) => row.user),
    account: wordColumn<R>('account', '账户', 96, (row) => row.account),
    strategy: wordColumn<R>('strategy', '策略', 112, (row) => row.strategy),
    source: wordColumn<R>('source', '交易所', 88, (row) => venueLabel(row.source)),
    hedgeId: {
      key: 'hedgeId',
      title: '交易单',
      width: 96,
      sort: 'ascend',
      render: (row) => <DealLink row={row} />,
      csv: (row) => row.hedgeId,
    } satisfies Column<R>,
    side: wordColumn<R>('side', '方向', 112, sideWords, { render: (row) => <SideCell row={row} /> }),
    opens: wordColumn<R>('opens', '开/平', 76, (row) => (row.opens ? '开' : '平'), { spare: true }),
    type: wordColumn<R>('type', '类型', 72, (row) => ORDER_TYPE_LABEL[row.type]),
    purpose: wordColumn<R>('purpose', '来源', 112, (row) => originOf(row), {
      render: (row) => <Origin row={row} />,
      explain: { text: '策略为什么下这笔委托；强平与下架了结由交易所发起' },
    }),
    reduceOnly: wordColumn<R>('reduceOnly', '只减仓', 80, (row) => yesNo(row.reduceOnly)),
    maker: wordColumn<R>('maker', '成交角色', 92, roleOf, { explain: { text: '挂单（maker）或吃单（taker）' } }),
    quantity: steppedColumn<R>('quantity' as DecimalKey<R>, '数量', 104, 'lotSize', { explain: { text: '基础币' } }),
    fee: exactMoneyColumn<R>('fee' as DecimalKey<R>, '手续费', 4, { explain: { text: '付出为正' } }),
    slippageBps: {
      key: 'slippageBps',
      title: '滑点 (bps)',
      width: 104,
      figure: true,
      sort: 'descend',
      explain: { formula: '±(成交均价 − 决策时中间价) / 中间价 × 10,000', text: '付出为正' },
      render: (row) => <Amount value={row.slippageBps} signed digits={1} reason={NOT_FILLED} />,
      csv: (row) => row.slippageBps,
      written: { digits: 1 },
    } satisfies Column<R>,
    decisionMid: {
      key: 'decisionMid',
      title: '决策中间价',
      width: 112,
      figure: true,
      spare: true,
      sort: 'descend',
      render: (row) => <Price value={row.decisionMid} />,
      csv: (row) => row.decisionMid,
      written: { digits: 'price' },
      csvTitle: '决策中间价 (USDT)',
    } satisfies Column<R>,
  };
}

const byVenue = ({ purpose }: Trade) => FORCED_PURPOSES.includes(purpose);
const originOf = (row: Trade) => `${byVenue(row) ? '' : '策略·'}${ORDER_PURPOSE_LABEL[row.purpose]}`;

function Origin({ row }: { row: Trade }) {
  return byVenue(row) ? <Tag color="error">{originOf(row)}</Tag> : originOf(row);
}
