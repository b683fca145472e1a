import type { Account, AccountEvent, Fill, Order } from '../core/account';
import { ZERO } from '../core/account';
import { forceOf, stateOf, typeOf } from './orders';
import type { Part } from './part';

type OrderEvent = Extract<AccountEvent, { kind: 'order' }>;
type MoneyEvent = Extract<AccountEvent, { kind: 'derivatives' }>;

const CHANGES = { new: 'NEW', trade: 'TRADE', cancelled: 'CANCELED', expired: 'EXPIRED' } as const;
const REASONS = { order: 'ORDER', funding: 'FUNDING_FEE', transfer: 'DEPOSIT' } as const;

/** What both parts say of an order. */
function figures(part: Part, order: Order, change: OrderEvent['change'], fill: Fill | null) {
  const { instrument } = part.exchange.listed(order.symbol)!;
  const quantity = (value: Fill['quantity']) => part.quantity(Number(value), instrument);
  const price = (value: Fill['price'] | null) => part.price(Number(value ?? 0), instrument);
  return {
    ...{
      s: part.idOf(order.symbol),
      c: order.clientId,
      S: order.side.toUpperCase(),
      o: typeOf(part, order),
      f: forceOf(part, order),
    },
    ...{ q: quantity(order.quantity), p: price(order.price), x: CHANGES[change], X: stateOf(order), i: order.id },
    ...{ l: quantity(fill?.quantity ?? ZERO), z: quantity(order.filled), L: price(fill?.price ?? null) },
    ...{
      n: fill ? fill.fee.toFixed(8) : '0',
      N: fill?.feeAsset ?? null,
      T: order.updatedAt,
      t: fill?.id ?? (part.name === 'spot' ? -1 : 0),
    },
    m: fill?.isMaker ?? false,
  };
}

function spotOrder(part: Part, { order, change, fill }: OrderEvent) {
  return {
    ...{ e: 'executionReport', E: part.exchange.now(), ...figures(part, order, change, fill) },
    ...{ P: '0.00000000', F: '0.00000000', g: -1, C: change === 'cancelled' ? order.clientId : '', r: 'NONE' },
    ...(change === 'cancelled' && { c: `cancel_${order.id}` }),
    ...{
      w: order.state === 'new' || order.state === 'partly',
      M: false,
      O: order.createdAt,
      Z: order.turnover.toFixed(8),
    },
    ...{ Y: (fill?.turnover ?? ZERO).toFixed(8), Q: '0.00000000', W: order.createdAt, V: 'EXPIRE_MAKER' },
  };
}

function futuresOrder(part: Part, { order, change, fill }: OrderEvent) {
  const liquidated = order.forced === 'liquidation' && change === 'trade' ? { x: 'CALCULATED' } : {};
  const average = order.filled.gt(0) ? order.turnover.div(order.filled).round(8).toFixed() : '0';
  return {
    ...{ e: 'ORDER_TRADE_UPDATE', E: part.exchange.now(), T: order.updatedAt },
    o: {
      ...{ ...figures(part, order, change, fill), ...liquidated, ap: average, sp: '0', b: '0', a: '0' },
      ...{ R: order.reduceOnly, wt: 'CONTRACT_PRICE', ot: typeOf(part, order), ps: 'BOTH', cp: false },
      ...{ rp: fill?.realised.toFixed(8) ?? '0', pP: false, si: 0, ss: 0, V: 'EXPIRE_MAKER', pm: 'NONE', gtd: 0 },
    },
  };
}

function futuresMoney(part: Part, account: Account, { reason, assets, symbols, change }: MoneyEvent) {
  return {
    ...{ e: 'ACCOUNT_UPDATE', E: part.exchange.now(), T: part.exchange.now() },
    a: {
      m: REASONS[reason],
      B: assets.map((asset) => {
        const own = account.walletOf(asset).toFixed(8);
        return { a: asset, wb: own, cw: own, bc: change.toFixed(8) };
      }),
      P: symbols.map((symbol) => {
        const { instrument } = part.exchange.listed(symbol)!;
        const position = account.positions.get(symbol);
        const entry = position ? position.cost.div(position.quantity).round(8).toFixed() : '0';
        return {
          ...{
            s: part.idOf(symbol),
            pa: part.quantity(Number(position?.quantity ?? 0), instrument),
            ep: entry,
            bep: entry,
          },
          ...{ cr: '0', up: '0', mt: 'cross', iw: '0', ps: 'BOTH' },
        };
      }),
    },
  };
}

/** What a part's user stream says of an event; null where it says nothing. */
export function userEvent(part: Part, account: Account, event: AccountEvent): object | null {
  const isSpot = part.name === 'spot';
  if (event.kind === 'order') {
    if ((event.order.wallet === 'spot') !== isSpot) return null;
    return isSpot ? spotOrder(part, event) : futuresOrder(part, event);
  }
  if (event.kind === 'derivatives') return isSpot ? null : futuresMoney(part, account, event);
  if (!isSpot) return null;
  const now = part.exchange.now();
  return {
    ...{ e: 'outboundAccountPosition', E: now, u: now },
    B: event.assets.map((asset) => ({
      a: asset,
      f: account.freeOf(asset).toFixed(8),
      l: account.lockedOf(asset).toFixed(8),
    })),
  };
}
