import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '#contract/duration';
import { scanPast } from '#contract/scanPast';
import { invalid } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { marketOf } from '../../desk/symbol/marketOf';
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
}
