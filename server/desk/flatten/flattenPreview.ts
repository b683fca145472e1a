import Big from 'big.js';
import { FLATTEN_NAMED, type FlattenPreview } from '#contract/flatten';
import { STRATEGY_MODES, type StrategyKind } from '#contract/strategy';
import { ledgerPositions } from '../../base/db/accounts/ledger';
import { type ReachedDeal, usersNamed } from '../../base/db/books/flatten';
import { ZERO } from '../../base/maths/decimal';
import { symbolKey } from '../../base/symbolKey';
import { markPrice } from '../../market/marks';
import type { DeskDeps } from '../deps';
import { isCloseAsked } from '../strategy/dealRows';
import { marketsNow } from '../symbol/marketNow';
import { type Aim, reachedNow } from './flattenIntents';
import { type DealQuote, type Quotes, quotesOf } from './flattenQuote';

type Needs = Pick<DeskDeps, 'db' | 'venue' | 'markets'>;

/** What is worth less is not told of, USDT. */
const CRUMB = 1;

const known = (quotes: readonly DealQuote[], figure: 'notional' | 'cost' | 'net'): number | null => {
  const figures = quotes.flatMap((quote) => (quote[figure] === null ? [] : [quote[figure]]));
  return figures.length === 0 && quotes.length > 0 ? null : figures.reduce((sum, value) => sum + value, 0);
};

function estimateOf(deals: readonly ReachedDeal[], { of }: Quotes) {
  const quotes = deals.map(({ id }) => of.get(id)!);
  return {
    deals: deals.length,
    notional: known(quotes, 'notional'),
    cost: known(quotes, 'cost'),
    net: known(quotes, 'net'),
    unpriced: quotes.filter(({ cost, net }) => cost === null || net === null).length,
  };
}

/** What a deal trades, each symbol once. */
export const symbolsOf = ({ legs }: ReachedDeal): string[] => [
  ...new Set(legs.filter(({ weight, opened }) => weight > 0 || Number(opened) > 0).map(({ symbol }) => symbol)),
];

const realSources = (deals: readonly ReachedDeal[]): string[] => [
  ...new Set(deals.flatMap(({ mode, legs }) => (mode === 'live' ? legs.map(({ source }) => source) : []))),
];

const isEmpty = ({ legs }: ReachedDeal): boolean => legs.every(({ quantity }) => Number(quantity) === 0);

/** What closing an aim would close now, at which cost, and what not. */
export async function flattenPreview(deps: Needs, aim: Aim, now: number, keepsHedges = false): Promise<FlattenPreview> {
  const { deals, hedges, quotes } = await reachedNow(deps, aim, now, keepsHedges);
  const ofHedges = keepsHedges ? await quotesOf(deps, hedges, now) : quotes;
  const kinds = [...new Set(deals.map(({ kind }) => kind as StrategyKind))];
  const inModes = (some: readonly ReachedDeal[]) =>
    STRATEGY_MODES.map((mode) => ({ mode, found: some.filter((deal) => deal.mode === mode) }))
      .filter(({ found }) => found.length > 0)
      .map(({ mode, found }) => ({ mode, ...estimateOf(found, quotes) }));
  const blocked = deals.flatMap((deal) => {
    const why = quotes.of.get(deal.id)!.why;
    if (why === null) return [];
    const { id, kind, strategy, user, frozen } = deal;
    const detail = why === 'frozen' ? frozen : null;
    return [{ id, kind: kind as StrategyKind, strategy, user, symbols: symbolsOf(deal), why, detail }];
  });
  return {
    at: now,
    scope: aim.scope,
    name: aim.name,
    own: aim.own,
    users: new Set(deals.map(({ userId }) => userId)).size,
    real: realSources(deals),
    deals: deals.length,
    unpriced: estimateOf(deals, quotes).unpriced,
    empty: deals.filter(isEmpty).length,
    closing: deals.filter((deal) => deal.state === 'closing' || isCloseAsked(deal)).length,
    kinds: kinds.flatMap((kind) =>
      inModes(deals.filter((deal) => deal.kind === kind)).map((estimate) => ({ kind, ...estimate })),
    ),
    modes: inModes(deals),
    hedges: { deals: hedges.length, notional: estimateOf(hedges, ofHedges).notional },
    blocked: blocked.slice(0, FLATTEN_NAMED),
    blockedTotal: blocked.length,
    kept: aim.strategy === null ? await keptBy(deps, aim, keepsHedges ? [...deals, ...hedges] : deals, now) : [],
  };
}

/** What accounts hold for no deal: nothing of it is closed. The most valuable first. */
async function keptBy({ db, markets }: Needs, { userId }: Aim, deals: readonly ReachedDeal[], now: number) {
  const users = await usersNamed(db, userId);
  const positions = await ledgerPositions(db, [...users.keys()]);
  const held = new Map<string, Big>();
  const keyOf = (accountId: string, place: { source: string; symbol: string }) => `${accountId} ${symbolKey(place)}`;
  for (const { accountId, ...leg } of deals.flatMap(({ legs }) => legs)) {
    const key = keyOf(accountId, leg);
    held.set(key, (held.get(key) ?? ZERO).plus(leg.quantity));
  }
  const spare = positions
    .map((row) => ({ ...row, left: new Big(row.quantity ?? 0).minus(held.get(keyOf(row.accountId, row)) ?? ZERO) }))
    .filter(({ left }) => !left.eq(0));
  const sources = await marketsNow(
    markets,
    spare.map(({ source }) => source),
    now,
  );
  return spare
    .map(({ userId: owner, source, symbol, left }) => {
      const ticker = sources.get(source)?.tickers.get(symbol);
      const mark = ticker ? markPrice(ticker) : null;
      const value = mark === null ? null : left.toNumber() * mark;
      return { user: users.get(owner) ?? '', source, symbol, quantity: left.toFixed(), value };
    })
    .filter(({ value }) => value === null || Math.abs(value) >= CRUMB)
    .sort((a, b) => Math.abs(b.value ?? 0) - Math.abs(a.value ?? 0))
    .slice(0, FLATTEN_NAMED);
}
