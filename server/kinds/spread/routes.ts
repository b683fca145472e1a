import type { FastifyInstance } from 'fastify';
import { BAR_MS } from '#contract/candle';
import { spreadDesk } from '#contract/kinds/spread/desk';
import { spreadScan } from '#contract/kinds/spread/scan';
import { scanPast } from '#contract/scanPast';
import { openedVenues } from '../../base/db/accounts/venueAccount';
import { refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { annualisedAt } from '../../base/maths/basis';
import { pastOf } from '../../base/maths/pair';
import { intentRoute } from '../../desk/openingActs';
import { proveForDeal } from '../../desk/strategy/real';
import { rollDeal } from '../../desk/strategy/strategyIntents';
import { marketOf } from '../../desk/symbol/marketOf';
import { INSTRUMENT_KINDS, type Market } from '../../market/exchange';
import { scanPage } from '../../market/scan/scanPage';
import type { KindDeps } from '../kindDeps';
import { rollQuote, spreadDates, spreadFigures } from './desk';
import { BAR, basisBars } from './past';
import { createSpreadRows } from './scan';

/** GET /api/market/spread, /api/strategy/spread and below. */
export function spreadRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { clock, markets, db } = deps;
  const rowsOf = createSpreadRows(deps);

  route(app, spreadScan.list, async ({ query, user }) => {
    const { rows, ...told } = await rowsOf(query, await openedVenues(db, user.id));
    return { ...scanPage(rows, query), ...told };
  });
  route(app, scanPast.basis, async ({ query: { source, near, far } }) => {
    const market = await marketOf(markets, source);
    const [nearEnd, farEnd] = await expiriesOf(market, [near, far]);
    const bars = await basisBars(market, near, far, clock());
    if (bars === null) throw refused('unknownSymbol', `${near} / ${far}`, 'near');
    const past = pastOf(bars.basis);
    const time = Array.from(bars.time, (opened) => opened + BAR_MS[BAR]);
    return {
      ...{ time, basis: Array.from(bars.basis), near: Array.from(bars.near), far: Array.from(bars.far) },
      ...{ open: Array.from(bars.open), high: Array.from(bars.high), low: Array.from(bars.low), finest: bars.finest },
      annualised: time.map((at, i) => annualisedAt(bars.basis[i]!, at, nearEnd ?? null, farEnd ?? null)),
      ...{ mean: past?.mean ?? null, sd: past?.sd ?? null },
    };
  });

  route(app, spreadDesk.figures, ({ user, query }) => spreadFigures(deps, user.id, query.id, clock()));
  route(app, spreadDesk.dates, ({ user, query }) => spreadDates(deps, user.id, query, clock()));
  route(app, spreadDesk.rollQuote, ({ user, query }) => rollQuote(deps, user.id, query.id, clock()));
  intentRoute(app, deps, spreadDesk.roll, {
    keyRequired: true,
    allows: (call) => proveForDeal(deps, call, call.body.id),
    prepare: async ({ body, user }) => {
      const { cost, refusal } = await rollQuote(deps, user.id, body.id, clock());
      if (refusal !== null) throw refused('dealRollBlocked', refusal);
      if (cost === null) throw refused('dealRollBlocked', '盘口装不下这个数量，或交易所现在不应答');
    },
    write: (tx, { user, body }) => rollDeal(tx, { user, now: clock() }, body.id),
  });
}

/** When symbols expire, UTC ms; null for those that do not. @throws a refusal for a symbol that the source does not list. */
async function expiriesOf(market: Market, symbols: readonly string[]): Promise<(number | null)[]> {
  const all = new Map((await market.instruments(INSTRUMENT_KINDS)).map((one) => [one.symbol, one.expiresAt]));
  return symbols.map((symbol) => {
    const expiresAt = all.get(symbol);
    if (expiresAt === undefined) throw refused('unknownSymbol', symbol, 'near');
    return expiresAt;
  });
}
