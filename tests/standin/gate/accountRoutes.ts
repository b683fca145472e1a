import { SECOND_MS } from '#contract/duration';
import type { InstrumentKind } from '#server/market/exchange';
import { type Account, type Position, type Wallet, ZERO } from '../core/account';
import { bracketsOf } from '../core/brackets';
import type { Exchange } from '../core/exchange';
import type { ApiKey } from '../core/keys';
import { digits, setLeverage } from '../core/money';
import type { OwnRoute } from '../core/ownDialect';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import type { Call } from '../dialect';
import { readOnly } from './access';
import { accountAt, contractAt, HOUSES, type House, idOf, pairAt, seconds, symbolOf, USDT } from './names';
import { cancelOrder, contractRow, orderAsked, pairRow, placeOrder, sizeOf } from './orders';
import { pageOf, whole, wrong } from './params';
import {
  contractBook,
  contractTrades,
  listed,
  orderList,
  ordersAsked,
  pairBook,
  pairTrades,
  settlements,
} from './records';

type Routes = Readonly<Record<string, OwnRoute>>;

/** Of one customer within ten seconds: of most questions, of those about the account itself, and of transfers. */
const USUAL = { most: 200, everyMs: 10 * SECOND_MS };
const ACCOUNT = { ...USUAL, most: 150 };
const TRANSFERS = { ...USUAL, most: 80 };
/** Orders and cancels. */
const PLACED = { futures: { most: 100, everyMs: SECOND_MS }, delivery: { ...USUAL, most: 500 } };
const CANCELLED = { futures: { most: 200, everyMs: SECOND_MS }, delivery: { ...USUAL, most: 500 } };
const LEAST_COUNTDOWN = 5;

/** Money of the wallet of a house. @throws where there never was any */
export function walletRow(exchange: Exchange, account: Account, uid: number) {
  if (!account.wallet.has(USDT))
    throw new Refusal('USER_NOT_FOUND', 'please transfer funds first to create futures account', 400);
  const { wallet, unrealised, balance, initial, maintenance, orders, available } = exchange.trading.margin(account);
  const free = digits(available.lt(0) ? ZERO : available);
  const sumOf = (of: string) =>
    account.income
      .filter(({ kind, asset }) => kind === of && asset === USDT)
      .reduce((sum, one) => sum.plus(one.amount), ZERO);
  return {
    ...{ user: uid, currency: USDT, total: digits(wallet), unrealised_pnl: digits(unrealised), available: free },
    ...{ position_margin: '0', order_margin: digits(orders), position_initial_margin: digits(initial) },
    ...{ maintenance_margin: digits(maintenance), point: '0', bonus: '0', in_dual_mode: account.isHedged },
    ...{ position_mode: account.isHedged ? 'dual' : 'single', margin_mode: account.isMultiAsset ? 1 : 0 },
    ...{
      enable_credit: account.isMultiAsset,
      enable_evolved_classic: !account.isMultiAsset,
      enable_new_dual_mode: true,
    },
    ...{ cross_available: free, cross_margin_balance: digits(balance), cross_order_margin: digits(orders) },
    ...{ cross_initial_margin: digits(initial), cross_maintenance_margin: digits(maintenance) },
    ...{ cross_unrealised_pnl: digits(unrealised), isolated_position_margin: '0', enable_tiered_mm: true },
    cross_mmr: maintenance.gt(0) ? digits(balance.div(maintenance)) : '0',
    cross_imr: initial.gt(0) ? digits(balance.div(initial)) : '0',
    history: {
      ...{ dnw: digits(sumOf('transfer')), pnl: digits(sumOf('realised')), fee: digits(sumOf('fee')) },
      ...{ fund: digits(sumOf('funding')), refr: '0', point_dnw: '0', point_fee: '0', point_refr: '0' },
    },
  };
}

