import { Alert, Button, Drawer, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { ErrorState } from '@/components/ErrorState';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { late } from '@/components/late';
import { useFocusBack } from '@/components/useFocusBack';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { confirmUnfreeze } from '@/strategy/confirmUnfreeze';
import { HedgeNote } from '../HedgeNote';
import { sidesOf } from '../hedgeActions';
import { HedgeContext, useHedgeScreen } from '../hedgeContext';
import desk from '../index.module.css';
import { RowActions } from '../RowActions';
import { DetailCharts } from './DetailCharts';
import { DetailFigures } from './DetailFigures';
import { DetailTabs } from './DetailTabs';
import styles from './detail.module.css';

const DealOutlook = late(() => import('@/strategy/DealOutlook'));

const REFRESH_MS = 5_000;

interface HedgeDrawerProps {
  id: string;
  /** Whose hedges may be acted on from here. */
  userId: string | undefined;
  /** Whether it shows its backtest. */
  compared: boolean;
  onCompared: (compared: boolean) => void;
  onClose: () => void;
}

/** Everything of one hedge: figures, charts, fills, orders, funding and what happened. */
export default function HedgeDrawer({ id, userId, compared, onCompared, onClose }: HedgeDrawerProps) {
  useFocusBack();
  const screen = useHedgeScreen();
  /** Nothing moves any more then. */
  const [ended, setEnded] = useState(false);
  const { data, error, isLoading, mutate, retry } = useCall(
    hedge.detail,
    { query: { id } },
    { refreshInterval: ended ? 0 : REFRESH_MS },
  );
  const refresh = () => {
    void mutate();
    screen.refresh();
  };
  const row = data?.hedge;
  const isEnded = row !== undefined && HEDGE_ENDS.includes(row.state);
  if (isEnded !== ended) setEnded(isEnded);
  return (
    <Drawer
      open
      size="min(1080px, 100vw)"
      title={row ? sidesOf(row) : '对冲单'}
      onClose={onClose}
      extra={row && row.userId === userId && <RowActionsHere refresh={refresh} row={row} />}
    >
      {data === undefined && error && (
        <ErrorState error={error} title="读不到这张对冲单" onRetry={() => void retry()} retrying={isLoading} />
      )}
      {data === undefined && !error && <Skeleton active paragraph={{ rows: 12 }} />}
      {data && row && (
        <div className={desk.stack}>
          <div className={styles.detailHead}>
            <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />
            {row.userId !== userId && <span className="soft">{row.user} 的对冲单，只读</span>}
            {error && !isEnded && <span className={styles.refusal}>数据停滞：{error.message}</span>}
          </div>
          {row.frozen !== null && (
            <Alert
              type="error"
              showIcon
              title={`已冻结，暂不发送委托：${row.frozen}`}
              action={
                data.mayThaw &&
                row.userId === userId && (
                  <Button size="small" onClick={() => unfreezeHedge(row, refresh)}>
                    恢复
                  </Button>
                )
              }
            />
          )}
          {row.userId === userId && (
            <Suspense fallback={<Skeleton active />}>
              <DealOutlook deal={row} subject={sidesOf(row)} isHedge />
            </Suspense>
          )}
          <DetailFigures row={row} />
          {row.userId === userId ? (
            <HedgeNote row={row} />
          ) : (
            <p>{row.note || <span className="soft">没有备注</span>}</p>
          )}
          <DetailCharts detail={data} />
          <DetailTabs detail={data} compared={compared} onCompared={onCompared} />
        </div>
      )}
    </Drawer>
  );
}

/** The row's own actions, which here read the detail again as well. */
function RowActionsHere({ row, refresh }: { row: Parameters<typeof RowActions>[0]['row']; refresh: () => void }) {
  const screen = useHedgeScreen();
  return (
    <HedgeContext value={{ ...screen, refresh }}>
      <RowActions row={row} />
    </HedgeContext>
  );
}

/** Lets a frozen hedge go on. */
const unfreezeHedge = (row: HedgeRow, done: () => void): void =>
  confirmUnfreeze(
    {
      ...{ subject: sidesOf(row), frozen: row.frozen },
      unfreeze: (reason, idempotencyKey) => call(hedge.unfreeze, { body: { id: row.id, reason } }, { idempotencyKey }),
    },
    done,
  );
