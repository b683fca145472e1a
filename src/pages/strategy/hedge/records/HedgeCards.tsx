import { Pagination, Spin } from 'antd';
import { memo, type ReactNode } from 'react';
import type { HedgeRow } from '#contract/hedge';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { ErrorState } from '@/components/ErrorState';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { HedgeLimits } from '../HedgeLimits';
import desk from '../index.module.css';
import { NoteCell } from '../NoteCell';
import { PairCell } from '../PairCell';
import { RowActions } from '../RowActions';
import styles from './HedgeCards.module.css';
import type { ChangeRecords, RecordsState } from './recordsQuery';
import type { Records } from './useRecords';

const NO_MARK = '持有中而没有标记价';

interface HedgeCardsProps {
  records: Records;
  state: RecordsState;
  change: ChangeRecords;
  empty: ReactNode;
}

/** The records on a phone: one card a hedge. */
export function HedgeCards({ records: { rows, total, error, loading, retry }, state, change, empty }: HedgeCardsProps) {
  if (error) return <ErrorState error={error} onRetry={retry} />;
  if (rows === undefined) return <Spin className={styles.waiting} description="加载中" />;
  if (rows.length === 0) return empty;
  return (
    <div className={styles.cards} aria-busy={loading}>
      {rows.map((row) => (
        <HedgeCard key={row.id} row={row} />
      ))}
      <Pagination
        size="small"
        total={total}
        pageSize={state.pageSize}
        current={state.current}
        showSizeChanger={false}
        hideOnSinglePage
        onChange={(current) => change({ current })}
      />
    </div>
  );
}

const HedgeCard = memo(function HedgeCard({ row }: { row: HedgeRow }) {
  const figures = [
    ['收益率（按保证金）', <Pnl key="margin" percent value={row.marginReturn} reason={NO_MARK} />],
    ['名义', <Amount key="notional" value={row.notional} unit="USDT" compact />],
    ['z 开 / 现', <Both key="z" a={row.zOpen} b={row.z} />],
    ['资金费', <Pnl key="funding" value={row.funding} />],
    ['手续费', <Amount key="fees" value={row.fees} />],
    ['持有', <Amount key="held" value={row.heldHours} digits={1} unit="h" reason="还没有开仓" />],
    ['平仓原因', row.closeReason === null ? '-' : CLOSE_REASON_LABEL[row.closeReason]],
  ] as const;
  return (
    <article className={styles.hedgeCard} aria-label={`${row.long} / ${row.short}`}>
      <div className={styles.cardHead}>
        <PairCell long={row.long} short={row.short} source={row.source} />
        <span className={styles.cardNet}>
          <Pnl value={row.net} unit="USDT" reason={NO_MARK} />
          <span>
            <Pnl percent value={row.netReturn} reason={NO_MARK} /> <small className="soft">按名义</small>
          </span>
        </span>
      </div>
      <span className={desk.rowActions}>
        <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />
      </span>
      <dl className={styles.cardFigures}>
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {!HEDGE_ENDS.includes(row.state) && <HedgeLimits row={row} />}
      <NoteCell row={row} />
      <RowActions row={row} withDetail />
    </article>
  );
});

function Both({ a, b }: { a: number | null; b: number | null }) {
  return (
    <>
      <Amount value={a} reason="共同历史不足" /> / <Amount value={b} reason="共同历史不足" />
    </>
  );
}
