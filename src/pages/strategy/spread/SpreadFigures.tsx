import { type SpreadExpiry, spreadDesk } from '#contract/kinds/spread/desk';
import { NO_EXPIRY } from '#contract/kinds/spread/scan';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { FigureTiles } from '@/components/FigureTiles';
import { Percent } from '@/components/Percent';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';
import type { Column } from '@/table/column';
import { gainColumn, numberColumn, percentColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';

const REFRESH_MS = 10_000;
const NOTHING = '还没有开成的交易单';
const NO_PRICE = '持有的标的没有价格';

const COLUMNS: Column<SpreadExpiry>[] = [
  wordColumn<SpreadExpiry>('far', '合约', 180, ({ far }) => far),
  timeColumn<SpreadExpiry>('expiresAt', '到期', { reason: NO_EXPIRY }),
  numberColumn<SpreadExpiry>('deals', '交易单', { digits: 0, width: 80 }),
  numberColumn<SpreadExpiry>('running', '持有', { digits: 0, width: 68 }),
  percentColumn<SpreadExpiry>('edgeOpen', '理论价差', { digits: 3, signed: true }),
  percentColumn<SpreadExpiry>('edgeTaken', '实得价差', { digits: 3, signed: true }),
  gainColumn<SpreadExpiry>('pricePnl', '价格盈亏', { reason: NO_PRICE }),
  gainColumn<SpreadExpiry>('funding', '资金费'),
  numberColumn<SpreadExpiry>('fees', '手续费', { digits: 2 }),
  gainColumn<SpreadExpiry>('net', '净盈亏', { reason: NO_PRICE }),
  gainColumn<SpreadExpiry>('expected', '预计到期收益', { width: 124, reason: '没有持有的，或没有到期日' }),
];

const expiryCard = columnsCard(COLUMNS, { label: ({ far }) => far, head: ['far'], end: ['net'] });

/** How well a strategy's spreads came in, and what each expiry made. */
export default function SpreadFigures({ strategy: { id, name } }: { strategy: StrategyRow }) {
  const { data, error, isLoading, retry } = useCall(
    spreadDesk.figures,
    { query: { id } },
    { refreshInterval: REFRESH_MS },
  );
  if (error && !data) return <ErrorState title="成交质量读取失败" error={error} onRetry={retry} />;
  return (
    <section className={`card ${styles.panel}`} aria-label="成交质量">
      <header className={styles.head}>
        <h2>成交质量与各到期日 · {name}</h2>
      </header>
      <div className={styles.tiles}>
        <FigureTiles
          label="成交质量"
          inputAt="最新的 1000 张交易单，每 10 秒读取"
          tiles={[
            {
              label: '实得 / 理论价差',
              formula: '成交均价之比 − 1 与开仓时 F5，都按名义加权',
              figure: <Percent value={data?.takenShare} digits={1} reason={NOTHING} />,
              detail: (
                <>
                  <Percent value={data?.edgeTaken} digits={3} signed reason={NOTHING} /> /{' '}
                  <Percent value={data?.edgeOpen} digits={3} signed reason={NOTHING} />
                </>
              ),
            },
            {
              label: '第二腿平均延迟',
              formula: '第二腿首笔成交的时间 − 第一腿首笔成交的时间，取平均',
              figure: <Amount value={data?.secondFillMs} digits={0} unit="ms" reason={NOTHING} />,
            },
            {
              label: '单腿未配上',
              formula: '因单腿退回而结束的交易单，加上现在裸腿的',
              figure: <Amount value={data?.unmatched} digits={0} />,
              detail: <>两腿建成 {data?.opened ?? '-'} 张</>,
            },
          ]}
        />
      </div>
      <PlainTable
        label="各到期日"
        rowKey="far"
        columns={COLUMNS}
        card={expiryCard}
        rows={data?.expiries}
        loading={isLoading}
        sortable
        empty={<EmptyState title={NOTHING} />}
      />
    </section>
  );
}
