import Big from 'big.js';
import { SECOND_MS } from '#contract/duration';
import type { Instrument } from '#server/market/exchange';
import { type Account, type Position, ZERO } from '../core/account';
import type { Exchange } from '../core/exchange';
import { digits, isTold, moneyHeld, setLeverage } from '../core/money';
import type { OwnRoute } from '../core/ownDialect';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import { idOf, listedAs, sizeOf, TYPES, wide, wrong } from './instruments';
import { KEPT_MS, orderAsked, orderRow, placeOrder, posSideOf } from './orders';
import { billsAsked, fillsAsked } from './records';

const atLeastNone = (value: Big): string => digits(value.lt(0) ? ZERO : value);
/** Of accounts where each currency is margin for itself, what all of it comes to is not told. */
const NOT_TOLD = '';

/** What is there of one currency, and what of it backs positions. */
function currencyRow(exchange: Exchange, account: Account, money: ReturnType<typeof moneyHeld>[number]) {
  const { asset, cash, locked, isMargin, unrealised, initial, orders, maintenance, available, equity, worth } = money;
  const isBacking = isMargin && (account.positions.size > 0 || orders.gt(0));
  const ordFrozen = locked.plus(orders);
  return {
    ...{
      ccy: asset,
      eq: digits(equity),
      cashBal: digits(cash),
      uTime: String(exchange.now()),
      upl: digits(unrealised),
    },
    ...{ availBal: atLeastNone(exchange.trading.spendable(account, asset)), availEq: atLeastNone(available) },
    ...{ frozenBal: digits(ordFrozen.plus(initial)), ordFrozen: digits(ordFrozen) },
    imr: isBacking ? digits(initial.plus(orders)) : '',
    mmr: isBacking ? digits(maintenance) : '',
    mgnRatio: maintenance.gt(0) ? digits(equity.div(maintenance)) : '',
    eqUsd: digits(worth),
    ...{ isoEq: '0', isoUpl: '0', liab: NOT_TOLD, crossLiab: NOT_TOLD, interest: NOT_TOLD, stgyEq: '0', fixedBal: '0' },
  };
}

/** @param only currencies; all that there are where none is named */
export function balanceRow(exchange: Exchange, account: Account, only: readonly string[] = []) {
  const rows = moneyHeld(exchange, account).map((money) => currencyRow(exchange, account, money));
  return {
    totalEq: digits(rows.reduce((sum, { eqUsd }) => sum.plus(eqUsd), ZERO)),
    ...{ adjEq: NOT_TOLD, availEq: NOT_TOLD, imr: NOT_TOLD, mmr: NOT_TOLD, mgnRatio: NOT_TOLD, ordFroz: NOT_TOLD },
    ...{ notionalUsd: NOT_TOLD, upl: NOT_TOLD, borrowFroz: NOT_TOLD, isoEq: '0', uTime: String(exchange.now()) },
    details: rows.filter(({ ccy }) => only.length === 0 || only.includes(ccy)),
  };
}

/** @param position undefined of one that has ended */
export function positionRow(exchange: Exchange, account: Account, symbol: string, position?: Position) {
  const { trading } = exchange;
  const { instrument, ticker } = exchange.listed(symbol)!;
  const { quantity, cost } = position ?? { quantity: ZERO, cost: ZERO };
  const mark = trading.markOf(symbol);
  const value = quantity.times(mark);
  const leverage = trading.leverageOf(account, instrument);
  const liquidation = position ? trading.liquidationPrice(account, position) : ZERO;
  const isIsolated = account.isolated.has(symbol);
  const updatedAt = String(position?.updatedAt ?? exchange.now());
  const initial = digits(value.abs().div(leverage));
  return {
    ...{ instType: TYPES[instrument.kind], instId: idOf(instrument), ccy: instrument.quote, posCcy: '', availPos: '' },
    ...{ mgnMode: isIsolated ? 'isolated' : 'cross', posSide: posSideOf(account, quantity) },
    pos: sizeOf(account.isHedged ? quantity.abs() : quantity, instrument),
    avgPx: position ? digits(cost.div(quantity)) : '',
    ...{ markPx: mark.toFixed(), last: String(ticker.price), lever: String(leverage) },
    ...{ upl: digits(value.minus(cost)), notionalUsd: digits(value.abs()) },
    liqPx: liquidation.gt(0) ? digits(liquidation) : '',
    ...{ imr: isIsolated ? '' : initial, margin: isIsolated ? initial : '' },
    ...{ mmr: digits(position ? trading.maintenanceOf(symbol, value) : ZERO), adl: '1' },
    ...{ cTime: updatedAt, uTime: updatedAt },
  };
}

