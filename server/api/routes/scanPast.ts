import type { FastifyInstance } from 'fastify';
import { BAR_MS, SIMULATED_SOURCES } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import { scanPast } from '#contract/scanPast';
import { invalid, refused } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { annualisedAt } from '../../base/maths/basis';
import { pastOf } from '../../base/maths/zAndPercentile';
import { marketOf } from '../../desk/symbol/marketOf';
import { arbitrageHours, arbitragePast, spotOffer } from '../../kinds/okx/past';
import { BAR, basisBars } from '../../kinds/spread/past';
import { INSTRUMENT_KINDS, type Market } from '../../market/exchange';
import { type HeldRates, heldRates } from '../../market/scan/ratePast';
import type { Deps } from '../deps';

/** GET /api/market/past/...: what lies behind a row of a scanner, for masters. */
export function scanPastRoutes(app: FastifyInstance, { markets, clock }: Pick<Deps, 'markets' | 'clock'>): void {
  route(app, scanPast.rates, async ({ query }) => {
    const start = clock() - query.days * DAY_MS;
    const asked = [
      { field: 'longSymbol', side: 1, source: query.long, symbol: query.longSymbol },
      { field: 'shortSymbol', side: -1, source: query.short, symbol: query.shortSymbol },
    ] as const;
    const legs: HeldRates[] = [];
    for (const { field, side, source, symbol } of asked) {
      if (source === undefined || symbol === undefined) continue;
      const history = await (await marketOf(markets, source)).funding(symbol, { start });
      if (history === null) throw invalid(field, `${symbol} 没有资金费`);
      legs.push({ side, history });
    }
    if (legs.length === 0) throw invalid('shortSymbol', '请给出一个永续');
    return heldRates(legs);
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
