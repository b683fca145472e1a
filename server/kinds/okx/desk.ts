import Big from 'big.js';
import type { ArbitrageTrade, InventoryMove, InventoryRow, OkxDesk } from '#contract/kinds/okx/desk';
import type { OkxParams } from '#contract/kinds/okx/params';
import type { CloseReason, HedgeState } from '#contract/lifecycle';
import { transferFeesBetween } from '../../base/db/accounts/transfer';
import { bookOf } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { tradedSince } from '../../base/db/strategies/deal';
import { funnelOf, hedgeSums, newestTrades, tradeSums } from '../../base/db/strategies/okxDeal';
import { notFound } from '../../base/http/refusal';
import { NO_DAY, runningDay } from '../../base/maths/dayBoundary';
import { ledgerMoney, plain, smaller, totalOf } from '../../base/maths/decimal';
import { legPnl, netPnl } from '../../base/maths/hedge';
import { accountIn, type FreeCoins, freeCoins } from '../../desk/account/freeCoins';
import type { DeskDeps } from '../../desk/deps';
import { mustOwn } from '../../desk/strategy/strategyIntents';
import { strategySums } from '../../desk/strategy/strategySums';
import { type MarketNow, marketsNow } from '../../desk/symbol/marketNow';
import { markPrice } from '../../market/marks';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'clock'>;
type Trade = Awaited<ReturnType<typeof newestTrades>>[number];

const KIND = 'okx';
const SETTLE_ASSET = 'USDT';
/** Digits of a coin that may be moved. */
const COIN_DIGITS = 8;
const BPS = 1e4;
const TRADES = 100;
/** A drift that is worth a transfer: this part of what both venues hold. */
const DRIFTED = 0.15;

/** What an arbitrage strategy of a user holds, traded and missed. @throws 404 for any other id */
export async function okxDeskOf(needs: Needs, userId: string, id: string): Promise<OkxDesk> {
  const { db, markets, clock } = needs;
  const strategy = await mustOwnOkx(db, userId, id);
  const params = strategy.params as OkxParams;
  const now = clock();
  const sources = await marketsNow(markets, [params.one, params.other], now);
  const coins = await freeCoins(db, userId, strategy.mode);
  // Of the account's own day, as its limit counts.
  const book = await bookOf(db, userId);
  const [one, other] = [params.one, params.other].map((source) => accountIn(coins, source)?.id ?? null);
  const [funnel, sums, newest, inventory, transferFees, tradedToday, whole, hedges] = await Promise.all([
    funnelOf(db, id),
    tradeSums(db, id),
    newestTrades(db, id, TRADES),
    inventoryOf(coins, params, sources),
    one && other
      ? transferFeesBetween(db, [one, other], [...params.coins, SETTLE_ASSET], strategy.createdAt)
      : Promise.resolve(0),
    tradedSince(db, id, runningDay(book ?? NO_DAY, now).start),
    strategySums(needs, [id], now),
    hedgeSums(db, id),
  ]);
  const { net, stock } = whole.get(id)!;
  const hedge = totalOf(hedges.map((row) => hedgeNet(row, sources.get(row.source))));
  const known = totalOf([stock.pnl, hedge, sums.real]);
  const rest = net === null || known === null ? null : ledgerMoney(net - known);
  const accountAt = (source: string) => (source === params.one ? one : other) ?? null;
  const moves = params.coins.flatMap((base) =>
    moveOf(
      base,
      inventory.filter((row) => row.base === base),
      sources,
      now,
      accountAt,
    ),
  );
  const trades = newest.map(tradeRow);
  const bps = (money: number) => (sums.notional === 0 ? null : (money / sums.notional) * BPS);
  return {
    ...{ funnel, inventory, moves, trades, tradedToday, curve: curveOf(trades) },
    totals: {
      ...{ ...sums, transferFees, transferBps: bps(transferFees), netBps: bps(sums.real) },
      afterBps: bps(sums.real - transferFees),
      ...{ stockValue: stock.exposure, stockPnl: stock.pnl, hedgePnl: hedge, other: rest, net },
    },
  };
}

type HedgeSums = Awaited<ReturnType<typeof hedgeSums>>[number];

