import { Radio } from 'antd';
import { strategies } from '#contract/strategies';
import { isLaddered, keepsStock, type StrategyKind } from '#contract/strategy';
import type { DealRow, StrategyRow } from '#contract/strategyRow';
import { confirmAction } from '@/components/confirmAction';
import { symbolsText } from '@/components/labels';
import { toast } from '@/components/toast';
import { confirmOpening } from '@/opening/confirmOpening';
import { call } from '@/services/call';
import type { Afterwards } from './AfterClose';
import { confirmClosing } from './confirmClosing';
import { type RealRow, realOf, realOfDeal, typedOf } from './realMoney';
import { STRATEGY_STATE_LABEL } from './strategyLabels';

type Named = Pick<StrategyRow, 'id' | 'name' | 'running' | 'state'> &
  Omit<RealRow, 'targets'> & { targets?: StrategyRow['targets'] };
/** `leavesCoin`: what it holds is coin, which an account may keep. */
type Stopped = Named & Pick<StrategyRow, 'kind'> & { leavesCoin: boolean };

const REASON_LENGTH = 200;

const told = (name: string, state: StrategyRow['state'], done: () => void) => {
  toast.success(`${name}：${STRATEGY_STATE_LABEL[state]}`);
  done();
};

type Started = Named & Partial<Pick<StrategyRow, 'kind' | 'targets'>>;

/** A ladder that a person closed is begun anew by a start; anything else stays closed. */
const isBegunAnew = ({ kind, targets = [] }: Started): boolean =>
  kind !== undefined && isLaddered(kind) && targets.some(({ held }) => held?.hold === 'closed');

/** Lets a strategy open by itself; after its breaker tripped with a reason. */
export const confirmStart = (row: Started, done: () => void): void => {
  const { id, name, running, state } = row;
  const anew = isBegunAnew(row);
  confirmOpening({
    ...{ real: realOf(row), typed: typedOf(row) },
    verb: '启动',
    subject: name,
    consequence: `${anew ? '它已手动平仓：启动会按参数重新建仓。' : ''}启动后达到开仓条件的标的会自动开仓${running > 0 ? `；已持有的 ${running} 张交易单照常看护` : ''}。`,
    act: 'start',
    input: { id, ...(anew && { anew }) },
    reason: { required: state === 'tripped', maxLength: REASON_LENGTH },
    run: async ({ idempotencyKey, reason, typed, opens, words }) => {
      const given = { ...(reason !== '' && { reason }), ...(typed !== '' && { typed }) };
      const body = { id, ...opens, ...given, ...(anew && { anew }) };
      const { state: reached } = await call(strategies.start, { body }, { idempotencyKey });
      toast.success(`${name}：${STRATEGY_STATE_LABEL[reached]}，${words}`);
      done();
    },
  });
};

/** The same for one of which only that much is known. */
export async function confirmStartOf({ id, kind }: { id: string; kind: StrategyKind }, done: () => void) {
  const { list } = await call(strategies.list, { query: { kind } });
  const row = list.find((one) => one.id === id);
  if (row) confirmStart(row, done);
}

export const confirmPause = ({ id, name, running }: Named, done: () => void): void =>
  confirmAction({
    verb: '暂停',
    subject: name,
    consequence: `不再开新仓；${running} 张交易单继续按规则看护与平仓。`,
    run: async ({ idempotencyKey }) =>
      told(name, (await call(strategies.pause, { body: { id } }, { idempotencyKey })).state, done),
  });

/** Says what it closes, and ends in a report. */
export const confirmCloseOnly = ({ id, name, ...row }: Named, done: () => void): void =>
  void import('@/flatten/confirmFlatten').then(({ confirmFlatten }) =>
    confirmFlatten({ aim: { strategyId: id }, verb: '仅平仓', subject: name, real: realOf(row), done }),
  );

/** Stops a strategy; what it holds is closed first, or kept, as the person chooses. */
export function confirmStop({ id, kind, name, running, leavesCoin, ...row }: Stopped, done: () => void): void {
  let flatten = true;
  const choices = leavesCoin
    ? [
        { value: 'flatten', label: '卖出全部：撤掉挂单，持有的币按市价卖出，再停止' },
        { value: 'keep', label: '保留币：撤掉挂单，币按现价转为账户库存，交易单结束，再停止' },
      ]
    : [
        { value: 'flatten', label: `先平掉 ${running} 张交易单，再停止` },
        {
          value: 'keep',
          label: '保留持仓，并且不再看护：止损、反转都不会触发，标为无人看护，直到有人接管、平掉或声明自己管',
        },
      ];
  const stock = keepsStock(kind) && (
    <p className="soft">
      库存的币不卖出，留在账户；没有对冲它的空头，币价涨跌由账户承担。要卖出，先把每所库存改为 0，卖完再停止。
    </p>
  );
  confirmAction({
    verb: '停止',
    subject: name,
    consequence:
      running === 0 ? (
        <>
          {stock ? '没有交易单，立即停止。' : '没有持仓，立即停止。'}
          {stock}
        </>
      ) : (
        <>
          <Radio.Group
            defaultValue="flatten"
            onChange={({ target }) => {
              flatten = target.value === 'flatten';
            }}
            options={choices}
          />
          {stock}
          <p className="soft">空出的资金轮到的其他标的转为待确认，不会自动开仓。</p>
        </>
      ),
    money: running > 0,
    real: running > 0 ? realOf(row) : null,
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

const DISARMED: Record<Afterwards, string> = {
  reopens: '该标的已停用',
  reopensLater: '该标的已停用',
  byHand: '该标的已停用',
  ends: '平完策略自动停止',
};

/** Closes what one deal holds. */
export function confirmCloseDeal({ id, legs, state, mode }: DealRow, afterwards: Afterwards, done: () => void): void {
  const used = legs.filter(({ isUsed }) => isUsed);
  const places = new Set(used.map(({ source, symbol }) => `${source} ${symbol}`));
  confirmClosing({
    ...{
      id,
      afterwards,
      kind: '交易单',
      what: '标的',
      act: 'closeDeal',
      subject: symbolsText(used.map(({ symbol }) => symbol)),
    },
    real: realOfDeal({ mode, legs: used }),
    isPair: state === 'open' && places.size === 2 && legs.every(({ quantity }) => Number(quantity) !== 0),
    how: places.size === 1 ? '立即撤掉挂单，按市价平掉持有。' : '立即撤掉挂单，按市价平掉两腿。',
    done,
    run: async ({ keepArmed, maker, idempotencyKey, staying }) => {
      const body = { id, ...(keepArmed && { keepArmed }), ...(maker && { maker }) };
      await call(strategies.closeDeal, { body }, { idempotencyKey });
      toast.info(`平仓已提交，${keepArmed ? '之后继续按条件开仓' : DISARMED[afterwards]}${staying}`);
      done();
    },
  });
}
