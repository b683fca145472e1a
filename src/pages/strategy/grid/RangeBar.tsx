import { formatNumber } from '@/components/formatNumber';
import { Price } from '@/components/Price';
import styles from './grid.module.css';

interface RangeBarProps {
  lower: number | null;
  upper: number | null;
  /** 0 is the lower bound, 1 the upper one; beyond both is outside. */
  position: number | null;
  reason?: string;
}

/** A range with the place of the price in it. */
export function RangeBar({ lower, upper, position, reason }: RangeBarProps) {
  if (lower === null || upper === null)
    return (
      <div className={styles.range}>
        <Price value={null} reason={reason} />
      </div>
    );
  const isOut = position !== null && (position < 0 || position > 1);
  const share = position === null ? null : `${formatNumber(position * 100, { digits: 0 })}%`;
  return (
    <div className={styles.range}>
      <div className={styles.bounds}>
        <Price value={lower} />
        <span className={isOut ? styles.wrong : 'soft'}>{isOut ? `区间外 ${share}` : share}</span>
        <Price value={upper} />
      </div>
      <div className={styles.track} aria-hidden="true">
        {position !== null && (
          <span className={styles.place} style={{ left: `${Math.min(100, Math.max(0, position * 100))}%` }} />
        )}
      </div>
    </div>
  );
}
