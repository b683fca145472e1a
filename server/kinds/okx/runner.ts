import Big from 'big.js';
import { SKEW_WARNING_MS } from '#contract/apiKey';
import { venueName } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import type { OkxParams } from '#contract/kinds/okx/params';
import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import type { Leg } from '#contract/lifecycle';
import type { Places, TargetLeg } from '../../base/db/hedges/pairLegs';
import { ceilTo, floorTo, plain } from '../../base/maths/decimal';
import type { SourceSymbol } from '../../base/symbolKey';
import { legsOfDeal } from '../../engine/dealLegs';
import { blocked, type EntryBook, marketBlock, type Need, strongestGuard } from '../../engine/entries';
import { isFlat, type Legs, type LegsRules } from '../../engine/legs';
import type { MarketSnapshot } from '../../engine/marketSnapshot';
import { planExit } from '../../engine/planExit';
import { planEntry, planStages } from '../../engine/planLegs';
import type { Alert, Blocked, Entry, EntryContext, Listed, NextAction, PlanContext, Runner } from '../../engine/runner';
import type { BookOrder, DealBook, TargetBook } from '../../engine/tradingBook';
import type { Market } from '../../market/exchange';
import { Quoted } from '../../market/scan/sight';
import { streakOf } from './held';
import { arbitrageCandidate } from './scan';
import { hedgeAlerts, hedgeEntry, isHedge, isHedgeTarget, planHedge, targetNotional } from './stockHedge';
import { type Offer, profitableQuantity } from './way';

/** Above so many ms a venue is slow, and a quotation old. */
const SLOW_MS = 500;
const OLD_MS = 2_000;
/** Latency is the median of so many samples, so many ms apart. */
const SAMPLES = 5;
const SAMPLE_MS = 250;

/** How long orders to a venue have been under way of late, ms; `null` where nobody knows. @param at UTC ms */
function usualLatency(market: Market, at: number): number | null {
  const sampled = Array.from({ length: SAMPLES }, (_, i) => market.latencyMs(at - i * SAMPLE_MS));
  const known = sampled.filter((ms) => ms !== null).sort((a, b) => a - b);
  return known.length < SAMPLES ? null : known[Math.floor(SAMPLES / 2)]!;
}

/** Alert that only one side of a trade was filled. */
function tradeAlerts({ legs, oneLegSince, closeReason, state }: DealBook<'okx'>): Alert[] {
  if (oneLegSince === null && !(state === 'closing' && closeReason === 'oneLeg')) return [];
  const nameOf = ({ symbol, source }: SourceSymbol) => `${symbol}（${venueName(source)}）`;
  const text = `${nameOf(legs.long)}买 / ${nameOf(legs.short)}卖：只有一边成交，正在补齐或退回`;
  return [{ word: 'oneLeg', level: 'error', title: '套利一腿没有成交', text }];
}

/** Alerts of venues and coins of a strategy; those of a venue are raised for its first coin only. */
function gapAlerts(
  { one, coins }: OkxParams,
  { legs }: Pick<TargetBook, 'legs'>,
  { observed }: EntryContext<'okx'>,
): Alert[] {
  // The target in the other direction has the same venues.
  if (observed === null || legs[0]?.source !== one) return [];
  const { row } = observed;
  const [buy, sell] = [venueName(row.buy), venueName(row.sell)];
  const found = row.base === coins[0] ? venueAlerts(observed) : [];
  if (row.coinOut === false || row.coinIn === false) {
    const shut = [row.coinOut === false && `${buy} 停提`, row.coinIn === false && `${sell} 停充`];
    const text = `${row.base}：${shut.filter(Boolean).join('，')}，库存不能从 ${buy} 移到 ${sell}`;
    found.push({ word: 'coinShut', level: 'warning', title: `${row.base} 暂停充提`, text });
  }
  if (row.ageMs > OLD_MS && !row.obstacles.includes('out')) {
    const text = `${row.base} 在 ${buy} 与 ${sell} 的报价已有 ${Math.round(row.ageMs)} 毫秒`;
    found.push({ word: 'stale', level: 'warning', title: '报价过期', text });
  }
  return found;
}

type Observed = NonNullable<EntryContext<'okx'>['observed']>;

const SIDES = ['buy', 'sell'] as const;

