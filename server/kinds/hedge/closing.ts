import { setTimeout as pause } from 'node:timers/promises';
import type { DataOf } from '#contract/endpoint';
import type { hedge } from '#contract/kinds/hedge/desk';
import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import type { Database } from '../../base/db/client';
import { findHedge, type HedgeRecord } from '../../base/db/hedges/hedge';
import { notFound } from '../../base/http/refusal';

/** The console gives up after ten seconds. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 100;

const REACHED: Record<HedgeState, string> = {
  waiting: '平仓请求已登记，该单尚未开仓，将直接取消',
  opening: '平仓请求已登记，该单正在建仓，成交部分将被平掉',
  open: '平仓请求已登记，引擎尚未开始处理',
  closing: '正在平仓，尚未确认两边都平，稍后查看记录',
  closed: '两边都已平仓',
  failed: '该单没有建成，没有持仓',
};

/** Verified flat, which only an end is: quantities alone may be behind the venue. */
const isFlat = ({ state, longQuantity, shortQuantity }: HedgeRecord): boolean =>
  HEDGE_ENDS.includes(state) && Number(longQuantity) === 0 && Number(shortQuantity) === 0;

/** Waits up to 8 s of real time for a hedge to end and answers what it reached. @throws 404. */
export async function awaitEnd(db: Database, id: string): Promise<DataOf<typeof hedge.close>> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const record = await findHedge(db, id);
    if (record === null) throw notFound('没有这张对冲单');
    if (HEDGE_ENDS.includes(record.state) || performance.now() >= until) {
      const { state, frozen } = record;
      const message = frozen === null || HEDGE_ENDS.includes(state) ? REACHED[state] : `${REACHED[state]}：${frozen}`;
      return { id: record.id, state, flat: isFlat(record), message };
    }
    await pause(LOOK_MS);
  }
}
