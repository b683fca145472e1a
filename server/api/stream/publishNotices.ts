import { plain } from '../../base/maths/decimal';
import type { EngineNotice } from '../../engine/desk';
import type { BookOrder } from '../../engine/tradingBook';
import type { Clock } from '../../market/exchange';
import type { Publisher } from '../../people/notification/publisher';

/** Tells the readers of the live stream what the engine does. */
export function publishNotices(stream: Publisher, clock: Clock): (notice: EngineNotice) => void {
  const order = (userId: string, { id, dealId, source, symbol, leg, side, purpose, state, ...rest }: BookOrder) => {
    const quantity = plain(rest.quantity);
    const filledQuantity = plain(rest.filledQuantity);
    const data = {
      id,
      userId,
      hedgeId: dealId,
      source,
      symbol,
      leg,
      side,
      purpose,
      state,
      quantity,
      filledQuantity,
      at: clock(),
    };
    stream.publish({ topic: 'order', userId, type: 'order', data });
  };
  return (notice) => {
    const { userId } = notice;
    if (notice.kind === 'order') return order(userId, notice.order);
    if (notice.kind === 'takenOver') return stream.missed([userId]);
    if (notice.kind === 'alarm') {
      const data = { level: notice.level, text: notice.text, at: clock() };
      return stream.publish({ topic: 'notice', userId, type: 'notice', data });
    }
    if (notice.kind === 'account') {
      const { equity, available, unrealised } = notice;
      const data = { userId, equity, available, unrealised, at: clock() };
      return stream.publish({ topic: 'account', userId, type: 'account', key: userId, data });
    }
    const { id, targetId, legs, state } = notice.deal;
    const pair = { source: legs.long.source, long: legs.long.symbol, short: legs.short.symbol };
    const data = { id, userId, pairId: targetId, ...pair, state };
    stream.publish({ topic: 'hedge', userId, type: 'hedge', data: { ...data, kind: notice.event, at: clock() } });
  };
}
