import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Card } from 'antd';
import { Fragment, Suspense, useMemo } from 'react';
import type { AccountPosition } from '#contract/account';
import { EmptyState } from '@/components/EmptyState';
import { late } from '@/components/late';
import { useNarrow } from '@/components/useNarrow';
import type { AccountNames } from './accounts/accountNames';
import styles from './index.module.css';
import { positionCard, positionColumns } from './positionColumns';

/** A phone needs none. */
const PlainTable = late(async () => ({ default: (await import('@/table/PlainTable')).PlainTable<AccountPosition> }));
const PAGING = { pageSize: 50, hideOnSinglePage: true } as const;
const keyOf = ({ accountId, source, symbol }: AccountPosition) => `${accountId} ${source} ${symbol}`;

interface PositionsCardProps {
  /** null: the venue could not be asked. */
  positions: readonly AccountPosition[] | null;
  nameOf: AccountNames;
}

/** What is held now: a table, and cards on a phone. */
export default function PositionsCard({ positions, nameOf }: PositionsCardProps) {
  const narrow = useNarrow();
  const columns = useMemo(() => positionColumns(nameOf), [nameOf]);
  const card = useMemo(() => positionCard(columns), [columns]);
  const any = positions !== null && positions.length > 0;
  const csv = (
    <Button
      size="small"
      icon={<DownloadOutlined />}
      disabled={!any}
      onClick={async () => any && (await import('@/table/exportRows')).exportRows('持仓', columns, positions)}
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
        <div className={styles.positions}>
          {positions.map((row) => (
            <Fragment key={keyOf(row)}>{card(row)}</Fragment>
          ))}
        </div>
      ) : (
        <Suspense fallback={null}>
          <PlainTable sortable label="持仓" rowKey={keyOf} columns={columns} rows={positions} pagination={PAGING} />
        </Suspense>
      )}
    </Card>
  );
}
