import { SECOND_MS } from '#contract/duration';
import type { Instrument, InstrumentKind, Listing } from '#server/market/exchange';
import type { Answer, Call, Connection, Dialect } from '../dialect';
import { Budget } from './budget';
import type { Exchange } from './exchange';
import { Subscriptions } from './subscriptions';

/** What an exchange answers instead. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 200) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface Allowance {
  /** Questions within two seconds, or within a time of its own. */
  most: number;
  everyMs?: number;
}

/** What everybody may ask; it is counted by address. */
export interface Route extends Allowance {
  /** They are counted apart by this of what is asked. */
  per?: string;
  answer(params: URLSearchParams): unknown;
}

const WINDOW_MS = 2 * SECOND_MS;

/** What is public of an exchange: questions by GET, and streams that one subscribes to on a connection. */
export abstract class PublicDialect implements Dialect {
  protected readonly exchange: Exchange;
  readonly #listeners = new Set<Subscriptions>();
  readonly #budgets = new Map<string, Budget>();

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  abstract serves(path: string): boolean;
  /** By what stands behind the root of the address. */
  protected abstract routes(): Readonly<Record<string, Route>>;
  protected abstract readonly root: string;
  protected abstract readonly tooMany: Refusal;
  protected abstract readonly maintenance: Refusal;
  /** How an answer is wrapped, and a refusal told. */
  protected abstract said(answer: unknown): unknown;
  protected abstract refused(refusal: Refusal): unknown;
  /** A message of a client: it subscribes, leaves, or shows that it lives. */
  protected abstract hear(connection: Connection, subscriptions: Subscriptions, message: string): void;

  async answer({ method, path, params, from }: Call): Promise<Answer> {
    const name = path.replace(this.root, '');
    const route = method === 'GET' ? this.routes()[name] : undefined;
    return this.answered(() => {
      if (!route) throw new Refusal('404', 'Not Found', 404);
      this.charge(name, route, `${from} ${route.per ? params.get(route.per) : ''}`);
      return route.answer(params);
    });
  }

  /** What is found, or why it is not. */
  protected async answered(find: () => unknown): Promise<Answer> {
    try {
      return { status: 200, body: this.said(await find()) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: this.refused(error) };
    }
  }

  closed(): Answer {
    return { status: 503, body: this.refused(this.maintenance) };
  }

  connect(connection: Connection): void {
    const subscriptions = new Subscriptions(connection);
    this.#listeners.add(subscriptions);
    connection.onClose(() => this.#listeners.delete(subscriptions));
    connection.onMessage((message) => this.hear(connection, subscriptions, message));
  }

  tick(): void {
    this.exchange.books.tick();
    for (const listener of this.#listeners) listener.tick(this.exchange.trueNow());
  }

  /** Those of a kind as they stand, delisted ones too. */
  protected async all(kind: InstrumentKind): Promise<Listing[]> {
    const instruments = await this.exchange.instruments([kind]);
    return instruments.flatMap(({ symbol }) => this.exchange.listed(symbol) ?? []);
  }

  /** As it stands, while it is traded. */
  protected traded(symbol: string): Listing | null {
    return this.exchange.faults.delisted.has(symbol) ? null : this.exchange.listed(symbol);
  }

  protected isDelisted({ symbol }: Instrument): boolean {
    return this.exchange.faults.delisted.has(symbol);
  }

  /** What is announced, as OKX and Bybit tell it: of the market that people trade at, and of one for trials. */
  protected announced(): object[] {
    const rows = this.exchange.faults.announced.map(({ begin, end, ...row }) => ({
      ...{ ...row, begin: String(begin), end: String(end), href: '' },
    }));
    return rows.flatMap((row) =>
      [row, { ...row, title: `Trial ${row.title}` }].map((one, i) => ({ ...one, env: i + 1 })),
    );
  }

  /** Counts one more question of somebody. @throws one that is too many */
  protected charge(name: string, { most, everyMs = WINDOW_MS }: Allowance, who: string, tooMany = this.tooMany): void {
    const budget = this.#budgets.get(name) ?? new Budget(everyMs, most);
    this.#budgets.set(name, budget);
    if (budget.use(who, 1, this.exchange.now()) > most) throw tooMany;
  }
}
