import Big from 'big.js';
import { DAY_MS, SECOND_MS } from '#contract/duration';
import { type Account, type Order, type Position, type Wallet, ZERO } from '../core/account';
import { bracketsOf } from '../core/brackets';
import type { Exchange } from '../core/exchange';
import type { ApiKey } from '../core/keys';
import { digits, moneyHeld, moneyOf, setLeverage } from '../core/money';
import type { OwnRoute } from '../core/ownDialect';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import { CATEGORIES, idOf, isSpotAsked, listedAs, wide, wrong } from './names';
import { orderRow, ordersAsked, orderToCancel, placeOrder } from './orders';
import { fillsAsked, LONGEST_MS, logAsked, pageOf, stretchOf } from './records';

const USDT = 'USDT';
/** How all of it is margin, by what the core calls it. */
const MARGIN_MODES = ['REGULAR_MARGIN', 'ISOLATED_MARGIN', 'REGULAR_MARGIN', 'PORTFOLIO_MARGIN'];
export const DCP_PRODUCTS: Readonly<Record<string, Wallet>> = { DERIVATIVES: 'derivatives', SPOT: 'spot' };

const share = (part: Big, of: Big): string => (of.gt(0) ? digits(part.div(of)) : '0');

/** What is there of each coin. USDT alone is collateral: the customer has switched the others off. @param only coins; all that there are where none is named */
export function walletRow(exchange: Exchange, account: Account, only: readonly string[] = []) {
  const held = moneyHeld(exchange, account);
  const { cash, unrealised, equity, initial, orders, maintenance, available } = moneyOf(exchange, account, USDT);
  const all = initial.plus(orders);
  return {
    accountType: 'UNIFIED',
    totalEquity: digits(held.reduce((sum, { worth }) => sum.plus(worth), ZERO)),
    ...{ totalWalletBalance: digits(cash), totalMarginBalance: digits(equity), totalPerpUPL: digits(unrealised) },
    totalAvailableBalance: digits(available.lt(0) ? ZERO : available),
    ...{ totalInitialMargin: digits(all), totalMaintenanceMargin: digits(maintenance), accountLTV: '0' },
    ...{ accountIMRate: share(all, equity), accountMMRate: share(maintenance, equity) },
    coin: held
      .filter(({ asset }) => only.length === 0 || only.includes(asset))
      .map((money) => ({
        ...{ coin: money.asset, equity: digits(money.equity), usdValue: digits(money.worth) },
        ...{ walletBalance: digits(money.cash), locked: digits(money.locked), unrealisedPnl: digits(money.unrealised) },
        ...{ totalOrderIM: digits(money.orders), totalPositionIM: digits(money.initial) },
        ...{ totalPositionMM: digits(money.maintenance), cumRealisedPnl: '0', bonus: '0', spotHedgingQty: '0' },
        ...{ borrowAmount: '0', spotBorrow: '0', accruedInterest: '0', availableToBorrow: '', availableToWithdraw: '' },
        ...{ marginCollateral: true, collateralSwitch: money.isMargin, colRes: '0' },
      })),
  };
}

/** @param position undefined where there is none. @param priceName what it was opened for is called otherwise on streams */
export function positionRow(
  exchange: Exchange,
  account: Account,
  symbol: string,
  position: Position | undefined,
  priceName: 'avgPrice' | 'entryPrice' = 'avgPrice',
) {
  const { trading } = exchange;
  const { instrument } = exchange.listed(symbol)!;
  const { quantity, cost } = position ?? { quantity: ZERO, cost: ZERO };
  const value = quantity.times(trading.markOf(symbol));
  const leverage = trading.leverageOf(account, instrument);
  const liquidation = position ? trading.liquidationPrice(account, position) : ZERO;
  const initial = digits(value.abs().div(leverage));
  const maintenance = digits(position ? trading.maintenanceOf(symbol, value) : ZERO);
  const updatedTime = String(position?.updatedAt ?? 0);
  return {
    ...{ symbol: idOf(instrument), side: quantity.eq(0) ? '' : quantity.gt(0) ? 'Buy' : 'Sell' },
    ...{ positionIdx: account.isHedged ? (quantity.gt(0) ? 1 : 2) : 0, size: quantity.abs().toFixed() },
    [priceName]: position ? digits(cost.div(quantity)) : '0',
    ...{ positionValue: digits(cost.abs()), leverage: String(leverage), markPrice: trading.markOf(symbol).toFixed() },
    liqPrice: liquidation.gt(0) ? digits(liquidation) : '',
    ...{ positionIM: initial, positionIMByMp: initial, positionMM: maintenance, positionMMByMp: maintenance },
    ...{ unrealisedPnl: digits(value.minus(cost)), curRealisedPnl: '0', cumRealisedPnl: '0', sessionAvgPrice: '' },
    ...{ riskId: 1, riskLimitValue: String(bracketsOf(instrument.maxLeverage ?? 1)[0]!.cap), autoAddMargin: 0 },
    ...{ takeProfit: '', stopLoss: '', trailingStop: '0', positionStatus: 'Normal', adlRankIndicator: 1 },
    ...{ tradeMode: 0, tpslMode: 'Full', bustPrice: '', positionBalance: initial, isReduceOnly: false, seq: 1 },
    ...{ createdTime: updatedTime, updatedTime, openTime: Number(updatedTime) },
    ...{ mmrSysUpdatedTime: '', leverageSysUpdatedTime: '' },
  };
}