/** @param position undefined where nothing is held */
export function positionRow(exchange: Exchange, account: Account, symbol: string, uid: number, position?: Position) {
  const { trading } = exchange;
  const { instrument } = exchange.listed(symbol)!;
  const { quantity, cost } = position ?? { quantity: ZERO, cost: ZERO };
  const mark = trading.markOf(symbol);
  const value = quantity.times(mark);
  const leverage = String(trading.leverageOf(account, instrument));
  const isIsolated = account.isolated.has(symbol);
  const bracket = bracketsOf(instrument.maxLeverage ?? 1).find(({ cap }) => value.abs().lte(cap));
  const earned = (kinds: readonly string[]) =>
    account.income
      .filter((one) => one.symbol === symbol && kinds.includes(one.kind))
      .reduce((sum, one) => sum.plus(one.amount), ZERO);
  const [pnl_pnl, pnl_fund, pnl_fee] = [['realised'], ['funding'], ['fee']].map((kinds) => digits(earned(kinds)));
  const updatedAt = position?.updatedAt ?? exchange.now();
  return {
    ...{ user: uid, contract: idOf(instrument), size: sizeOf('buy', quantity, instrument), value: digits(value.abs()) },
    ...{ leverage: isIsolated ? leverage : '0', cross_leverage_limit: isIsolated ? '0' : leverage },
    ...{ pos_margin_mode: isIsolated ? 'isolated' : 'cross', lever: leverage },
    ...{ leverage_max: String(instrument.maxLeverage ?? ''), risk_limit: String(bracket?.cap ?? 0) },
    ...{ maintenance_rate: String(bracket?.maintenance ?? 0), margin: '0', mark_price: mark.toFixed() },
    entry_price: position ? digits(cost.div(quantity)) : '0',
    liq_price: position ? digits(trading.liquidationPrice(account, position)) : '0',
    ...{
      initial_margin: digits(value.abs().div(leverage)),
      maintenance_margin: digits(trading.maintenanceOf(symbol, value)),
    },
    ...{ unrealised_pnl: digits(value.minus(cost)), realised_pnl: digits(earned(['realised', 'funding', 'fee'])) },
    ...{ pnl_pnl, pnl_fund, pnl_fee, history_pnl: '0', last_close_pnl: '0', realised_point: '0', history_point: '0' },
    ...{ adl_ranking: position ? 3 : 6, pending_orders: account.live('derivatives', symbol).length, close_order: null },
    mode: !account.isHedged ? 'single' : quantity.gt(0) ? 'dual_long' : 'dual_short',
    ...{ update_time: seconds(updatedAt), update_id: updatedAt, open_time: position ? seconds(updatedAt) : 0 },
  };
}

function leverageSet(exchange: Exchange, account: Account, house: House, params: Params): string {
  const { instrument } = contractAt(exchange, house, params.needed('contract'));
  const { symbol } = instrument;
  const asked = Number(params.number('leverage'));
  const isIsolated = asked > 0;
  const leverage = isIsolated ? asked : Number(params.text('cross_leverage_limit') || (instrument.maxLeverage ?? 1));
  if (!(leverage >= 1)) throw new Refusal('LEVERAGE_TOO_LOW', `leverage ${leverage} is too low`, 400);
  if (leverage > (instrument.maxLeverage ?? 1))
    throw new Refusal('LEVERAGE_TOO_HIGH', `leverage ${leverage} is too high`, 400);
  if (!setLeverage(exchange, account, instrument, [symbol], leverage))
    throw new Refusal('INSUFFICIENT_AVAILABLE', 'Insufficient available', 400);
  if (isIsolated) account.isolated.add(symbol);
  else account.isolated.delete(symbol);
  return symbol;
}

function countDown(exchange: Exchange, account: Account, of: string | Wallet, params: Params) {
  const timeout = whole(params, 'timeout', -1);
  if (timeout !== 0 && timeout < LEAST_COUNTDOWN) throw wrong('timeout', params.text('timeout'));
  exchange.trading.cancelAllAt(account, of, timeout === 0 ? null : exchange.trueNow() + timeout * SECOND_MS);
  return { triggerTime: timeout === 0 ? 0 : exchange.now() + timeout * SECOND_MS };
}

/** @throws a request that arrives after its time */
function checkDeadline(exchange: Exchange, headers: Call['headers']): void {
  if (exchange.now() > Number(headers['x-gate-exptime'] ?? Number.POSITIVE_INFINITY))
    throw new Refusal('REQUEST_EXPIRED', 'request received after x-gate-exptime', 400);
}

