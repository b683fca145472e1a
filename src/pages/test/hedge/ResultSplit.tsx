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
  { key: 'net', label: '净收益' },
] as const;

interface ResultSplitProps extends Pick<BacktestResult, 'split'> {
  funding: ChargedFunding;
}

/** Where the result came from: four parts that add up to the net. */
export function ResultSplit({ split, funding }: ResultSplitProps) {
  const largest = Math.max(...PARTS.map(({ key }) => Math.abs(split[key])), Number.MIN_VALUE);
  return (
    <Card size="small" title="损益拆分（价格 + 资金费 + 手续费 + 滑点 = 净收益）">
      <dl className={styles.split}>
        {PARTS.map(({ key, label }) => {
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
