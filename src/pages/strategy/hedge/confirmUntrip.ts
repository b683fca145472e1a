import { hedgeConfig } from '#contract/kinds/hedge/config';
import { toast } from '@/components/toast';
import { confirmOpening } from '@/opening/confirmOpening';
import { call } from '@/services/call';

const REASON_LENGTH = 200;

/** Lets the desk enter again after it tripped. @param tripped why it did */
export const confirmUntrip = (tripped: string, done: () => void): void =>
  confirmOpening({
    verb: '恢复',
    subject: '多空对冲',
    consequence: `${tripped}。恢复后亏损从现在起重新计。`,
    act: 'enable',
    input: {},
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey, opens, words }) => {
      await call(hedgeConfig.enable, { body: { reason, ...opens } }, { idempotencyKey });
      toast.success(`已恢复：${words}`);
      done();
    },
  });
