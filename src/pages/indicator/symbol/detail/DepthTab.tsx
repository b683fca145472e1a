import { Skeleton } from 'antd';
import { symbol as api, DEPTH_REACHES, LEAST_SIZE, MOST_SIZE, type SymbolDetail, TakeCost } from '#contract/symbol';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { useNarrow } from '@/components/useNarrow';
import { SizeBox } from '@/scan/SizeBox';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';
import { useDetailState } from './useDetailState';

const REFRESH_MS = 2_000;

/** What rests on a side no farther than that from its best price. */
const withinColumns = DEPTH_REACHES.map(
  (reach, i): Column<TakeCost> => ({
    key: `within${i}`,
    title: `${formatNumber(reach * 100, { digits: 1 })}% 内`,
    width: 94,
    explain: { text: '离这一侧最优价不远于它的挂单，USDT' },
    figure: true,
    render: ({ within }) => <Amount value={within[i] ?? null} digits={0} />,
    csv: ({ within }) => within[i] ?? null,
  }),
);

const COLUMNS = schemaColumns(TakeCost, {
  widths: {
    ...{ side: 56, costBps: 80, cost: 92, price: 104, slippageBps: 80, slippage: 92 },
    ...{ fee: 88, held: 92, depth: 100 },
  },
  deciding: ['side', 'costBps', 'cost', 'price', 'slippageBps', 'slippage', 'fee', 'held', 'quantity', 'depth'],
  own: [
    {
      ...{ key: 'quantity', title: '数量', width: 104, figure: true },
      render: ({ quantity }) => <Quantity value={Number(quantity)} />,
      csv: ({ quantity }) => Number(quantity),
    },
    ...withinColumns,
  ],
});

/** A side on a phone. */
const card = columnsCard(COLUMNS, {
  label: ({ side }) => (side === 'buy' ? '买入' : '卖出'),
  head: ['side'],
  end: [],
  figures: COLUMNS.map(({ key }) => key).filter((key) => key !== 'side'),
  across: 3,
});

/** What buying or selling a size costs now by the book, and how much rests in it. */
export default function DepthTab({ detail: { source, symbol, kind } }: { detail: SymbolDetail }) {
  const [{ size }, setState] = useDetailState();
  const narrow = useNarrow();
  const asked = Math.min(MOST_SIZE, Math.max(LEAST_SIZE, size));
  const query = { source, symbol, size: asked };
  const { data, error, retry } = useCall(api.depth, { query }, { refreshInterval: REFRESH_MS, keepPreviousData: true });
  const depth = data?.depth;
  return (
    <div className={styles.tab}>
      <div className={styles.tools}>
        <SizeBox label="规模" value={asked} onChange={(next) => setState({ size: next }, { replace: true })} />
        {depth && (
          <span className="soft">
            买一 <Price value={depth.bid} /> · 卖一 <Price value={depth.ask} /> · 价差{' '}
            {formatNumber(depth.spreadBps, { digits: 2 })} bps · <DateTime value={depth.at} precision="second" />
          </span>
        )}
      </div>
      {error && data === undefined ? (
        <ErrorState error={error} onRetry={() => void retry()} />
      ) : depth === undefined ? (
        <Skeleton active />
      ) : depth === null ? (
        <EmptyState
          title="没有盘口"
          description={kind === 'imported' ? '导入的数据只有 K 线，没有盘口。' : '交易所现在没有回答，或没有人挂单。'}
        />
      ) : narrow ? (
        depth.list.map((row) => <div key={row.side}>{card(row)}</div>)
      ) : (
        <PlainTable label="按现在的盘口成交的成本" rowKey="side" columns={COLUMNS} rows={depth.list} />
      )}
    </div>
  );
}