/** Those that leverage is set for together: delivery futures of one coin, else each by itself. */
async function setTogether(exchange: Exchange, { kind, base, symbol }: Instrument): Promise<string[]> {
  if (kind !== 'future') return [symbol];
  const futures = await exchange.instruments(['future']);
  return futures.filter((one) => one.base === base).map((one) => one.symbol);
}

/** What was asked of an order: under its own code where it was refused. */
async function outcome(exchange: Exchange, params: Params, act: () => { ordId: string; clOrdId: string }) {
  const ts = String(exchange.now());
  try {
    return [{ ...act(), tag: '', ts, sCode: '0', sMsg: '', subCode: '' }];
  } catch (error) {
    // Only who is asked for nothing is refused as a whole.
    if (!(error instanceof Refusal) || error.code === '50014') throw error;
    const ids = { ordId: params.text('ordId'), clOrdId: params.text('clOrdId') };
    return [{ ...ids, tag: '', ts, sCode: error.code, sMsg: error.message, subCode: '' }];
  }
}

function tradeRoutes(exchange: Exchange): Readonly<Record<string, OwnRoute>> {
  const { trading } = exchange;
  const perInstrument = { most: 60, per: 'instId' };
  return {
    'POST trade/order': {
      ...{ right: 'trade', ...perInstrument },
      handle: (account, params, _key, { headers }) =>
        outcome(exchange, params, () => {
          if (Number(headers.exptime ?? Number.POSITIVE_INFINITY) < exchange.now())
            throw new Refusal(
              '50036',
              "The expTime can't be earlier than the current system time. Please adjust the expTime and try again.",
            );
          const { id, clientId } = placeOrder(exchange, account, params);
          return { ordId: wide(id), clOrdId: clientId };
        }),
    },
    'POST trade/cancel-order': {
      ...{ right: 'trade', ...perInstrument },
      handle: (account, params) =>
        outcome(exchange, params, () => {
          const order = orderAsked(exchange, account, params);
          if (!order || order.state === 'filled' || order.endedBy)
            throw new Refusal(
              '51400',
              'Order cancellation failed as the order has been filled, canceled or does not exist.',
            );
          trading.cancel(account, order);
          return { ordId: wide(order.id), clOrdId: order.clientId };
        }),
    },
    'GET trade/order': {
      ...{ right: 'read', ...perInstrument },
      handle: (account, params) => {
        const order = orderAsked(exchange, account, params);
        if (!order || !isTold(order, exchange, KEPT_MS)) throw new Refusal('51603', 'Order does not exist.');
        return [orderRow(exchange, account, order)];
      },
    },
    'GET trade/orders-pending': {
      ...{ right: 'read', most: 60 },
      handle: (account, params) =>
        account
          .live(null)
          .map((order) => orderRow(exchange, account, order))
          .filter(({ instId }) => ['', instId].includes(params.text('instId')))
          .filter(({ ordId }) => params.text('after') === '' || BigInt(ordId) < BigInt(params.text('after')))
          .reverse()
          .slice(0, 100),
    },
    'GET trade/fills': {
      ...{ right: 'read', most: 60 },
      handle: (account, params) => fillsAsked(exchange, account, params, 3),
    },
    'GET trade/fills-history': {
      ...{ right: 'read', most: 10 },
      handle: (account, params) => {
        params.needed('instType');
        return fillsAsked(exchange, account, params, 90);
      },
    },
    'POST trade/cancel-all-after': {
      ...{ right: 'trade', most: 1, everyMs: SECOND_MS },
      handle: (account, params) => {
        const seconds = Number(params.needed('timeOut'));
        if (seconds !== 0 && !(seconds >= 10 && seconds <= 120)) throw wrong('timeOut');
        trading.cancelAllAt(account, null, seconds === 0 ? null : exchange.trueNow() + seconds * SECOND_MS);
        const now = Math.floor(exchange.now() / SECOND_MS);
        return [{ triggerTime: String(seconds && now + seconds), tag: '', ts: String(now) }];
      },
    },
  };
}

