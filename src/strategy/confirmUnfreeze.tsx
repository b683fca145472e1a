import { confirmAction } from '@/components/confirmAction';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';

const REASON_LENGTH = 200;

interface Frozen {
  subject: string;
  /** Why it is frozen. */
  frozen: string | null;
  real?: RealMoneyAt;
  unfreeze: (reason: string, idempotencyKey: string) => Promise<unknown>;
}

/** Lets go on what is frozen, with a reason. */
export function confirmUnfreeze({ subject, frozen, real, unfreeze }: Frozen, done: () => void): void {
  confirmAction({
    verb: '恢复',
    subject,
    consequence: (
      <>
        <p>冻结的原因：{frozen}</p>
        <p>交易所持仓与账面一致、方向无误时，它按规则继续发送委托；否则仍冻结，并在通知里说明。其余不受影响。</p>
      </>
    ),
    money: true,
    real,
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ idempotencyKey, reason }) => {
      await unfreeze(reason, idempotencyKey);
      toast.info('正在核对，一致即恢复');
      done();
    },
  });
}
