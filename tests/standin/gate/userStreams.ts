import type Big from 'big.js';
import type { Account, AccountEvent } from '../core/account';
import { OwnStream } from '../core/ownStreams';
import { Refusal } from '../core/publicDialect';
import { keyOfSubscription, type Signed } from './access';
import { positionRow } from './accountRoutes';
import { accountAt, contractAt, pairAt, SPOT_WS, seconds, symbolOf, USDT } from './names';
import { contractRow, isOpen, type Part, pairRow, walletOf } from './orders';
import { bookRows, contractTradeRow, pairTradeRow } from './records';

/** What a client says on a connection. */
export interface Request extends Signed {
  id?: number;
  payload?: string[];
}

interface Channel {
  name: string;
  /** Empty for all of them. */
  symbol: string;
  tell(event: AccountEvent): object[];
}

type OrderEvent = Extract<AccountEvent, { kind: 'order' }>;

const ALL = '!all';
const PINGS = ['spot.ping', 'futures.ping'];
const OWN = /^(spot\.(orders|usertrades|balances)|futures\.(orders|usertrades|positions|balances))$/;

/** Whether a message is of what is one's own, or a sign of life. */
export const isOwn = ({ channel }: Request): boolean => OWN.test(channel) || PINGS.includes(channel);

/** A connection where a customer hears of an account too: each subscription is signed. */
export class Customer extends OwnStream {
  readonly #channels = new Map<string, Channel>();
  readonly #part: Part =
    this.connection.path === SPOT_WS ? 'spot' : this.connection.path.includes('delivery') ? 'delivery' : 'futures';
  /** Whose it is; of delivery they have another account. */
  #owner: Account | null = null;

