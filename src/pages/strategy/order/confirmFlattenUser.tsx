import { type AttentionRow, hedge } from '#contract/hedge';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';

const REASON_LENGTH = 200;

/** Closes everything of one user and keeps their new hedges out; nobody else is touched. */
export function confirmFlattenUser({ userId, user }: Pick<AttentionRow, 'userId' | 'user'>, done: () => void): void {
  confirmAction({
    verb: '平仓此用户全部',
    subject: user,
    consequence: (
      <>
        <p>按市价平掉 {user} 的全部进行中对冲单（不只是这里列出的），并暂停该用户开仓；其他用户不受影响。</p>
        <p>已冻结的对冲单也会平仓；有委托结果不明的，与交易所核实之后才平。已提交的平仓不能撤回。</p>
      </>
    ),
    money: true,
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      const body = { action: 'flatten' as const, reason, userId };
      const { running } = await call(hedge.switchAll, { body }, { idempotencyKey });
      toast.success(`${user} 已暂停开仓，正在平仓 ${running} 张`);
      done();
    },
  });
}
