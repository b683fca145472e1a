import { Alert, Button, Skeleton, Space } from 'antd';
import { Suspense, useState } from 'react';
import { GRID_LEVEL_STATE_LABEL, GridLevel, type GridRow, gridDeal } from '#contract/kinds/grid/deal';
import type { GridParams } from '#contract/kinds/grid/params';
import { HEDGE_ENDS, LEG_LABEL, ORDER_SIDE_LABEL } from '#contract/lifecycle';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { confirmAction } from '@/components/confirmAction';
import { DateTime } from '@/components/DateTime';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { Quantity } from '@/components/Quantity';
import { toast } from '@/components/toast';
import { WhenSeen } from '@/components/WhenSeen';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';
import { PlainTable } from '@/table/PlainTable';
import { schemaColumns } from '@/table/schemaColumns';
import type { GridChange } from './GridDialog';
import { GridFigures } from './GridFigures';
import own from './grid.module.css';
import { LIVE } from './gridLabels';

const GridChart = late(() => import('./GridChart'));
const ReplayPanel = late(() => import('./ReplayPanel'));

const REFRESH_MS = 3_000;
const RECORD_REFRESH_MS = 30_000;
/** px */
const CHART_HEIGHT = 440;

const NONE: never[] = [];

interface GridDetailProps {
  strategy: StrategyRow;
  row: GridRow;
}

