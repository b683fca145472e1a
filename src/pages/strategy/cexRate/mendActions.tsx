import { cexRateDesk, type RateDeal } from '#contract/cexRateDesk';
import type { MendWay } from '#contract/lifecycle';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';

const WORDS: Record<MendWay, { verb: string; open: string; opening: string }> = {
  complete: {
    verb: '补齐',
    open: '按市价补上较小的一腿，滑点上限放宽到三倍，付一笔手续费。',
    opening: '立即按放宽到三倍的滑点上限补上另一腿，付一笔手续费。',
  },
  unwind: {
    verb: '退回',
    open: '按市价减少较大的一腿，到两腿相等，付一笔手续费。',
    opening: '不再开仓，立即按市价退回已成交的一腿，付一笔手续费。',
  },
};

/** Brings the legs of a deal together. */
export function confirmMend({ id, legs, state }: RateDeal, way: MendWay, done: () => void): void {
  const { verb, open, opening } = WORDS[way];
  confirmAction({
    verb,
    subject: legs.map(({ symbol }) => symbol).join(' / '),
    consequence: `${state === 'opening' ? opening : open}一分钟内没有做完即作废。`,
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(cexRateDesk.mend, { body: { id, way } }, { idempotencyKey });
      toast.info(`正在${verb}`);
      done();
    },
  });
}
