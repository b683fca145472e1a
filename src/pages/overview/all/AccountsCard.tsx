import { Card } from 'antd';
import { useMemo, useRef } from 'react';
import type { AccountRow } from '#contract/account';
import { useNarrow } from '@/components/useNarrow';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from '../index.module.css';
import { accountColumns, StateTag } from './accountColumns';

interface AccountsCardProps {
  rows: readonly AccountRow[];
  onChoose: (userId: string) => void;
}

/** The accounts one by one: a table, and cards on a phone. */
export function AccountsCard({ rows, onChoose }: AccountsCardProps) {
  const narrow = useNarrow();
  const latest = useRef(onChoose);
  latest.current = onChoose;
  const columns = useMemo(() => accountColumns((userId) => latest.current(userId)), []);
  const [user, , ...figures] = columns;
  return (
    <Card size="small" title="账户">
      {narrow ? (
        <div className={styles.positions}>
          {rows.map((row) => (
            <RowCard
              key={row.userId}
              label={row.user}
              head={
                <>
                  {user!.render(row)} <StateTag row={row} />
                </>
              }
            >
              <CardFigures figures={figures.map(({ title, render }) => [title, render(row)])} columns={3} />
            </RowCard>
          ))}
        </div>
      ) : (
        <PlainTable sortable label="账户" rowKey="userId" columns={columns} rows={rows} />
      )}
    </Card>
  );
}
