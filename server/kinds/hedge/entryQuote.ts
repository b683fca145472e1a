import Big from 'big.js';
import type { EntryQuote, HedgeSettings } from '#contract/kinds/hedge/config';
import { LEGS, type Leg, type PairBlock } from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import { killSwitchOf } from '../../base/db/books/book';
import { legsOf } from '../../base/db/hedges/pairLegs';
import { refused } from '../../base/http/refusal';
import { floorTo, plain } from '../../base/maths/decimal';
import { ratioAtNet } from '../../base/maths/hedge';
import { pairWarnings } from '../../base/maths/pair';
import type { DeskDeps } from '../../desk/deps';
import { type MarketNow, marketNow } from '../../desk/symbol/marketNow';
import { entryOf, needsModel } from '../../engine/entries';
import { type PairModel, ratioBy, zNow } from '../../engine/pairModel';
import type { TradingTerms, Venue } from '../../market/venue';
import { deskState } from './desk';
import { checkPair, type Pair } from './pairCheck';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'venue' | 'pairModels'>;

/** The market and the venue as they are for a pair that would be added now. */
interface PairNow {
  source: MarketNow;
  model: PairModel | null;
  z: number | null;
  warnings: PairWarning[];
  terms: Record<Leg, TradingTerms | undefined>;
  /** USDT. */
  freeMargin: number;
}

async function pairNow(
  { markets, venue, pairModels }: Needs,
  userId: string,
  { source: name, zBar, zWindow }: HedgeSettings,
  { long, short }: Pair,
  now: number,
): Promise<PairNow> {
  const source = await marketNow(markets, name, now);
  if (source === null) throw refused('unknownSource');
  const [model, own, other, { equity, initialMargin }] = await Promise.all([
    pairModels.of(source.market, { long, short, bar: zBar, window: zWindow }),
    venue.terms(name, long),
    venue.terms(name, short),
    venue.margin(userId),
  ]);
  const z = zNow(model, source.view.get(long), source.view.get(short));
  return {
    ...{ source, model, z, warnings: model === null ? [] : pairWarnings(model, z) },
    terms: { long: own, short: other },
    freeMargin: Number(equity) - Number(initialMargin),
  };
}

/** Why the engine would not enter a pair that is added now (`null` when it would), and what speaks against it. */
export async function entryNow(deps: Needs, userId: string, settings: HedgeSettings, pair: Pair, now: number) {
  const present = await pairNow(deps, userId, settings, pair, now);
  return { block: await blockOf(deps, userId, settings, pair, present, now), warnings: present.warnings };
}

async function blockOf(
  { db, markets }: Needs,
  userId: string,
  settings: HedgeSettings,
  { long, short }: Pair,
  { source, model, terms, freeMargin }: PairNow,
  now: number,
): Promise<PairBlock | null> {
  const [{ book, enabled, records, hit }, all] = await Promise.all([
    deskState({ db, markets }, userId, now),
    killSwitchOf(db),
  ]);
  const pause = (at: number | null | undefined) => (at == null ? null : { at, by: '', reason: '' });
  const entryBook = {
    state: enabled ? ('running' as const) : ('paused' as const),
    // Whoever may not trade may not ask either.
    blocked: false,
    paused: pause(book?.pausedAt),
    pausedForAll: pause(all?.pausedAt),
    unvalued: book?.unvalued ?? null,
    deals: records.map(({ pairId }) => ({ targetId: pairId })),
  };
  const legs = legsOf({ source: settings.source, long, short });
  const added = { id: '', legs, armedAt: now, usedArmAt: null };
  const entry = entryOf(entryBook, settings, added, {
    long: source.view.get(long),
    short: source.view.get(short),
    terms,
    model: needsModel(settings) ? model : undefined,
    lossLimitHit: hit,
  });
  if ('block' in entry) return entry.block;
  const { long: bought, short: sold } = entry.needs;
  return freeMargin >= bought.margin + sold.margin ? null : 'margin';
}

/**
 * What entering a pair now would take and cost by the venue's book and taker fee (F9), the net results and ratios at
 * which it would end, and whether it would be entered at once. A side whose book does not hold its whole quantity has
 * no price, and then the sums are unknown too.
 * @throws what adding the pair would be refused for.
 */
export async function entryQuote(
  deps: Needs,
  userId: string,
  settings: HedgeSettings,
  pair: Pair,
  now: number,
): Promise<EntryQuote> {
  await checkPair(deps, settings, pair, now);
  const present = await pairNow(deps, userId, settings, pair, now);
  const share = ratioBy(settings.ratio, present.model) ?? 1;
  const notional = { long: settings.legNotional, short: settings.legNotional * share };
  const [block, ...quoted] = await Promise.all([
    blockOf(deps, userId, settings, pair, present, now),
    ...LEGS.map((leg) => legQuote(deps.venue, settings, { leg, symbol: pair[leg], notional: notional[leg] })),
  ]);
  const legs = quoted.map(({ at: _at, ...leg }) => leg);
  const times = quoted.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    settings,
    legs,
    notional: total(legs.map((leg) => leg.notional)),
    margin: total(legs.map(({ margin }) => margin)),
    freeMargin: present.freeMargin,
    fees: total(legs.map(({ fee }) => fee)),
    slippage: total(legs.map(({ slippage }) => slippage)),
    ...levels(settings, legs),
    ...{ z: present.z, share, hedgeRatio: present.model?.hedgeRatio ?? null },
    warnings: present.warnings,
    block,
    priceAt: times.length === 0 ? null : Math.min(...times),
  };
}

type QuotedLeg = EntryQuote['legs'][number];

/** `null` as soon as one part is unknown. */
const total = (parts: readonly (number | null)[]): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);

/** Where stop and target are, as net results and as ratios of the prices. */
function levels({ stopLoss, takeProfit }: HedgeSettings, legs: readonly QuotedLeg[]) {
  const [long, short] = legs;
  const gross = total(legs.map(({ notional }) => notional));
  const costs = total(legs.flatMap(({ fee, slippage }) => [fee, slippage]));
  const ratio = long?.mid && short?.mid ? long.mid / short.mid : null;
  const level = (share: number | null) => {
    if (share === null || gross === null) return null;
    const net = share * gross;
    const known = ratio !== null && costs !== null && long?.notional;
    return { net, ratio: known ? ratioAtNet(ratio, net, costs, long.notional!) : null };
  };
  return { ratio, stop: level(stopLoss === null ? null : -stopLoss), target: level(takeProfit) };
}

async function legQuote(
  venue: Venue,
  { source, leverage }: HedgeSettings,
  { leg, symbol, notional }: { leg: Leg; symbol: string; notional: number },
) {
  const [quote, terms] = await Promise.all([venue.quote(source, symbol), venue.terms(source, symbol)]);
  // Checked before; it may have stopped trading since.
  if (quote === undefined || terms === undefined) throw refused('pairNotTradable', symbol, leg);
  const mid = (quote.bid + quote.ask) / 2;
  const quantity = floorTo(new Big(notional).div(mid), terms.lotSize);
  const taken = await venue.cost(source, symbol, leg === 'long' ? 'buy' : 'sell', plain(quantity));
  const price = taken !== undefined && new Big(taken.quantity).gte(quantity) ? taken.price : null;
  const size = quantity.toNumber();
  const worth = price === null ? null : size * price;
  return {
    leg,
    symbol,
    quantity: plain(quantity),
    mid,
    price,
    notional: worth,
    margin: worth === null ? null : worth / leverage,
    fee: worth === null ? null : worth * terms.takerFee,
    slippage: price === null ? null : size * Math.abs(price - mid),
    at: quote.at,
  };
}
