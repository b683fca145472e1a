import { Suspense } from 'react';
import { type HedgeRow, hedge } from '#contract/hedge';
import { type HedgePair, hedgeConfig } from '#contract/hedgeConfig';
import { confirmAction } from '@/components/confirmAction';
import { HEDGE_STATE_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { CloseQuotation } from './CloseQuotation';

const EntryPlan = late(() => import('./pairs/EntryPlan'));

const REASON_LENGTH = 200;

type Sides = Pick<HedgeRow, 'long' | 'short'>;
export const sidesOf = ({ long, short }: Sides) => `多 ${long} / 空 ${short}`;

/** Closes one hedge: shows what it would bring, then tells the state that was reached. */
export function confirmClose(row: Pick<HedgeRow, 'id' | 'long' | 'short'>, done: () => void): void {
  confirmAction({
    verb: '平仓',
    subject: sidesOf(row),
    consequence: <CloseQuotation id={row.id} />,
    money: true,
    run: async ({ idempotencyKey }) => {
      const { state, flat, message } = await call(hedge.close, { query: { id: row.id } }, { idempotencyKey });
      const text = `${HEDGE_STATE_LABEL[state]}：${message}`;
      if (flat) toast.success(text);
      else toast.info(text);
      done();
    },
  });
}

/** Closes every hedge of the user and keeps new ones out. */
export function confirmFlatten(running: number, done: () => void): void {
  confirmAction({
    verb: '全部平仓',
    subject: `${running} 张进行中的对冲单`,
    consequence: (
      <>
        <p>立即按市价平掉 {running} 张对冲单的两边，并暂停开仓。</p>
        <p>恢复开仓需要另外操作并写明原因；已提交的平仓不能撤回。</p>
      </>
    ),
    money: true,
    run: async ({ idempotencyKey }) => {
      const answer = await call(hedge.flatten, {}, { idempotencyKey });
      toast.info(`已暂停开仓，正在平仓 ${answer.running} 张`);
      done();
    },
  });
}

export function confirmPause(running: number, done: () => void): void {
  confirmAction({
    verb: '暂停开仓',
    subject: '我的对冲',
    consequence: `不再开新仓；${running} 张进行中的对冲单继续按规则管理与平仓。`,
    reason: { required: false, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      await call(hedge.pause, { body: reason === '' ? {} : { reason } }, { idempotencyKey });
      toast.success('已暂停开仓');
      done();
    },
  });
}

export function confirmResume(lossLimitHit: boolean, done: () => void): void {
  confirmAction({
    verb: '恢复开仓',
    subject: '我的对冲',
    consequence: lossLimitHit
      ? '今日亏损已达上限。恢复后今日不再按该上限暂停，亏损可能继续扩大。'
      : '符合条件的交易对会立即开始建仓。',
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      await call(hedge.resume, { body: { reason } }, { idempotencyKey });
      toast.success('已恢复开仓');
      done();
    },
  });
}

export function confirmSwitch(enabled: boolean, running: number, pairs: number, done: () => void): void {
  confirmAction({
    verb: enabled ? '启用' : '停用',
    subject: '多空对冲',
    consequence: enabled ? (
      <>
        <p>{pairs} 个交易对中符合入场条件的会开始建仓（模拟盘）。</p>
        <p>{running} 张进行中的对冲单不受影响。</p>
      </>
    ) : (
      <>
        <p>不再开新仓。</p>
        <p>{running} 张进行中的对冲单保持不动，止损、止盈、最长持有与资金费照常管理。</p>
      </>
    ),
    run: async ({ idempotencyKey }) => {
      const to = enabled ? hedgeConfig.enable : hedgeConfig.disable;
      const answer = await call(to, {}, { idempotencyKey });
      toast.success(`${answer.enabled ? '已启用' : '已停用'}；${answer.running} 张对冲单继续管理`);
      done();
    },
  });
}

const FOR_ALL = {
  pause: { verb: '暂停开仓', text: '所有用户都不再开新仓；进行中的对冲单继续管理。', done: '所有用户已暂停开仓' },
  resume: { verb: '恢复开仓', text: '所有用户的开仓不再受此暂停限制；各人自己的暂停仍然有效。', done: '已恢复' },
  flatten: {
    verb: '全部平仓',
    text: '立即按市价平掉所有用户的全部对冲单，并暂停所有用户开仓；已提交的平仓不能撤回。',
    done: '所有用户已暂停开仓，正在平仓',
  },
} as const;

/** The switch of a master over everybody's hedges. */
export function confirmForAll(action: keyof typeof FOR_ALL, done: () => void): void {
  const { verb, text, done: said } = FOR_ALL[action];
  confirmAction({
    verb,
    subject: '所有用户',
    consequence: text,
    money: action === 'flatten',
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      const { running } = await call(hedge.switchAll, { body: { action, reason } }, { idempotencyKey });
      toast.success(`${said}；所有用户进行中 ${running} 张`);
      done();
    },
  });
}

export function confirmRemove(pair: HedgePair, done: () => void): void {
  confirmAction({
    verb: '移除',
    subject: sidesOf(pair),
    consequence: '不再为这一对开仓；已有的记录保留。',
    run: async ({ idempotencyKey }) => {
      await call(hedgeConfig.removePair, { body: { pairId: pair.pairId } }, { idempotencyKey });
      toast.success('已移除');
      done();
    },
  });
}

/** A pair opens once; this lets it open once more, or at all when it was only added. */
export function confirmReopen(pair: Sides & { pairId: string; block?: string | null }, done: () => void): void {
  confirmAction({
    verb: pair.block === 'unarmed' ? '建仓' : '再开一次',
    subject: sidesOf(pair),
    consequence: (
      <Suspense fallback="正在读取开仓报价">
        <EntryPlan long={pair.long} short={pair.short} />
      </Suspense>
    ),
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(hedgeConfig.armPair, { body: { pairId: pair.pairId } }, { idempotencyKey });
      toast.success('已就绪，条件满足时开仓');
      done();
    },
  });
}
