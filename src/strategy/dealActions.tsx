import { type DealRow, strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';

export const dealName = ({ legs }: DealRow): string => legs.map(({ symbol }) => symbol).join(' / ');

/** Takes from the leg that holds more of the coin what the other one lacks. */
export const confirmEven = (row: DealRow, done: () => void): void =>
  confirmAction({
    verb: '配平',
    subject: dealName(row),
    consequence: '从数量较多的一腿按市价减掉多出的部分；相差不到一个最小数量时什么也不做。',
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(strategies.evenDeal, { body: { id: row.id } }, { idempotencyKey });
      toast.info('正在配平');
      done();
    },
  });
