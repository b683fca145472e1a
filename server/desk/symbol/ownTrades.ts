import { BAR_MS } from '#contract/candle';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import type { StrategyKind, StrategyMode } from '#contract/strategy';
import { OWN_BARS, OWN_SPANS, type symbol } from '#contract/symbol';
import { dealsHolding, fillsByBar } from '../../base/db/orders/coinTrades';
import { type DealColumns, dealsById } from '../../base/db/strategies/deal';
import { invalid } from '../../base/http/refusal';
import type { DeskDeps } from '../deps';
import { dealRow } from '../strategy/dealRows';
import { marketsNow } from './marketNow';

type Own = DataOf<typeof symbol.own>;
type Needs = Pick<DeskDeps, 'db' | 'markets'>;

/** What GET /api/symbol/own answers with: the user's fills of a symbol by bar, and the deals that held it. @throws 400 at `end` */
export async function ownTrades(
  { db, markets }: Needs,
  userId: string,
  query: QueryOf<typeof symbol.own>,
  now: number,
): Promise<Own> {
  const { source, symbol: name, bar, start, end } = query;
  if (start >= end) throw invalid('end', '结束时间必须晚于开始时间');
  if (end - start > OWN_BARS * BAR_MS[bar]) throw invalid('end', `一次最多 ${OWN_BARS} 根 K 线`);
  const asked = { userId, source, symbol: name, start, end };
  const [fills, held] = await Promise.all([fillsByBar(db, asked, BAR_MS[bar]), dealsHolding(db, asked, OWN_SPANS)]);
  const ids = held.list.map(({ id }) => id);
  const deals = new Map((await dealsById(db, userId, ids)).map((deal) => [deal.id, deal]));
  const places = [...deals.values()].flatMap(({ legs }) => legs.map((leg) => leg.source));
  const sources = await marketsNow(markets, places, now);
  const spans = held.list.flatMap(({ id, ...of }) => {
    const deal = deals.get(id);
    return deal === undefined ? [] : spansOf(deal, of, query, sources, now);
  });
  return { fills: fills as Own['fills'], spans, total: held.total };
}

/** The legs of a deal in the symbol: one, or both of a grid that may hold either side. */
function spansOf(
  deal: DealColumns,
  of: { strategyId: string; strategy: string; mode: string },
  { source, symbol: name }: Pick<QueryOf<typeof symbol.own>, 'source' | 'symbol'>,
  sources: Awaited<ReturnType<typeof marketsNow>>,
  now: number,
): Own['spans'] {
  const row = dealRow(deal, sources, now, { secondFillMs: null, alerts: [] });
  const hasEnded = HEDGE_ENDS.includes(deal.state as HedgeState);
  return row.legs
    .filter((leg) => leg.source === source && leg.symbol === name && Number(leg.opened) > 0)
    .map((leg) => ({
      dealId: deal.id,
      kind: deal.kind as StrategyKind,
      ...of,
      mode: of.mode as StrategyMode,
      state: row.state,
      side: leg.leg,
      against: row.legs.flatMap((other) =>
        !other.isUsed || (other.source === source && other.symbol === name) ? [] : [other.symbol],
      ),
      from: deal.openedAt ?? deal.createdAt,
      to: hasEnded ? (deal.closedAt ?? deal.stateAt) : null,
      quantity: leg.opened,
      entry: leg.entry,
      exit: exitOf(deal, leg.leg),
      pricePnl: leg.pricePnl,
      net: row.net,
    }));
}

function exitOf({ legs }: DealColumns, name: string): number | null {
  const exit = legs.find(({ leg }) => leg === name)?.exit ?? null;
  return exit === null ? null : Number(exit);
}
