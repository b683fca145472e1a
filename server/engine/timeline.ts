import type { HedgeState, OrderState } from '#contract/lifecycle';
import { plain } from '../base/maths/decimal';
import type { BookOrder, DealBook, Line } from './tradingBook';

export const lineOf = ({ id }: DealBook, kind: Line['kind'], detail: string): Line => ({ dealId: id, kind, detail });

/** The line of a deal's timeline that its own state stands for. */
export const EVENT_OF_STATE = {
  waiting: 'created',
  opening: 'created',
  open: 'opened',
  closing: 'closing',
  closed: 'closed',
  failed: 'failed',
} as const satisfies Record<HedgeState, Line['kind']>;

/** The line of a deal's timeline that an order's state stands for. */
export const EVENT_OF_ORDER = {
  registered: 'registered',
  open: 'sent',
  filled: 'filled',
  cancelled: 'cancelled',
  expired: 'expired',
  refused: 'refused',
  inDoubt: 'inDoubt',
  lost: 'lost',
} as const satisfies Record<OrderState, Line['kind']>;

export const orderText = ({ symbol, side, quantity, limitPrice, type }: BookOrder): string =>
  `${symbol} ${side === 'buy' ? '买入' : '卖出'} ${plain(quantity)} ${type === 'maker' ? '挂' : '限'} ${plain(limitPrice)}`;