function contractRoutes(exchange: Exchange, house: House): Routes {
  const at = (name: string) => `${house}/usdt/${name}`;
  const there = (account: Account) => accountAt(exchange, account, house);
  const rowOf = (account: Account, symbol: string) =>
    positionRow(exchange, there(account), symbol, account.uid, there(account).positions.get(symbol));
  return {
    [`GET ${at('accounts')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account) => walletRow(exchange, there(account), account.uid),
    },
    [`GET ${at('positions')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => {
        const { positions, leverage } = there(account);
        const symbols =
          params.text('holding') === 'true' ? positions.keys() : [...positions.keys(), ...leverage.keys()];
        return pageOf(
          params,
          [...new Set(symbols)].map((symbol) => rowOf(account, symbol)),
        );
      },
    },
    [`GET ${at('positions/{contract}')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) =>
        rowOf(account, contractAt(exchange, house, params.text('contract')).instrument.symbol),
    },
    [`POST ${at('positions/{contract}/leverage')}`]: {
      ...{ right: 'trade', ...USUAL },
      handle: (account, params) => rowOf(account, leverageSet(exchange, there(account), house, params)),
    },
    [`POST ${at('orders')}`]: {
      ...{ right: 'trade', ...PLACED[house] },
      handle: (account, params, _key, { headers }) => {
        // Nothing says that delivery heeds it.
        if (house === 'futures') checkDeadline(exchange, headers);
        return contractRow(exchange, placeOrder(exchange, there(account), house, params), account.uid);
      },
    },
    [`GET ${at('orders')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => orderList(exchange, there(account), house, params, account.uid),
    },
    [`GET ${at('orders/{order_id}')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) =>
        contractRow(exchange, orderAsked(exchange, there(account), house, params), account.uid),
    },
    [`DELETE ${at('orders/{order_id}')}`]: {
      ...{ right: 'trade', ...CANCELLED[house] },
      handle: (account, params, _key, { headers }) => {
        if (house === 'futures') checkDeadline(exchange, headers);
        return contractRow(exchange, cancelOrder(exchange, there(account), house, params), account.uid);
      },
    },
    [`GET ${at('my_trades')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => contractTrades(exchange, there(account), house, params, 'id'),
    },
    [`GET ${at('account_book')}`]: {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => contractBook(exchange, there(account), params),
    },
    ...(house === 'delivery'
      ? {
          [`GET ${at('settlements')}`]: {
            ...{ right: 'read', ...USUAL },
            handle: (account, params) => settlements(exchange, there(account), params),
          },
        }
      : perpetualRoutes(exchange)),
  } satisfies Routes;

  function perpetualRoutes({ market }: Exchange): Routes {
    return {
      [`GET ${at('orders_timerange')}`]: {
        ...{ right: 'read', ...USUAL },
        handle: (account, params) =>
          listed(exchange, account, house, params, ordersAsked(exchange, account, house, true), account.uid),
      },
      [`GET ${at('my_trades_timerange')}`]: {
        ...{ right: 'read', ...USUAL },
        handle: (account, params) => contractTrades(exchange, account, house, params, 'trade_id'),
      },
      [`GET ${at('fee')}`]: {
        ...{ right: 'read', ...USUAL },
        handle: (_account, params) => {
          const id = params.text('contract') || 'BTC_USDT';
          const { makerFee, takerFee } = market.terms(contractAt(exchange, house, id).instrument.symbol)!;
          return { [id]: { taker_fee: String(takerFee), maker_fee: String(makerFee) } };
        },
      },
      [`POST ${at('countdown_cancel_all')}`]: {
        ...{ right: 'trade', ...USUAL },
        handle: (account, params) => {
          const id = params.text('contract');
          const of = id === '' ? 'derivatives' : contractAt(exchange, house, id).instrument.symbol;
          return countDown(exchange, account, of, params);
        },
      },
    };
  }
}

function pairRoutes(exchange: Exchange): Routes {
  return {
    'GET spot/accounts': {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => {
        const all = [...new Set([...account.free.keys(), ...account.locked.keys()])];
        return all
          .filter((currency) => ['', currency].includes(params.text('currency')))
          .map((currency) => ({
            ...{ currency, available: digits(account.freeOf(currency)), locked: digits(account.lockedOf(currency)) },
            update_id: account.fills.length,
          }));
      },
    },
    'POST spot/orders': {
      ...{ right: 'trade', most: 10, everyMs: SECOND_MS, per: 'currency_pair' },
      handle: (account, params, _key, { headers }) => {
        checkDeadline(exchange, headers);
        return pairRow(exchange, account, placeOrder(exchange, account, 'spot', params));
      },
    },
    'GET spot/orders': {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => orderList(exchange, account, 'spot', params, account.uid),
    },
    'GET spot/orders/{order_id}': {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => pairRow(exchange, account, orderAsked(exchange, account, 'spot', params)),
    },
    'DELETE spot/orders/{order_id}': {
      ...{ right: 'trade', ...CANCELLED.futures },
      handle: (account, params) => pairRow(exchange, account, cancelOrder(exchange, account, 'spot', params)),
    },
    'GET spot/open_orders': {
      ...{ right: 'read', ...USUAL },
      handle: (account) => {
        const rows = ordersAsked(exchange, account, 'spot', false).map((one) => pairRow(exchange, account, one));
        return [...new Set(rows.map(({ currency_pair }) => currency_pair))].map((currency_pair) => {
          const orders = rows.filter((row) => row.currency_pair === currency_pair);
          return { currency_pair, total: orders.length, orders };
        });
      },
    },
    'GET spot/my_trades': {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => pairTrades(exchange, account, params),
    },
    'GET spot/account_book': {
      ...{ right: 'read', ...USUAL },
      handle: (account, params) => pairBook(exchange, account, params),
    },
    'POST spot/countdown_cancel_all': {
      ...{ right: 'trade', ...USUAL },
      handle: (account, params) => {
        const id = params.text('currency_pair');
        return countDown(exchange, account, id === '' ? 'spot' : pairAt(exchange, id).instrument.symbol, params);
      },
    },
    'POST wallet/transfers': {
      ...{ right: 'read', ...TRANSFERS },
      handle: (account, params, { canTransfer }) => {
        if (!canTransfer) throw readOnly();
        return { tx_id: moved(exchange, account, params) };
      },
    },
  };
}

/** Money between spot and one of the houses. @returns the number of the record */
function moved(exchange: Exchange, account: Account, params: Params): number {
  const places = ['spot', ...Object.keys(HOUSES)];
  const [from, to, asset] = [params.oneOf('from', places), params.oneOf('to', places), params.needed('currency')];
  const amount = params.number('amount');
  if ((from === 'spot') === (to === 'spot')) throw wrong('to', to);
  const house = from === 'spot' ? to : from;
  const tooLittle = new Refusal(
    from === 'spot' ? 'BALANCE_NOT_ENOUGH' : 'FUTURES_BALANCE_NOT_ENOUGH',
    'Not enough',
    400,
  );
  if (house === 'futures') {
    const id = exchange.trading.transfer(account, asset, amount, to === 'spot' ? 'spot' : 'derivatives');
    if (id === null) throw tooLittle;
    return id;
  }
  const delivery = accountAt(exchange, account, 'delivery');
  const most = from === 'spot' ? account.freeOf(asset) : exchange.trading.margin(delivery).available;
  if (amount.gt(most)) throw tooLittle;
  const change = from === 'spot' ? amount : amount.times(-1);
  account.add(account.free, asset, change.times(-1));
  exchange.trading.bring(delivery, asset, change);
  account.tell({ kind: 'spot', assets: [asset] });
  return delivery.income.at(-1)!.id;
}

/** What a key may, by what it is for. */
const permsOf = ({ canTrade, canTransfer, canWithdraw }: ApiKey) => [
  { name: 'account', read_only: true },
  ...['spot', ...Object.keys(HOUSES)].map((name) => ({ name, read_only: !canTrade })),
  { name: 'wallet', read_only: !canTransfer },
  ...(canWithdraw ? [{ name: 'withdraw', read_only: false }] : []),
];

/** How many signs of a key are shown. */
const SHOWN = 12;

function keyRow({ uid, isMultiAsset }: Account, key: ApiKey) {
  const time = seconds(key.createdAt);
  return {
    ...{ state: 1, mode: isMultiAsset ? 2 : 1, name: 'console', user_id: uid, perms: permsOf(key) },
    ...{ ip_whitelist: key.addresses, currency_pairs: [], key: `${key.key.slice(0, SHOWN)}*****` },
    ...{ created_at: time, update_at: time, last_access: time },
  };
}

/** What customers of Gate ask and order, by method and by what stands behind the root of the address. */
export function ownRoutes(exchange: Exchange): Routes {
  const ratesOf = (kind: InstrumentKind, id: string) => {
    const { makerFee, takerFee } = exchange.market.terms(symbolOf(id, kind === 'spot'))!;
    return [String(takerFee), String(makerFee)];
  };
  return {
    'GET account/detail': {
      ...{ right: 'read', ...ACCOUNT },
      handle: ({ uid, isMultiAsset }, _params, { addresses }) => ({
        ...{ user_id: uid, ip_whitelist: addresses, currency_pairs: [], tier: 0, copy_trading_role: 0 },
        key: { mode: isMultiAsset ? 2 : 1 },
      }),
    },
    'GET account/main_keys': {
      ...{ right: 'read', ...ACCOUNT },
      handle: (account) => exchange.keys.of(account.name).map((key) => keyRow(account, key)),
    },
    'GET unified/unified_mode': {
      ...{ right: 'read', ...USUAL },
      handle: ({ isMultiAsset }) => ({ mode: isMultiAsset ? 'multi_currency' : 'classic' }),
    },
    'GET wallet/fee': {
      ...{ right: 'read', ...USUAL },
      handle: ({ uid, feeAsset }, params) => {
        const [taker_fee, maker_fee] = ratesOf('spot', params.text('currency_pair') || 'BTC_USDT');
        const [futures_taker_fee, futures_maker_fee] = ratesOf('perpetual', 'BTC_USDT');
        return {
          ...{ user_id: uid, taker_fee, maker_fee, futures_taker_fee, futures_maker_fee },
          ...{ delivery_taker_fee: futures_taker_fee, delivery_maker_fee: futures_maker_fee },
          ...{
            gt_discount: feeAsset === 'GT',
            gt_taker_fee: '0',
            gt_maker_fee: '0',
            loan_fee: '0.18',
            point_type: '1',
          },
          debit_fee: feeAsset === 'GT' ? 1 : 3,
        };
      },
    },
    ...pairRoutes(exchange),
    ...contractRoutes(exchange, 'futures'),
    ...contractRoutes(exchange, 'delivery'),
  };
}
