import { history, useAccess } from '@umijs/max';
import { Button, Drawer, Segmented, Skeleton, Tooltip } from 'antd';
import { type ReactNode, Suspense, useState } from 'react';
import { BAR_MS, BARS, type Bar } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { type PairFacts, pair } from '#contract/pair';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Duration } from '@/components/Duration';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { late } from '@/components/late';
import { PairWarnings } from '@/components/PairWarnings';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { useFocusBack } from '@/components/useFocusBack';
import { zBasis } from '@/components/zBasis';
import { useCall } from '@/services/useCall';
import styles from './pair.module.css';

const PairCharts = late(() => import('./PairCharts'));

/** 240 is what the hedges use until somebody sets another. */
const WINDOWS = [30, 90, 180, 240, 365].map((bars) => ({ value: bars, label: `${bars} 根` }));
const REFRESH_MS = 5_000;

interface PairPanelProps {
  source: string;
  long: string[];
  short: string[];
  onClose: () => void;
}

/** What is known of the chosen pair, and where to go with it. */
export default function PairPanel({ source, long, short, onClose }: PairPanelProps) {
  useFocusBack();
  const { signedIn } = useAccess();
  const [bars, setBars] = useState(90);
  /** `undefined`: the coarsest that all coins have. */
  const [bar, setBar] = useState<Bar>();
  const sides = { long: long.join(','), short: short.join(',') };
  const { data, error, isLoading, retry } = useCall(
    pair.facts,
    signedIn ? { query: { source, ...sides, bars, ...(bar && { bar }) } } : null,
    { keepPreviousData: true, refreshInterval: REFRESH_MS },
  );
  const backtest = () => history.push(`/test/hedge?${new URLSearchParams({ source, ...sides })}`);
  const trade = () => history.push(`/strategy/hedge?${new URLSearchParams({ source, ...sides })}`);
  const singles = long.length === 1 && short.length === 1;
  return (
    <Drawer
      open
      size="min(860px, 100vw)"
      title={`做多 ${long.join(' + ')} / 做空 ${short.join(' + ')}`}
      onClose={onClose}
      footer={
        <div className={styles.panelActions}>
          <Button type="primary" onClick={backtest}>
            回测
          </Button>
          <Tooltip title={singles ? undefined : '对冲的每一边只能是一个币种：下一步从篮子里各选一个'}>
            <Button onClick={trade}>加入对冲</Button>
          </Tooltip>
        </div>
      }
    >
      <div className={`stack ${styles.panel}`}>
        <div className={styles.window}>
          <Segmented
            aria-label="周期"
            options={BARS.map((value) => ({ value, label: value, disabled: !data?.commonBars.includes(value) }))}
            value={bar ?? data?.bar ?? BARS[0]}
            onChange={setBar}
          />
          <Segmented aria-label="窗口" options={WINDOWS} value={bars} onChange={setBars} />
        </div>
        {error ? (
          <ErrorState error={error} title="无法计算这一对" onRetry={() => void retry()} retrying={isLoading} />
        ) : data ? (
          <>
            <PairFigures facts={data} />
            <Suspense fallback={<Skeleton active />}>
              <PairCharts facts={data} />
            </Suspense>
          </>
        ) : (
          <Skeleton active />
        )}
      </div>
    </Drawer>
  );
}

interface Figure {
  label: string;
  formula: string;
  value: ReactNode;
}

function figuresOf(facts: PairFacts): Figure[] {
  const basket = '多头篮子与空头篮子的对数收益';
  return [
    {
      label: '价差 z',
      formula: '(s − 均值) / 标准差，s = ln 多 − b ln 空，按现价',
      value: (
        <>
          <Amount signed value={facts.presentZ} reason="没有现价，或价差不动" />
          <div className="basis">{zBasis(facts)}</div>
        </>
      ),
    },
    { label: '相关', formula: `${basket}的 Pearson 相关`, value: <Amount value={facts.correlation} /> },
    { label: '对冲比 b', formula: 'ln 多 对 ln 空 的 OLS 斜率', value: <Amount value={facts.hedgeRatio} digits={3} /> },
    { label: 'R²', formula: '该回归的解释度', value: <Amount value={facts.rSquared} /> },
    {
      label: '半衰期',
      formula: '−ln 2 / ln(1 + k)，Δs = a + k s(t−1) + e；k ≥ 0 为不回归',
      value: facts.halfLife === null ? '不回归' : <Duration hours={(facts.halfLife * BAR_MS[facts.bar]) / HOUR_MS} />,
    },
    {
      label: 'ADF p',
      formula: '价差的单位根检验，MacKinnon 1994；越小越可能回归',
      value: <Amount value={facts.adfP} digits={3} />,
    },
    { label: '多头 beta', formula: '对 BTC：cov(r, rBTC) / var(rBTC)', value: <Amount value={facts.betaLong} /> },
    { label: '空头 beta', formula: '对 BTC：cov(r, rBTC) / var(rBTC)', value: <Amount value={facts.betaShort} /> },
    {
      label: '资金费差 APR',
      formula: '空头资金费 APR − 多头资金费 APR：持有这一对每年收到的资金费',
      value: <Pnl percent value={facts.fundingAprDifference} reason="该数据源没有资金费" />,
    },
    { label: '近 30 根', formula: '比价收益', value: <Pnl percent value={facts.return30} /> },
    { label: '近 90 根', formula: '比价收益', value: <Pnl percent value={facts.return90} /> },
    { label: '标准差', formula: '价差在窗口内的标准差', value: <Percent value={facts.sd} /> },
  ];
}

/** The figures of a pair over its window. */
function PairFigures({ facts }: { facts: PairFacts }) {
  const { bars, bar, time, formingAt, warnings } = facts;
  return (
    <>
      {warnings.length > 0 && (
        <div>
          <PairWarnings warnings={warnings} />
        </div>
      )}
      <dl className={styles.facts}>
        {figuresOf(facts).map(({ label, formula, value }) => (
          <div key={label}>
            <dt>
              <Explained formula={formula} window={`${bars} 根 ${bar}`}>
                {label}
              </Explained>
            </dt>
            <dd className="figure">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="missing">
        {bars} 根共同的 {bar} K 线，
        <DateTime utc value={time[0]} /> 至 <DateTime utc value={time[bars - 1]} /> UTC 收盘
        {formingAt !== null && (
          <>
            ，现价 <DateTime utc precision="second" value={formingAt} /> UTC
          </>
        )}
      </p>
    </>
  );
}
