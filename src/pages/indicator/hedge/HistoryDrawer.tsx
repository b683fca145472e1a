import { Drawer, Pagination, Skeleton } from 'antd';
import { useState } from 'react';
import { type EvaluateEdit, evaluate } from '#contract/evaluate';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { useFocusBack } from '@/components/useFocusBack';
import { useCall } from '@/services/useCall';
import { editText } from './directionLabel';
import styles from './HistoryDrawer.module.css';

const PAGE_SIZE = 50;
const FIELD = { direction: '方向', note: '评价' };

/** Every edit of a coin's direction and note, newest first, with what the price did since. */
export default function HistoryDrawer({
  source,
  symbol,
  onClose,
}: {
  source: string;
  symbol: string;
  onClose: () => void;
}) {
  useFocusBack();
  const [current, setCurrent] = useState(1);
  const { data, error, isLoading, retry } = useCall(
    evaluate.history,
    { query: { source, symbol, current, pageSize: PAGE_SIZE } },
    { keepPreviousData: true },
  );
  return (
    <Drawer open size="min(480px, 100vw)" title={`${symbol} 的评价历史`} onClose={onClose}>
      {error && <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />}
      {!error && data === undefined && <Skeleton active />}
      {!error && data?.total === 0 && (
        <EmptyState title="还没有人评价过" description="方向或评价的每次修改都会记在这里" />
      )}
      {!error && data && data.total > 0 && (
        <>
          <ol className={styles.history}>
            {data.list.map((edit) => (
              <EditLine key={edit.id} edit={edit} />
            ))}
          </ol>
          {data.total > PAGE_SIZE && (
            <Pagination size="small" total={data.total} pageSize={PAGE_SIZE} current={current} onChange={setCurrent} />
          )}
        </>
      )}
    </Drawer>
  );
}

function EditLine({ edit }: { edit: EvaluateEdit }) {
  const { field, before, after, author, at, price, changeSince } = edit;
  return (
    <li>
      <div>
        <strong>{author}</strong> <DateTime value={at} precision="second" />
      </div>
      <div className={styles.editText}>
        {FIELD[field]}：<del>{editText(field, before)}</del> → {editText(field, after)}
      </div>
      <div className="missing">
        当时价格 <Price value={price} />
        ，此后 <Pnl percent value={changeSince} />
      </div>
    </li>
  );
}
