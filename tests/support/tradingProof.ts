import Big from 'big.js';
import { asc, eq, sql } from 'drizzle-orm';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { HEDGE_ENDS, LEGS, type Leg } from '#contract/lifecycle';
import type { Queries } from '#server/base/db/client';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { dealEvent, fill, ledger, paperEvent, tradeOrder } from '#server/base/db/schema';
import type { VenueEvent, VenueFill } from '#server/market/venue';
import { pairsOf, settingsVersions } from './bookRows';
import type { Acknowledged } from './hedgeTraffic';

/** What must not be, each in one line; and what one wants to know besides. */
export interface TradingProof {
  hedges: number;
  orders: number;
  fills: number;
  /** Hedges of which a leg was entered with more than was wished, grew by an exit or is left over. */
  doubled: { dealId: string; what: string }[];
  /** Fills of the venue that are not booked exactly once, and bookings without a fill. */
  lostFills: string[];
  /** Hedges that still run, with what they wait for. */
  unsettled: string[];
  /** Answered with success and not there. */
  forgotten: string[];
  /** One leg without the other, USDT x seconds. */
  naked: number;
}

/** A lot more than wished is rounding and slippage; the whole wish once more is another order. */
const ALLOWED = 1.05;
const ADDS = ['entry', 'complete'];

type Hedge = typeof hedge.$inferSelect;
type Order = typeof tradeOrder.$inferSelect;

/** Recomputes from the venue's own events what every hedge of a database did. */
export async function tradingProof(db: Queries, done?: Acknowledged): Promise<TradingProof> {
  const hedges = await db.select().from(hedge).orderBy(asc(hedge.createdAt));
  const orders = await db.select().from(tradeOrder);
  const events = await db.select().from(paperEvent).orderBy(asc(paperEvent.account), asc(paperEvent.sequence));
  const told = events.map(({ event }) => event as VenueEvent).filter((event) => event.kind === 'fill');
  return {
    hedges: hedges.length,
    orders: orders.length,
    fills: told.length,
    doubled: doubledHedges(hedges, orders, told),
    lostFills: await misbookedFills(db, told),
    unsettled: hedges
      .filter(({ state }) => !HEDGE_ENDS.includes(state as never))
      .map(({ id, state, frozen }) => `${id} ${state} ${frozen ?? ''}`),
    forgotten: done ? await forgotten(db, hedges, done) : [],
    naked: Math.round(hedges.reduce((sum, { naked }) => sum + naked, 0)),
  };
}

function doubledHedges(hedges: Hedge[], orders: Order[], told: VenueFill[]) {
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const legs = new Map<string, VenueFill[]>();
  const found: { dealId: string; what: string }[] = [];
  for (const one of told) {
    const order = one.clientId === null ? undefined : orderOf.get(one.clientId);
    if (order?.dealId == null) {
      // Only what the venue does by itself has no order of ours.
      if (!one.forced) found.push({ dealId: '', what: `fill ${one.fillId} of the unknown order ${one.clientId}` });
      continue;
    }
    const key = `${order.dealId} ${order.leg}`;
    legs.set(key, [...(legs.get(key) ?? []), one]);
  }
  for (const one of hedges) {
    for (const leg of LEGS) {
      const fills = legs.get(`${one.id} ${leg}`) ?? [];
      for (const what of legFaults(one, leg, fills, orderOf)) found.push({ dealId: one.id, what });
    }
  }
  return found;
}

/** What is wrong with a leg by its fills, in the order in which they happened. */
function legFaults(one: Hedge, leg: Leg, fills: VenueFill[], orderOf: Map<string, Order>): string[] {
  const { legNotional } = one.settings as HedgeSettings;
  const wished = legNotional * (leg === 'long' ? 1 : one.ratio);
  const faults = new Set<string>();
  let entered = new Big(0);
  let held = new Big(0);
  for (const { clientId, side, quantity, price } of fills) {
    const adds = ADDS.includes(orderOf.get(clientId!)!.purpose);
    const before = held;
    held = held.plus(side === 'buy' ? quantity : new Big(quantity).neg());
    if (adds) entered = entered.plus(new Big(quantity).times(price));
    else if (held.abs().gt(before.abs()) || held.times(before).lt(0)) faults.add(`${leg} grew by an exit`);
    if (held.times(leg === 'long' ? 1 : -1).lt(0)) faults.add(`${leg} stood the wrong way round`);
  }
  if (entered.gt(wished * ALLOWED)) faults.add(`${leg} entered with ${entered.toFixed(2)} of ${wished.toFixed(2)}`);
  if (HEDGE_ENDS.includes(one.state as never) && !held.eq(0)) faults.add(`${leg} ended with ${held.toFixed()}`);
  return [...faults];
}

