DROP VIEW "public"."hedge";--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "ignored" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE VIEW "public"."hedge" AS (
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
  left join deal_leg s on s.deal_id = d.id and s.leg = 'short' and s.user_id = d.user_id);