const wrongText = (levels: readonly GridLevel[]): string =>
  (['missing', 'duplicate', 'suspended'] as const)
    .map((state) => [GRID_LEVEL_STATE_LABEL[state], levels.filter((level) => level.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${label} ${count} 档`)
    .join('，');

/** The ladder of the newest deal of a grid, its chart, and what is to be repaired. */
export function GridDetail({ strategy, row }: GridDetailProps) {
  const id = row.dealId;
  const { data, error, isLoading, retry, mutate } = useCall(gridDeal.ladder, id === null ? null : { query: { id } }, {
    refreshInterval: REFRESH_MS,
  });
  const { data: record, error: unread } = useCall(gridDeal.record, id === null ? null : { query: { id } }, {
    refreshInterval: RECORD_REFRESH_MS,
  });
  const [isReplayed, replay] = useState(false);
  const unguarded = strategy.unguarded !== undefined;
  const actions = (
    <GridActions
      row={row}
      unguarded={unguarded}
      isReplayed={isReplayed}
      onReplay={replay}
      onDone={() => void mutate()}
    />
  );
  const replayed = isReplayed && (
    <Suspense fallback={<Skeleton active />}>
      <ReplayPanel params={strategy.params} />
    </Suspense>
  );
  if (id === null) {
    return (
      <section className={`card ${styles.panel}`} aria-label="档位">
        <header className={styles.head}>
          <h2>{strategy.name} · 还没有开始</h2>
          {actions}
        </header>
        {replayed}
      </section>
    );
  }
  const isEnded = row.state !== null && HEDGE_ENDS.includes(row.state);
  const wrong = data?.levels.filter(isWrong) ?? [];
  const repair = () =>
    confirmAction({
      verb: '修复',
      subject: `${strategy.name} 的 ${wrongText(wrong)}`,
      consequence: '重新挂出人手撤下与缺失的档位；重复的会撤到只剩一笔。',
      run: async ({ idempotencyKey }) => {
        await call(gridDeal.repair, { body: { id } }, { idempotencyKey });
        toast.success('正在补挂');
        void mutate();
      },
    });
  const { source } = strategy.params as GridParams;
  return (
    <section className={`card ${styles.panel}`} aria-label="档位">
      <header className={styles.head}>
        <h2>档位 · {strategy.name}</h2>
        {actions}
        {wrong.length > 0 && (
          <span className={own.warn}>
            <span className={own.wrong}>{wrongText(wrong)}</span>
            {!unguarded && (
              <Button size="small" danger onClick={repair}>
                修复
              </Button>
            )}
          </span>
        )}
      </header>
      {replayed}
      {(record || !unread) && (
        <div className={own.record}>{record && <GridFigures label="网格表现" row={record} inputAt={LIVE} />}</div>
      )}
      {error && !data ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <div className={own.detail}>
          <WhenSeen height={CHART_HEIGHT}>
            <Suspense fallback={<div style={{ height: CHART_HEIGHT }} />}>
              <GridChart
                {...{ source, record, symbol: row.symbol }}
                levels={data?.levels ?? NONE}
                trades={data?.trades ?? NONE}
              />
            </Suspense>
          </WhenSeen>
          <div>
            {isEnded && <Alert type="info" title="这张网格已经结束；重新启动策略会按现价开始新的一张" />}
            <PlainTable
              label="档位"
              rowKey="cell"
              columns={isEnded ? ENDED_COLUMNS : LADDER_COLUMNS}
              rows={data?.levels}
              loading={isLoading}
              pagination={false}
              maxHeight={420}
            />
          </div>
        </div>
      )}
    </section>
  );
}

const GridDialog = late(() => import('./GridDialog'));

interface GridActionsProps {
  row: GridRow;
  /** Nobody would do anything of it. */
  unguarded: boolean;
  isReplayed: boolean;
  onReplay: (isReplayed: boolean) => void;
  onDone: () => void;
}

/** What a person does to a grid that stands, and to its params. */
function GridActions({ row, unguarded, isReplayed, onReplay, onDone }: GridActionsProps) {
  const [change, setChange] = useState<GridChange>();
  const { dealId, state, market, lower, upper, cells, capital, leverage } = row;
  const stands = dealId !== null && state === 'open' && !unguarded;
  const now = {
    cells: (
      <>
        现在 <Price value={lower} /> – <Price value={upper} />
      </>
    ),
    amount: (
      <>
        现在投入 <Amount value={capital} unit="USDT" />，{leverage.toFixed(2)} 倍
      </>
    ),
  };
  return (
    <Space size={4} wrap>
      {stands && (
        <>
          <Button size="small" onClick={() => setChange('cells')}>
            移动区间
          </Button>
          {market !== 'spot' && (
            <Button size="small" onClick={() => setChange('amount')}>
              追加投入
            </Button>
          )}
        </>
      )}
      <Button size="small" aria-expanded={isReplayed} onClick={() => onReplay(!isReplayed)}>
        回测
      </Button>
      {change && dealId !== null && (
        <Suspense fallback={null}>
          <GridDialog
            {...{ change, dealId, onDone, cells }}
            cell={{ notional: (capital * leverage) / cells, margin: capital / cells }}
            now={now[change]}
            onClose={() => setChange(undefined)}
          />
        </Suspense>
      )}
    </Space>
  );
}

const WRONG: readonly GridLevel['state'][] = ['missing', 'duplicate', 'suspended'];

const isWrong = ({ state }: GridLevel): boolean => WRONG.includes(state);

/** Every cell of a grid: what is to rest for it, whether it does, and what it has made. */
const LADDER_COLUMNS = schemaColumns(GridLevel, {
  widths: { cell: 64, price: 120, quantity: 88, state: 80, lastBuy: 124, profit: 92 },
  own: [
    {
      key: 'cell',
      figure: false,
      render: ({ cell, leg }) => (
        <>
          {cell} <span className="soft">{LEG_LABEL[leg]}</span>
        </>
      ),
    },
    {
      key: 'price',
      render: ({ side, price }) => (
        <>
          <span className={side === 'buy' ? 'up' : 'down'}>{ORDER_SIDE_LABEL[side]}</span> <Price value={price} />
        </>
      ),
    },
    {
      key: 'quantity',
      render: ({ quantity, held }) => (
        <>
          <Quantity value={Number(quantity)} />
          <div className="soft">
            <Quantity value={Number(held)} signed />
          </div>
        </>
      ),
    },
    {
      key: 'state',
      render: (row) => (
        <span
          className={isWrong(row) ? own.wrong : row.state === 'waiting' || row.state === 'paused' ? 'soft' : undefined}
        >
          {GRID_LEVEL_STATE_LABEL[row.state]}
          {row.orders > 1 && ` ${row.orders} 笔`}
        </span>
      ),
    },
    {
      key: 'lastBuy',
      render: ({ lastBuy }) => (
        <>
          <Price value={lastBuy?.price ?? null} reason="还没有买过" />
          {lastBuy && (
            <div className="soft">
              <DateTime value={lastBuy.at} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'profit',
      render: ({ profit, pairs }) => (
        <>
          <Pnl value={profit} />
          <div className="soft">{pairs} 次</div>
        </>
      ),
    },
  ],
});

/** What its levels held last was sold with the rest of it: their record says it still. */
const ENDED_COLUMNS = LADDER_COLUMNS.map((column) =>
  column.key === 'quantity'
    ? {
        ...column,
        render: ({ quantity }: GridLevel) => (
          <>
            <Quantity value={Number(quantity)} />
            <div className="soft">
              <Missing reason="已经结束，没有持有" />
            </div>
          </>
        ),
      }
    : column,
);
