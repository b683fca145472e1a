import type { FastifyInstance } from 'fastify';
import { SIMULATED_SOURCES } from '#contract/candle';
import { okxDesk } from '#contract/kinds/okx/desk';
import { arbitrageScan } from '#contract/kinds/okx/scan';
import { scanPast } from '#contract/scanPast';
import { invalid, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { intentRoute } from '../../desk/intentRoute';
import { actAsChosen, ending, freedBy } from '../../desk/strategy/wouldOpen';
import { scanPage } from '../../market/scan/scanPage';
import type { KindDeps } from '../kindDeps';
import { okxDeskOf } from './desk';
import { banWord, tradeOnce } from './intents';
import { arbitrageHours, arbitragePast, spotOffer } from './past';
import { createArbitrageRows } from './scan';
import { isStocked, stockOf } from './stock';

/** GET /api/market/arbitrage; /api/strategy/okx: what an arbitrage strategy holds and did, and what a person does to it. */
export function okxRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock, markets } = deps;
  const rowsOf = createArbitrageRows(deps);

  route(app, arbitrageScan.list, async ({ query, user }) => {
    const stock = await stockOf(deps, user.id);
    const { rows, ...told } = await rowsOf(query, {
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
