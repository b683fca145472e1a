import { sql } from 'drizzle-orm';
import { doublePrecision, jsonb, pgView, text, uuid } from 'drizzle-orm/pg-core';
import { decimal, instant } from '../schema';

/**
 * What the hedge desk trades, a deal of two legs in one row, to be read. The legs are joined so that none is looked for
 * where a query asks nothing of it.
 */
export const hedge = pgView('hedge', {
  id: uuid('id').notNull(),
  userId: uuid('user_id').notNull(),
  pairId: uuid('pair_id').notNull(),
  /** `paper`, or `live`. */
  mode: text('mode').notNull(),
  source: text('source').notNull(),
  long: text('long').notNull(),
  short: text('short').notNull(),
  state: text('state').notNull(),
  stateAt: instant('state_at').notNull(),
  createdAt: instant('created_at').notNull(),
  openedAt: instant('opened_at'),
  closedAt: instant('closed_at'),
  closeReason: text('close_reason'),
  closeAskedAt: instant('close_asked_at'),
  closeAskedBy: text('close_asked_by'),
  flattenAskedAt: instant('flatten_asked_at'),
  entryCancelledAt: instant('entry_cancelled_at'),
  frozen: text('frozen'),
  settings: jsonb('settings').notNull(),
  /** Short notional aimed at per unit of long notional. */
  ratio: doublePrecision('ratio').notNull(),
  zOpen: doublePrecision('z_open'),
  zClose: doublePrecision('z_close'),
  longQuantity: decimal('long_quantity').notNull(),
  longCost: decimal('long_cost').notNull(),
  shortQuantity: decimal('short_quantity').notNull(),
  shortCost: decimal('short_cost').notNull(),
  longOpened: decimal('long_opened').notNull(),
  shortOpened: decimal('short_opened').notNull(),
  longNotional: decimal('long_notional').notNull(),
  shortNotional: decimal('short_notional').notNull(),
  longRealised: decimal('long_realised').notNull(),
  shortRealised: decimal('short_realised').notNull(),
  funding: decimal('funding').notNull(),
  fees: decimal('fees').notNull(),
  slippage: decimal('slippage').notNull(),
  longExit: decimal('long_exit'),
  shortExit: decimal('short_exit'),
  mae: doublePrecision('mae'),
  mfe: doublePrecision('mfe'),
  naked: doublePrecision('naked').notNull(),
  oneLegSince: instant('one_leg_since'),
  note: text('note').notNull(),
  noteBy: text('note_by'),
  noteAt: instant('note_at'),
}).as(sql`
  select d.id, d.user_id, d.target_id as pair_id, k.mode, l.source, l.symbol as long, s.symbol as short, d.state, d.state_at,
    d.created_at, d.opened_at, d.closed_at, d.close_reason, d.close_asked_at, d.close_asked_by, d.flatten_asked_at,
    d.entry_cancelled_at, d.frozen, d.params as settings, s.weight as ratio, d.signal_open as z_open,
    d.signal_close as z_close, l.quantity as long_quantity, l.cost as long_cost, s.quantity as short_quantity,
    s.cost as short_cost, l.opened as long_opened, s.opened as short_opened, l.notional as long_notional,
    s.notional as short_notional, l.realised as long_realised, s.realised as short_realised,
    l.funding + s.funding as funding, l.fees + s.fees as fees, l.slippage + s.slippage as slippage,
    l.exit as long_exit, s.exit as short_exit, d.mae, d.mfe, d.naked, d.one_leg_since, d.note, d.note_by, d.note_at
  from deal d
  join strategy k on k.id = d.strategy_id and k.kind = 'hedge'
  left join deal_leg l on l.deal_id = d.id and l.leg = 'long' and l.user_id = d.user_id
  left join deal_leg s on s.deal_id = d.id and s.leg = 'short' and s.user_id = d.user_id`);
