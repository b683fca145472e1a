import { Card } from 'antd';
import type { BacktestResult } from '#contract/backtest';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import type { ChargedFunding } from './chargedFunding';
import styles from './index.module.css';

const PARTS = [
  { key: 'price', label: '价格损益' },
  { key: 'funding', label: '资金费' },
  { key: 'fees', label: '手续费' },
  { key: 'slippage', label: '滑点' },
  { key: 'shortfall', label: '穿仓' },
  { key: 'net', label: '净收益' },
] as const;

interface ResultSplitProps extends Pick<BacktestResult, 'split'> {
  funding: ChargedFunding;
}

/** Where the result came from: parts that add up to the net. */
export function ResultSplit({ split, funding }: ResultSplitProps) {
  const parts = PARTS.filter(({ key }) => key !== 'shortfall' || split.shortfall > 0);
  const sum = parts.slice(0, -1).map(({ label }) => label);
  const largest = Math.max(...PARTS.map(({ key }) => Math.abs(split[key])), Number.MIN_VALUE);
  return (
    <Card size="small" title={`损益拆分（${sum.join(' + ')} = 净收益）`}>
      <dl className={styles.split}>
        {parts.map(({ key, label }) => {
          const share = (Math.abs(split[key]) / largest) * 50;
          const loss = split[key] < 0;
          const bar = { width: `${share}%`, left: loss ? `${50 - share}%` : '50%' };
          return (
            <div key={key} className={key === 'net' ? styles.splitNet : styles.splitRow}>
              <dt>{label}</dt>
              <div className={styles.track} aria-hidden="true">
                <span style={{ ...bar, background: loss ? 'var(--down)' : 'var(--up)' }} />
              </div>
              <dd>
                {key === 'funding' && funding.value === null ? (
                  <Missing reason={funding.reason} />
                ) : (
                  <Pnl value={split[key]} unit="USDT" />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
