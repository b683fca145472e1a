import type { FastifyInstance } from 'fastify';
import { accessOf } from '#contract/access';
import type { HedgeState } from '#contract/lifecycle';
import { search as api, type Found, MOST_FOUND } from '#contract/search';
import type { StrategyKind, StrategyState } from '#contract/strategy';
import { findHedges, findStrategies, findUsers } from '../../base/db/records/search';
import { route } from '../../base/http/route';
import { isCalled, namesOf } from '../../market/coinNames';
import type { Markets } from '../../market/exchange';
import type { Deps } from '../deps';

/** One search over what a user may open. */
export function searchRoutes(app: FastifyInstance, { db, markets }: Pick<Deps, 'db' | 'markets'>): void {
  route(app, api.everything, async ({ query, user }): Promise<Found> => {
    const text = query.text.trim();
    if (text === '') return { coins: [], hedges: [], strategies: [], users: [] };
    const { isMaster } = accessOf(user.role);
    const [coins, hedges, strategies, users] = await Promise.all([
      coinsOf(markets, text),
      findHedges(db, text, isMaster ? undefined : user.id, MOST_FOUND),
      isMaster ? findStrategies(db, text, MOST_FOUND) : [],
      isMaster ? findUsers(db, text, MOST_FOUND) : [],
    ]);
    return {
      coins,
      hedges: hedges.map((row) => ({ ...row, state: row.state as HedgeState })),
      strategies: strategies.map((row) => ({ ...row, ...wordsOf(row) })),
      users,
    };
  });
}

const wordsOf = ({ kind, state }: { kind: string; state: string }) => ({
  kind: kind as StrategyKind,
  state: state as StrategyState,
});

/** Those named so, then those whose names begin so, those that hold it, and those whose Chinese names begin so. */
async function coinsOf(markets: Markets, text: string): Promise<Found['coins']> {
  const wanted = text.toUpperCase();
  const rank = ({ symbol, base }: { symbol: string; base: string }) => {
    const names = [symbol.toUpperCase(), base.toUpperCase()];
    if (names.includes(wanted) || namesOf(base).includes(text.toLowerCase())) return 0;
    if (names.some((name) => name.startsWith(wanted))) return 1;
    if (names.some((name) => name.includes(wanted))) return 2;
    return isCalled(base, text) ? 3 : 4;
  };
  const found: { rank: number; coin: Found['coins'][number] }[] = [];
  for (const market of await markets.list()) {
    for (const instrument of await market.instruments()) {
      const { symbol } = instrument;
      const place = rank(instrument);
      if (place < 4)
        found.push({ rank: place, coin: { source: market.source, symbol, name: namesOf(instrument.base)[0] ?? null } });
    }
  }
  // Sorting keeps the order of the markets where ranks are equal.
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_FOUND)
    .map(({ coin }) => coin);
}
