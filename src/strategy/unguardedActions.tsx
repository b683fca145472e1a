import type { DataOf } from '#contract/endpoint';
import type { flatten } from '#contract/flatten';
import { strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { confirmFlatten } from '@/flatten/confirmFlatten';
import { call } from '@/services/call';
import { realOf } from './realMoney';

export type Left = DataOf<typeof flatten.held>['unguarded'][number];

/** Looks after what was left again, and opens nothing. */
export const confirmGuard = ({ strategyId, name, deals, mode, sources }: Left, done: () => void): void =>
  confirmAction({
    verb: '接管看护',
    subject: name,
    consequence: `${deals} 张交易单重新按规则看护：止损、反转、到期会照常平仓，现在已满足条件的会立即平。策略转为暂停，不开新仓。`,
    money: true,
    real: realOf({ mode, accounts: sources.map((venue) => ({ venue })) }),
    run: async ({ idempotencyKey }) => {
      await call(strategies.guard, { body: { id: strategyId } }, { idempotencyKey });
      toast.success(`${name}：已接管看护，策略暂停`);
      done();
    },
  });

export const confirmCloseLeft = ({ strategyId, name }: Left, done: () => void): void =>
  confirmFlatten({ aim: { strategyId }, subject: name, done });

/** Puts on record that a person looks after them. */
export const confirmSelfManage = ({ strategyId, name, deals }: Left, done: () => void): void =>
  confirmAction({
    verb: '我自己管',
    subject: name,
    consequence: `记下由你负责这 ${deals} 张交易单：引擎不看护，止损、反转与移仓都不会触发，强平与到期仍由交易所执行。红色提示改为一般提示；策略状态一变即失效。`,
    run: async ({ idempotencyKey }) => {
      await call(strategies.selfManage, { body: { id: strategyId } }, { idempotencyKey });
      toast.success('已记下由你自己管');
      done();
    },
  });
