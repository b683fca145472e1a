import Big from 'big.js';
import type { CloseReason, HedgeState } from '#contract/lifecycle';
import type { OkxParams } from '#contract/okx';
import type { ArbitrageTrade, InventoryMove, InventoryRow, OkxDesk } from '#contract/okxDesk';
import { runningOf } from '../db/deal';
import { ledgerPositions } from '../db/ledger';
import { funnelOf, newestTrades } from '../db/okxDeal';
import { accountFor, accountsOf } from '../db/venueAccount';
import type { Deps } from '../deps';
import { markPrice } from '../exchange/marks';
import { notFound } from '../http/refusal';
import { plain, ZERO } from '../maths/decimal';
import { type MarketNow, marketsNow } from '../symbol/marketNow';
import { mustOwn } from './strategyIntents';

type Needs = Pick<Deps, 'db' | 'markets' | 'clock'>;
type Trade = Awaited<ReturnType<typeof newestTrades>>[number];

const BPS = 1e4;
const TRADES = 100;
/** A drift that is worth a transfer: this part of what both venues hold. */
const DRIFTED = 0.15;

/** What an arbitrage strategy of a user holds, traded and missed. @throws 404 for any other id */
export async function okxDeskOf(needs: Needs, userId: string, id: string): Promise<OkxDesk> {
  const { db, markets, clock } = needs;
  const strategy = await mustOwn(db, userId, id);
  if (strategy.kind !== 'okx') throw notFound('没有这个策略');
  const params = strategy.params as OkxParams;
  const sources = await marketsNow(markets, [params.one, params.other], clock());
  const [funnel, trades, inventory] = await Promise.all([
    funnelOf(db, id),
    newestTrades(db, id, TRADES),
    inventoryOf(needs, userId, params, sources),
  ]);
  const moves = params.coins.flatMap((base) =>
    moveOf(
      base,
      inventory.filter((row) => row.base === base),
      sources,
      clock(),
    ),
  );
  return { funnel, inventory, moves, trades: trades.map(tradeRow) };
}

/** Coin by coin and venue by venue, less what other deals hold. */
async function inventoryOf(
  { db }: Needs,
  userId: string,
  { one, other, coins, stockNotional }: OkxParams,
  sources: ReadonlyMap<string, MarketNow>,
): Promise<InventoryRow[]> {
  const [accounts, positions, running] = await Promise.all([
    accountsOf(db, [userId]),
    ledgerPositions(db, [userId]),
    runningOf(db, [userId]),
  ]);
  const legs = running.flatMap((deal) => deal.legs);
  const rows: InventoryRow[] = [];
  for (const base of coins) {
    const own = await Promise.all(
      [one, other].map(async (source) => {
        const now = sources.get(source);
        const spots = (await now?.market.instruments(['spot'])) ?? [];
        const symbol = spots.find((spot) => spot.base === base)?.symbol;
        if (symbol === undefined) return [];
        const account = accountFor(accounts, source);
        const isHere = (row: { accountId: string; source: string; symbol: string }) =>
          row.accountId === account?.id && row.source === source && row.symbol === symbol;
        const held = new Big(positions.find(isHere)?.quantity ?? 0);
        const taken = legs.filter(isHere).reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
        const quantity = held.minus(taken);
        const ticker = now?.tickers.get(symbol);
        const mark = ticker ? markPrice(ticker) : null;
        const value = mark === null ? null : quantity.toNumber() * mark;
        return [{ base, source, symbol, quantity: plain(quantity), value, target: stockNotional, drift: null }];
      }),
    );
    rows.push(...withDrift(own.flat()));
  }
  return rows;
}

function withDrift(rows: InventoryRow[]): InventoryRow[] {
  const total = rows.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  return rows.map((row) => ({ ...row, drift: total > 0 ? Number(row.quantity) / total - 1 / rows.length : null }));
}

/** What would bring a coin back to half at each venue, where it has drifted so far that it matters. */
function moveOf(
  base: string,
  rows: readonly InventoryRow[],
  sources: ReadonlyMap<string, MarketNow>,
  now: number,
): InventoryMove[] {
  const [from, to] = rows.toSorted((a, b) => (b.drift ?? 0) - (a.drift ?? 0));
  if (!from || !to || (from.drift ?? 0) < DRIFTED) return [];
  const quantity = (Number(from.quantity) - Number(to.quantity)) / 2;
  const out = sources.get(from.source)?.market.wallet(base, now) ?? null;
  const into = sources.get(to.source)?.market.wallet(base, now) ?? null;
  const price = from.value === null || Number(from.quantity) === 0 ? null : from.value / Number(from.quantity);
  return [
    {
      ...{ base, from: from.source, to: to.source, quantity },
      value: price === null ? null : quantity * price,
      fee: out?.transferFee ?? null,
      minutes: out?.transferMinutes ?? null,
      canMove: out === null || into === null ? null : out.canWithdraw && into.canDeposit ? 'open' : 'shut',
    },
  ];
}

function tradeRow({ long, short, bought, sold, ...deal }: Trade): ArbitrageTrade {
  const figure = (of: 'realised' | 'fees') => Number(long[of]) + Number(short[of]);
  const isFilled = Number(long.opened) > 0 && Number(short.opened) > 0;
  const net = Number(long.opened) + Number(short.opened) > 0 ? figure('realised') - figure('fees') : null;
  const notional = Number(long.notional);
  const planned = (deal.opening as { quantity: Record<'long' | 'short', string> }).quantity;
  const took = (one: Trade['bought']) => (one ? one.answeredAt - one.sentAt : null);
  return {
    id: deal.id,
    at: bought?.sentAt ?? sold?.sentAt ?? deal.createdAt,
    ...{ buy: long.source, sell: short.source, symbol: long.symbol },
    quantity: long.opened,
    notional,
    plannedBps: deal.signalOpen === null ? null : deal.signalOpen * BPS,
    realBps: net === null || !isFilled ? null : (net / notional) * BPS,
    net,
    ...{ buyMs: took(bought), sellMs: took(sold) },
    apartMs: bought && sold ? Math.abs(bought.sentAt - sold.sentAt) : null,
    share: Math.min(1, Number(long.opened) / Number(planned.long), Number(short.opened) / Number(planned.short)),
    state: deal.state as HedgeState,
    closeReason: deal.closeReason as CloseReason | null,
  };
}
