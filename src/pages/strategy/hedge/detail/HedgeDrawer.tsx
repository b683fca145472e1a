import { Alert, Drawer, Skeleton } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS } from '#contract/lifecycle';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { ErrorState } from '@/components/ErrorState';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { LiveTag } from '@/components/LiveTag';
import { CLOSE_REASON_LABEL, HELD_BRIEFLY } from '@/components/labels';
import { late } from '@/components/late';
import { MoneyButton } from '@/components/MoneyButton';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { useFocusBack } from '@/components/useFocusBack';
import { zBasis } from '@/components/zBasis';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { confirmUnfreeze } from '@/strategy/confirmUnfreeze';
import { stepped } from '@/table/columns';
import { HedgeLimits } from '../HedgeLimits';
import { HedgeNote } from '../HedgeNote';
import { HedgeContext, useHedgeScreen } from '../hedgeContext';
import { realOfHedge, sidesOf } from '../hedgeWords';
import desk from '../index.module.css';
import { RowActions } from '../RowActions';
import { DetailCharts } from './DetailCharts';
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
  const { data, error, isLoading, mutate, retry, updatedAt } = useCall(
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
        <div className={`stack ${desk.stack}`}>
          <div className={styles.detailHead}>
            <HedgeStateTag state={row.state} badge={row.badge} frozen={row.frozen} />
            <LiveTag mode={row.mode} />
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
                  <MoneyButton size="small" onClick={() => unfreezeHedge(row, refresh)}>
                    恢复
                  </MoneyButton>
                )
              }
            />
          )}
          {row.userId === userId && (
            <Suspense fallback={<Skeleton active />}>
              <DealOutlook deal={row} kind="hedge" subject={sidesOf(row)} real={realOfHedge(row)} readAt={updatedAt} />
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
function RowActionsHere({ row, refresh }: { row: HedgeRow; refresh: () => void }) {
  const screen = useHedgeScreen();
  return (
    <HedgeContext value={{ ...screen, refresh }}>
      <RowActions now={() => ({ pair: null, hedge: row })} />
    </HedgeContext>
  );
}

/** Lets a frozen hedge go on. */
const unfreezeHedge = (row: HedgeRow, done: () => void): void =>
  confirmUnfreeze(
    {
      ...{ subject: sidesOf(row), frozen: row.frozen, real: realOfHedge(row) },
      unfreeze: (reason, idempotencyKey) => call(hedge.unfreeze, { body: { id: row.id, reason } }, { idempotencyKey }),
    },
    done,
  );

const NO_MARK = '持有中而没有标记价';
const SHORT_HISTORY = '共同历史不足';

/** Null where there is nothing that the figure could be of: it is not drawn then. */
type Figure = [label: string, figure: (row: HedgeRow) => ReactNode];

const isFlat = ({ state, longQuantity, shortQuantity }: HedgeRow): boolean =>
  HEDGE_ENDS.includes(state) || (Number(longQuantity) === 0 && Number(shortQuantity) === 0);

const FIGURES: Figure[] = [
  ['净盈亏', ({ net }) => <Pnl value={net} unit="USDT" reason={NO_MARK} />],
  ['收益率（按名义）', ({ netReturn }) => <Pnl percent value={netReturn} reason={NO_MARK} />],
  ['收益率（按保证金）', ({ marginReturn }) => <Pnl percent value={marginReturn} reason={NO_MARK} />],
  ['距止损 / 止盈 / 到期', (row) => <HedgeLimits row={row} />],
  ['年化（按保证金）', ({ annualised }) => <Pnl percent value={annualised} reason={HELD_BRIEFLY} />],
  ['多头盈亏', ({ longPnl }) => <Pnl value={longPnl} unit="USDT" reason={NO_MARK} />],
  ['空头盈亏', ({ shortPnl }) => <Pnl value={shortPnl} unit="USDT" reason={NO_MARK} />],
  ['资金费', ({ funding }) => <Pnl value={funding} unit="USDT" />],
  ['手续费', ({ fees }) => <Amount value={fees} unit="USDT" />],
  ['滑点成本（已含在多空盈亏里）', ({ slippage }) => <Amount value={slippage} unit="USDT" />],
  ['名义', ({ notional }) => <Amount value={notional} unit="USDT" />],
  ['数量 多', ({ longQuantity }) => <span className="figure">{stepped(longQuantity, null)}</span>],
  ['数量 空', ({ shortQuantity }) => <span className="figure">{stepped(shortQuantity, null)}</span>],
  ['中性度', (row) => (isFlat(row) ? null : <Percent value={row.neutrality} signed reason={NO_MARK} />)],
  ['开仓比价', ({ ratioOpen }) => <Price value={ratioOpen} reason="还没有建成" />],
  ['现比价', ({ ratioNow }) => <Price value={ratioNow} reason={NO_MARK} />],
  [
    'z 开 / 现',
    ({ zOpen, z, zBar, zBars, hedgeRatio }) => (
      <>
        <Amount value={zOpen} reason={SHORT_HISTORY} /> / <Amount value={z} reason={SHORT_HISTORY} />
        <div className="basis">{zBasis({ bars: zBars, bar: zBar, hedgeRatio })}</div>
      </>
    ),
  ],
  ['最大浮亏', ({ mae }) => <Pnl value={mae} unit="USDT" reason="还没有持有" />],
  ['最大浮盈', ({ mfe }) => <Pnl value={mfe} unit="USDT" reason="还没有持有" />],
  ['单腿敞口×时间', ({ naked }) => <Amount value={naked} digits={0} unit="USDT·s" />],
  ['开仓', ({ openedAt }) => <DateTime value={openedAt} precision="second" reason="还没有建成" />],
  ['平仓', ({ closedAt }) => <DateTime value={closedAt} precision="second" reason="还没有平仓" />],
  ['平仓原因', ({ closeReason }) => (closeReason === null ? '-' : CLOSE_REASON_LABEL[closeReason])],
  ['持有', ({ heldHours }) => <Duration hours={heldHours} reason="还没有开仓" />],
  ['价格时间', ({ priceAt }) => <DateTime value={priceAt} precision="second" reason={NO_MARK} />],
  ['编号', ({ id }) => <span className={styles.identifier}>{id}</span>],
];

/** The figures of one hedge, all of them. */
function DetailFigures({ row }: { row: HedgeRow }) {
  return (
    <dl className={desk.facts} aria-label="对冲单数据">
      {FIGURES.map(([label, figure]) => {
        const drawn = figure(row);
        return (
          drawn !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{drawn}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}