/** Net of what hedges the stock of a coin (F11), USDT; `null` where it is held and has no price. */
function hedgeNet({ symbol, funding, fees, ...leg }: HedgeSums, source: MarketNow | undefined): number | null {
  const ticker = source?.tickers.get(symbol);
  return netPnl([legPnl(leg, ticker ? markPrice(ticker) : null)], { funding, fees });
}

/** @throws 404 for a strategy of another user, or of another kind. */
export async function mustOwnOkx(db: Queries, userId: string, id: string) {
  const strategy = await mustOwn(db, userId, id);
  if (strategy.kind !== KIND) throw notFound('没有这个策略');
  return strategy;
}

/** What was planned and what came of it, trade by trade, the oldest first; USDT. */
function curveOf(trades: readonly ArbitrageTrade[]): OkxDesk['curve'] {
  let [planned, real] = [0, 0];
  const curve: OkxDesk['curve'] = { time: [], planned: [], real: [] };
  for (const { at, plannedBps, realBps, notional, net } of trades.toReversed()) {
    if (realBps === null || net === null) continue;
    planned += ((plannedBps ?? 0) / BPS) * (notional ?? 0);
    real += net;
    // Two of one millisecond are one point.
    const i = curve.time.at(-1) === at ? curve.time.length - 1 : curve.time.length;
    [curve.time[i], curve.planned[i], curve.real[i]] = [at, planned, real];
  }
  return curve;
}

/** Coin by coin and venue by venue, less what deals hold. */
async function inventoryOf(
  free: FreeCoins,
  { one, other, coins, stockNotional }: OkxParams,
  sources: ReadonlyMap<string, MarketNow>,
): Promise<InventoryRow[]> {
  const rows: InventoryRow[] = [];
  for (const base of coins) {
    const own = await Promise.all(
      [one, other].map(async (source): Promise<InventoryRow[]> => {
        const now = sources.get(source);
        const spots = (await now?.market.instruments(['spot'])) ?? [];
        const symbol = spots.find((spot) => spot.base === base)?.symbol;
        if (symbol === undefined) return [];
        const account = accountIn(free, source);
        const quantity = free.freeOf(account, { source, symbol });
        const arriving = plain(free.arrivingAt(account, { source, symbol }));
        const ticker = now?.tickers.get(symbol);
        const mark = ticker ? markPrice(ticker) : null;
        const value = mark === null ? null : quantity.toNumber() * mark;
        return [
          { base, source, symbol, quantity: plain(quantity), arriving, value, target: stockNotional, drift: null },
        ];
      }),
    );
    rows.push(...withDrift(own.flat()));
  }
  return rows;
}

/** What is there and what is on its way. */
const whole = ({ quantity, arriving }: InventoryRow): number => Number(quantity) + Number(arriving);

function withDrift(rows: InventoryRow[]): InventoryRow[] {
  const total = rows.reduce((sum, row) => sum + whole(row), 0);
  return rows.map((row) => ({ ...row, drift: total > 0 ? whole(row) / total - 1 / rows.length : null }));
}

/** What would bring a coin back to half at each venue, where it has drifted so far that it matters. */
function moveOf(
  base: string,
  rows: readonly InventoryRow[],
  sources: ReadonlyMap<string, MarketNow>,
  now: number,
  accountAt: (source: string) => string | null,
): InventoryMove[] {
  const [from, to] = rows.toSorted((a, b) => (b.drift ?? 0) - (a.drift ?? 0));
  if (!from || !to || (from.drift ?? 0) < DRIFTED) return [];
  const half = new Big(whole(from) - whole(to)).div(2);
  // What is on its way cannot be moved on.
  const quantity = Number(smaller(half, new Big(from.quantity)).round(COIN_DIGITS, Big.roundDown));
  if (quantity <= 0) return [];
  const out = sources.get(from.source)?.market.wallet(base, now) ?? null;
  const into = sources.get(to.source)?.market.wallet(base, now) ?? null;
  const price = from.value === null || Number(from.quantity) === 0 ? null : from.value / Number(from.quantity);
  const value = price === null ? null : quantity * price;
  const fee = out?.transferFee ?? null;
  return [
    {
      ...{ base, from: from.source, to: to.source, quantity, value, fee },
      ...{ fromAccount: accountAt(from.source), toAccount: accountAt(to.source), network: out?.network ?? null },
      feeBps: fee === null || value === null || value === 0 ? null : (fee / value) * BPS,
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
