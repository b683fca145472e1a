import Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import { type Account, type IncomeKind, type Order, ZERO } from '../core/account';
import type { ApiKey } from '../core/keys';
import { fillRow, orderAsked, orderRow, placeOrder, walletOf } from './orders';
import type { Params } from './params';
import type { Part } from './part';
import { Refusal } from './refusal';
import type { Access, Route, Routes } from './routes';

const WEEK_MS = 7 * DAY_MS;
const PATHS = { spot: '/api/v3', futures: '/fapi/v1' };
const notFound: [number, string] = [-2013, 'Order does not exist.'];
const unknown: [number, string] = [-2011, 'Unknown order sent.'];

/** A route of a customer. */
export const own =
  (part: Part) =>
  (
    access: Access,
    weight: Route['weight'],
    handle: (account: Account, params: Params, key: ApiKey) => unknown,
  ): Route => ({
    access,
    weight,
    handle: (params, key) => handle(part.exchange.trading.account(key!.account), params, key!),
  });

/** What lies within the times that are asked for, which may not be farther apart than the part allows. */
function timesAsked(part: Part, params: Params, usualMs: number | null): [from: number, until: number] {
  const [start, end] = [params.integer('startTime'), params.integer('endTime')];
  const most = part.name === 'spot' ? DAY_MS : WEEK_MS;
  const now = part.exchange.now();
  if (start !== undefined && end !== undefined && end - start > most)
    throw part.name === 'spot'
      ? new Refusal(-1127, 'More than 24 hours between startTime and endTime.')
      : new Refusal(-4165, 'Invalid time interval. Maximum time interval is 7 days.');
  if (start === undefined && end === undefined) return [usualMs === null ? 0 : now - usualMs, now];
  return [start ?? end! - most, end ?? start! + most];
}

function placedAnswer(part: Part, account: Account, order: Order) {
  if (part.name === 'futures') return orderRow(part, order);
  const fills = account.fills.filter((fill) => fill.order === order);
  const { time, ...row } = orderRow(part, order);
  return {
    ...row,
    transactTime: time,
    fills: fills.map((fill) => {
      const { price, qty, commission, commissionAsset, id: tradeId } = fillRow(part, fill);
      return { price, qty, commission, commissionAsset, tradeId };
    }),
  };
}

function cancelAnswer(part: Part, order: Order, params: Params) {
  const row = orderRow(part, order);
  if (part.name === 'futures') return row;
  // Of a cancel the client id is another one; the order's own is beside it.
  const cancelId = params.text('newCancelClientOrderId') ?? `cancel_${order.id}`;
  return { ...row, origClientOrderId: order.clientId, clientOrderId: cancelId, transactTime: order.updatedAt };
}

/** Newest first by number while no number is given to begin at; ascending. */
function historyOf<T extends { id: number }>(rows: T[], from: number | undefined, limit: number): T[] {
  return from === undefined ? rows.slice(-limit) : rows.filter(({ id }) => id >= from).slice(0, limit);
}

export function orderRoutes(part: Part): Routes {
  const path = PATHS[part.name];
  const wallet = walletOf(part);
  const route = own(part);
  const { trading } = part.exchange;
  const myTrades = route('read', part.name === 'spot' ? 20 : 5, (account, params) => {
    const { instrument } = part.listed(params.needed('symbol'));
    const [fromId, orderId] = [params.integer('fromId'), params.integer('orderId')];
    const [from, until] = timesAsked(part, params, part.name === 'spot' || fromId !== undefined ? null : WEEK_MS);
    const rows = account.fills.filter(
      ({ order, at }) =>
        order.symbol === instrument.symbol && at >= from && at <= until && (orderId ?? order.id) === order.id,
    );
    return historyOf(rows, fromId, params.limit(500, 1000)).map((fill) => fillRow(part, fill));
  });
  return {
    [`POST ${path}/order`]: route('trade', 1, (account, params) =>
      placedAnswer(part, account, placeOrder(part, account, params)),
    ),
    [`GET ${path}/order`]: route('read', part.name === 'spot' ? 4 : 1, (account, params) =>
      orderRow(part, orderAsked(part, account, params, ...notFound)),
    ),
    [`DELETE ${path}/order`]: route('trade', 1, (account, params) => {
      const order = orderAsked(part, account, params, ...unknown);
      if (order.state !== 'new' && order.state !== 'partly') throw new Refusal(...unknown);
      trading.cancel(account, order);
      return cancelAnswer(part, order, params);
    }),
    [`GET ${path}/openOrders`]: route(
      'read',
      (params) => (params.text('symbol') ? 1 : 40),
      (account, params) => {
        const symbol = params.text('symbol');
        return account
          .live(wallet, symbol && part.listed(symbol).instrument.symbol)
          .map((order) => orderRow(part, order));
      },
    ),
    [`DELETE ${path}/${part.name === 'spot' ? 'openOrders' : 'allOpenOrders'}`]: route(
      'trade',
      1,
      (account, params) => {
        const live = account.live(wallet, part.listed(params.needed('symbol')).instrument.symbol);
        if (part.name === 'spot' && live.length === 0) throw new Refusal(...unknown);
        for (const order of live) trading.cancel(account, order);
        if (part.name === 'spot') return live.map((order) => cancelAnswer(part, order, params));
        return { code: 200, msg: 'The operation of cancel all open order is done.' };
      },
    ),
    [`GET ${path}/allOrders`]: route('read', part.name === 'spot' ? 20 : 5, (account, params) => {
      const { instrument } = part.listed(params.needed('symbol'));
      const [from, until] = timesAsked(part, params, part.name === 'spot' ? null : WEEK_MS);
      const rows = [...account.orders.values()].filter(
        (order) =>
          order.wallet === wallet &&
          order.symbol === instrument.symbol &&
          order.createdAt >= from &&
          order.createdAt <= until,
      );
      return historyOf(rows, params.integer('orderId'), params.limit(500, 1000)).map((order) => orderRow(part, order));
    }),
    [`GET ${path}/${part.name === 'spot' ? 'myTrades' : 'userTrades'}`]: myTrades,
  };
}

