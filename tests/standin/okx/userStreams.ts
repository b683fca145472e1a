import type { Account, AccountEvent, Fill } from '../core/account';
import type { Exchange } from '../core/exchange';
import { OwnStream } from '../core/ownStreams';
import { Refusal } from '../core/publicDialect';
import { keyOfLogin, type Login } from './access';
import { balanceRow, positionRow } from './accountRoutes';
import { sizeOf } from './instruments';
import { orderRow, tradeIdOf } from './orders';
import { execTypeOf } from './records';

type Channel = { channel: string } & Record<string, string>;
type OrderEvent = Extract<AccountEvent, { kind: 'order' }>;

const CONNECTION = { connId: 'a4d3ae55' };
const noChannel = ({ channel }: Channel) =>
  new Refusal(
    '60018',
    `Wrong URL or channel:${channel} doesn't exist. Please use the correct URL, channel and parameters referring to API document.`,
  );

/** What an order's channel tells of the trade that is news; nothing of one before. */
function fillWords(exchange: Exchange, fill: Fill | null) {
  if (!fill) return { fillPx: '', fillSz: '0', fillTime: '', tradeId: '', fillPnl: '0', fillFee: '0', execType: '' };
  const { instrument } = exchange.listed(fill.order.symbol)!;
  return {
    ...{ fillPx: fill.price.toFixed(), fillSz: sizeOf(fill.quantity, instrument), fillTime: String(fill.at) },
    ...{ tradeId: tradeIdOf(fill), fillPnl: fill.realised.toFixed(), execType: execTypeOf(fill) },
    ...{ fillFee: fill.fee.times(-1).toFixed(), fillFeeCcy: fill.feeAsset, fillNotionalUsd: fill.turnover.toFixed() },
  };
}

/** A connection of a customer. */
export class Customer extends OwnStream {
  readonly #channels = new Map<string, Channel>();

  protected override sayLeave(): void {
    const msg = 'The connection will soon be closed for a service upgrade. Please reconnect.';
    this.connection.send({ event: 'notice', code: '64008', msg, ...CONNECTION });
  }

  protected hear(message: string): void {
    if (message === 'ping') {
      this.connection.send('pong');
      return;
    }
    const { id, op, args } = JSON.parse(message) as { id?: string; op: string; args: Channel[] };
    for (const arg of args) {
      try {
        this.#obey(op, arg, id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.connection.send({ id, event: 'error', code: error.code, msg: error.message, ...CONNECTION });
      }
    }
  }

  #obey(op: string, arg: Channel, id: string | undefined): void {
    if (op === 'login') {
      this.#login(arg as Login);
      this.connection.send({ event: 'login', code: '0', msg: '', ...CONNECTION });
      return;
    }
    if (op !== 'subscribe' && op !== 'unsubscribe') throw new Refusal('60012', `Invalid request: ${op}`);
    if (!this.account) throw new Refusal('60011', 'Please log in');
    if (!['orders', 'account', 'positions'].includes(arg.channel)) throw noChannel(arg);
    if (arg.channel !== 'account' && !['ANY', 'SPOT', 'SWAP', 'FUTURES'].includes(arg.instType!))
      throw new Refusal('60013', 'Invalid args');
    const name = JSON.stringify(arg);
    if (op === 'subscribe') this.#channels.set(name, arg);
    else this.#channels.delete(name);
    this.connection.send({ id, event: op, arg, ...CONNECTION });
    if (op === 'subscribe') this.#tellWhole(this.account, arg);
  }

  #login(login: Login): void {
    if (this.account) throw new Refusal('60031', 'The WebSocket endpoint does not allow multiple or repeated logins.');
    const { keys } = this.exchange;
    this.begin(keyOfLogin(login, (name) => keys.find(name), this.exchange.now()));
  }

  /** Money and positions are told whole at first; orders when one changes. */
  #tellWhole(account: Account, arg: Channel): void {
    const words = { eventType: 'snapshot', curPage: 1, lastPage: true };
    if (arg.channel === 'account') this.#send(account, arg, [balanceRow(this.exchange, account)], words);
    if (arg.channel === 'positions')
      this.#send(account, arg, this.#positions(account, arg, [...account.positions.keys()]), words);
  }

  protected tell(account: Account, event: AccountEvent): void {
    const update = { eventType: 'event_update' };
    for (const arg of this.#channels.values()) {
      if (arg.channel === 'orders') {
        if (event.kind === 'order') this.#tellOrder(account, arg, event);
      } else if (arg.channel === 'account') {
        if (event.kind !== 'order') this.#send(account, arg, [balanceRow(this.exchange, account)], update);
      } else if (event.kind === 'derivatives' && event.symbols.length > 0) {
        this.#send(account, arg, this.#positions(account, arg, event.symbols), update);
      }
    }
  }

  #tellOrder(account: Account, arg: Channel, { order, fill }: OrderEvent): void {
    const row = orderRow(this.exchange, account, order);
    const rest = { code: '0', msg: '', reqId: '', amendResult: '', notionalUsd: order.turnover.toFixed() };
    this.#send(account, arg, isMeant(arg, row) ? [{ ...row, ...fillWords(this.exchange, fill), ...rest }] : []);
  }

  /** One that has ended is told too, as nothing. */
  #positions(account: Account, arg: Channel, symbols: readonly string[]) {
    const rows = symbols.map((symbol) => positionRow(this.exchange, account, symbol, account.positions.get(symbol)));
    return rows.filter((row) => isMeant(arg, row));
  }

  #send(account: Account, arg: Channel, data: object[], words: object = {}): void {
    if (data.length > 0 || 'curPage' in words)
      this.connection.send({ arg: { ...arg, uid: String(account.uid) }, ...words, data });
  }
}

const isMeant = ({ instType, instId }: Channel, row: { instType?: string; instId: string }): boolean =>
  ['ANY', row.instType].includes(instType) && (instId ?? row.instId) === row.instId;
