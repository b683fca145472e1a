import { Suspense } from 'react';
import { type HedgePair, hedgeConfig } from '#contract/kinds/hedge/config';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { HEDGE_STATE_LABEL } from '@/components/labels';
import { late } from '@/components/late';
import { toast } from '@/components/toast';
import { confirmOpening } from '@/opening/confirmOpening';
import { call } from '@/services/call';
import type { Afterwards } from '@/strategy/AfterClose';
import { confirmClosing } from '@/strategy/confirmClosing';
import { type Reopened, realOfHedge, reopenVerb, type Sides, sidesOf } from './hedgeWords';

const EntryPlan = late(() => import('./pairs/EntryPlan'));

const REASON_LENGTH = 200;

/**
 * Closes one hedge: shows what it would bring, then tells the state that was reached.
 * @param afterwards what becomes of its pair
 */
export function confirmClose(
  row: Pick<HedgeRow, 'id' | 'long' | 'short' | 'state' | 'source' | 'mode'>,
  afterwards: Afterwards,
  done: () => void,
): void {
  confirmClosing({
    ...{
      id: row.id,
      afterwards,
      kind: '对冲单',
      what: '交易对',
      act: 'closeHedge',
      subject: sidesOf(row),
    },
    real: realOfHedge(row),
    isPair: row.state === 'open',
    how: '按市价平掉两边；两边都核实为零才算已平仓。',
    done,
    run: async ({ keepArmed, maker, idempotencyKey, staying }) => {
      const query = { id: row.id, ...(keepArmed && { keepArmed }), ...(maker && { maker }) };
      const { state, flat, message } = await call(hedge.close, { query }, { idempotencyKey });
      const text = `${HEDGE_STATE_LABEL[state]}：${message}${keepArmed ? '' : '；该交易对已停用'}${staying}`;
      if (flat) toast.success(text);
      else toast.info(text);
      done();
    },
  });
}

/** Asks for other limits of one hedge that is held; what they are now is read before. */
export async function editLimits(
  row: Sides & Pick<HedgeRow, 'id' | 'mode' | 'source'>,
  done: () => void,
): Promise<void> {
  const [known, { askLimits }] = await Promise.all([
    call(strategies.dealOutlook, { query: { id: row.id } }),
    import('@/strategy/dealLimits'),
  ]);
  askLimits({ id: row.id, kind: 'hedge', subject: sidesOf(row), real: realOfHedge(row) }, known, done);
}

export function confirmPause(done: () => void): void {
  confirmAction({
    verb: '暂停开仓',
    subject: '我的全部策略',
    consequence: '任何类型都不再开新仓；进行中的交易单继续按规则管理与平仓。',
    reason: { required: false, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      await call(hedge.pause, { body: reason === '' ? {} : { reason } }, { idempotencyKey });
      toast.success('已暂停开仓');
      done();
    },
  });
}

export function confirmResume(lossLimitHit: boolean, done: () => void): void {
  confirmOpening({
    title: '恢复我的全部开仓',
    verb: '恢复开仓',
    subject: '我的全部策略',
    consequence: lossLimitHit && '今日亏损已达上限。恢复后今日不再按该上限暂停，亏损可能继续扩大。',
    act: 'resume',
    input: {},
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey, opens, words }) => {
      await call(hedge.resume, { body: { reason, ...opens } }, { idempotencyKey });
      toast.success(`已恢复开仓：${words}`);
      done();
    },
  });
}

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

export function confirmSwitch(enabled: boolean, running: number, done: () => void): void {
  if (enabled) confirmEnable(running, done);
  else confirmDisable(running, done);
}

const confirmEnable = (running: number, done: () => void): void =>
  confirmOpening({
    verb: '启用',
    subject: '多空对冲',
    consequence: `${running} 张进行中的对冲单不受影响。`,
    act: 'enable',
    input: {},
    run: async ({ idempotencyKey, opens, words }) => {
      await call(hedgeConfig.enable, { body: opens }, { idempotencyKey });
      toast.success(`已启用：${words}`);
      done();
    },
  });

const confirmDisable = (running: number, done: () => void): void =>
  confirmAction({
    verb: '停用',
    subject: '多空对冲',
    consequence: (
      <>
        <p>不再开新仓。</p>
        <p>{running} 张进行中的对冲单保持不动，止损、止盈、最长持有与资金费照常管理。</p>
      </>
    ),
    run: async ({ idempotencyKey }) => {
      const answer = await call(hedgeConfig.disable, {}, { idempotencyKey });
      toast.success(`已停用；${answer.running} 张对冲单继续管理`);
      done();
    },
  });

const pauseAll = (done: () => void): void =>
  confirmAction({
    verb: '暂停开仓',
    subject: '所有用户',
    consequence: '所有用户的任何策略都不再开新仓；进行中的交易单继续管理。',
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey }) => {
      const body = { action: 'pause' as const, reason };
      const { running } = await call(hedge.switchAll, { body }, { idempotencyKey });
      toast.success(`所有用户已暂停开仓；所有用户进行中 ${running} 张交易单`);
      done();
    },
  });

const resumeAll = (done: () => void): void =>
  confirmOpening({
    verb: '恢复开仓',
    subject: '所有用户',
    consequence: '所有用户的开仓不再受此暂停限制；各人自己的暂停仍然有效。',
    act: 'resumeAll',
    input: { action: 'resume' },
    reason: { required: true, maxLength: REASON_LENGTH },
    run: async ({ reason, idempotencyKey, opens, words }) => {
      await call(hedge.switchAll, { body: { action: 'resume', reason, ...opens } }, { idempotencyKey });
      toast.success(`所有用户已恢复开仓：${words}`);
      done();
    },
  });

const flattenAll = (done: () => void): void =>
  void import('@/flatten/confirmFlatten').then(({ confirmFlatten }) =>
    confirmFlatten({ aim: { everybody: true }, subject: '所有用户', others: true, done }),
  );

const FOR_ALL = { pause: pauseAll, resume: resumeAll, flatten: flattenAll };

/** The switch of a master over everything of everybody. */
export const confirmForAll = (action: keyof typeof FOR_ALL, done: () => void): void => FOR_ALL[action](done);

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

/** A pair opens once; this lets it open once more, or at all when it was only added, closed by a person or not confirmed. */
export function confirmReopen(pair: Sides & { pairId: string } & Reopened, done: () => void): void {
  confirmOpening({
    verb: reopenVerb(pair),
    subject: sidesOf(pair),
    consequence: (
      <Suspense fallback="正在读取开仓报价">
        <EntryPlan long={pair.long} short={pair.short} />
      </Suspense>
    ),
    act: 'armPair',
    input: { pairId: pair.pairId },
    run: async ({ idempotencyKey, opens, words }) => {
      await call(hedgeConfig.armPair, { body: { pairId: pair.pairId, ...opens } }, { idempotencyKey });
      toast.success(`已就绪：${words}`);
      done();
    },
  });
}
