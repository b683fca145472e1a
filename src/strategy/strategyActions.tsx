import { Radio } from 'antd';
import { type DealRow, type StrategyRow, strategies } from '#contract/strategies';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { STRATEGY_STATE_LABEL } from './strategyLabels';

type Named = Pick<StrategyRow, 'id' | 'name' | 'running' | 'state'>;
/** `leavesCoin`: what it holds is coin, which an account may keep. */
type Stopped = Named & { leavesCoin: boolean };

const REASON_LENGTH = 200;

const told = (name: string, state: StrategyRow['state'], done: () => void) => {
  toast.success(`${name}：${STRATEGY_STATE_LABEL[state]}`);
  done();
};

/** Lets a strategy open by itself; after its breaker tripped with a reason. */
export const confirmStart = ({ id, name, running, state }: Named, done: () => void): void =>
  confirmAction({
    verb: '启动',
    subject: name,
    consequence: `达到开仓条件的标的会自动开仓；已持有的 ${running} 张交易单照常看护。`,
    money: true,
    reason: { required: state === 'tripped', maxLength: REASON_LENGTH },
    run: async ({ idempotencyKey, reason }) => {
      const body = { id, ...(reason === '' ? {} : { reason }) };
      told(name, (await call(strategies.start, { body }, { idempotencyKey })).state, done);
    },
  });

export const confirmPause = ({ id, name, running }: Named, done: () => void): void =>
  confirmAction({
    verb: '暂停',
    subject: name,
    consequence: `不再开新仓；${running} 张交易单继续按规则看护与平仓。`,
    run: async ({ idempotencyKey }) =>
      told(name, (await call(strategies.pause, { body: { id } }, { idempotencyKey })).state, done),
  });

export const confirmCloseOnly = ({ id, name, running }: Named, done: () => void): void =>
  confirmAction({
    verb: '仅平仓',
    subject: name,
    consequence: `不再开新仓，立即按市价平掉 ${running} 张交易单，平完即停止。`,
    money: true,
    run: async ({ idempotencyKey }) =>
      told(name, (await call(strategies.closeOnly, { body: { id } }, { idempotencyKey })).state, done),
  });

/** Stops a strategy; what it holds is closed first, or kept, as the person chooses. */
export function confirmStop({ id, name, running, leavesCoin }: Stopped, done: () => void): void {
  let flatten = true;
  const choices = leavesCoin
    ? [
        { value: 'flatten', label: '卖出全部：撤掉挂单，持有的币按市价卖出，再停止' },
        { value: 'keep', label: '保留币：撤掉挂单，币按现价转为账户库存，交易单结束，再停止' },
      ]
    : [
        { value: 'flatten', label: `先平掉 ${running} 张交易单，再停止` },
        { value: 'keep', label: '保留持仓，并且不再看护（止损、反转都不会触发）' },
      ];
  confirmAction({
    verb: '停止',
    subject: name,
    consequence:
      running === 0 ? (
        '没有持仓，立即停止。'
      ) : (
        <Radio.Group
          defaultValue="flatten"
          onChange={({ target }) => {
            flatten = target.value === 'flatten';
          }}
          options={choices}
        />
      ),
    money: running > 0,
    run: async ({ idempotencyKey }) =>
      told(name, (await call(strategies.stop, { body: { id, flatten } }, { idempotencyKey })).state, done),
  });
}

export const confirmRemove = ({ id, name }: Named, done: () => void): void =>
  confirmAction({
    verb: '删除',
    subject: name,
    consequence: '从列表中去掉；它的订单、成交与账本记录保留。',
    run: async ({ idempotencyKey }) => {
      await call(strategies.remove, { body: { id } }, { idempotencyKey });
      toast.success(`已删除 ${name}`);
      done();
    },
  });

/** Closes what one deal holds. */
export function confirmCloseDeal({ id, legs }: DealRow, done: () => void): void {
  const names = [...new Set(legs.filter(({ isUsed }) => isUsed).map(({ symbol }) => symbol))];
  confirmAction({
    verb: '平仓',
    subject: names.join(' / '),
    consequence:
      names.length === 1
        ? '立即撤掉挂单，按市价平掉持有，付手续费与滑点。'
        : '立即按市价平掉两腿，付两笔手续费与滑点。',
    money: true,
    run: async ({ idempotencyKey }) => {
      await call(strategies.closeDeal, { body: { id } }, { idempotencyKey });
      toast.info('正在平仓');
      done();
    },
  });
}
