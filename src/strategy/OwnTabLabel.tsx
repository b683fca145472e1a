import { WarningFilled } from '@ant-design/icons';
import type { StrategyRow } from '#contract/strategyRow';
import { HOLD_LABEL } from '@/components/labels';
import styles from './ownTabLabel.module.css';
import { STRATEGY_STATE_LABEL } from './strategyLabels';
import { byMoney, totalsOf } from './strategyTotals';

const sum = <R,>(rows: readonly R[], of: (row: R) => number): number => rows.reduce((total, row) => total + of(row), 0);

/** What a person should look at, in words by what it is. */
function troublesOf(rows: readonly StrategyRow[]) {
  const inState = (state: StrategyRow['state']) => sum(rows, (row) => (row.state === state ? 1 : 0));
  return [
    { count: sum(rows, ({ alerts = 0 }) => alerts), what: '条提醒' },
    ...(['tripped', 'error'] as const).map((state) => ({
      count: inState(state),
      what: `个策略${STRATEGY_STATE_LABEL[state]}`,
    })),
    {
      count: sum(rows, ({ unguarded }) => (unguarded && unguarded.selfManaged === null ? unguarded.deals : 0)),
      what: '张交易单无人看护',
    },
    {
      count: sum(rows, ({ targets }) => targets.filter(({ held }) => held?.hold === 'confirm').length),
      what: `个标的${HOLD_LABEL.confirm}`,
    },
  ].filter(({ count }) => count > 0);
}

/** What the tab of a user's own strategies tells of them without being open. @param rows none before they are read */
export function OwnTabLabel({ rows }: { rows: readonly StrategyRow[] | undefined }) {
  return (
    <span className={styles.label}>
      我的
      <span className={styles.figures}>{rows && <Figures rows={rows} />}</span>
    </span>
  );
}

function Figures({ rows }: { rows: readonly StrategyRow[] }) {
  if (rows.length === 0) return '还没有策略';
  const troubles = troublesOf(rows);
  const told = troubles.map(({ count, what }) => `${count} ${what}`).join('，');
  return (
    <>
      <span title="运行的策略 · 进行中的交易单">
        {sum(rows, ({ state }) => (state === 'running' ? 1 : 0))} 运行 · {sum(rows, ({ running }) => running)} 单
      </span>
      {byMoney(rows).map(([word, own]) => (
        <span key={word} title="全部策略自创建以来的净盈亏，USDT">
          {word} {totalsOf(own, 'name')('net')}
        </span>
      ))}
      {troubles.length > 0 && (
        <span className={styles.trouble} role="img" aria-label={told} title={told}>
          <WarningFilled /> {sum(troubles, ({ count }) => count)}
        </span>
      )}
    </>
  );
}
