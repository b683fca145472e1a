import { Drawer, Spin } from 'antd';
import { Suspense } from 'react';
import { BACKTEST_DAYS, backtest, TRIALS_AN_HOUR } from '#contract/backtest';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useFocusBack } from '@/components/useFocusBack';
import { useCall } from '@/services/useCall';
import styles from './pair.module.css';
import { SignInButton } from './SignInButton';

const BacktestReport = late(() => import('@/pages/test/hedge/BacktestReport'));

const waiting = <Spin description="正在计算" className={styles.waiting} />;

interface TrialDrawerProps {
  source: string;
  long: string[];
  short: string[];
  onClose: () => void;
}

/** A backtest without an account: what the chosen pair brought lately, and what an account adds. */
export default function TrialDrawer({ source, long, short, onClose }: TrialDrawerProps) {
  useFocusBack();
  const query = { source, long: long.join(','), short: short.join(',') };
  const { data, error, isLoading, retry } = useCall(backtest.trial, { query }, { once: true });
  return (
    <Drawer
      open
      size="min(1080px, 100vw)"
      title={`试用回测：近 ${BACKTEST_DAYS} 日一直持有`}
      onClose={onClose}
      footer={
        <div className={styles.trialEnd}>
          <span>每小时可试 {TRIALS_AN_HOUR} 次；账户可以改周期、规则与费用，看这一对的 z 与协整，并用它模拟对冲。</span>
          <SignInButton />
        </div>
      }
    >
      {data ? (
        <Suspense fallback={waiting}>
          <BacktestReport result={data} stale={false} />
        </Suspense>
      ) : error ? (
        <ErrorState title="回测没有完成" error={error} onRetry={() => void retry()} retrying={isLoading} />
      ) : (
        waiting
      )}
    </Drawer>
  );
}