/** Of one symbol whether it is held or not, else those that are held. */
function positionsAsked(exchange: Exchange, account: Account, params: Params) {
  if (isSpotAsked(params)) throw wrong('category');
  const asked = params.text('symbol');
  if (asked === '' && params.text('settleCoin') === '') throw wrong('symbol or settleCoin');
  const symbols = asked ? [listedAs(exchange, asked, false).instrument.symbol] : [...account.positions.keys()];
  const rows = symbols.map((symbol) => positionRow(exchange, account, symbol, account.positions.get(symbol)));
  const page = pageOf(
    params,
    rows.map((row, i) => [rows.length - i, row]),
    20,
    200,
  );
  return { category: params.text('category'), ...page };
}

function keyRow(
  { key, canTrade, canTransfer, canWithdraw, addresses, createdAt }: ApiKey,
  account: Account,
  now: number,
) {
  const isBound = addresses.length > 0;
  const told = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
  return {
    ...{ id: '2208369', note: key, apiKey: key, readOnly: canTrade ? 0 : 1, secret: '', type: 1 },
    permissions: {
      ...{ ContractTrade: ['Order', 'Position'], Spot: ['SpotTrade'], Options: [], Derivatives: ['DerivativesTrade'] },
      Wallet: [canTransfer && 'AccountTransfer', canWithdraw && 'Withdraw'].filter(Boolean),
      ...{ CopyTrading: [], BlockTrade: [], Exchange: [], NFT: [], Affiliate: [], Earn: [] },
    },
    ips: isBound ? addresses : ['*'],
    // Which is bound to no address ends after three months.
    ...{ deadlineDay: isBound ? -2 : 90, expiredAt: told(isBound ? 0 : now + 90 * DAY_MS), createdAt: told(createdAt) },
    ...{ unified: 0, uta: account.level === 0 ? 0 : 1, userID: account.uid, inviterID: 0, vipLevel: 'No VIP' },
    ...{ mktMakerLevel: '0', affiliateID: 0, rsaPublicKey: '', isMaster: true, parentUid: '0' },
    ...{ kycLevel: 'LEVEL_1', kycRegion: '' },
  };
}

const EVERY_SECOND = { everyMs: SECOND_MS };

function orderRoutes(exchange: Exchange): Readonly<Record<string, OwnRoute>> {
  const { trading } = exchange;
  const one = ({ id, clientId, wallet }: Order) => ({
    ...{ orderId: wide(id, wallet === 'spot'), orderLinkId: clientId },
  });
  const page = (account: Account, params: Params, isTold: (order: Order) => boolean) => ({
    category: params.text('category'),
    ...pageOf(
      params,
      ordersAsked(exchange, account, params)
        .filter(isTold)
        .map((order) => [order.id, orderRow(exchange, account, order)]),
      20,
      50,
    ),
  });
  const isOpen = ({ state }: Order): boolean => state === 'new' || state === 'partly';
  return {
    'POST order/create': {
      ...{ right: 'trade', most: 10, per: 'category', ...EVERY_SECOND },
      handle: (account, params) => {
        if (account.level === 0) throw new Refusal('110088', 'Please Upgrade to UTA to trade');
        return one(placeOrder(exchange, account, params));
      },
    },
    'POST order/cancel': {
      ...{ right: 'trade', most: 10, per: 'category', ...EVERY_SECOND },
      handle: (account, params) => {
        const order = orderToCancel(exchange, account, params);
        trading.cancel(account, order);
        return one(order);
      },
    },
    // Of one order either way; else those that are open, or those that have ended.
    'GET order/realtime': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: (account, params) => {
        const isOne = params.text('orderId') !== '' || params.text('orderLinkId') !== '';
        if (!isOne && !isSpotAsked(params) && params.text('symbol') === '' && params.text('settleCoin') === '')
          throw wrong('symbol or settleCoin or baseCoin');
        const isEndedAsked = params.text('openOnly') === '1';
        return page(account, params, (order) => isOne || isOpen(order) !== isEndedAsked);
      },
    },
    'GET order/history': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: (account, params) => {
        const { from, to } = stretchOf(exchange, params, LONGEST_MS);
        const isWithin = ({ createdAt }: Order): boolean => createdAt >= from && createdAt <= to;
        return page(account, params, (order) => !isOpen(order) && isWithin(order));
      },
    },
    'GET execution/list': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: (account, params) => fillsAsked(exchange, account, params),
    },
    // Switched on for few; with it all is cancelled once nobody of theirs listens any more.
    'POST order/disconnected-cancel-all': {
      ...{ right: 'trade', most: 5, ...EVERY_SECOND },
      handle: (account, params) => {
        const wallet = DCP_PRODUCTS[params.oneOf('product', Object.keys(DCP_PRODUCTS))]!;
        const seconds = Number(params.number('timeWindow'));
        if (!(seconds >= 3 && seconds <= 300)) throw wrong('timeWindow');
        if (!account.dcp.has(wallet)) throw new Refusal('10005', 'Permission denied: DCP is not enabled.');
        account.dcp.set(wallet, seconds);
        return {};
      },
    },
  };
}

