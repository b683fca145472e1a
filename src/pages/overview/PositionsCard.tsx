import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Card } from 'antd';
import { Suspense } from 'react';
import type { AccountPosition } from '#contract/account';
import { EmptyState } from '@/components/EmptyState';
import { late } from '@/components/late';
import { useNarrow } from '@/components/useNarrow';
import { CardFigures, RowCard } from '@/table/RowCard';
import type { AccountNames } from './accounts/accountNames';
import styles from './index.module.css';
import { PositionBadges, positionColumns, positionName } from './positionColumns';

const PositionsTable = late(() => import('./PositionsTable'));

interface PositionsCardProps {
  /** null: the venue could not be asked. */
  positions: readonly AccountPosition[] | null;
  nameOf: AccountNames;
}

async function save(positions: readonly AccountPosition[], nameOf: AccountNames): Promise<void> {
  const [{ exportRows }, { positionColumns }] = await Promise.all([
    import('@/table/exportRows'),
    import('./positionColumns'),
  ]);
  exportRows('持仓', positionColumns(nameOf), positions);
}

/** What is held now: a table, and cards on a phone. */
export default function PositionsCard({ positions, nameOf }: PositionsCardProps) {
  const narrow = useNarrow();
  const any = positions !== null && positions.length > 0;
  const csv = (
    <Button
      size="small"
      icon={<DownloadOutlined />}
      disabled={!any}
      onClick={() => any && void save(positions, nameOf)}
    >
      导出 CSV
    </Button>
  );
  return (
    <Card size="small" title={`持仓${any ? `（${positions.length}）` : ''}`} extra={csv}>
      {positions === null ? (
        <Alert type="error" showIcon title="读取失败：交易场所没有回答，持仓未知，并不表示空仓。" />
      ) : !any ? (
        <EmptyState title="没有持仓" description="策略开仓后，持有的合约与现货会显示在这里。" />
      ) : narrow ? (
        <PositionCards positions={positions} nameOf={nameOf} />
      ) : (
        <Suspense fallback={null}>
          <PositionsTable positions={positions} nameOf={nameOf} />
        </Suspense>
      )}
    </Card>
  );
}

const figuresOf = (nameOf: AccountNames) =>
  positionColumns(nameOf).filter(({ key, spare }) => !spare && key !== 'symbol' && key !== 'side');

interface PositionCardsProps {
  positions: readonly AccountPosition[];
  nameOf: AccountNames;
}

/** The positions on a phone: one card each. */
const PositionCards = ({ positions, nameOf }: PositionCardsProps) => (
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