function venueAlerts({ row, latency, clockAhead }: Observed): Alert[] {
  const found: Alert[] = [];
  const [buy, sell] = [venueName(row.buy), venueName(row.sell)];
  if (row.obstacles.includes('out')) {
    const text = `${buy} 或 ${sell} 没有回应，恢复前不成交`;
    found.push({ word: 'out', level: 'error', title: '交易所断线', text });
  }
  for (const side of SIDES) found.push(...slowness(row[side], latency[side]), ...skew(row[side], clockAhead[side]));
  if (row.moneyOut === false || row.moneyIn === false) {
    const shut = [row.moneyOut === false && `${sell} 停提`, row.moneyIn === false && `${buy} 停充`];
    const text = `USDT：${shut.filter(Boolean).join('，')}，卖币所得不能从 ${sell} 移回 ${buy}`;
    found.push({ word: 'moneyShut', level: 'warning', title: 'USDT 暂停充提', text });
  }
  return found;
}

function slowness(source: string, ms: number | null): Alert[] {
  if (ms === null || ms <= SLOW_MS) return [];
  const text = `${venueName(source)} 的委托近来要 ${Math.round(ms)} 毫秒，超过 ${SLOW_MS} 毫秒`;
  return [{ word: `latency ${source}`, level: 'warning', title: '交易所延迟过高', text }];
}

/** @param ms the venue's clock less ours */
function skew(source: string, ms: number | null): Alert[] {
  if (ms === null || Math.abs(ms) <= SKEW_WARNING_MS) return [];
  const aheadOrBehind = `${ms > 0 ? '快' : '慢'} ${(Math.abs(ms) / SECOND_MS).toFixed(2)} 秒`;
  const text = `${venueName(source)} 的时钟比本机${aheadOrBehind}，超过 ${SKEW_WARNING_MS / SECOND_MS} 秒：委托可能因时间戳被拒，它的报价新旧不可信`;
  return [{ word: `skew ${source}`, level: 'warning', title: '交易所时钟偏差', text }];
}

declare module '../../engine/kindTypes' {
  interface Observed {
    /** Of spot in the direction of the target. */
    okx: {
      row: ArbitrageCandidate;
      /** The most that pays, base currency; null where nothing does. */
      quantity: number | null;
      /** Quotes in a row at which it has paid. */
      streak: number;
      /** Recent order latency of each venue, ms. */
      latency: { buy: number | null; sell: number | null };
      /** Each venue's clock less ours, ms. */
      clockAhead: { buy: number | null; sell: number | null };
      /** Mid where it is bought, USDT, and the fee there. */
      price: number | null;
      fee: number | null;
    } | null;
  }

  interface EntryNote {
    okx: {
      /** Buys, sells or hedges inventory. */
      isStock: boolean;
      /** Hedges it. */
      isHedge?: boolean;
      /** What each leg aims at, base currency. */
      quantity: Record<Leg, string>;
    };
  }
}

type Deal = DealBook<'okx'>;

const BPS = 1e4;
const NOTHING: Need = { margin: 0, cash: 0 };
/** Inventory of both venues above the target by this factor is sold. */
const SURPLUS = 1.5;
/** A venue below this share of its target is restocked, unless the other one has the coin. */
const LACKING = 0.5;
/** A smaller share of the target is not worth an order: prices move it that far within hours. */
const WORTH = 0.1;

/**
 * Spot of each coin at both venues, bought at the one and sold at the other, both ways round; and, for stock that is
 * hedged, the perpetual at the first venue.
 */
function targets({ one, other, coins, hedge, stockNotional }: OkxParams, listed: Listed) {
  const missing: string[] = [];
  const legs: TargetLeg[][] = [];
  for (const coin of coins) {
    const at = (source: string, of: 'spot' | 'perpetual' = 'spot') =>
      listed(source).instruments.find(({ base, kind }) => base === coin && kind === of)?.symbol;
    const [here, there] = [at(one), at(other)];
    if (here === undefined || there === undefined) missing.push(coin);
    else {
      const leg = (name: Leg, source: string) => ({ leg: name, source, symbol: source === one ? here : there });
      legs.push([leg('long', one), leg('short', other)], [leg('long', other), leg('short', one)]);
      const symbol = hedge && stockNotional !== null ? at(one, 'perpetual') : undefined;
      if (symbol !== undefined)
        legs.push([
          { leg: 'long', source: one, symbol },
          { leg: 'short', source: one, symbol },
        ]);
    }
  }
  return { legs, missing, field: 'coins' };
}

