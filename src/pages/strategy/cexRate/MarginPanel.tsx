import { Link } from '@umijs/max';
import { Alert } from 'antd';
import { cexRateDesk, type VenueMargin } from '#contract/kinds/cexRate/desk';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { ErrorState } from '@/components/ErrorState';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';
import type { Column } from '@/table/column';
import { numberColumn, percentColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';

const REFRESH_MS = 3_000;
const MISSING = '没有账户，或现在读不到';

const COLUMNS: Column<VenueMargin>[] = [
  wordColumn<VenueMargin>('source', '交易所', 100, ({ source }) => venueLabel(source)),
  numberColumn<VenueMargin>('balance', '保证金余额', {
    ...{ money: true, width: 130, reason: MISSING },
    explain: { formula: '合约所在钱包的余额 + 未实现盈亏', text: '现货另有钱包的不在其中' },
  }),
  numberColumn<VenueMargin>('free', '可用保证金', { money: true, width: 130, reason: MISSING }),
  percentColumn<VenueMargin>('marginRatio', '保证金率', {
    reason: MISSING,
    width: 110,
    explain: { formula: 'F23：维持保证金 / 保证金余额', text: '100 % 为强平' },
  }),
];

const card = columnsCard(COLUMNS, {
  label: ({ source }) => venueLabel(source),
  head: ['source'],
  end: ['marginRatio'],
});

/** How safe both venues of a strategy are, and what to move when one is much nearer to its limit. */
export function MarginPanel({ strategy }: { strategy: StrategyRow }) {
  const { data, error, isLoading, retry } = useCall(
    cexRateDesk.margins,
    { query: { id: strategy.id } },
    { refreshInterval: REFRESH_MS },
  );
  if (error && !data) return <ErrorState title="两所保证金读取失败" error={error} onRetry={retry} />;
  const move = data?.move;
  return (
    <section className={`card ${styles.panel}`} aria-label="两所保证金">
      <header className={styles.head}>
        <h2>两所保证金 · {strategy.name}</h2>
      </header>
      {move && (
        <Alert
          type="warning"
          banner
          title={
            <>
              {venueLabel(move.to)} 的保证金率高出 20 个百分点：建议从 {venueLabel(move.from)} 划转{' '}
              <Amount value={move.amount} unit="USDT" />
              ，两所即相等。
              {strategy.mode === 'live' ? '真实资金在交易所划转。' : <Link to="/">去划转</Link>}
            </>
          }
        />
      )}
      <PlainTable
        label="两所保证金"
        rowKey="source"
        columns={COLUMNS}
        rows={data?.venues}
        loading={isLoading}
        card={card}
      />
    </section>
  );
}
