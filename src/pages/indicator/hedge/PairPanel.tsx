import { history, useAccess } from '@umijs/max';
import { Button, Drawer, Segmented, Skeleton, Tooltip } from 'antd';
import { Suspense, useState } from 'react';
import { BARS, type Bar } from '#contract/candle';
import { pair } from '#contract/pair';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useFocusBack } from '@/components/useFocusBack';
import { useCall } from '@/services/useCall';
import { PairFigures } from './PairFigures';
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
      <div className={styles.panel}>
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
