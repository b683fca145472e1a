import { Alert, Card } from 'antd';
import { useMemo } from 'react';
import type { BacktestResult } from '#contract/backtest';
import type { Column } from '@/table/column';
import { numberColumn, timeColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';

type SymbolRow = BacktestResult['honesty']['symbols'][number];

const columnsOf = (utc: boolean): Column<SymbolRow>[] => [
  { key: 'symbol', title: '币种', width: 110, fixed: 'left', render: ({ symbol }) => symbol },
  timeColumn<SymbolRow>('firstAt', '首个收盘', { utc }),
  timeColumn<SymbolRow>('lastAt', '末个收盘', { utc }),
  numberColumn<SymbolRow>('bars', '已存 K 线', { digits: 0 }),
  numberColumn<SymbolRow>('unusable', '价格无效', { digits: 0 }),
  {
    key: 'funding',
    title: '资金费缺失 / 应有',
    width: 140,
    figure: true,
    render: ({ fundingMissing, fundingExpected }) => `${fundingMissing} / ${fundingExpected}`,
  },
];

const shareOf = (part: number, whole: number) => (whole === 0 ? '' : `（${((part / whole) * 100).toFixed(1)}%）`);

interface HonestyProps extends Pick<BacktestResult, 'honesty'> {
  /** USDT. */
  shortfall: number;
  utc: boolean;
}

/** What the figures are based on, what is missing, and what they assume. */
export default function Honesty({ honesty, shortfall, utc }: HonestyProps) {
  const { barsUsed, barsDropped, fundingExpected, fundingMissing, maintenanceRate, symbols } = honesty;
  const columns = useMemo(() => columnsOf(utc), [utc]);
  return (
    <Card size="small" title="数据与假设">
      {fundingMissing > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`资金费缺失 ${fundingMissing} / ${fundingExpected} 次${shareOf(fundingMissing, fundingExpected)}：缺失的结算没有计入损益，实际结果会不同。`}
        />
      )}
      <ul>
        <li>
          使用 K 线 {barsUsed} 根；因某个币种缺失而剔除 {barsDropped} 根{shareOf(barsDropped, barsUsed + barsDropped)}。
        </li>
        <li>
          {fundingExpected === 0
            ? '没有计入资金费。'
            : `资金费结算应有 ${fundingExpected} 次，缺失 ${fundingMissing} 次。`}
        </li>
        <li>假设每次都在收盘价成交，另按成交额扣除手续费与滑点；没有考虑盘口深度与下单失败。</li>
        <li>只能选已存数据的币种：早已退市而没有存下的不在其中，结果会偏乐观（幸存者偏差）。</li>
        <li>
          爆仓：某个收盘时，权益不高于维持保证金（总敞口的 {(maintenanceRate * 100).toFixed(1)}
          %），即按该收盘价全部平仓、扣除成本并结束；两个收盘之间不判断，交易所会更早强平。
        </li>
        <li>
          权益不低于 0：超出权益的亏损不由账户承担，
          {shortfall > 0 ? <>本次 {shortfall.toFixed(2)} USDT，</> : '如有，'}
          在损益拆分中列为穿仓。
        </li>
      </ul>
      <PlainTable label="各币种的数据" rowKey="symbol" columns={columns} rows={symbols} />
    </Card>
  );
}
