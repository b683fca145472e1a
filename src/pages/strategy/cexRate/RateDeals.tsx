import { Alert, Button, Select, Tag } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { cexRateDesk, type RateDeal } from '#contract/kinds/cexRate/desk';
import { LEG_LABEL, REBALANCE_LABEL } from '#contract/lifecycle';
import { spaced } from '#contract/spaced';
import type { StrategyRow } from '#contract/strategyRow';
import { Amount } from '@/components/Amount';
import { Countdown } from '@/components/Countdown';
import { DateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { ErrorState } from '@/components/ErrorState';
import { LiquidationDistance } from '@/components/LiquidationDistance';
import { HEDGE_STATE_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { Percent } from '@/components/Percent';
import { Quantity } from '@/components/Quantity';
import { venueLabel } from '@/scan/venueLabel';
import { useCall } from '@/services/useCall';
import { confirmRebalance } from '@/strategy/dealActions';
import { FigureList } from '@/strategy/FigureList';
import { PEG_TEXT } from '@/strategy/legsEntryLabels';
import { TakenTag } from '@/strategy/PartClosed';
import { Resting } from '@/strategy/Resting';
import styles from '@/strategy/strategy.module.css';
import { Waterfall } from '@/strategy/Waterfall';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, percentColumn, priceColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import own from './matrix.module.css';

const DealPast = late(() => import('./DealPast'));

const REFRESH_MS = 3_000;
const BALANCE = {
  neutral: { label: '中性', color: 'success' },
  unbalanced: { label: '不平衡', color: 'warning' },
  oneLeg: { label: '单腿', color: 'error' },
} as const;

const nameOf = ({ legs: [long, short] }: RateDeal): string =>
  spaced(`${long?.symbol} ${long && venueLabel(long.source)}多 / ${short && venueLabel(short.source)}空`);

/** The running deals of a strategy, one at a time: both legs, what is apart, and what it is made up of. */
export default function RateDeals({ strategy, done }: { strategy: StrategyRow; done: () => void }) {
  const { data, error, retry, mutate } = useCall(
    cexRateDesk.deals,
    { query: { id: strategy.id } },
    { refreshInterval: REFRESH_MS },
  );
  const [chosen, choose] = useState<string>();
  if (error && !data) return <ErrorState title="持有的交易单读取失败" error={error} onRetry={retry} />;
  const deal = data?.list.find(({ id }) => id === chosen) ?? data?.list[0];
  if (!data || !deal) return null;
  const rebalanced = () => {
    void mutate();
    done();
  };
  return (
    <section className={`card ${styles.panel}`} aria-label="持有">
      <header className={styles.head}>
        <h2>
          {data.list.length === 1 ? nameOf(deal) : '持有'}{' '}
          {deal.taken ? (
            <TakenTag taken={deal.taken} />
          ) : (
            deal.balance && <Tag color={BALANCE[deal.balance].color}>{BALANCE[deal.balance].label}</Tag>
          )}
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
            deal.resting.isOut ? (
              <Resting resting={deal.resting} />
            ) : (
              <>
                <Resting resting={deal.resting} pegged={PEG_TEXT} />
                ，成交多少另一腿按市价对冲多少
              </>
            )
          }
        />
      )}
      {deal.taken && <Alert type="error" banner title={deal.taken} />}
      <Residual deal={deal} strategy={strategy} done={rebalanced} />
      <PlainTable label="两腿" rowKey="leg" columns={LEG_COLUMNS} rows={deal.legs} card={legCard} />
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
function Residual({ deal, strategy, done }: { deal: RateDeal; strategy: StrategyRow; done: () => void }) {
  const { lacking, balance, completesAt, unwindsAt, frozen, state } = deal;
  if (lacking === null || balance === 'neutral') {
    return frozen === null ? null : <Alert type="error" banner title={frozen} />;
  }
  const row = { ...deal, mode: strategy.mode };
  const isRebalanceable = state === 'opening' || (state === 'open' && strategy.unguarded === undefined);
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
            <Button size="small" onClick={() => confirmRebalance(row, 'complete', done)}>
              {REBALANCE_LABEL.complete}
            </Button>
            <Button size="small" danger onClick={() => confirmRebalance(row, 'unwind', done)}>
              {REBALANCE_LABEL.unwind}
            </Button>
          </span>
        )
      }
    />
  );
}