/** When a key's right to trade ends without an address list: never here. */
const RESTRICTED_UNTIL = 0;

/** The wallet of spot, and what a key may do. */
export function walletRoutes(part: Part): Routes {
  const route = own(part);
  const { exchange } = part;
  return {
    'GET /api/v3/account': route('read', 20, (account, _params, key) => ({
      ...{ makerCommission: 10, takerCommission: 10, buyerCommission: 0, sellerCommission: 0 },
      ...{
        canTrade: key.canTrade,
        canWithdraw: key.canWithdraw,
        canDeposit: true,
        accountType: 'SPOT',
        permissions: ['SPOT'],
      },
      updateTime: exchange.now(),
      uid: account.uid,
      balances: [...new Set([...account.free.keys(), ...account.locked.keys()])].map((asset) => ({
        asset,
        free: account.freeOf(asset).toFixed(8),
        locked: account.lockedOf(asset).toFixed(8),
      })),
    })),
    'GET /api/v3/account/commission': route('read', 20, (_account, params) => {
      const { instrument } = part.listed(params.needed('symbol'));
      const terms = exchange.market.terms(instrument.symbol)!;
      const fees = {
        maker: terms.makerFee.toFixed(8),
        taker: terms.takerFee.toFixed(8),
        buyer: '0.00000000',
        seller: '0.00000000',
      };
      return { symbol: part.idOf(instrument.symbol), standardCommission: fees };
    }),
    'GET /sapi/v1/account/apiRestrictions': route('read', 1, (_account, _params, key) => ({
      ...{ ipRestrict: key.addresses.length > 0, createTime: key.createdAt, enableReading: true },
      ...{
        enableWithdrawals: key.canWithdraw,
        enableInternalTransfer: key.canTransfer,
        permitsUniversalTransfer: key.canTransfer,
      },
      ...{ enableMargin: false, enableFutures: key.canTrade, enableSpotAndMarginTrading: key.canTrade },
      ...{
        enableVanillaOptions: false,
        enablePortfolioMarginTrading: false,
        tradingAuthorityExpirationTime: RESTRICTED_UNTIL,
      },
    })),
    'POST /sapi/v1/asset/transfer': route('transfer', 1, (account, params) => {
      const to = { MAIN_UMFUTURE: 'derivatives', UMFUTURE_MAIN: 'spot' } as const;
      const kind = params.needed('type');
      if (!(kind in to))
        throw new Refusal(-1102, "Mandatory parameter 'type' was not sent, was empty/null, or malformed.");
      const amount = new Big(params.needed('amount'));
      const id = exchange.trading.transfer(account, params.needed('asset'), amount, to[kind as keyof typeof to]);
      if (id === null) throw new Refusal(-5013, 'Asset transfer failed: insufficient balance.');
      return { tranId: id };
    }),
    'GET /sapi/v1/asset/transfer': route('read', 1, (account, params) => {
      const to = params.needed('type') === 'MAIN_UMFUTURE' ? 'derivatives' : 'spot';
      const rows = account.transfers.filter((transfer) => transfer.to === to);
      const size = params.integer('size') ?? 10;
      return {
        total: rows.length,
        rows: rows.slice(-size).map(({ id, asset, amount, at }) => ({
          ...{
            timestamp: at,
            asset,
            amount: amount.toFixed(),
            type: params.needed('type'),
            status: 'CONFIRMED',
            tranId: id,
          },
        })),
      };
    }),
  };
}

