import { Link } from '@umijs/max';
import { STRATEGY_KIND_LABEL } from '#contract/strategy';
import { OwnSpan } from '#contract/symbol';
import { DirectionTag } from '@/components/DirectionTag';
import { EmptyState } from '@/components/EmptyState';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { LiveTag } from '@/components/LiveTag';
import { HEDGE_STATE_LABEL, symbolsText } from '@/components/labels';
import { Quantity } from '@/components/Quantity';
import { useNarrow } from '@/components/useNarrow';
import { dealPath } from '@/strategy/dealPath';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';
import type { Own } from './useOwn';

const keyOf = ({ dealId, side }: OwnSpan): string => `${dealId} ${side}`;
const kindOf = ({ kind }: OwnSpan): string => STRATEGY_KIND_LABEL[kind];

const COLUMNS = schemaColumns(OwnSpan, {
  widths: { side: 64, strategy: 112, entry: 96, exit: 96 },
  deciding: ['strategy', 'side', 'against', 'state', 'net', 'pricePnl', 'entry', 'exit', 'from', 'to', 'quantity'],
  own: [
    {
      key: 'strategy',
      fixed: 'left',
      render: (row) => (
        <>
          <Link to={dealPath(row.kind, row.dealId, row.strategyId)}>{row.strategy}</Link> <LiveTag mode={row.mode} />
        </>
      ),
    },
    { key: 'side', render: ({ side }) => <DirectionTag direction={side} /> },
    {
      ...{ key: 'state', title: '状态', width: 84 },
      render: (row) => <HedgeStateTag state={row.state} frozen={null} badge={null} />,
      csv: ({ state }) => HEDGE_STATE_LABEL[state],
    },
    {
      ...{ key: 'quantity', title: '数量', width: 80, figure: true },
      render: ({ quantity }) => <Quantity value={Number(quantity)} />,
      csv: ({ quantity }) => Number(quantity),
    },
    {
      ...{ key: 'against', title: '另一腿', width: 128 },
      render: ({ against }) => symbolsText(against) || '-',
      csv: ({ against }) => symbolsText(against),
    },
    { key: 'kind', title: '类型', width: 92, render: kindOf, csv: kindOf },
  ],
});

/** A deal on a phone. */
const card = columnsCard(COLUMNS, {
  label: (row) => row.strategy,
  head: ['strategy', 'side', 'state'],
  end: [],
  figures: COLUMNS.map(({ key }) => key).filter((key) => !['strategy', 'side', 'state'].includes(key)),
});

/** The reader's own deals that hold or held the coin within the visible part of the chart. */
export default function OwnTab({ own: { spans, total } }: { own: Own }) {
  const narrow = useNarrow();
  if (total === 0) {
    return <EmptyState title="图中没有持有过这个币种的交易单" description="图上的箭头是不属于交易单的成交。" />;
  }
  const caption =
    total > spans.length
      ? `图中这段时间及前后持有过它的交易单 ${total} 张，列出最新的 ${spans.length} 张`
      : `图中这段时间及前后持有过它的交易单 ${total} 张`;
  return (
    <div className={styles.tab}>
      <span className="soft">{caption}；净盈亏是整张交易单的，价格盈亏只是这个币种的一腿。</span>
      {narrow ? (
        spans.map((row) => <div key={keyOf(row)}>{card(row)}</div>)
      ) : (
        <PlainTable sortable label="我的交易单" rowKey={keyOf} columns={COLUMNS} rows={spans} />
      )}
    </div>
  );
}
