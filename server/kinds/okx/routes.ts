import type { FastifyInstance } from 'fastify';
import { SIMULATED_SOURCES } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import { okxDesk } from '#contract/kinds/okx/desk';
import type { OkxParams } from '#contract/kinds/okx/params';
import { type ArbitrageCandidate, arbitrageScan } from '#contract/kinds/okx/scan';
import { ONCE_SECONDS } from '#contract/lifecycle';
import { scanPast } from '#contract/scanPast';
import { openedVenues } from '../../base/db/accounts/venueAccount';
import { moveBook } from '../../base/db/books/book';
import type { Database, Queries } from '../../base/db/client';
import { askOnce, changeStrategy } from '../../base/db/strategies/strategy';
import { noteStrategy } from '../../base/db/strategies/strategyGuard';
import { invalid, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { accountIn, freeCoins } from '../../desk/account/freeCoins';
import { inTime } from '../../desk/account/venueAnswer';
import { intentRoute } from '../../desk/openingActs';
import { type Asker, ownBook } from '../../desk/strategy/bookIntents';
import { actAsChosen, ending, freedBy } from '../../desk/strategy/wouldOpen';
import type { Markets } from '../../market/exchange';
import { scanPage } from '../../market/scan/scanPage';
import type { Venue } from '../../market/venue';
import type { KindDeps } from '../kindDeps';
import { mustOwnOkx, okxDeskOf } from './desk';
import { arbitrageHours, arbitragePast, spotOffer } from './past';
import { createArbitrageRows } from './scan';

interface Needs {
  db: Database;
  markets: Markets;
  venue: Pick<Venue, 'margin'>;
}

type Stock = Pick<ArbitrageCandidate, 'buyerCash' | 'sellerCoin'>;

/** What a user has to buy with and to sell at each venue, row by row of the scanner. */
async function stockOf(
  { db, markets, venue }: Needs,
  userId: string,
): Promise<(row: Pick<ArbitrageCandidate, 'base' | 'buy' | 'sell'>) => Stock> {
  const coins = await freeCoins(db, userId, 'paper');
  const cash = new Map<string, number | null>();
  const spots = new Map<string, ReadonlyMap<string, string>>();
  for (const { id, venue: source } of coins.accounts) {
    const margin = await inTime(venue.margin(id));
    cash.set(source, margin && Number(margin.spendable));
    const listed = (await (await markets.get(source))?.instruments(['spot'])) ?? [];
    spots.set(source, new Map(listed.map(({ base, symbol }) => [base, symbol])));
  }
  return ({ base, buy, sell }) => {
    const account = accountIn(coins, sell);
    const symbol = spots.get(sell)?.get(base);
    const isKnown = account !== undefined && symbol !== undefined;
    return {
      buyerCash: cash.get(buy) ?? null,
      sellerCoin: isKnown ? coins.freeOf(account, { source: sell, symbol }).toNumber() : null,
    };
  };
}

/** Whether both sides have what a trade of that size takes, USDT. */
const isStocked = ({ buyerCash, sellerCoin, quantity }: Stock & { quantity: number }, size: number): boolean =>
  buyerCash !== null && sellerCoin !== null && buyerCash >= size && quantity > 0 && sellerCoin >= quantity;

/** Asks for one more trade of a strategy that runs. @throws 404; `onceStopped` */
export async function tradeOnce(tx: Queries, { user, now }: Asker, id: string) {
  await ownBook(tx, user.id);
  const { state } = await mustOwnOkx(tx, user.id, id);
  if (state !== 'running') throw refused('onceStopped');
  await askOnce(tx, id, now);
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'switched', detail: '执行一次', by: user.name });
  await moveBook(tx, user.id);
  return { until: now + ONCE_SECONDS * SECOND_MS };
}

/** Whether a strategy trades one of its coins or venues. @throws 404; 400 at `word` for one that it does not name */
export async function banWord(
  tx: Queries,
  { user, now }: Asker,
  { id, word, banned }: { id: string; word: string; banned: boolean },
) {
  await ownBook(tx, user.id);
  const row = await mustOwnOkx(tx, user.id, id);
  const params = row.params as OkxParams;
  if (![...params.coins, params.one, params.other].includes(word)) throw invalid('word', '策略里没有这个币种或交易所');
  const others = params.banned.filter((one) => one !== word);
  const next = banned ? [...others, word] : others;
  const version = row.version + 1;
  await changeStrategy(tx, id, { params: { ...params, banned: next }, version, updatedAt: now, updatedBy: user.name });
  const detail = banned ? `黑名单加入 ${word}` : `黑名单移出 ${word}`;
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'config', detail, by: user.name });
  await moveBook(tx, user.id);
  return { banned: next, version };
}

/** GET /api/market/arbitrage; /api/strategy/okx: what an arbitrage strategy holds and did, and what a person does to it. */
export function okxRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock, markets, db } = deps;
  const rowsOf = createArbitrageRows(deps);

  route(app, arbitrageScan.list, async ({ query, user }) => {
    const stock = await stockOf(deps, user.id);
    const { rows, ...told } = await rowsOf(query, await openedVenues(db, user.id), {
      stocked: (row, wanted) => !wanted || isStocked({ ...row, ...stock(row) }, query.size),
    });
    const { list, total } = scanPage(rows, query);
    return { list: list.map((row) => ({ ...row, ...stock(row) })), total, ...told };
  });
  route(app, scanPast.arbitrage, async ({ query: { base, buy, sell } }) => {
    if (buy === sell) throw invalid('sell', '要两个不同的交易所');
    const now = clock();
    const offers = await Promise.all(
      [buy, sell].map(async (source) => spotOffer(await markets.get(source), base, now)),
    );
    const [bought, sold] = offers;
    if (!bought || !sold) throw refused('unknownSymbol', base, 'base');
    return arbitragePast(bought, sold, now);
  });

  route(app, scanPast.arbitrageHours, async ({ query: { base } }) => {
    const now = clock();
    const offers = await Promise.all(
      SIMULATED_SOURCES.map(async (source) => spotOffer(await markets.get(source), base, now)),
    );
    const known = offers.filter((offer) => offer !== null);
    if (known.length < 2) throw refused('unknownSymbol', base, 'base');
    return arbitrageHours(known, now);
  });

  route(app, okxDesk.read, ({ user, query }) => okxDeskOf(deps, user.id, query.id));
  intentRoute(app, deps, okxDesk.once, {
    keyRequired: true,
    write: (tx, { user, body }) => tradeOnce(tx, { user, now: clock() }, body.id),
  });
  intentRoute(app, deps, okxDesk.ban, {
    // What a word kept from opening waits for a person when it is taken back.
    prepare: async ({ user, body }) =>
      body.banned
        ? null
        : freedBy(
            deps,
            ending([user.id], (tx) => banWord(tx, { user, now: clock() }, body)),
          ),
    write: (tx, { user, body }, freed) => {
      const by = { user, now: clock() };
      const ban = () => banWord(tx, by, body);
      return freed ? actAsChosen(tx, { name: user.name, now: by.now }, freed, ban) : ban();
    },
  });
}
