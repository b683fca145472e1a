import { type InventoryMove, okxDesk } from '#contract/kinds/okx/desk';
import { ONCE_SECONDS } from '#contract/lifecycle';
import { spaced } from '#contract/spaced';
import type { ParamsOf } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { venueAccount } from '#contract/venueAccount';
import { Amount } from '@/components/Amount';
import { confirmAction } from '@/components/confirmAction';
import { toast } from '@/components/toast';
import { venueLabel } from '@/scan/venueLabel';
import { call } from '@/services/call';
import { realOf } from '@/strategy/realMoney';

type Named = Pick<StrategyRow, 'id' | 'name'>;

/** Trades one gap as soon as there is one. */
export const confirmOnce = ({ id, name, params, ...row }: StrategyRow, done: () => void): void =>
  confirmAction({
    verb: '执行一次',
    subject: name,
    consequence: (
      <>
        {ONCE_SECONDS} 秒内出现净价差达标的机会就成交一笔，一买一卖各至多{' '}
        <Amount value={(params as ParamsOf<'okx'>).legNotional} unit="USDT" />
        ，不等连续触发与间隔；库存、延迟与限额仍要满足，没有机会即作废。
      </>
    ),
    money: true,
    real: realOf(row),
    run: async ({ idempotencyKey }) => {
      await call(okxDesk.once, { body: { id } }, { idempotencyKey });
      toast.info('已请求，等待引擎');
      done();
    },
  });

/** Trades a coin or a venue no more, or again: a strategy keeps both in one list. */
export function confirmBan({ id, name }: Named, word: string, banned: boolean, done: () => void): void {
  const verb = banned ? '停用' : '恢复';
  confirmAction({
    verb,
    subject: `${name} 的 ${venueLabel(word)}`,
    consequence: banned
      ? '不再买卖，已有的库存不动；可以随时恢复。'
      : '现在就会成交的转为待确认，由你确认；之后达到开仓条件时又会成交。',
    run: async ({ idempotencyKey }) => {
      await call(okxDesk.ban, { body: { id, word, banned } }, { idempotencyKey });
      toast.success(spaced(`已${verb}${venueLabel(word)}`));
      done();
    },
  });
}

/** Carries a suggested move of the inventory out. */
export function confirmMove(
  { base, from, to, quantity, fee, minutes, network, ...ends }: InventoryMove,
  done: () => void,
): void {
  const { fromAccount, toAccount } = ends;
  if (fromAccount === null || toAccount === null) return;
  confirmAction({
    verb: '划转',
    subject: spaced(`${base} 从${venueLabel(from)}到${venueLabel(to)}`),
    consequence: (
      <>
        转出 <Amount value={quantity} digits={8} unit={base} />
        ，经 {network ?? '未知网络'}，手续费 <Amount value={fee} unit="USDT" />
        ，约 {minutes ?? '-'} 分钟到账；途中按离开时的价值计入总权益，不能撤回。
      </>
    ),
    money: true,
    run: async ({ idempotencyKey }) => {
      const body = { from: fromAccount, to: toAccount, coin: base, quantity };
      await call(venueAccount.transferCoin, { body }, { idempotencyKey });
      toast.success(`已申请划转 ${base}`);
      done();
    },
  });
}