/** What customers of Bybit ask and order, by method and by what stands behind the root of the address. */
export function ownRoutes(exchange: Exchange): Readonly<Record<string, OwnRoute>> {
  return {
    'GET user/query-api': {
      ...{ right: 'read', most: 10, ...EVERY_SECOND },
      handle: (account, _params, key) => keyRow(key, account, exchange.now()),
    },
    'GET account/info': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: ({ level }) => ({
        ...{ marginMode: MARGIN_MODES[level], unifiedMarginStatus: level === 0 ? 1 : 6, spotHedgingStatus: 'OFF' },
        ...{ dcpStatus: 'OFF', timeWindow: 0, smpGroup: 0, isMasterTrader: false, updatedTime: '1697078946000' },
      }),
    },
    'GET account/wallet-balance': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: (account, params) => {
        params.oneOf('accountType', ['UNIFIED']);
        return { list: [walletRow(exchange, account, params.text('coin').split(',').filter(Boolean))] };
      },
    },
    'GET account/fee-rate': {
      ...{ right: 'read', most: 5, ...EVERY_SECOND },
      handle: async (_account, params) => {
        const isSpot = isSpotAsked(params);
        const symbol = params.text('symbol');
        const instruments = symbol
          ? [listedAs(exchange, symbol, isSpot).instrument]
          : await exchange.instruments(CATEGORIES[params.text('category')]!);
        const list = instruments.map((instrument) => {
          const { makerFee, takerFee } = exchange.market.terms(instrument.symbol)!;
          const [makerFeeRate, takerFeeRate] = [makerFee, takerFee].map((rate) => new Big(rate).toFixed());
          return { symbol: idOf(instrument), makerFeeRate, takerFeeRate };
        });
        return isSpot ? { category: 'spot', list } : { list };
      },
    },
    'GET account/query-dcp-info': {
      ...{ right: 'read', most: 5, ...EVERY_SECOND },
      handle: ({ dcp }) => ({
        dcpInfos: Object.entries(DCP_PRODUCTS)
          .filter(([, wallet]) => dcp.has(wallet))
          .map(([product, wallet]) => ({ product, dcpStatus: 'ON', timeWindow: String(dcp.get(wallet)) })),
      }),
    },
    'GET account/transaction-log': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: (account, params) => logAsked(exchange, account, params),
    },
    'GET position/list': {
      ...{ right: 'read', most: 50, ...EVERY_SECOND },
      handle: (account, params) => positionsAsked(exchange, account, params),
    },
    'POST position/set-leverage': {
      ...{ right: 'trade', most: 10, ...EVERY_SECOND },
      handle: (account, params) => {
        if (isSpotAsked(params)) throw wrong('category');
        const { instrument } = listedAs(exchange, params.needed('symbol'), false);
        const leverage = Number(params.number('buyLeverage'));
        if (leverage !== Number(params.number('sellLeverage')) || leverage < 1) throw wrong('buyLeverage');
        if (leverage > (instrument.maxLeverage ?? 1))
          throw new Refusal('110013', 'cannot set leverage due to risk limit level');
        if (leverage === exchange.trading.leverageOf(account, instrument))
          throw new Refusal('110043', 'leverage not modified');
        if (!setLeverage(exchange, account, instrument, [instrument.symbol], leverage))
          throw new Refusal('110044', 'Available margin is insufficient.');
        return {};
      },
    },
    ...orderRoutes(exchange),
  };
}
