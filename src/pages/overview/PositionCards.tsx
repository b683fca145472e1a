import type { AccountPosition } from '#contract/account';
import { CardFigures, RowCard } from '@/table/RowCard';
import type { AccountNames } from './accounts/accountNames';
import styles from './index.module.css';
import { PositionBadges, positionColumns, positionName } from './positionColumns';

const figuresOf = (nameOf: AccountNames) =>
  positionColumns(nameOf).filter(({ key, spare }) => !spare && key !== 'symbol' && key !== 'side');

interface PositionCardsProps {
  positions: readonly AccountPosition[];
  nameOf: AccountNames;
}

/** The positions on a phone: one card each. */
export const PositionCards = ({ positions, nameOf }: PositionCardsProps) => (
  <div className={styles.positions}>
    {positions.map((row) => (
      <RowCard
        key={`${row.accountId} ${row.source} ${row.symbol}`}
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
          figures={figuresOf(nameOf).map(({ key, title, render }) => [title, render(row), key === 'hedges'])}
          columns={3}
        />
      </RowCard>
    ))}
  </div>
);
