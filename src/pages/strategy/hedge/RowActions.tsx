import { Button } from 'antd';
import type { HedgePair } from '#contract/kinds/hedge/config';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { hedgeAllows } from '#contract/lifecycle';
import { MoneyButton } from '@/components/MoneyButton';
import { MoreActions } from '@/strategy/MoreActions';
import type { DeskRow } from './desk/deskRows';
import { useHedgeScreen } from './hedgeContext';
import { reopenVerb } from './hedgeWords';
import styles from './index.module.css';

const actions = () => import('./hedgeActions');

type Shown = Pick<DeskRow, 'pair' | 'hedge'>;

/** What of a row decides what may be done with it. */
export const actedOn = ({ pair, hedge }: Shown) => ({
  pair: pair && [pair.pairId, pair.block, pair.held, pair.hedgeId],
  hedge: hedge && [hedge.id, hedge.state, hedge.closeAsked, hedge.unguarded, hedge.openedAt],
});

interface RowActionsProps {
  /** The row as it is by then. */
  now: () => Shown;
  withDetail?: boolean;
}

/** What may be done with a row: with its hedge in its state, or with its pair of which nothing is held. */
export function RowActions({ now, withDetail = false }: RowActionsProps) {
  const { pair, hedge } = now();
  return (
    <span className={styles.rowActions}>
      {hedge ? (
        <HedgeActions now={() => now().hedge ?? hedge} withDetail={withDetail} />
      ) : (
        pair && <PairActions now={() => now().pair ?? pair} />
      )}
    </span>
  );
}

/** What is done with a hedge, and the backtest beside it. */
function HedgeActions({ now, withDetail }: { now: () => HedgeRow; withDetail: boolean }) {
  const row = now();
  const { refresh, reopenable, afterwards, open } = useHedgeScreen();
  const pair = reopenable.get(row.pairId);
  const isEnded = hedgeAllows(row.state, 'reopen');
  const mayMove = row.state === 'open' && !row.closeAsked && !row.unguarded;
  const items = [
    mayMove && {
      key: 'limits',
      label: '改止损 / 止盈 / 最长持有',
      // Why they cannot be read the call has told.
      run: () => void actions().then(({ editLimits }) => editLimits(now(), refresh).catch(() => undefined)),
    },
    row.openedAt !== null && { key: 'backtest', label: '对比回测', run: () => open(row.id, 'backtest') },
    !isEnded && { key: 'remove', label: '移除交易对（平仓后才能移除）', disabled: true, run: () => undefined },
  ].filter((item) => item !== false);
  return (
    <>
      {isEnded ? (
        <MoneyButton
          size="small"
          why={pair ? undefined : '这一对已移除，或正在等待开仓、持有中'}
          onClick={() => void actions().then(({ confirmReopen }) => confirmReopen({ ...now(), ...pair }, refresh))}
        >
          {pair ? reopenVerb(pair) : '再开一次'}
        </MoneyButton>
      ) : (
        <MoneyButton
          size="small"
          danger
          why={hedgeAllows(row.state, 'close') ? undefined : '正在平仓，两边都平后结束'}
          onClick={() => void actions().then(({ confirmClose }) => confirmClose(now(), afterwards, refresh))}
        >
          平仓
        </MoneyButton>
      )}
      {withDetail && (
        <Button size="small" onClick={() => open(row.id)}>
          详情
        </Button>
      )}
      {items.length > 0 && <MoreActions name={`${row.long} / ${row.short}`} items={items} />}
    </>
  );
}

function PairActions({ now }: { now: () => HedgePair }) {
  const { refresh, plan } = useHedgeScreen();
  const pair = now();
  const openSingle = async () => {
    const { askHedge } = await import('./pairs/singleHedge');
    if (plan) askHedge({ ...plan, source: now().source }, now(), refresh);
  };
  const { block, held, hedgeId } = pair;
  const isHeld = hedgeId !== null;
  return (
    <>
      {!isHeld && (block === 'used' || block === 'unarmed' || held !== null) && (
        <MoneyButton
          size="small"
          onClick={() => void actions().then(({ confirmReopen }) => confirmReopen(now(), refresh))}
        >
          {reopenVerb(pair)}
        </MoneyButton>
      )}
      <MoneyButton
        size="small"
        danger
        why={isHeld ? '有未平的对冲，平仓后才能移除' : undefined}
        onClick={() => void actions().then(({ confirmRemove }) => confirmRemove(now(), refresh))}
      >
        移除
      </MoneyButton>
      <MoreActions
        name={`${pair.long} / ${pair.short}`}
        items={[{ key: 'single', label: '开这一笔', run: () => void openSingle() }]}
      />
    </>
  );
}
