import { Card, Segmented, Table, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import type { CloseReason } from '#contract/lifecycle';
import {
  ATTRIBUTIONS,
  type AttributionBy,
  type AttributionRow,
  type HoldingBucket,
  type Statistic,
} from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { Explained } from '@/components/Explained';
import { CLOSE_REASON_LABEL, LEG_LABEL } from '@/components/labels';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { useQueryState, wordCodec } from '@/components/useQueryState';
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

type Money = 'price' | 'funding' | 'fees' | 'net';
const money = (key: Money, title: string) => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  sorter: (a: AttributionRow, b: AttributionRow) => a[key] - b[key],
  render: (value: number) => <Pnl value={value} />,
});

const columnsOf = (by: AttributionBy, fewest: number): TableColumnsType<AttributionRow> => [
  { title: LABEL[by], dataIndex: 'key', fixed: 'start', render: (key: string) => nameOf(by, key) },
  {
    title: '对冲单',
    dataIndex: 'count',
    align: 'right',
    sorter: (a, b) => a.count - b.count,
  },
  {
    title: '胜率',
    dataIndex: 'winRate',
    align: 'right',
    sorter: (a, b) => (a.winRate ?? 0) - (b.winRate ?? 0),
    render: (value: number | null) => <Percent value={value} digits={1} reason={`样本不足：少于 ${fewest} 单对冲`} />,
  },
  money('price', '价格 USDT'),
  money('funding', '资金费 USDT'),
  money('fees', '手续费 USDT'),
  money('net', '净盈亏 USDT'),
  {
    title: '成交额 USDT',
    dataIndex: 'traded',
    align: 'right',
    sorter: (a, b) => a.traded - b.traded,
    render: (value: number) => <Amount value={value} compact />,
  },
];

const codecs = { by: wordCodec(ATTRIBUTIONS, 'user') };

function TotalRow({ rows, hedges }: { rows: readonly AttributionRow[]; hedges: number }) {
  const sum = (key: Money | 'traded') => rows.reduce((total, row) => total + row[key], 0);
  return (
    <Table.Summary.Row>
      <Table.Summary.Cell index={0}>合计</Table.Summary.Cell>
      <Table.Summary.Cell index={1} align="right">
        {hedges}
      </Table.Summary.Cell>
      <Table.Summary.Cell index={2} />
      {(['price', 'funding', 'fees', 'net'] as const).map((key, i) => (
        <Table.Summary.Cell key={key} index={3 + i} align="right">
          <Pnl value={sum(key)} />
        </Table.Summary.Cell>
      ))}
      <Table.Summary.Cell index={7} align="right">
        <Amount value={sum('traded')} compact />
      </Table.Summary.Cell>
    </Table.Summary.Row>
  );
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
        aria-label="盈亏归因"
        rowKey="key"
        columns={columns}
        rows={rows}
        scroll={{ x: 'max-content' }}
        pagination={rows.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
        locale={{ emptyText: '期间内没有结束的对冲单' }}
        summary={() => rows.length > 0 && <TotalRow rows={rows} hedges={hedges.count} />}
      />
    </Card>
  );
}
