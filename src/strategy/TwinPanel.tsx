import { Alert, Button, Skeleton, Tag } from 'antd';
import { Suspense, useMemo } from 'react';
import type { TwinResults, TwinSide } from '#contract/liveReadiness';
import { strategies } from '#contract/strategies';
import type { StrategyRow } from '#contract/strategyRow';
import type { Curve } from '@/chart/curve';
import { inBps } from '@/components/Bps';
import { formatDateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { formatNumber } from '@/components/formatNumber';
import { late } from '@/components/late';
import { Pnl } from '@/components/Pnl';
import { WhenSeen } from '@/components/WhenSeen';
import { modeLabel, worded } from '@/services/modeLabel';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { changeColumn, daysColumn, gainColumn, numberColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import { columnsCard } from '@/table/RowCard';
import styles from './strategy.module.css';
import { STRATEGY_STATE_COLOR, STRATEGY_STATE_LABEL } from './strategyLabels';

const CurveChart = late(() => import('@/chart/CurveChart'));

const REFRESH_MS = 60_000;
const HEIGHT = 260;
const PAPER = '模拟对照';
const TITLE = '实盘与模拟对照';
const UNHELD = '还没有持有过';
const waiting = <Skeleton.Node active style={{ width: '100%', height: HEIGHT }} />;

type Side = Omit<TwinSide, 'values'> & { word: string; result: number | null };

const sideOf = (word: string, { values, ...side }: TwinSide): Side => ({
  ...side,
  word,
  result: values.at(-1) ?? null,
});

const FIGURES: Column<Side>[] = [
  changeColumn<Side>('result', '收益率', { reason: UNHELD, digits: 3 }),
  gainColumn<Side>('net', '净盈亏', { reason: '没有价格' }),
  numberColumn<Side>('capital', '占用本金', { reason: UNHELD, money: true, width: 108 }),
  daysColumn<Side>('heldDays', '持有'),
  numberColumn<Side>('deals', '交易单', { digits: 0 }),
];

interface TwinPanelProps {
  strategy: StrategyRow;
  /** Shows the other one. */
  onLook: (id: string) => void;
}

/** What a strategy with real money and the one on paper that it was made from brought since it was started. */
export default function TwinPanel({ strategy: { id, mode }, onLook }: TwinPanelProps) {
  const { data, error, retry } = useCall(strategies.twin, { query: { id } }, { refreshInterval: REFRESH_MS });
  const other = mode === 'live' ? data?.paper : data?.live;
  return (
    <section className={`card ${styles.panel}`} aria-label={worded(TITLE)}>
      <header className={styles.head}>
        <h2>{worded(TITLE)}</h2>
        <span className="soft">累计净盈亏 / 各自的平均占用本金（F12），自{modeLabel('live')}首次启动</span>
        {other && !other.removed && (
          <Button type="link" size="small" onClick={() => onLook(other.id)}>
            看{mode === 'live' ? PAPER : modeLabel('live')}：{other.name}
          </Button>
        )}
      </header>
      {data ? <Compared results={data} /> : error ? <ErrorState error={error} onRetry={() => void retry()} /> : waiting}
    </section>
  );
}

/** What makes a difference between the two say less. */
function caveatsOf({ paper, share }: TwinResults): string[] {
  const { removed, state, carried } = paper;
  return [
    ...(carried > 0 ? [`模拟对照有 ${carried} 张在此前已开仓，它们的开仓成本不在对照里`] : []),
    ...(removed ? ['模拟对照已删除，它的结果停在那时'] : []),
    ...(!removed && state !== 'running' ? [`模拟对照不在运行（${STRATEGY_STATE_LABEL[state]}），不再开仓`] : []),
    ...(share === null ? ['规模以外的参数已不相同，差不只来自成交'] : []),
  ];
}

function Compared({ results }: { results: TwinResults }) {
  const { startedAt, live, paper, share, at } = results;
  const rows = [sideOf(modeLabel('live'), live), sideOf(PAPER, paper)] as const;
  const gap = rows[0].result === null || rows[1].result === null ? null : rows[0].result - rows[1].result;
  const caveats = caveatsOf(results);
  const hasHeld = live.capital !== null || paper.capital !== null;
  return (
    <>
      {caveats.length > 0 && <Alert banner type="warning" showIcon title={`${caveats.join('；')}。`} />}
      {startedAt === null ? (
        <EmptyState title={worded('实盘还没有启动过')} description="从它首次启动起，两者的结果画在一张图里" />
      ) : (
        <>
          <PlainTable
            label={worded(TITLE)}
            rowKey="word"
            columns={COLUMNS}
            rows={rows}
            pagination={false}
            card={sideCard}
          />
          <p className={styles.gap}>
            {modeLabel('live')} − 模拟对照：
            <Pnl value={inBps(gap)} digits={1} unit="bps" reason="两者都持有过才有" />
            <span className="soft">
              　自 {formatDateTime(startedAt)}
              {share !== null && `，${modeLabel('live')}规模为模拟的 ${formatNumber(share * 100, { digits: 1 })}%`}
              ，数据时间 {formatDateTime(at)}
            </span>
          </p>
          {hasHeld ? (
            <div className={styles.chart}>
              <WhenSeen height={HEIGHT}>
                <Suspense fallback={waiting}>
                  <TwinChart results={results} />
                </Suspense>
              </WhenSeen>
            </div>
          ) : (
            <EmptyState title="还没有交易单" description={worded('自实盘启动以来两者都没有持有过')} />
          )}
        </>
      )}
    </>
  );
}

const COLUMNS: Column<Side>[] = [
  {
    key: 'word',
    title: '策略',
    width: 190,
    fixed: 'left',
    render: ({ word, name, state, removed }) => (
      <>
        {word}{' '}
        <Tag color={removed ? 'default' : STRATEGY_STATE_COLOR[state]}>
          {removed ? '已删除' : STRATEGY_STATE_LABEL[state]}
        </Tag>
        <span className="soft">{name}</span>
      </>
    ),
    csv: ({ word }) => word,
  },
  ...FIGURES,
];

const sideCard = columnsCard<Side>(COLUMNS, {
  label: ({ word }) => word,
  head: ['word'],
  end: ['result'],
});

function TwinChart({ results: { time, live, paper } }: { results: TwinResults }) {
  const curves = useMemo(
    (): Curve[] => [
      { name: modeLabel('live'), values: live.values, color: 'orange', format: 'rate' },
      { name: PAPER, values: paper.values, color: 'blue', format: 'rate', dashed: true },
    ],
    [live, paper],
  );
  return (
    <CurveChart
      label={worded(`${TITLE}的收益率`)}
      time={time}
      curves={curves}
      height={HEIGHT}
      forming
      formingWord="现在"
    />
  );
}