function leverageRoutes(exchange: Exchange): Readonly<Record<string, OwnRoute>> {
  const { trading } = exchange;
  const marginMode = (params: Params) => params.oneOf('mgnMode', ['cross', 'isolated']);
  return {
    'GET account/leverage-info': {
      ...{ right: 'read', most: 20 },
      handle: (account, params) => {
        const mgnMode = marginMode(params);
        return params
          .needed('instId')
          .split(',')
          .flatMap((instId) => {
            const lever = String(trading.leverageOf(account, listedAs(exchange, instId).instrument));
            const sides = account.isHedged ? ['long', 'short'] : ['net'];
            return sides.map((posSide) => ({ instId, ccy: '', mgnMode, posSide, lever }));
          });
      },
    },
    'POST account/set-leverage': {
      ...{ right: 'trade', most: 20 },
      handle: async (account, params) => {
        const mgnMode = marginMode(params);
        const { instrument } = listedAs(exchange, params.needed('instId'));
        const leverage = Number(params.number('lever'));
        if (leverage < 1)
          throw new Refusal('59105', "Leverage can't be less than 1. Please increase the leverage.", 400);
        if (leverage > (instrument.maxLeverage ?? 1))
          throw new Refusal('59102', 'Leverage exceeds the maximum limit. Please lower the leverage.');
        const symbols = await setTogether(exchange, instrument);
        const before = trading.leverageOf(account, instrument);
        if (leverage !== before && symbols.some((symbol) => account.live('derivatives', symbol).length > 0))
          throw new Refusal(
            '59107',
            "Leverage can't be modified. Please cancel all pending cross-margin orders before adjusting the leverage.",
          );
        if (!setLeverage(exchange, account, instrument, symbols, leverage))
          throw new Refusal(
            '59108',
            'Your account leverage is too low and has insufficient margins. Please increase the leverage.',
          );
        return [{ lever: String(leverage), mgnMode, instId: idOf(instrument), posSide: '' }];
      },
    },
  };
}

/** What customers of OKX ask and order, by method and by what stands behind the root of the address. */
export function ownRoutes(exchange: Exchange): Readonly<Record<string, OwnRoute>> {
  const named = (params: Params, name: string) => params.text(name).split(',').filter(Boolean);
  return {
    'GET account/config': {
      ...{ right: 'read', most: 5 },
      handle: ({ uid, level, isHedged }, _params, key) => [
        {
          ...{
            uid: String(uid),
            mainUid: String(uid),
            acctLv: String(level),
            label: key.key,
            ip: key.addresses.join(),
          },
          perm: ['read_only', key.canTrade && 'trade', key.canWithdraw && 'withdraw'].filter(Boolean).join(),
          ...{ posMode: isHedged ? 'long_short_mode' : 'net_mode', acctStpMode: 'cancel_maker', feeType: '0' },
          ...{
            autoLoan: false,
            ctIsoMode: 'automatic',
            mgnIsoMode: 'automatic',
            level: 'Lv1',
            levelTmp: '',
            type: '0',
          },
          ...{ enableSpotBorrow: false, roleType: '0', spotRoleType: '0', kycLv: '3', stgyType: '0' },
        },
      ],
    },
    'GET account/balance': {
      ...{ right: 'read', most: 10 },
      handle: (account, params) => [balanceRow(exchange, account, named(params, 'ccy'))],
    },
    'GET account/positions': {
      ...{ right: 'read', most: 10 },
      handle: (account, params) => {
        const ids = named(params, 'instId');
        return [...account.positions.values()]
          .map((position) => positionRow(exchange, account, position.symbol, position))
          .filter((row) => ids.length === 0 || ids.includes(row.instId))
          .filter((row) => ['', row.instType].includes(params.text('instType')))
          .reverse();
      },
    },
    'GET account/trade-fee': {
      ...{ right: 'read', most: 5 },
      handle: (_account, params) => {
        const instType = params.oneOf('instType', ['SPOT', 'SWAP', 'FUTURES']);
        // Of contracts a family is asked for; a perpetual's rates are those of its family.
        const family = params.text('instFamily') || 'BTC-USDT';
        const id = instType === 'SPOT' ? params.text('instId') || 'BTC-USDT' : `${family}-SWAP`;
        const terms = exchange.market.terms(listedAs(exchange, id).instrument.symbol)!;
        const [maker, taker] = [terms.makerFee, terms.takerFee].map((rate) => new Big(-rate).toFixed());
        const old = instType === 'SPOT' ? { maker, taker, makerU: '', takerU: '' } : { makerU: maker, takerU: taker };
        return [
          { instType, level: 'Lv1', feeGroup: [{ groupId: '1', maker, taker }], ...old, ts: String(exchange.now()) },
        ];
      },
    },
    'GET account/bills': {
      ...{ right: 'read', most: 5, everyMs: SECOND_MS },
      handle: (account, params) => billsAsked(exchange, account, params, 7),
    },
    'GET account/bills-archive': {
      ...{ right: 'read', most: 5 },
      handle: (account, params) => billsAsked(exchange, account, params, 90),
    },
    ...leverageRoutes(exchange),
    ...tradeRoutes(exchange),
  };
}
