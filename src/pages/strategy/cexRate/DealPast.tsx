import { useMemo } from 'react';
import type { RateDeal } from '#contract/kinds/cexRate/desk';
import type { Mark } from '@/chart/curve';
import { WhenSeen } from '@/components/WhenSeen';
import { RatePast } from '@/scan/RatePast';
import styles from '@/strategy/strategy.module.css';

/** px */
const HEIGHT = 280;

/** The rate difference of a deal's legs over 90 days, with its entry. */
export default function DealPast({ deal: { legs, openedAt } }: { deal: RateDeal }) {
  const [long, short] = legs;
  const marks = useMemo(
    (): Mark[] => (openedAt === null ? [] : [{ at: openedAt, text: '开仓', color: 'orange', side: 'above' }]),
    [openedAt],
  );
  return (
    <div className={styles.chart}>
      <WhenSeen height={HEIGHT}>
        <RatePast long={long} short={short} marks={marks} />
      </WhenSeen>
    </div>
  );
}
