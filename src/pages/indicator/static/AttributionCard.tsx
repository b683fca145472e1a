import { Card, Segmented } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { type CloseReason, LEG_LABEL } from '#contract/lifecycle';
import {
  ATTRIBUTIONS,
  type AttributionBy,
  type AttributionRow,
  type HoldingBucket,
  type Statistic,
} from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { Explained } from '@/components/Explained';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { useQueryState, wordCodec } from '@/components/useQueryState';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, numberColumn, percentColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

const LABEL: Record<AttributionBy, string> = {
  user: '用户',
  pair: '交易对',
  coin: '币种',
  side: '方向',
  reason: '平仓原因',
  holding: '持有时长',
};
const OPTIONS = ATTRIBUTIONS.map((value) => ({ value, label: LABEL[value] }));

const HOLDING_LABEL: Record<HoldingBucket, string> = {
  unopened: '未建成',
  under4h: '不足 4 小时',
  under1d: '4 至 24 小时',
  under3d: '1 至 3 天',
  under7d: '3 至 7 天',
  under30d: '7 至 30 天',
  over30d: '30 天以上',
};

function nameOf(by: AttributionBy, key: string): string {
  if (by === 'side') return LEG_LABEL[key as 'long' | 'short'];
  if (by === 'reason') return CLOSE_REASON_LABEL[key as CloseReason] ?? '未注明';
  return by === 'holding' ? HOLDING_LABEL[key as HoldingBucket] : key;
}

const SUMS = {
  price: '价格 USDT',
  funding: '资金费 USDT',
  fees: '手续费 USDT',
  net: '净盈亏 USDT',
} as const;
type Money = keyof typeof SUMS;

const columnsOf = (by: AttributionBy, fewest: number): Column<AttributionRow>[] => [
  { key: 'key', title: LABEL[by], width: 176, fixed: 'left', render: ({ key }) => nameOf(by, key) },
  numberColumn<AttributionRow>('count', '对冲单', { digits: 0 }),
  percentColumn<AttributionRow>('winRate', '胜率', { digits: 1, reason: `样本不足：少于 ${fewest} 单对冲` }),
  ...(Object.keys(SUMS) as Money[]).map((key) => gainColumn<AttributionRow>(key, SUMS[key], { width: 124 })),
  moneyColumn<AttributionRow>('traded', '成交额 USDT', { width: 124 }),
];

const codecs = { by: wordCodec(ATTRIBUTIONS, 'user') };

function totalOf(column: string, rows: readonly AttributionRow[], hedges: number): ReactNode {
  const sum = (key: Money | 'traded') => rows.reduce((total, row) => total + row[key], 0);
  if (column === 'key') return '合计';
  if (column === 'count') return hedges;
  if (column === 'traded') return <Amount value={sum('traded')} compact />;
  return column in SUMS && <Pnl value={sum(column as Money)} />;
}

/** Where the result of ended hedges came from. */
export default function AttributionCard({ attribution, hedges }: Pick<Statistic, 'attribution' | 'hedges'>) {
  const [{ by }, change] = useQueryState(codecs);
  const rows = attribution[by];
  const columns = useMemo(() => columnsOf(by, hedges.fewest), [by, hedges.fewest]);
  return (
    <Card
      size="small"
      title={
        <Explained
          formula="价格 + 资金费 + 手续费（付出为负）= 净盈亏（F11）；价格来自对冲单，资金费、手续费与成交额来自账本"
          window="期间内结束、有成交的对冲单；进行中的不计。按币种与方向时金额只含该腿，单数与胜率按整单，一单在两行中各计一次"
        >
          盈亏归因
        </Explained>
      }
    >
      <div className={styles.tools}>
        <Segmented
          size="small"
          aria-label="归因维度"
          options={OPTIONS}
          value={by}
          onChange={(value) => change({ by: value }, { replace: true })}
        />
      </div>
      <PlainTable
        sortable
        label="盈亏归因"
        rowKey="key"
        columns={columns}
        rows={rows}
        empty="期间内没有结束的对冲单"
        totals={rows.length > 0 ? (column) => totalOf(column, rows, hedges.count) : undefined}
      />
    </Card>
  );
}