const LIVE = '最新行情，每 3 秒读取';
const NO_PRICE = '没有成交，或没有价格';

type Figure = [label: string, formula: string, figure: (deal: RateDeal) => ReactNode];

const FIGURES: Figure[] = [
  [
    '价差 开仓 / 现在',
    '做空价 / 做多价 − 1：开仓均价与标记价。缩小则两腿合计价格盈亏为正',
    ({ gapOpen, gapNow }) => (
      <>
        <Percent value={gapOpen} digits={3} signed reason={NO_PRICE} /> /{' '}
        <Percent value={gapNow} digits={3} signed reason={NO_PRICE} />
      </>
    ),
  ],
  [
    '费率差 开仓 / 现在',
    'F7 毛年化',
    ({ aprOpen, aprNow }) => (
      <>
        <Percent value={aprOpen} signed reason="没有记录" /> / <Percent value={aprNow} signed reason="没有费率" />
      </>
    ),
  ],
  ['持有', '自两腿建成', ({ days }) => <Duration hours={days === null ? null : days * 24} reason="还没有建成" />],
  ['开仓', '两腿建成的时间', ({ openedAt }) => <DateTime value={openedAt} reason="还没有建成" />],
  ['计划期满', '开仓 + 计划持有', ({ horizonAt }) => <DateTime value={horizonAt} reason="还没有建成" />],
];

/** How the prices and the rates of both venues stand beside where they stood at the entry. */
function DealFigures({ deal }: { deal: RateDeal }) {
  return (
    <FigureList
      label="交易单"
      figures={FIGURES.map(([label, formula, figure]) => ({ label, formula, figure: figure(deal) }))}
      inputAt={LIVE}
    />
  );
}

type Leg = RateDeal['legs'][number];

const FLAT = '没有持有，或现在读不到';

/** Both legs of a deal over two venues. */
const LEG_COLUMNS: Column<Leg>[] = [
  wordColumn<Leg>('leg', '腿', 64, ({ leg }) => LEG_LABEL[leg]),
  wordColumn<Leg>('source', '交易所', 84, ({ source }) => venueLabel(source)),
  {
    key: 'quantity',
    title: '数量',
    width: 110,
    figure: true,
    render: ({ quantity }) => <Quantity value={Number(quantity)} signed />,
  },
  percentColumn<Leg>('filled', '进度', { digits: 0, width: 76, reason: '还没有开始' }),
  priceColumn<Leg>('entry', '开仓均价', { reason: '还没有成交' }),
  priceColumn<Leg>('mark', '标记价', { reason: '没有价格' }),
  priceColumn<Leg>('liquidationPrice', '强平价', { reason: '不会强平，或现在读不到' }),
  {
    ...percentColumn<Leg>('liquidationDistance', '距强平', {
      explain: { formula: 'F23：|标记价 − 强平价| / 标记价', text: '该所其他价格不变时' },
    }),
    render: ({ liquidationDistance }) => (
      <LiquidationDistance value={liquidationDistance} reason="不会强平，或现在读不到" />
    ),
  },
  percentColumn<Leg>('rate', '本期费率', { digits: 4, signed: true, reason: '没有费率' }),
  {
    key: 'nextAt',
    title: '距结算',
    width: 96,
    figure: true,
    render: ({ nextAt, hours }) => (
      <>
        <Countdown to={nextAt} />
        {hours !== null && <div className="soft">{hours} h</div>}
      </>
    ),
  },
  gainColumn<Leg>('funding', '资金费'),
  moneyColumn<Leg>('free', '该所可用保证金', { reason: FLAT }),
];
const legCard = columnsCard(LEG_COLUMNS, {
  label: ({ leg }) => LEG_LABEL[leg],
  head: ['leg', 'source'],
  end: ['quantity'],
  across: 3,
});
