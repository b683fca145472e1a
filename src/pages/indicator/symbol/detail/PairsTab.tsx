import { Link } from '@umijs/max';
import { Skeleton, Space } from 'antd';
import { useMemo } from 'react';
import type { DataOf } from '#contract/endpoint';
import { CoinPair, PAIR_WARNING_LABEL, pair } from '#contract/pair';
import type { SymbolDetail } from '#contract/symbol';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { PairWarnings } from '@/components/PairWarnings';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import styles from './index.module.css';
import { addressOf } from './symbolAddress';

const REFRESH_MS = 30_000;
const BACKTEST_DAYS = '180';

type Rules = DataOf<typeof pair.ofCoin>['rules'];

const keyOf = ({ long, short }: CoinPair): string => `${long} ${short}`;

/** Ways on with a pair: to the desk that may add it, and to its past under the rules of the desk. */
function columnsOf(source: string, own: string, rules: Rules): Column<CoinPair>[] {
  const written = Object.fromEntries(Object.entries(rules).map(([name, value]) => [name, String(value)]));
  const to = (path: string, { long, short }: CoinPair, more: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ source, long, short, ...more })}`;
  const coin = (symbol: string) =>
    symbol === own ? symbol : <Link to={addressOf(symbol, `?${new URLSearchParams({ source })}`)}>{symbol}</Link>;
  return schemaColumns(CoinPair, {
    widths: { long: 124, short: 124, fundingAprDifference: 104 },
    deciding: [
      'long',
      'short',
      'z',
      'adfP',
      'halfLife',
      'rSquared',
      'hedgeRatio',
      'correlation',
      'fundingAprDifference',
    ],
    own: [
      { key: 'long', fixed: 'left', render: ({ long }) => coin(long) },
      { key: 'short', render: ({ short }) => coin(short) },
      {
        ...{ key: 'warnings', title: '对冲检验', width: 160 },
        render: ({ warnings }) => (warnings.length === 0 ? '通过' : <PairWarnings warnings={warnings} />),
        csv: ({ warnings }) => warnings.map((one) => PAIR_WARNING_LABEL[one]).join('、'),
      },
      {
        ...{ key: 'ways', title: '操作', width: 100, fixed: 'right' },
        render: (row) => (
          <Space size="middle" style={{ whiteSpace: 'nowrap' }}>
            <Link to={to('/strategy/hedge', row)}>添加</Link>
            <Link to={to('/test/hedge', row, { days: BACKTEST_DAYS, ...written })}>回测</Link>
          </Space>
        ),
      },
    ],
  });
}

const SIDES: Readonly<Record<string, string>> = { long: '多', short: '空' };

/** On a phone no head of a column says which side a coin is. */
const sided = (columns: readonly Column<CoinPair>[]): Column<CoinPair>[] =>
  columns.map((column) => ({
    ...column,
    ...(column.key in SIDES && {
      render: (row: CoinPair) => (
        <>
          {SIDES[column.key]} {column.render?.(row)}
        </>
      ),
    }),
  }));

/** The pairs with this coin that the reader's desk would take first. */
export default function PairsTab({ detail: { source, symbol } }: { detail: SymbolDetail }) {
  const narrow = useNarrow();
  const { data, error, retry } = useCall(pair.ofCoin, { query: { source, symbol } }, { refreshInterval: REFRESH_MS });
  const rules = data?.rules;
  const columns = useMemo(() => (rules ? columnsOf(source, symbol, rules) : []), [source, symbol, rules]);
  const card = useMemo(
    () =>
      columnsCard(sided(columns), {
        label: keyOf,
        head: ['long', 'short', 'warnings'],
        end: ['ways'],
        figures: columns
          .map(({ key }) => key)
          .filter((key) => !['long', 'short', 'warnings', 'ways', 'bars'].includes(key)),
        across: 3,
      }),
    [columns],
  );
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void retry()} />;
  if (data === undefined || rules === undefined) return <Skeleton active />;
  if (data.list.length === 0) {
    return (
      <EmptyState
        title={`没有适合 ${symbol} 的配对`}
        description="在成交额前 30 的同板块币种里，没有近 180 日与它协整（ADF p ≤ 0.1、R² ≥ 0.4、半衰期 1 至 30 天）的。"
      >
        <Link to={`/indicator/hedge?${new URLSearchParams({ source, long: symbol })}`}>去中性选币自己挑一对</Link>
      </EmptyState>
    );
  }
  const { bar, bars } = data.list[0]!;
  return (
    <div className={styles.tab}>
      <span className="soft">
        成交额前 30 的同板块币种里近 180 日与它协整的，便宜的一边做多；数字按你的对冲配置（{rules.zWindow} 根{' '}
        {rules.bar}
        {bars === rules.zWindow && bar === rules.bar ? '' : `，现有 ${bars} 根 ${bar}`}），检验通过的在前，再按 ADF p。
      </span>
      {narrow ? (
        data.list.map((row) => <div key={keyOf(row)}>{card(row)}</div>)
      ) : (
        <PlainTable sortable label={`含 ${symbol} 的配对`} rowKey={keyOf} columns={columns} rows={data.list} />
      )}
    </div>
  );
}