/** The fill that a booking is of: one that falls on several hedges is booked in parts. */
const wholeOf = (id: string) => id.split('/')[0]!;

async function misbookedFills(db: Queries, told: VenueFill[]): Promise<string[]> {
  const booked = await db.select({ id: fill.id, quantity: fill.quantity }).from(fill);
  const paid = await db
    .select({ reference: ledger.reference, quantity: ledger.quantity })
    .from(ledger)
    .where(eq(ledger.kind, 'fill'));
  const sums = (rows: { id: string; quantity: string | null }[]) => {
    const byFill = new Map<string, Big>();
    for (const { id, quantity } of rows) {
      byFill.set(wholeOf(id), new Big(quantity ?? 0).abs().plus(byFill.get(wholeOf(id)) ?? 0));
    }
    return byFill;
  };
  const places = {
    fill: sums(booked),
    ledger: sums(paid.map(({ reference, quantity }) => ({ id: reference.replace(/^fill:/, ''), quantity }))),
  };
  const happened = new Map(told.map((one) => [one.fillId, one.quantity]));
  return Object.entries(places).flatMap(([place, sums]) => [
    ...[...happened]
      .filter(([id, quantity]) => !sums.get(id)?.eq(quantity))
      .map(([id, quantity]) => `${place}: ${id} is booked with ${sums.get(id)?.toFixed() ?? 'nothing'} of ${quantity}`),
    ...[...sums.keys()].filter((id) => !happened.has(id)).map((id) => `${place}: ${id} never happened`),
  ]);
}

async function forgotten(db: Queries, hedges: Hedge[], done: Acknowledged): Promise<string[]> {
  const [versions, pairs] = [await settingsVersions(db), await pairsOf(db)];
  const hedgeOf = new Map(hedges.map((one) => [one.id, one]));
  const noteOf = (id: string) => Number(/\d+/.exec(hedgeOf.get(id)?.note ?? '')?.[0] ?? 0);
  const ended = (id: string) => HEDGE_ENDS.includes(hedgeOf.get(id)?.state as never);
  const faults = [
    ...[...done.settings].map(([userId, version]) => {
      const there = versions.get(userId) ?? 0;
      return there < version && `settings ${version} of ${userId}: there is version ${there}`;
    }),
    ...[...done.pairs].map((pairId) => !pairs.some(({ id }) => id === pairId) && `pair ${pairId}`),
    ...[...done.arms].map(([pairId, at]) => {
      const there = pairs.find(({ id }) => id === pairId)?.armedAt ?? 0;
      // A clock of another process may be a little before ours.
      return there < at - 1000 && `arming of pair ${pairId} at ${at}: there is ${there}`;
    }),
    ...[...done.notes].map(([id, n]) => noteOf(id) < n && `note ${n} of hedge ${id}`),
    ...[...done.closes].map((id) => hedgeOf.get(id)?.closeAskedAt == null && !ended(id) && `close of hedge ${id}`),
    ...[...done.flats].map((id) => !ended(id) && `hedge ${id}, which was said to be flat`),
  ];
  return faults.filter((fault) => fault !== false);
}

/** What happened to a hedge, line by line, for whoever has to find out why. */
export async function hedgeTimeline(db: Queries, dealId: string): Promise<string[]> {
  const events = await db.select().from(dealEvent).where(eq(dealEvent.dealId, dealId)).orderBy(asc(dealEvent.id));
  const orders = await db
    .select()
    .from(tradeOrder)
    .where(eq(tradeOrder.dealId, dealId))
    .orderBy(asc(tradeOrder.createdAt));
  const fills = await db
    .select({ event: paperEvent.event })
    .from(paperEvent)
    .where(sql`event->>'clientId' in (select id from trade_order where deal_id = ${dealId})`)
    .orderBy(asc(paperEvent.sequence));
  return [
    ...events.map(({ at, kind, detail }) => `${at} event ${kind} ${detail}`),
    ...orders.map(
      ({ createdAt, id, leg, purpose, side, quantity, state, filledQuantity }) =>
        `${createdAt} order ${id} ${purpose} ${leg} ${side} ${quantity} ${state} filled ${filledQuantity}`,
    ),
    ...fills
      .map(({ event }) => event as VenueFill)
      .map(
        ({ at, clientId, side, quantity, price }) => `${at} venue fill of ${clientId} ${side} ${quantity} @ ${price}`,
      ),
  ].sort();
}
