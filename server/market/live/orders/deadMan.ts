import { MINUTE_MS } from '#contract/duration';
import { restingOrders } from '../../../base/db/accounts/liveOrder';
import type { Queries } from '../../../base/db/client';
import type { Clock } from '../../exchange';
import { type VenueLookup, type VenueOrder, VenueRefused } from '../../venue';
import { type BinanceOrders, isSpot } from './binanceOrders';

/** So long after it was last put off binance cancels all orders of a symbol. */
const COUNTDOWN_MS = MINUTE_MS;
/** How often it is put off while something rests. */
const PUT_OFF_MS = COUNTDOWN_MS / 3;

interface DeadManOptions {
  db: Queries;
  clock: Clock;
  ordersOf(account: string): Promise<BinanceOrders>;
  /** What became of an order, as its exchange has it now. */
  look(account: string, clientId: string): Promise<VenueLookup>;
  onTrouble(what: string): void;
}

/** The countdowns of an account. */
interface Watched {
  /** When each was put off last, by symbol. */
  armed: Map<string, number>;
  /** Orders on their way, by symbol. */
  going: Map<string, number>;
  /** Being taken back, by symbol. */
  ending: Map<string, Promise<unknown>>;
  lookedAt: number;
  under: Promise<void> | null;
}

/**
 * Orders at futures do not outlive whoever trades the account: a countdown at the exchange cancels those of a symbol
 * unless it is put off. It runs before the first of them is sent, and is taken back when none is left. Spot has none:
 * nothing is sent there that would rest.
 */
export class DeadMan {
  readonly #options: DeadManOptions;
  readonly #accounts = new Map<string, Watched>();

  constructor(options: DeadManOptions) {
    this.#options = options;
  }

  /**
   * Has the countdown run before an order is sent that may rest.
   * @returns what to call when it is sent, or was refused
   * @throws VenueRefused where it does not run, or there is none
   */
  async watch({ account, symbol, type }: Pick<VenueOrder, 'account' | 'symbol' | 'type'>): Promise<() => void> {
    if (type !== 'maker') return () => undefined;
    if (isSpot(symbol)) throw new VenueRefused('spotRests');
    const watched = this.#watchedOf(account);
    const { armed, going, ending } = watched;
    const count = (by: number) => going.set(symbol, (going.get(symbol) ?? 0) + by);
    count(1);
    const leave = () => void count(-1);
    try {
      await ending.get(symbol);
      if (this.#options.clock() - (armed.get(symbol) ?? Number.NEGATIVE_INFINITY) > PUT_OFF_MS)
        await this.#putOff(account, symbol);
    } catch (error) {
      leave();
      throw error instanceof VenueRefused ? error : new VenueRefused('unreachable');
    }
    return leave;
  }

  /** Whoever trades the account is there: what rests is kept. Without its saying so again it is not. */
  tend(account: string): void {
    const { clock, onTrouble } = this.#options;
    const watched = this.#watchedOf(account);
    const now = clock();
    if (watched.under !== null || now - watched.lookedAt < PUT_OFF_MS) return;
    watched.under = this.#keep(account, watched)
      .then(
        () => {
          watched.lookedAt = now;
        },
        (error: Error) => onTrouble(`countdown: ${error.message}`),
      )
      .finally(() => {
        watched.under = null;
      });
  }

  /** Waits for what is under way. */
  async idle(): Promise<void> {
    await Promise.all([...this.#accounts.values()].map(({ under }) => under));
  }

  async #keep(account: string, { armed, going, ending }: Watched): Promise<void> {
    const rests = new Set<string>();
    for (const { clientId, symbol } of await restingOrders(this.#options.db, account)) {
      if (isSpot(symbol) || rests.has(symbol)) continue;
      if (await this.#mayRest(account, clientId)) rests.add(symbol);
    }
    for (const symbol of rests) await this.#putOff(account, symbol);
    for (const symbol of [...armed.keys()]) {
      if (rests.has(symbol) || (going.get(symbol) ?? 0) > 0) continue;
      armed.delete(symbol);
      const over = this.#countDown(account, symbol, 0);
      ending.set(
        symbol,
        over.catch(() => undefined),
      );
      await over.finally(() => ending.delete(symbol));
    }
  }

  /** One of which nobody can say anything may. */
  async #mayRest(account: string, clientId: string): Promise<boolean> {
    const answer = await this.#options.look(account, clientId).catch(() => null);
    if (answer === null) return true;
    return answer.found ? answer.report.state === 'open' : !answer.covered;
  }

  async #putOff(account: string, symbol: string): Promise<void> {
    const now = this.#options.clock();
    await this.#countDown(account, symbol, COUNTDOWN_MS);
    this.#watchedOf(account).armed.set(symbol, now);
  }

  async #countDown(account: string, symbol: string, ms: number): Promise<void> {
    await (await this.#options.ordersOf(account)).countDown(symbol, ms);
  }

  #watchedOf(account: string): Watched {
    const watched = this.#accounts.get(account) ?? {
      ...{ armed: new Map(), going: new Map(), ending: new Map() },
      ...{ lookedAt: Number.NEGATIVE_INFINITY, under: null },
    };
    this.#accounts.set(account, watched);
    return watched;
  }
}
