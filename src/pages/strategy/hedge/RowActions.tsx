import { Button, Tooltip } from 'antd';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { hedgeAllows } from '#contract/lifecycle';
import { confirmClose, confirmReopen, reopenVerb } from './hedgeActions';
import { useHedgeScreen } from './hedgeContext';
import styles from './index.module.css';

/** What may be done with a hedge in its state, and the backtest beside it. */
export function RowActions({ row, withDetail = false }: { row: HedgeRow; withDetail?: boolean }) {
  const { refresh, reopenable, reopens, open } = useHedgeScreen();
  const pair = reopenable.get(row.pairId);
  return (
    <span className={styles.rowActions}>
      {hedgeAllows(row.state, 'reopen') ? (
        <Tooltip title={pair ? undefined : '这一对已移除，或正在等待开仓、持有中'}>
          <Button size="small" disabled={!pair} onClick={() => confirmReopen({ ...row, ...pair }, refresh)}>
            {pair ? reopenVerb(pair) : '再开一次'}
          </Button>
        </Tooltip>
      ) : (
        <Tooltip title={hedgeAllows(row.state, 'close') ? undefined : '正在平仓，两边都平后结束'}>
          <Button
            size="small"
            danger
            disabled={!hedgeAllows(row.state, 'close')}
            onClick={() => confirmClose(row, reopens, refresh)}
          >
            平仓
          </Button>
        </Tooltip>
      )}
      {withDetail && (
        <Button size="small" onClick={() => open(row.id)}>
          详情
        </Button>
      )}
      {row.openedAt !== null && (
        <Button size="small" type="link" onClick={() => open(row.id, 'backtest')}>
          对比回测
        </Button>
      )}
    </span>
  );
}
