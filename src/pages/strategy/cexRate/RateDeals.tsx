import { Alert, Button, Select, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { cexRateDesk, type RateDeal } from '#contract/kinds/cexRate/desk';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { Countdown } from '@/components/Countdown';
import { ErrorState } from '@/components/ErrorState';
import { HEDGE_STATE_LABEL, LEG_LABEL, REBALANCE_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import { confirmRebalance } from '@/strategy/dealActions';
import { PEG_TEXT } from '@/strategy/legsEntryLabels';
import { Resting } from '@/strategy/Resting';
import styles from '@/strategy/strategy.module.css';
import { Waterfall } from '@/strategy/Waterfall';
import { PlainTable } from '@/table/PlainTable';
import { DealFigures } from './DealFigures';
import { LEG_COLUMNS } from './legColumns';
import own from './matrix.module.css';

const DealPast = late(() => import('./DealPast'));

const REFRESH_MS = 3_000;
const BALANCE = {
  neutral: { label: '中性', color: 'success' },
  unbalanced: { label: '不平衡', color: 'warning' },
  oneLeg: { label: '单腿', color: 'error' },
} as const;

const nameOf = ({ legs: [long, short] }: RateDeal): string =>
  `${long?.symbol} ${long && venueLabel(long.source)}多 / ${short && venueLabel(short.source)}空`;

/** The running deals of a strategy, one at a time: both legs, what is apart, and what it is made up of. */
export default function RateDeals({ strategy, done }: { strategy: StrategyRow; done: () => void }) {
  const { data, error, retry, mutate } = useCall(
    cexRateDesk.deals,
    { query: { id: strategy.id } },
    { refreshInterval: REFRESH_MS },
  );
  const [chosen, choose] = useState<string>();
  if (error && !data) return <ErrorState error={error} onRetry={retry} />;
  const deal = data?.list.find(({ id }) => id === chosen) ?? data?.list[0];
  if (!data || !deal) return null;
  const rebalanced = () => {
    void mutate();
    done();
  };
  return (
    <section className={styles.panel} aria-label="持有">
      <header className={styles.head}>
        <h2>
          {data.list.length === 1 ? nameOf(deal) : '持有'}{' '}
          {deal.balance && <Tag color={BALANCE[deal.balance].color}>{BALANCE[deal.balance].label}</Tag>}
          <span className="soft">{HEDGE_STATE_LABEL[deal.state]}</span>
        </h2>
        {data.list.length > 1 && (
          <Select
            aria-label="持有的交易单"
            value={deal.id}
            onChange={choose}
            popupMatchSelectWidth={false}
            options={data.list.map((one) => ({ value: one.id, label: nameOf(one) }))}
          />
        )}
      </header>
      {deal.resting && (
        <Alert
          type="info"
          banner
          title={
            <>
              <Resting resting={deal.resting} pegged={PEG_TEXT} />
              ，成交多少另一腿按市价对冲多少
            </>
          }
        />
      )}
      <Residual deal={deal} unguarded={strategy.unguarded !== undefined} done={rebalanced} />
      <PlainTable label="两腿" rowKey="leg" columns={LEG_COLUMNS} rows={deal.legs} />
      <div className={own.deal}>
        <DealFigures deal={deal} />
        <Waterfall waterfall={deal.waterfall} />
      </div>
      <Suspense fallback={null}>
        <DealPast key={deal.id} deal={deal} />
      </Suspense>
    </section>
  );
}

/** What is apart, what the engine will do about it by itself, and what a person may do at once. */
function Residual({ deal, unguarded, done }: { deal: RateDeal; unguarded: boolean; done: () => void }) {
  const { lacking, balance, completesAt, unwindsAt, frozen, state } = deal;
  if (lacking === null || balance === 'neutral') {
    return frozen === null ? null : <Alert type="error" banner title={frozen} />;
  }
  const isRebalanceable = state === 'opening' || (state === 'open' && !unguarded);
  return (
    <Alert
      type="warning"
      banner
      title={
        <>
          {LEG_LABEL[lacking.leg]}腿还差 <Amount value={lacking.quantity} digits={6} />
          （约 <Amount value={lacking.value} unit="USDT" reason="没有价格" />
          ）。
          {completesAt !== null && state === 'opening' && (
            <>
              <Countdown to={completesAt} /> 后放宽滑点补齐，
              <Countdown to={unwindsAt} /> 后退回。
            </>
          )}
          {frozen !== null && ` ${frozen}`}
        </>
      }
      action={
        isRebalanceable && (
          <span className={own.rebalance}>
            <Button size="small" onClick={() => confirmRebalance(deal, 'complete', done)}>
              {REBALANCE_LABEL.complete}
            </Button>
            <Button size="small" danger onClick={() => confirmRebalance(deal, 'unwind', done)}>
              {REBALANCE_LABEL.unwind}
            </Button>
          </span>
        )
      }
    />
  );
}
