import { Alert, Skeleton, Tag } from 'antd';
import type { ReactNode } from 'react';
import { backtest, type HedgeBacktest } from '#contract/backtest';
import { Amount } from '@/components/Amount';
import { inBps } from '@/components/Bps';
import { formatDateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { formatNumber } from '@/components/formatNumber';
import { NOT_COMPARED_LABEL, NOT_COMPARED_TAG } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { useNarrow } from '@/components/useNarrow';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { PlainTable } from '@/table/PlainTable';
import { CardFigures, RowCard } from '@/table/RowCard';
import styles from '../index.module.css';

/** A hedge that runs moves on; its backtest does so with each bar. */
const REFRESH_MS = 60_000;

const amount = (value: number) => formatNumber(value, { digits: 2 });
const bps = (rate: number) => `${formatNumber(inBps(rate), { digits: 2 })} bps`;

/** A hedge beside its backtest: same notional, leverage, period and costs, in one table. */
export default function BacktestTab({ id }: { id: string }) {
  const { data, error, isLoading, retry } = useCall(
    backtest.ofHedge,
    { query: { id } },
    { refreshInterval: REFRESH_MS, keepPreviousData: true },
  );
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void retry()} retrying={isLoading} />;
    return <Skeleton active paragraph={{ rows: 8 }} />;
  }
  return (
    <div className={`stack ${styles.stack}`}>
      <Inputs data={data} />
      <BacktestLines data={data} />
    </div>
  );
}

function Inputs({ data: { inputs, why, running } }: { data: HedgeBacktest }) {
  if (why !== null || inputs === null) {
    const words = why ?? 'tooShort';
    return (
      <Alert
        type="warning"
        showIcon
        title={
          <>
            <Tag>{NOT_COMPARED_TAG[words]}</Tag> {NOT_COMPARED_LABEL[words]}：没有可比的回测，不计入差额统计。
          </>
        }
      />
    );
  }
  const { bar, start, end, longNotional, shortNotional, leverage, fee, slippage, fundingMissing, liquidated } = inputs;
  return (
    <>
      <p className="soft">
        同名义（多 {amount(longNotional)} / 空 {amount(shortNotional)} USDT）、同杠杆（{leverage} 倍）、同期间（
        {formatDateTime(start)} 至 {formatDateTime(end)}，{bar} K 线收盘）、同费率（手续费 {bps(fee)}，滑点{' '}
        {bps(slippage)}），不再平衡。{running && '仍在进行：回测按末个收盘估值，不计平仓成本。'}
      </p>
      {fundingMissing > 0 && (
        <Alert type="warning" showIcon title={`回测缺 ${fundingMissing} 次资金费结算，少计的部分在「资金费」一行`} />
      )}
      {liquidated && <Alert type="error" showIcon title="回测在中途爆仓，止于当时的收盘" />}
    </>
  );
}

interface Line {
  key: keyof HedgeBacktest['rows'];
  label: string;
  text: string;
  show: (value: number | null, reason: string) => ReactNode;
}

const gain: Line['show'] = (value, reason) => <Pnl value={value} reason={reason} />;
const cost: Line['show'] = (value, reason) => <Amount value={value} reason={reason} />;

const LINES: Line[] = [
  { key: 'net', label: '净盈亏', text: '多头 + 空头 + 资金费 − 手续费（F11）；回测另加穿仓', show: gain },
  {
    key: 'netReturn',
    label: '收益率（按名义）',
    text: '净盈亏 / 两边开仓名义之和',
    show: (value, reason) => <Pnl percent value={value} reason={reason} />,
  },
  { key: 'longPnl', label: '多头价格盈亏', text: '含滑点', show: gain },
  { key: 'shortPnl', label: '空头价格盈亏', text: '含滑点', show: gain },
  { key: 'funding', label: '资金费', text: '收到为正', show: gain },
  { key: 'fees', label: '手续费', text: '付出为正；回测用实际的平均费率', show: cost },
  { key: 'slippage', label: '滑点', text: '付出为正，已含在价格盈亏里；回测用实际的平均滑点', show: cost },
  {
    key: 'heldHours',
    label: '持有',
    text: '回测为首末两个收盘之间',
    show: (value, reason) => <Duration hours={value} reason={reason} />,
  },
  { key: 'mae', label: '最大浮亏', text: 'MAE；实际每秒看一次，回测只看各收盘', show: gain },
  { key: 'mfe', label: '最大浮盈', text: 'MFE；实际每秒看一次，回测只看各收盘', show: gain },
];

const SIDES = { live: '实际', backtest: '回测', gap: '差' } as const;
const NO_MARK = '持有中而没有标记价，或还没有持有';

/** What the three columns say of a line. */
const figuresOf = ({ rows, why }: HedgeBacktest, { key, show }: Line) => {
  const none = why === null ? '没有标记价' : NOT_COMPARED_LABEL[why];
  const { live, backtest: tested, gap } = rows[key];
  return { live: show(live, NO_MARK), backtest: show(tested, none), gap: show(gap, none) };
};

const columnsOf = (data: HedgeBacktest): Column<Line>[] => [
  { key: 'label', title: 'USDT', width: 160, render: (line) => <Name line={line} /> },
  ...(['live', 'backtest', 'gap'] as const).map(
    (side): Column<Line> => ({
      key: side,
      title: SIDES[side],
      width: 116,
      figure: true,
      explain: side === 'gap' ? { text: '实际 − 回测' } : undefined,
      render: (line) => figuresOf(data, line)[side],
    }),
  ),
];

const Name = ({ line: { label, text } }: { line: Line }) => <Explained text={text}>{label}</Explained>;

/** What a hedge and its backtest came to, in one table; on a phone a card a line, as four columns find no room there. */
function BacktestLines({ data }: { data: HedgeBacktest }) {
  const narrow = useNarrow();
  if (!narrow) return <PlainTable label="对比回测" rowKey="key" columns={columnsOf(data)} rows={LINES} />;
  return (
    <section className={`stack ${styles.stack}`} aria-label="对比回测">
      {LINES.map((line) => {
        const { live, backtest: tested, gap } = figuresOf(data, line);
        const figures = [
          [SIDES.live, live],
          [SIDES.backtest, tested],
          [SIDES.gap, gap],
        ] as const;
        return (
          <RowCard key={line.key} label={line.label} head={<Name line={line} />}>
            <CardFigures figures={figures} columns={3} />
          </RowCard>
        );
      })}
    </section>
  );
}
