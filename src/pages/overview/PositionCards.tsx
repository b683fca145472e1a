import type { AccountPosition } from '#contract/account';
import styles from './index.module.css';
import { POSITION_COLUMNS, PositionBadges, positionName } from './positionColumns';

const figures = POSITION_COLUMNS.filter(({ key, spare }) => !spare && key !== 'symbol' && key !== 'side');

/** The positions on a phone: one card each. */
export function PositionCards({ positions }: { positions: readonly AccountPosition[] }) {
  return positions.map((row) => (
    <article key={`${row.source} ${row.symbol}`} className={styles.position} aria-label={positionName(row)}>
      <h3>
        {row.symbol} {row.side === 'long' ? '多 ↑' : '空 ↓'} <PositionBadges row={row} />
      </h3>
      <dl className={styles.positionFigures}>
        {figures.map(({ key, title, render }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd>{render(row)}</dd>
          </div>
        ))}
      </dl>
    </article>
  ));
}
