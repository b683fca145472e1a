import { memo } from 'react';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { CardFigures, RowCard } from '@/table/RowCard';
import { HedgeLimits } from '../HedgeLimits';
import { HedgeNote } from '../HedgeNote';
import desk from '../index.module.css';
import { PairCell } from '../PairCell';
import { RowActions } from '../RowActions';
import styles from './HedgeCard.module.css';

const NO_MARK = '持有中而没有标记价';

/** A hedge on a phone. */
export const HedgeCard = memo(function HedgeCard({ row }: { row: HedgeRow }) {
  const figures = [
    ['收益率（按保证金）', <Pnl key="margin" percent value={row.marginReturn} reason={NO_MARK} />],
    ['名义', <Amount key="notional" value={row.notional} unit="USDT" compact />],
    ['z 开 / 现', <Both key="z" a={row.zOpen} b={row.z} />],
    ['资金费', <Pnl key="funding" value={row.funding} />],
    ['手续费', <Amount money key="fees" value={row.fees} />],
    ['持有', <Amount key="held" value={row.heldHours} digits={1} unit="h" reason="还没有开仓" />],
    ['平仓原因', row.closeReason === null ? '-' : CLOSE_REASON_LABEL[row.closeReason]],
  ] as const;
  return (
    <RowCard
      label={`${row.long} / ${row.short}`}
      head={
        <>
          <PairCell long={row.long} short={row.short} source={row.source} />
          <span className={styles.net}>
            <Pnl value={row.net} unit="USDT" reason={NO_MARK} />
            <span>
              <Pnl percent value={row.netReturn} reason={NO_MARK} /> <small className="soft">按名义</small>
            </span>
          </span>
        </>
      }
    >
      <span className={desk.rowActions}>
        <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />
      </span>
      <CardFigures figures={figures} columns={3} />
      {!HEDGE_ENDS.includes(row.state) && <HedgeLimits row={row} />}
      <HedgeNote row={row} />
      <RowActions row={row} withDetail />
    </RowCard>
  );
});

function Both({ a, b }: { a: number | null; b: number | null }) {
  return (
    <>
      <Amount value={a} reason="共同历史不足" /> / <Amount value={b} reason="共同历史不足" />
    </>
  );
}
