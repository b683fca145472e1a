import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Card } from 'antd';
import { Fragment, Suspense, useMemo, useRef, useState } from 'react';
import type { AccountPosition } from '#contract/account';
import { EmptyState } from '@/components/EmptyState';
import { late } from '@/components/late';
import { useNarrow } from '@/components/useNarrow';
import type { AccountNames } from './accounts/accountNames';
import styles from './index.module.css';
import { OutsideActions } from './OutsideActions';
import { positionCard, positionColumns } from './positionColumns';

/** A phone needs none. */
const PlainTable = late(async () => ({ default: (await import('@/table/PlainTable')).PlainTable<AccountPosition> }));
const TakeOverDialog = late(() => import('./TakeOverDialog'));
const PAGING = { pageSize: 50, hideOnSinglePage: true } as const;
const keyOf = ({ accountId, source, symbol }: AccountPosition) => `${accountId} ${source} ${symbol}`;

interface PositionsCardProps {
  /** null: the venue could not be asked. */
  positions: readonly AccountPosition[] | null;
  nameOf: AccountNames;
  /** Reads the account again. */
  refresh: () => void;
}

/** What is held now: a table, and cards on a phone. */
export default function PositionsCard({ positions, nameOf, refresh }: PositionsCardProps) {
  const narrow = useNarrow();
  const [taken, setTaken] = useState<AccountPosition | null>(null);
  const latest = useRef(refresh);
  latest.current = refresh;
  const columns = useMemo(
    () =>
      positionColumns(nameOf, (row) => (
        <OutsideActions row={row} takeOver={setTaken} refresh={() => latest.current()} />
      )),
    [nameOf],
  );
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
      {taken && (
        <Suspense fallback={null}>
          <TakeOverDialog
            row={taken}
            onTaken={() => {
              setTaken(null);
              refresh();
            }}
            onClose={() => setTaken(null)}
          />
        </Suspense>
      )}
    </Card>
  );
}
