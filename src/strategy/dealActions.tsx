import { ORDER_SIDE_LABEL, REBALANCE_LABEL, type RebalanceWay } from '#contract/lifecycle';
import { strategies } from '#contract/strategies';
import type { DealRow } from '#contract/strategyRow';
import { confirmAction } from '@/components/confirmAction';
import { formatNumber } from '@/components/formatNumber';
import { symbolsText } from '@/components/labels';
import { toast } from '@/components/toast';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import { confirmUnfreeze } from './confirmUnfreeze';
import { realOfDeal } from './realMoney';

type Held = Pick<DealRow['legs'][number], 'leg' | 'symbol' | 'source' | 'quantity' | 'mark'>;
type Legged = Pick<DealRow, 'id' | 'state' | 'mode'> & { legs: readonly Held[] };

export const dealName = ({ legs }: { legs: readonly { symbol: string }[] }): string =>
  symbolsText(legs.map(({ symbol }) => symbol));

/** What is traded to bring the legs of a held deal together, before it is rounded to lots; empty where they hold as much. */
function gapText({ legs }: Pick<Legged, 'legs'>, way: RebalanceWay): string {
  const sizeOf = ({ quantity }: Held) => Math.abs(Number(quantity));
  const [smaller, larger] = legs.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  if (!smaller || !larger || sizeOf(smaller) === sizeOf(larger)) return '';
  const traded = way === 'complete' ? smaller : larger;
  const side = (traded.leg === 'long') === (way === 'complete') ? ORDER_SIDE_LABEL.buy : ORDER_SIDE_LABEL.sell;
  const gap = Number((sizeOf(larger) - sizeOf(smaller)).toFixed(12));
  const worth = traded.mark === null ? '' : `，按标记价约 ${formatNumber(gap * traded.mark, { digits: 2 })} USDT`;
  return `${side} ${venueLabel(traded.source)} ${traded.symbol} 至多 ${gap}${worth}。`;
}

const CONSEQUENCE: Record<RebalanceWay, { open: string; opening: string }> = {
  complete: {
    open: '按市价补上较小的一腿，滑点上限放宽到三倍，付一笔手续费。',
    opening: '立即按放宽到三倍的滑点上限补上另一腿，付一笔手续费。',
  },
  unwind: {
    open: '按市价减少较大的一腿，到两腿相等，付一笔手续费；相差不到一个最小数量时什么也不做。',
    opening: '不再开仓，立即按市价退回已成交的一腿，付一笔手续费。',
  },
};

/** Brings the legs of a deal together. */
export function confirmRebalance(row: Legged, way: RebalanceWay, done: () => void): void {
  const verb = REBALANCE_LABEL[way];
  confirmAction({
    verb,
    subject: dealName(row),
    consequence: `${row.state === 'open' ? gapText(row, way) : ''}${CONSEQUENCE[way][row.state === 'opening' ? 'opening' : 'open']}一分钟内没有做完即作废。`,
    money: true,
    real: realOfDeal(row),
    run: async ({ idempotencyKey }) => {
      await call(strategies.rebalanceLegs, { body: { id: row.id, way } }, { idempotencyKey });
      toast.info(`正在${verb}`);
      done();
    },
  });
}

/** Lets a frozen deal go on. */
export const unfreezeDeal = (row: DealRow, done: () => void): void =>
  confirmUnfreeze(
    {
      ...{ subject: dealName(row), frozen: row.frozen, real: realOfDeal(row) },
      unfreeze: (reason, idempotencyKey) =>
        call(strategies.unfreezeDeal, { body: { id: row.id, reason } }, { idempotencyKey }),
    },
    done,
  );