const INCOME: Record<IncomeKind, string> = {
  realised: 'REALIZED_PNL',
  fee: 'COMMISSION',
  funding: 'FUNDING_FEE',
  transfer: 'TRANSFER',
  insurance: 'INSURANCE_CLEAR',
};

/** One asset of the futures' wallet; only the asset that contracts are settled in backs them. */
function assetRow(part: Part, account: Account, asset: string) {
  const own = account.walletOf(asset);
  const other = { unrealised: ZERO, balance: own, maintenance: ZERO, initial: ZERO, orders: ZERO, available: own };
  const margin = asset === 'USDT' ? part.exchange.trading.margin(account) : other;
  const digits = (value: Big) => value.toFixed(8);
  return {
    ...{
      asset,
      walletBalance: digits(own),
      unrealizedProfit: digits(margin.unrealised),
      marginBalance: digits(margin.balance),
    },
    ...{ maintMargin: digits(margin.maintenance), initialMargin: digits(margin.initial.plus(margin.orders)) },
    ...{ positionInitialMargin: digits(margin.initial), openOrderInitialMargin: digits(margin.orders) },
    ...{
      crossWalletBalance: digits(own),
      availableBalance: digits(margin.available),
      maxWithdrawAmount: digits(margin.available),
    },
    updateTime: part.exchange.now(),
  };
}

