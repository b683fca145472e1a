import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Card } from 'antd';
import { lazy, Suspense } from 'react';
import type { AccountPosition } from '#contract/account';
import { EmptyState } from '@/components/EmptyState';
import { useNarrow } from '@/components/useNarrow';
import { PositionCards } from './PositionCards';

const PositionsTable = lazy(() => import('./PositionsTable'));

interface PositionsCardProps {
  /** null: the venue could not be asked. */
  positions: readonly AccountPosition[] | null;
}

async function save(positions: readonly AccountPosition[]): Promise<void> {
  const [{ exportRows }, { POSITION_COLUMNS }] = await Promise.all([
    import('@/table/exportRows'),
    import('./positionColumns'),
  ]);
  exportRows('持仓', POSITION_COLUMNS, positions);
}

/** What is held now: a table, and cards on a phone. */
export default function PositionsCard({ positions }: PositionsCardProps) {
  const narrow = useNarrow();
  const any = positions !== null && positions.length > 0;
  const csv = (
    <Button size="small" icon={<DownloadOutlined />} disabled={!any} onClick={() => any && void save(positions)}>
      导出 CSV
    </Button>
  );
  return (
    <Card size="small" title={`持仓${any ? `（${positions.length}）` : ''}`} extra={csv}>
      {positions === null ? (
        <Alert type="error" showIcon title="读取失败：交易场所没有回答，持仓未知，并不表示空仓。" />
      ) : !any ? (
        <EmptyState title="没有持仓" description="对冲开仓后，两边的合约会显示在这里。" />
      ) : narrow ? (
        <PositionCards positions={positions} />
      ) : (
        <Suspense fallback={null}>
          <PositionsTable positions={positions} />
        </Suspense>
      )}
    </Card>
  );
}