function offerAt(snapshot: MarketSnapshot, { source, symbol }: Places[Leg]): Offer | null {
  const { at } = snapshot;
  const market = snapshot.marketOf(source);
  const listing = market?.listed?.(symbol, at);
  if (!market || !listing) return null;
  const wallet = (asset: string) => market.wallet(asset, at);
  return {
    venue: { market, isOut: market.isOut(at), coins: new Map(), wallet },
    spot: new Quoted(market, listing.instrument, listing.ticker, at),
  };
}

/** The scanner's own row in the direction of the target, how much of it pays, and for how many quotes it has. */
async function observe(snapshot: MarketSnapshot, { long, short }: Places, params: OkxParams) {
  if (long.source === short.source) return null;
  const [buy, sell] = [offerAt(snapshot, long), offerAt(snapshot, short)];
  if (buy === null || sell === null) return null;
  const { at } = snapshot;
  const { legNotional, entryBps, triggers } = params;
  const way = { buy, sell };
  const quantity = profitableQuantity(way, legNotional, entryBps);
  const size = quantity === null ? legNotional : quantity * (buy.spot.mid ?? 0);
  const plan = { size, at, now: at, held: () => 0, buy: long.source };
  return {
    row: arbitrageCandidate([buy, sell], plan),
    quantity,
    streak: quantity === null ? 0 : streakOf(way, at, entryBps, triggers),
    latency: { buy: usualLatency(buy.venue.market, at), sell: usualLatency(sell.venue.market, at) },
    clockAhead: { buy: buy.venue.market.clockAheadMs(at), sell: sell.venue.market.clockAheadMs(at) },
    price: buy.spot.mid,
    fee: buy.spot.terms?.takerFee ?? null,
  };
}

function entryOf(
  book: EntryBook,
  params: OkxParams,
  target: Pick<TargetBook, 'id' | 'legs' | 'triggeredAt'>,
  context: EntryContext<'okx'>,
): Entry<'okx'> | Blocked {
  if (isHedgeTarget(target)) return hedgeEntry(book, params, target, context);
  if (context.isBusy || book.deals.some(({ targetId }) => targetId === target.id)) return blocked('open');
  const guard = strongestGuard(book, context);
  if (guard !== null) return blocked(guard);
  if (isBanned(params, target, context)) return blocked('blacklisted');
  if (book.deals.filter((deal) => !isHedge(deal)).length >= params.maxDeals) return blocked('slots');
  if (context.observed === null || context.observed.fee === null || context.observed.price === null)
    return blocked('incomplete');
  if (context.observed.row.obstacles.includes('out')) return blocked('out');
  const market = marketBlock(context);
  if (market !== null) return blocked(market);
  return (
    stockOf(params, context, context.observed.price, context.observed.fee) ??
    tradeOf(params, target, context, book.once === true)
  );
}

/** Whether the coin or a venue is banned. */
const isBanned = (
  { banned }: OkxParams,
  { legs }: Pick<TargetBook, 'legs'>,
  { observed }: EntryContext<'okx'>,
): boolean =>
  legs.some(({ source }) => banned.includes(source)) || (observed !== null && banned.includes(observed.row.base));

/** The entry that brings the inventory of the coin to its target; null where none is needed. */
function stockOf(
  { stockNotional, legNotional }: OkxParams,
  { free, promised, arriving, terms }: EntryContext<'okx'>,
  price: number,
  fee: number,
): Entry<'okx'> | null {
  if (stockNotional === null) return null;
  // Coin that is under way counts where it will be, or it would be bought or sold twice.
  const left = { long: free.long - (promised?.long ?? 0), short: free.short - (promised?.short ?? 0) };
  const [here, there] = [(left.long + arriving.long) * price, (left.short + arriving.short) * price];
  const wanted = 2 * stockNotional;
  const surplus = here + there > wanted * SURPLUS ? Math.min(left.short * price, here + there - wanted) : 0;
  const lacking = here < stockNotional * LACKING ? Math.min(stockNotional - here, wanted - here - there) : 0;
  if (Math.max(surplus, lacking) < stockNotional * WORTH) return null;
  const leg: Leg = surplus > lacking ? 'short' : 'long';
  const { lotSize, minNotional } = terms[leg]!;
  const quantity = floorTo(new Big(Math.max(surplus, lacking, 0) / price), lotSize);
  if (quantity.times(price).lt(minNotional)) return null;
  const notional = quantity.toNumber() * price;
  const of = <T>(own: T, other: T): Record<Leg, T> => ({ long: other, short: other, [leg]: own });
  return {
    weights: of(notional / legNotional, 0),
    signal: null,
    needs: of({ margin: 0, cash: leg === 'long' ? notional * (1 + fee) : 0 }, NOTHING),
    note: { isStock: true, quantity: of(plain(quantity), '0') },
  };
}