/** Positions, margin and money of futures. */
export function futuresAccountRoutes(part: Part): Routes {
  const route = own(part);
  const { exchange } = part;
  const { trading } = exchange;
  const digits = (value: Big) => value.toFixed(8);
  const positions = (account: Account, symbol?: string) =>
    [...account.positions.values()]
      .filter((position) => symbol === undefined || position.symbol === symbol)
      .map((position) => {
        const { symbol: name, quantity, cost, updatedAt } = position;
        const liquidation = trading.liquidationPrice(account, position);
        const { instrument } = exchange.listed(name)!;
        const mark = trading.markOf(name);
        const value = quantity.times(mark);
        const initial = value.abs().div(trading.leverageOf(account, instrument));
        return {
          ...{
            symbol: part.idOf(name),
            positionSide: 'BOTH',
            positionAmt: part.quantity(Number(quantity), instrument),
          },
          ...{
            entryPrice: cost.div(quantity).round(8).toFixed(),
            breakEvenPrice: cost.div(quantity).round(8).toFixed(),
          },
          ...{
            markPrice: digits(mark),
            unRealizedProfit: digits(value.minus(cost)),
            liquidationPrice: digits(liquidation),
            isolatedMargin: '0',
          },
          ...{ notional: digits(value), marginAsset: 'USDT', isolatedWallet: '0', initialMargin: digits(initial) },
          ...{
            maintMargin: digits(trading.maintenanceOf(name, value)),
            positionInitialMargin: digits(initial),
            openOrderInitialMargin: '0',
            adl: 1,
          },
          ...{ bidNotional: '0', askNotional: '0', updateTime: updatedAt },
        };
      });
  return {
    'GET /fapi/v3/positionRisk': route('read', 5, (account, params) => {
      const symbol = params.text('symbol');
      return positions(account, symbol && part.listed(symbol).instrument.symbol);
    }),
    'GET /fapi/v3/account': route('read', 5, (account) => {
      const { wallet, unrealised, balance, initial, maintenance, orders, available } = trading.margin(account);
      const rows = positions(account);
      return {
        ...{
          totalInitialMargin: digits(initial.plus(orders)),
          totalMaintMargin: digits(maintenance),
          totalWalletBalance: digits(wallet),
        },
        ...{
          totalUnrealizedProfit: digits(unrealised),
          totalMarginBalance: digits(balance),
          availableBalance: digits(available),
        },
        ...{
          totalPositionInitialMargin: digits(initial),
          totalOpenOrderInitialMargin: digits(orders),
          maxWithdrawAmount: digits(available),
        },
        assets: [...new Set(['USDT', ...account.wallet.keys()])].map((asset) => assetRow(part, account, asset)),
        positions: rows.map(({ unRealizedProfit, ...row }) => ({ ...row, unrealizedProfit: unRealizedProfit })),
      };
    }),
    'GET /fapi/v1/accountConfig': route('read', 5, (account, _params, key) => ({
      ...{ feeTier: 0, canTrade: key.canTrade, canDeposit: true, canWithdraw: key.canWithdraw },
      ...{
        dualSidePosition: account.isHedged,
        multiAssetsMargin: account.isMultiAsset,
        tradeGroupId: -1,
        updateTime: exchange.now(),
      },
    })),
    'GET /fapi/v1/positionSide/dual': route('read', 30, (account) => ({ dualSidePosition: account.isHedged })),
    'POST /fapi/v1/positionSide/dual': route('trade', 1, (account, params) => {
      const wanted = params.needed('dualSidePosition') === 'true';
      if (wanted === account.isHedged) throw new Refusal(-4059, 'No need to change position side.');
      if (account.positions.size > 0)
        throw new Refusal(-4068, 'Position side cannot be changed if there exists position.');
      account.isHedged = wanted;
      return { code: 200, msg: 'success' };
    }),
    'POST /fapi/v1/marginType': route('trade', 1, (account, params) => {
      const { symbol } = part.listed(params.needed('symbol')).instrument;
      const isIsolated = params.needed('marginType') === 'ISOLATED';
      if (isIsolated === account.isolated.has(symbol)) throw new Refusal(-4046, 'No need to change margin type.');
      if (account.positions.has(symbol))
        throw new Refusal(-4048, 'Margin type cannot be changed if there exists position.');
      if (isIsolated) account.isolated.add(symbol);
      else account.isolated.delete(symbol);
      return { code: 200, msg: 'success' };
    }),
    'POST /fapi/v1/leverage': route('trade', 1, (account, params) => {
      const { instrument } = part.listed(params.needed('symbol'));
      const leverage = params.integer('leverage') ?? 0;
      if (leverage < 1 || leverage > (instrument.maxLeverage ?? 1))
        throw new Refusal(-4028, `Leverage ${leverage} is not valid`);
      account.leverage.set(instrument.symbol, leverage);
      return { leverage, maxNotionalValue: '1000000', symbol: part.idOf(instrument.symbol) };
    }),
    'GET /fapi/v1/symbolConfig': route('read', 5, async (account, params) => {
      const asked = params.text('symbol');
      const all = asked ? [part.listed(asked).instrument] : await exchange.instruments(part.kinds);
      return all.map((instrument) => ({
        symbol: part.idOf(instrument.symbol),
        marginType: account.isolated.has(instrument.symbol) ? 'ISOLATED' : 'CROSSED',
        isAutoAddMargin: false,
        leverage: trading.leverageOf(account, instrument),
        maxNotionalValue: '1000000',
      }));
    }),
    'GET /fapi/v1/commissionRate': route('read', 20, (_account, params) => {
      const { symbol } = part.listed(params.needed('symbol')).instrument;
      const terms = exchange.market.terms(symbol)!;
      return {
        symbol: part.idOf(symbol),
        makerCommissionRate: terms.makerFee.toFixed(6),
        takerCommissionRate: terms.takerFee.toFixed(6),
      };
    }),
    'GET /fapi/v1/income': route('read', 30, (account, params) => {
      const [symbol, kind] = [params.text('symbol'), params.text('incomeType')];
      const [start, end] = [params.integer('startTime'), params.integer('endTime')];
      const from = start ?? exchange.now() - WEEK_MS;
      const rows = account.income.filter(
        (row) =>
          row.at >= from &&
          row.at <= (end ?? Number.POSITIVE_INFINITY) &&
          (symbol === undefined || part.idOf(row.symbol) === symbol) &&
          (kind === undefined || INCOME[row.kind] === kind),
      );
      return rows.slice(0, params.limit(100, 1000)).map((row) => ({
        ...{
          symbol: part.idOf(row.symbol),
          incomeType: INCOME[row.kind],
          income: row.amount.toFixed(8),
          asset: row.asset,
        },
        ...{ info: row.fill === null ? INCOME[row.kind] : String(row.fill), time: row.at, tranId: row.id },
        tradeId: row.fill === null ? '' : String(row.fill),
      }));
    }),
    'GET /fapi/v1/forceOrders': route('read', 50, (account) =>
      [...account.orders.values()].filter(({ forced }) => forced !== null).map((order) => orderRow(part, order)),
    ),
    'POST /fapi/v1/countdownCancelAll': route('trade', 10, (account, params) => {
      const { symbol } = part.listed(params.needed('symbol')).instrument;
      const ms = Number(params.needed('countdownTime'));
      trading.cancelAllAt(account, symbol, ms === 0 ? null : exchange.trueNow() + ms);
      return { symbol: part.idOf(symbol), countdownTime: String(ms) };
    }),
  };
}
