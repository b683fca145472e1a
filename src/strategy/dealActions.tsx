import type { MendWay } from '#contract/lifecycle';
import { type DealRow, strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { MEND_LABEL } from '@/components/labels';
import { toast } from '@/components/toast';
import { call } from '@/services/call';

type Legged = Pick<DealRow, 'id' | 'state'> & { legs: readonly { symbol: string }[] };

export const dealName = ({ legs }: Pick<Legged, 'legs'>): string => legs.map(({ symbol }) => symbol).join(' / ');

const CONSEQUENCE: Record<MendWay, { open: string; opening: string }> = {
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
export function confirmMend(row: Legged, way: MendWay, done: () => void): void {
  const verb = MEND_LABEL[way];
  confirmAction({
    verb,
    subject: dealName(row),
    consequence: `${CONSEQUENCE[way][row.state === 'opening' ? 'opening' : 'open']}一分钟内没有做完即作废。`,
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(strategies.mendDeal, { body: { id: row.id, way } }, { idempotencyKey });
      toast.info(`正在${verb}`);
      done();
    },
  });
}

const REASON_LENGTH = 200;

/** Lets a frozen deal go on. */
export function confirmThaw(row: DealRow, done: () => void): void {
  confirmAction({
    verb: '恢复',
    subject: dealName(row),
    consequence: (
      <>
        <p>冻结的原因：{row.frozen}</p>
        <p>
          交易所持仓与账面一致、方向无误时，这张交易单按规则继续发送委托；否则仍冻结，并在通知里说明。策略与其他交易单不受影响。
        </p>
      </>
    ),
    money: true,
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ idempotencyKey, reason }) => {
      await call(strategies.thawDeal, { body: { id: row.id, reason } }, { idempotencyKey });
      toast.info('正在核对，一致即恢复');
      done();
    },
  });
}
