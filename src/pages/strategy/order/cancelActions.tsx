import type { BodyOf, DataOf } from '#contract/endpoint';
import { type OrderRow, order } from '#contract/order';
import { confirmAction } from '@/components/confirmAction';
import type { RealMoneyAt } from '@/components/RealMoney';
import { toast } from '@/components/toast';
import { call } from '@/services/call';
import { type OrderState, orderFilter } from './orderQuery';
import { sideWords } from './tradeColumns';

function tell({ asked, skipped }: DataOf<typeof order.cancel>): void {
  const rest = skipped.map(({ id, reason }) => `${id.slice(0, 8)} ${reason}`).join('；');
  if (asked > 0) toast.success(`已请求撤销 ${asked} 笔${rest && `；未撤销：${rest}`}`);
  else toast.info(rest === '' ? '筛选中已没有可撤销的委托' : `没有撤销：${rest}`);
}

const consequence = (
  <>
    <p>未成交的部分会被撤销，已成交的部分不变；引擎随后按各对冲单的规则继续处理。</p>
    <p>撤单到达交易所之前仍可能成交。</p>
  </>
);

/** Where real orders of these rest; `null` where all of them are on paper. */
function realAt(rows: readonly OrderRow[]): RealMoneyAt {
  const real = rows.filter(({ mode }) => mode === 'live').map(({ source }) => source);
  return real.length === 0 ? null : [...new Set(real)];
}

function ask(subject: string, real: RealMoneyAt, body: BodyOf<typeof order.cancel>, done: () => void): void {
  confirmAction({
    verb: '撤单',
    subject,
    consequence,
    money: true,
    real,
    run: async ({ idempotencyKey }) => {
      tell(await call(order.cancel, { body }, { idempotencyKey }));
      done();
    },
  });
}

/** Cancels these orders. */
export function confirmCancel(rows: readonly OrderRow[], done: () => void): void {
  const [only] = rows;
  if (only === undefined) return;
  const subject =
    rows.length === 1
      ? `${only.user} ${only.symbol} ${sideWords(only)} ${only.quantity}`
      : `所选 ${rows.length} 笔挂单`;
  ask(subject, realAt(rows), { ids: rows.map(({ id }) => id) }, done);
}

/** Cancels all that rest of the filter, as many as were seen. */
export function confirmCancelAll(state: OrderState, resting: number, done: () => void): void {
  // What is not set is left out: a body has no `undefined`.
  const filter = JSON.parse(JSON.stringify(orderFilter(state))) as BodyOf<typeof order.cancel>['filter'];
  ask(`筛选中的全部 ${resting} 笔挂单`, undefined, { filter, expected: resting }, done);
}
