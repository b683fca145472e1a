import { SECOND_MS } from '#contract/duration';
import type { Account, AccountEvent, Wallet } from '../core/account';
import type { Exchange } from '../core/exchange';
import { OwnStream, OwnStreams } from '../core/ownStreams';
import { Refusal } from '../core/publicDialect';
import { keyOfLogin } from './access';
import { positionRow, walletRow } from './accountRoutes';
import { categoryOfOrder, orderRow } from './orders';
import { fillRow, fundingRow } from './records';

const CONN_ID = 'cejreaspqfh3sjdnldmg-p';
/** Topics, and those of one category alone. */
const TOPICS = /^(wallet|(order|execution)(\.(spot|linear))?|position(\.linear)?|dcp\.(future|spot))$/;
const DCP_TOPICS: readonly (readonly [string, Wallet])[] = [
  ['dcp.future', 'derivatives'],
  ['dcp.spot', 'spot'],
];

/** A connection of a customer: nothing is told at first, all that changes then. */
export class Customer extends OwnStream {
  readonly #topics = new Set<string>();
  #messages = 0;

  /** Of which wallets orders live as long as it does. */
  get guards(): Wallet[] {
    return DCP_TOPICS.flatMap(([topic, wallet]) => (this.#topics.has(topic) ? wallet : []));
  }

  protected hear(message: string): void {
    const { req_id, op, args = [] } = JSON.parse(message) as { req_id?: string; op: string; args?: unknown[] };
    const words = { ...(req_id !== undefined && { req_id }), conn_id: CONN_ID };
    if (op === 'ping') {
      this.connection.send({ ...words, op: 'pong', args: [String(this.exchange.now())] });
      return;
    }
    try {
      this.#obey(op, args);
      this.connection.send({ success: true, ret_msg: '', op, ...words });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.connection.send({ success: false, ret_msg: error.message, op, ...words });
      if (op === 'auth') this.connection.close();
    }
  }

  #obey(op: string, args: unknown[]): void {
    const { keys } = this.exchange;
    if (op === 'auth') {
      this.begin(keyOfLogin(args, (name) => keys.find(name), this.exchange.now()));
      return;
    }
    if (!this.account) throw new Refusal('10007', 'Request not authorized');
    const topics = args.map(String);
    const unknown = topics.find((topic) => !TOPICS.test(topic));
    if (unknown !== undefined || !['subscribe', 'unsubscribe'].includes(op))
      throw new Refusal('10404', `error:handler not found,topic:${unknown ?? op}`);
    for (const topic of topics) {
      if (op === 'subscribe') this.#topics.add(topic);
      else this.#topics.delete(topic);
    }
  }

  protected tell(account: Account, event: AccountEvent): void {
    if (event.kind === 'order') this.#tellOrder(account, event);
    else this.#send('wallet', null, [walletRow(this.exchange, account)]);
    if (event.kind !== 'derivatives') return;
    this.#tellPositions(account, event.symbols);
    if (event.reason === 'funding') {
      const settled = account.income.findLast(({ kind }) => kind === 'funding')!;
      this.#send('execution', 'linear', [
        { ...fundingRow(this.exchange, settled), execPnl: '0', feeCurrency: settled.asset },
      ]);
    }
  }

  /** What is delivered has no order. */
  #tellOrder(account: Account, { order, fill }: Extract<AccountEvent, { kind: 'order' }>): void {
    const category = categoryOfOrder(order);
    if (order.forced !== 'delivery') {
      const closedPnl = fill?.realised.toFixed() ?? '0';
      this.#send('order', category, [{ ...orderRow(this.exchange, account, order), closedPnl, feeCurrency: '' }]);
    }
    if (fill)
      this.#send('execution', category, [
        { ...fillRow(this.exchange, fill), execPnl: fill.realised.toFixed(), feeCurrency: fill.feeAsset },
      ]);
    else if (category === 'linear') this.#tellPositions(account, [order.symbol]);
  }

  /** One that has ended is told too, as nothing. */
  #tellPositions(account: Account, symbols: readonly string[]): void {
    const rows = symbols.map((symbol) =>
      positionRow(this.exchange, account, symbol, account.positions.get(symbol), 'entryPrice'),
    );
    this.#send('position', 'linear', rows);
  }

  #send(topic: string, category: string | null, rows: object[]): void {
    const data = category === null ? rows : rows.map((row) => ({ category, ...row }));
    for (const name of [topic, `${topic}.${category}`]) {
      if (!this.#topics.has(name) || rows.length === 0) continue;
      const id = `${this.account!.uid}-${++this.#messages}`;
      this.connection.send({ id, topic: name, creationTime: this.exchange.now(), data });
    }
  }
}

/** Who hears what happens; where nobody of an account does any more, its orders end after a while if it has that switched on. */
export class Customers extends OwnStreams<Customer> {
  readonly #exchange: Exchange;
  /** Since when nobody is there any more who guarded, UTC ms by the market's clock. */
  readonly #goneAt = new Map<Account, Map<Wallet, number>>();

  constructor(exchange: Exchange) {
    super((connection) => new Customer(exchange, connection));
    this.#exchange = exchange;
  }

  override tick(): void {
    super.tick();
    for (const { account, guards } of this.open)
      for (const wallet of guards) this.#goneAt.get(account!)?.delete(wallet);
    for (const [account, gone] of this.#goneAt)
      for (const [wallet, at] of gone) this.#endUnguarded(account, wallet, at, gone);
  }

  protected override leave(stream: Customer): void {
    super.leave(stream);
    const { account, guards } = stream;
    if (!account) return;
    const gone = this.#goneAt.get(account) ?? new Map<Wallet, number>();
    this.#goneAt.set(account, gone);
    for (const wallet of guards) gone.set(wallet, this.#exchange.trueNow());
  }

  #endUnguarded(account: Account, wallet: Wallet, at: number, gone: Map<Wallet, number>): void {
    const seconds = account.dcp.get(wallet);
    if (seconds === undefined || this.#exchange.trueNow() < at + seconds * SECOND_MS) return;
    gone.delete(wallet);
    for (const order of account.live(wallet)) this.#exchange.trading.cancel(account, order, 'countdown');
  }
}
