import { Tag } from 'antd';
import { Suspense, useMemo } from 'react';
import { okxDesk } from '#contract/kinds/okx/desk';
import type { OkxParams } from '#contract/kinds/okx/params';
import { spaced } from '#contract/spaced';
import type { StrategyRow } from '#contract/strategyRow';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { MoneyButton } from '@/components/MoneyButton';
import { WhenSeen } from '@/components/WhenSeen';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import styles from '@/strategy/strategy.module.css';
import { PlainTable } from '@/table/PlainTable';
import { DeskTotals } from './DeskTotals';
import { inventoryCard, inventoryColumns, moveCard, moveColumns, TRADE_COLUMNS, tradeCard } from './deskColumns';
import own from './okx.module.css';
import { confirmBan, confirmOnce } from './okxActions';

const GapCharts = late(() => import('./GapCharts'));

const REFRESH_MS = 3_000;
/** px */
const CHARTS_HEIGHT = 800;
const FUNNEL = [
  ['seen', '看到'],
  ['attempted', '尝试'],
  ['filled', '两边成交'],
  ['profitable', '赚钱'],
] as const;

/** What an arbitrage strategy holds at both venues, and what became of the gaps that it saw. */
export function OkxDetail({ strategy, done }: { strategy: StrategyRow; done: () => void }) {
  const { data, error, isLoading, retry, mutate } = useCall(
    okxDesk.read,
    { query: { id: strategy.id } },
    { refreshInterval: REFRESH_MS },
  );
  const params = strategy.params as OkxParams;
  const { banned, one, other } = params;
  // biome-ignore lint/correctness/useExhaustiveDependencies: acts on whatever strategy is shown then.
  const columns = useMemo(() => {
    const inventory = inventoryColumns(banned, (word, isBanned) => confirmBan(strategy, word, isBanned, done));
    const moves = moveColumns(() => void mutate());
    return { inventory, moves, inventoryCard: inventoryCard(inventory), moveCard: moveCard(moves) };
  }, [strategy.id, banned.join()]);
  if (error && !data) return <ErrorState error={error} onRetry={retry} />;
  const isRunning = strategy.state === 'running';
  return (
    <>
      <section className={`card ${styles.panel}`} aria-label="库存">
        <header className={styles.head}>
          <h2>库存 · {strategy.name}</h2>
          <span className={own.tools}>
            <MoneyButton
              size="small"
              why={isRunning ? undefined : '策略没有在运行，先启动'}
              onClick={() => confirmOnce(strategy, done)}
            >
              执行一次
            </MoneyButton>
            {[one, other].map((venue) => (
              <MoneyButton
                key={venue}
                size="small"
                onClick={() => confirmBan(strategy, venue, !banned.includes(venue), done)}
              >
                {spaced(`${banned.includes(venue) ? '恢复' : '停用'}${venueLabel(venue)}`)}
              </MoneyButton>
            ))}
            {banned.map((word) => (
              <Tag key={word} color="error">
                {spaced(`已停用${venueLabel(word)}`)}
              </Tag>
            ))}
          </span>
          <dl className={own.funnel}>
            {FUNNEL.map(([key, label]) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd className="figure">{data?.funnel[key] ?? '-'}</dd>
              </div>
            ))}
          </dl>
        </header>
        {data && <DeskTotals desk={data} limit={params.dailyNotional} />}
        <PlainTable
          label="库存"
          rowKey={({ base, source }) => `${base} ${source}`}
          columns={columns.inventory}
          card={columns.inventoryCard}
          rows={data?.inventory}
          loading={isLoading}
        />
        {data && data.moves.length > 0 && (
          <>
            <h3 className={own.title}>建议划转：把币移回一半对一半</h3>
            <PlainTable
              label="建议划转"
              rowKey="base"
              columns={columns.moves}
              rows={data.moves}
              card={columns.moveCard}
            />
          </>
        )}
      </section>
      {data && (
        <section className={`card ${styles.panel}`} aria-label="价差图表">
          <WhenSeen height={CHARTS_HEIGHT}>
            <Suspense fallback={null}>
              <GapCharts params={params} desk={data} />
            </Suspense>
          </WhenSeen>
        </section>
      )}
      <section className={`card ${styles.panel}`} aria-label="套利成交">
        <header className={styles.head}>
          <h2>套利成交 · {strategy.name}</h2>
        </header>
        <PlainTable
          label="套利成交"
          rowKey="id"
          columns={TRADE_COLUMNS}
          card={tradeCard}
          rows={data?.trades}
          loading={isLoading}
          empty={<EmptyState title="还没有套利成交" description="净价差连续达标、两边都有库存时由引擎同时发出两单" />}
        />
      </section>
    </>
  );
}