  protected hear(message: string): void {
    const request = JSON.parse(message) as Request;
    if (!isOwn(request)) return;
    const { id, channel, event, payload = [] } = request;
    const now = this.exchange.now();
    const said = { time: seconds(now), time_ms: now, id, channel, event, payload };
    if (PINGS.includes(channel)) {
      this.connection.send({ ...said, channel: channel.replace('ping', 'pong'), event: '', result: null });
      return;
    }
    try {
      if (event === 'subscribe') this.#add(request);
      else this.#channels.delete(`${channel} ${payload.join()}`);
      this.connection.send({ ...said, error: null, result: { status: 'success' } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code: label, message, status } = error;
      // Who may not is told so in the words of a request.
      const words =
        status === 401 ? { code: 4, message: `${JSON.stringify({ label, message })}\n` } : { code: 2, message };
      this.connection.send({ ...said, error: words, result: { status: 'fail' } });
    }
  }

  protected tell(_account: Account, event: AccountEvent): void {
    const now = this.exchange.now();
    for (const { name, tell } of this.#channels.values()) {
      const result = tell(event);
      if (result.length > 0)
        this.connection.send({ time: seconds(now), time_ms: now, channel: name, event: 'update', result });
    }
  }

  #add(request: Request): void {
    const { keys, trading } = this.exchange;
    const { channel: name, payload = [] } = request;
    const key = keyOfSubscription(request, (one) => keys.find(one), this.exchange.now());
    const owner = trading.account(key.account);
    const isSpot = this.#part === 'spot';
    if (!name.startsWith(isSpot ? 'spot.' : 'futures.')) throw new Refusal('2', `unknown channel ${name}`);
    const [uid, id = ALL] = isSpot ? [String(owner.uid), payload[0]] : payload;
    if (uid !== String(owner.uid)) throw new Refusal('2', `invalid user id ${uid}`);
    const symbol = id === ALL ? '' : symbolOf(id, isSpot);
    if (symbol !== '') this.#part === 'spot' ? pairAt(this.exchange, id) : contractAt(this.exchange, this.#part, id);
    const account = this.#part === 'spot' ? owner : accountAt(this.exchange, owner, this.#part);
    if (!this.#owner) this.begin({ ...key, account: account.name });
    this.#owner = owner;
    this.#channels.set(`${name} ${payload.join()}`, { name, symbol, tell: this.#teller(name, symbol, owner, account) });
  }

  /** What a channel says of what happens. */
  #teller(name: string, symbol: string, owner: Account, account: Account): Channel['tell'] {
    if (name === 'spot.balances') return this.#spotMoney(account);
    if (name === 'futures.balances') return this.#contractMoney(owner, account);
    if (name === 'futures.positions')
      return (event) => (event.kind === 'derivatives' ? this.#positions(owner, account, symbol, event.symbols) : []);
    return (event) => {
      if (event.kind !== 'order' || event.order.wallet !== walletOf(this.#part)) return [];
      if (!['', event.order.symbol].includes(symbol) || event.order.forced === 'delivery') return [];
      return name.endsWith('.orders') ? this.#orderRows(owner, event) : this.#tradeRows(owner, event);
    };
  }

  #orderRows(owner: Account, { order, change }: OrderEvent): object[] {
    const [now, isNew] = [this.exchange.now(), change === 'new'];
    if (this.#part !== 'spot') {
      const row = contractRow(this.exchange, order, owner.uid);
      const finish_as = isOpen(order) ? (isNew ? '_new' : '_update') : 'finish_as' in row ? row.finish_as : '';
      const times = { create_time_ms: order.createdAt, finish_time_ms: order.updatedAt, update_id: now };
      return [{ ...row, finish_as, user: String(owner.uid), ...times }];
    }
    const { status, create_time_ms, update_time_ms, ...row } = pairRow(this.exchange, owner, order);
    const event = status === 'open' ? (isNew ? 'put' : 'update') : 'finish';
    const times = { create_time_ms: String(create_time_ms), update_time_ms: String(update_time_ms) };
    return [{ ...row, ...times, user: owner.uid, event }];
  }

  #tradeRows(owner: Account, { fill }: OrderEvent): object[] {
    if (!fill) return [];
    if (this.#part === 'spot') return [{ ...pairTradeRow(this.exchange, fill), id: fill.id, user_id: owner.uid }];
    const times = { create_time: seconds(fill.at), create_time_ms: fill.at };
    return [{ id: String(fill.id), ...contractTradeRow(this.exchange, fill), ...times }];
  }

  #positions(owner: Account, account: Account, symbol: string, changed: readonly string[]): object[] {
    const now = this.exchange.now();
    return changed
      .filter((one) => ['', one].includes(symbol))
      .map((one) => ({
        ...positionRow(this.exchange, account, one, owner.uid, account.positions.get(one)),
        ...{ user: String(owner.uid), time: seconds(now), time_ms: now },
      }));
  }

  /** What of spot's money is new: by how much it changed since it was told last. */
  #spotMoney(account: Account): Channel['tell'] {
    const totalOf = (asset: string): Big => account.freeOf(asset).plus(account.lockedOf(asset));
    const told = new Map([...account.free.keys()].map((asset) => [asset, totalOf(asset)]));
    return (event) => {
      if (event.kind !== 'spot') return [];
      const now = this.exchange.now();
      return event.assets.map((currency) => {
        const [total, before] = [totalOf(currency), told.get(currency)];
        told.set(currency, total);
        return {
          ...{ timestamp: String(seconds(now)), timestamp_ms: String(now), user: String(account.uid), currency },
          ...{ change: total.minus(before ?? 0).toFixed(), total: total.toFixed() },
          ...{ available: account.freeOf(currency).toFixed(), freeze: account.lockedOf(currency).toFixed() },
          ...{ freeze_change: '0', change_type: 'order-update' },
        };
      });
    };
  }

  /** Each row of the wallet's book as it comes. */
  #contractMoney(owner: Account, account: Account): Channel['tell'] {
    const rows = () => bookRows(this.exchange, account);
    let told = rows().length;
    return (event) => {
      if (event.kind !== 'derivatives') return [];
      const news = rows().slice(told);
      told += news.length;
      return news.map(({ at, row: { balance, change, text, type } }) => ({
        ...{ balance: Number(balance), change: Number(change), text, type, user: String(owner.uid) },
        ...{ time: seconds(at), time_ms: at, currency: USDT.toLowerCase() },
      }));
    };
  }
}
