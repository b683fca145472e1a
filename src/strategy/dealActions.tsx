import { type DealRow, strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';

export const dealName = ({ legs }: DealRow): string => legs.map(({ symbol }) => symbol).join(' / ');

/** Takes from the leg that holds more of the coin what the other one lacks; while it comes in, what is missing comes at once. */
export const confirmEven = (row: DealRow, done: () => void): void =>
  confirmAction({
    verb: row.state === 'opening' ? '立即补齐' : '配平',
    subject: dealName(row),
    consequence:
      row.state === 'opening'
        ? '按三倍滑点上限立即补齐缺的一腿，不等单腿计时；要回退已成交的一腿请平仓。'
        : '从数量较多的一腿按市价减掉多出的部分；相差不到一个最小数量时什么也不做。',
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(strategies.evenDeal, { body: { id: row.id } }, { idempotencyKey });
      toast.info('已请求，引擎马上处理');
      done();
    },
  });
