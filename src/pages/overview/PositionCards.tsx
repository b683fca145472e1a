import type { AccountPosition } from '#contract/account';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from './index.module.css';
import { POSITION_COLUMNS, PositionBadges, positionName } from './positionColumns';

const FIGURES = POSITION_COLUMNS.filter(({ key, spare }) => !spare && key !== 'symbol' && key !== 'side');

/** The positions on a phone: one card each. */
export const PositionCards = ({ positions }: { positions: readonly AccountPosition[] }) => (
  <div className={styles.positions}>
    {positions.map((row) => (
      <RowCard
        key={`${row.source} ${row.symbol}`}
        label={positionName(row)}
        head={
          <span>
            <strong>
              {row.symbol} {row.side === 'long' ? '多 ↑' : '空 ↓'}
            </strong>{' '}
            <PositionBadges row={row} />
          </span>
        }
      >
        <CardFigures
          figures={FIGURES.map(({ key, title, render }) => [title, render(row), key === 'hedges'])}
          columns={3}
        />
      </RowCard>
    ))}
  </div>
);
