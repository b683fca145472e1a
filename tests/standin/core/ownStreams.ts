import type { Connection } from '../dialect';
import type { Account, AccountEvent } from './account';
import type { Exchange } from './exchange';
import type { ApiKey } from './keys';

/** A connection of a customer: it logs in, subscribes, and hears what happens on the account. */
export abstract class OwnStream {
  protected readonly exchange: Exchange;
  protected readonly connection: Connection;
  #key: string | null = null;
  #account: Account | null = null;

  constructor(exchange: Exchange, connection: Connection) {
    this.exchange = exchange;
    this.connection = connection;
    connection.onMessage((message) => this.hear(message));
  }

  protected abstract hear(message: string): void;
  protected abstract tell(account: Account, event: AccountEvent): void;

  /** Said before it is hung up on. */
  protected sayLeave(): void {
    // Not every exchange says so.
  }

  /** Whose it is; null before a login. */
  get account(): Account | null {
    return this.#account;
  }

  protected begin({ key, account: name }: ApiKey): void {
    const account = this.exchange.trading.account(name);
    this.#key = key;
    this.#account = account;
    this.connection.onClose(account.listen((event) => this.tell(account, event)));
  }

  /** Whose account has ended streams, or whose key is gone, is hung up on. */
  tick(): void {
    const { keys, faults } = this.exchange;
    if (this.#account && faults.endedStreams.delete(this.#account.name)) {
      this.sayLeave();
      this.connection.close();
    } else if (this.#key !== null && !keys.find(this.#key)) this.connection.close();
  }
}

/** Who hears what happens on an account. */
export class OwnStreams<S extends OwnStream = OwnStream> {
  readonly #make: (connection: Connection) => S;
  readonly #streams = new Set<S>();

  constructor(make: (connection: Connection) => S) {
    this.#make = make;
  }

  serve(connection: Connection): void {
    const stream = this.#make(connection);
    this.#streams.add(stream);
    connection.onClose(() => this.leave(stream));
  }

  protected leave(stream: S): void {
    this.#streams.delete(stream);
  }

  get open(): readonly S[] {
    return [...this.#streams];
  }

  tick(): void {
    for (const stream of this.#streams) stream.tick();
  }
}