/** The entry that buys at one venue and sells inventory at the other. */
function tradeOf(
  params: OkxParams,
  { triggeredAt }: Pick<TargetBook, 'triggeredAt'>,
  { observed, free, promised, terms, now }: EntryContext<'okx'>,
  once: boolean,
): Entry<'okx'> | Blocked {
  const { row, quantity, streak } = observed!;
  const { legNotional, triggers, maxDelayMs, cooldownSeconds } = params;
  if (quantity === null || row.netBps === null || row.ask === null) return blocked('waitsForEdge');
  if (!params.auto && !once) return blocked('waitsForPerson');
  if (!once && streak < triggers) return blocked('waitsForStreak');
  if (row.obstacles.includes('wallet')) return blocked('wallet');
  if (row.buyLatencyMs === null || row.sellLatencyMs === null) return blocked('incomplete');
  if (Math.max(row.buyLatencyMs, row.sellLatencyMs) > maxDelayMs) return blocked('latency');
  if (!once && triggeredAt !== null && now - triggeredAt < cooldownSeconds * SECOND_MS) return blocked('cooldown');
  // Buys what is sold plus the fee, which is taken in coin.
  const { takerFee, lotSize } = terms.long!;
  const bought = ceilTo(new Big(row.quantity).div(1 - takerFee), lotSize);
  if (free.short - (promised?.short ?? 0) < row.quantity) return blocked('inventory');
  const share = bought.times(row.ask).div(legNotional).toNumber();
  return {
    weights: { long: share, short: share },
    signal: row.netBps / BPS,
    needs: { long: { margin: 0, cash: bought.times(row.ask).toNumber() }, short: NOTHING },
    note: { isStock: false, quantity: { long: plain(bought), short: plain(new Big(row.quantity)) } },
  };
}

/** Sends both orders together and hands the coin over as inventory, which ends the deal. */
function plan(deal: Deal, live: readonly BookOrder[], context: PlanContext<'okx'>): NextAction | null {
  if (isHedge(deal)) return planHedge(deal, live, context);
  const { quantity } = deal.entryNote;
  const all = legsOfDeal(deal, context).filter(({ weight }) => weight > 0);
  const legs = all.map((leg) => ({ ...leg, targetQuantity: new Big(quantity[leg.leg]) }));
  const { slippageCap, maxImbalance } = deal.params;
  const rules: LegsRules = {
    bringIn: 'atOnce',
    matchBy: 'quantity',
    once: true,
    tolerance: maxImbalance,
    capBps: slippageCap,
    rebalance: null,
    exitReason: () => 'done',
  };
  const { now, entriesDisabled, hasMargin } = context;
  return planStages({ deal, legs, rules, now, entriesDisabled, hasMargin }, live, {
    entry: planEntry,
    hold: handOver,
    exit: planExit,
  });
}

/** Hands over at cost, so that the profit stays with what was sold. */
function handOver({ legs }: Legs<Leg>): NextAction {
  const held = legs.find((leg) => !isFlat(leg));
  if (held === undefined) return { do: 'move', to: 'closing', reason: 'done' };
  const { quantity, cost } = held.book;
  return { do: 'handOver', price: cost.div(quantity).abs().toNumber() };
}

/** Spot of a coin bought at one venue and sold at another at once, out of an inventory at both. */
export const okx: Runner<'okx'> = {
  sources: ({ one, other }) => [one, other],
  targets,
  costs: (observed) => ({
    cost:
      observed?.row.feesBps == null || observed.row.slippageBps === null
        ? null
        : (observed.row.feesBps + observed.row.slippageBps) / BPS,
    breakEven: null,
  }),
  observe,
  signalIs: 'edge',
  signal: (observed) => (observed?.row.netBps == null ? null : observed.row.netBps / BPS),
  gauge: ({ entryBps }, _target, { signal, observed }) =>
    observed === null ? null : { is: 'edge', now: signal, wanted: entryBps / BPS },
  rearmed: ({ usedArmAt }) => usedArmAt !== null,
  isOpportunity: (_params, observed) => observed !== null && observed.quantity !== null,
  entry: entryOf,
  targetNotional,
  plan,
  alerts: (deal, context) => (isHedge(deal) ? hedgeAlerts(deal, context) : tradeAlerts(deal)),
  targetAlerts: gapAlerts,
};
