import { DEAL_LIMITS, type DealLimits, type DealOutlook } from '#contract/dealOutlook';
import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import { isLaddered, PARAMS, type StrategyKind } from '#contract/strategy';
import type { DealColumns } from '../../base/db/strategies/deal';
import { dealWaterfall } from '../../base/maths/waterfall';
import { exitRulesNow } from '../../engine/preview';
import type { DeskDeps } from '../deps';
import { marketsNow } from '../symbol/marketNow';
import { closeQuote } from './closeQuote';
import { dealRow } from './dealRows';

interface Bounds {
  minimum: number;
  maximum: number;
}

/** Why a deal is held on, what would close it, and what it is made up of. */
export async function dealOutlook(
  needs: Pick<DeskDeps, 'db' | 'venue' | 'markets' | 'clock' | 'pairModels'>,
  deal: DealColumns,
): Promise<DealOutlook> {
  const { markets, clock } = needs;
  const now = clock();
  const sources = await marketsNow(
    markets,
    deal.legs.map(({ source }) => source),
    now,
  );
  const { pricePnl, funding, fees, net } = dealRow(deal, sources, now, { secondFillMs: null, alerts: [] });
  const slippage = isLaddered(deal.kind as StrategyKind)
    ? null
    : deal.legs.reduce((sum, leg) => sum + Number(leg.slippage), 0);
  const booked = { pricePnl, funding: funding ?? 0, fees: fees ?? 0, slippage };
  const params = deal.params as DealLimits & { legNotional: number; leverage: number };
  const limits = Object.fromEntries(DEAL_LIMITS.flatMap((key) => (key in params ? [[key, params[key]]] : [])));
  const facts = PARAMS[deal.kind as StrategyKind].schema.properties as Record<string, Partial<Bounds>>;
  const bounds = Object.fromEntries(
    Object.keys(limits).flatMap((key) => {
      const { minimum, maximum } = facts[key] ?? {};
      return minimum === undefined || maximum === undefined ? [] : [[key, { minimum, maximum }]];
    }),
  );
  const limitBase = isLaddered(deal.kind as StrategyKind)
    ? params.legNotional / params.leverage
    : deal.legs.reduce((sum, leg) => sum + Number(leg.notional), 0);
  if (HEDGE_ENDS.includes(deal.state as HedgeState))
    return { rules: [], limits, bounds, limitBase, netClosed: null, waterfall: dealWaterfall(booked) };
  const [quote, [rules = []]] = await Promise.all([closeQuote(needs, deal), exitRulesNow(needs, [deal])]);
  const leaving = quote.net === null || net === null ? null : quote.net - net;
  return { rules, limits, bounds, limitBase, netClosed: quote.net, waterfall: dealWaterfall(booked, leaving) };
}
