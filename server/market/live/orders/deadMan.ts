import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import { restingOrders } from '../../../base/db/accounts/liveOrder';
import type { Queries } from '../../../base/db/client';
import type { Clock } from '../../exchange';
import { type VenueLookup, type VenueOrder, VenueRefused } from '../../venue';
import { isSpot } from '../listing';
import type { RealExchange, RealOrders } from './realExchange';

/** So long after it was last put off the exchange cancels all orders of what is counted down together. */
const COUNTDOWN_MS = MINUTE_MS;
/** How often it is put off while something rests. */
const PUT_OFF_MS = COUNTDOWN_MS / 3;
/** Who is told more often than that of orders looks no more often. */
const LOOK_EVERY_MS = SECOND_MS;

interface DeadManOptions {
  db: Queries;
  clock: Clock;
  exchange: Pick<RealExchange, 'countedTogether'>;
  ordersOf(account: string): Promise<RealOrders>;
  /** What became of an order, as its exchange has it now. */
  look(account: string, clientId: string): Promise<VenueLookup>;
  /** Our ids of what rests of contracts, as the exchange lists it. @throws Unanswered */
  open(account: string, symbols: readonly string[]): Promise<ReadonlySet<string>>;
  /** An order of a symbol that rested does no more. */
  onEnded(account: string, symbol: string): void;
  onTrouble(what: string): void;
}

/** The countdowns of an account, by what is counted down together. */
interface Watched {
  /** When each was put off last. */
  armed: Map<string, number>;
  /** Orders on their way. */
  going: Map<string, number>;
  /** Being taken back. */
  ending: Map<string, Promise<unknown>>;
  /** When all was put off or taken back last. */
  keptAt: number;
  lookedAt: number;
  /** Whether the exchange spoke of orders since. */
  isTold: boolean;
  under: Promise<void> | null;
}

/**
 * Orders at futures do not outlive whoever trades the account: a countdown at the exchange cancels those of a symbol, or
 * of all symbols together, unless it is put off. It runs before the first of them is sent, and is taken back when none is
 * left. At spot nothing is sent that would rest.
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
    const together = this.#options.exchange.countedTogether(symbol);
    const count = (by: number) => going.set(together, (going.get(together) ?? 0) + by);
    count(1);
    const leave = () => void count(-1);
    try {
      await ending.get(together);
      if (this.#options.clock() - (armed.get(together) ?? Number.NEGATIVE_INFINITY) > PUT_OFF_MS)
        await this.#putOff(account, together);
    } catch (error) {
      leave();
      throw error instanceof VenueRefused ? error : new VenueRefused('unreachable');
    }
    return leave;
  }

  /** The exchange spoke of orders of the account: some may have ended. */
  hear(account: string): void {
    this.#watchedOf(account).isTold = true;
  }

  /** Whoever trades the account is there: what rests is kept. Without its saying so again it is not. */
  tend(account: string): void {
    const { clock, onTrouble } = this.#options;
    const watched = this.#watchedOf(account);
    const now = clock();
    const isDue = now - watched.keptAt >= PUT_OFF_MS;
    const isTold = watched.isTold && Math.abs(now - watched.lookedAt) >= LOOK_EVERY_MS;
    if (watched.under !== null || !(isDue || isTold)) return;
    Object.assign(watched, { lookedAt: now, isTold: false });
    const act = async () => {
      const rests = await this.#look(account);
      if (!isDue) return;
      await this.#keep(account, watched, rests);
      watched.keptAt = now;
    };
    watched.under = act()
      .catch((error: Error) => onTrouble(`countdown: ${error.message}`))
      .finally(() => {
        watched.under = null;
      });
  }

  /** Waits for what is under way. */
  async idle(): Promise<void> {
    await Promise.all([...this.#accounts.values()].map(({ under }) => under));
  }

  /**
   * Looks at what rests by the books: what the exchange does not list is asked about one by one, and what has ended is
   * written before more is asked.
   * @returns what is counted down together and may rest
   */
  async #look(account: string): Promise<Set<string>> {
    const { db, exchange, open, look, onTrouble, onEnded } = this.#options;
    const orders = (await restingOrders(db, account)).filter(
      ({ symbol, report }) => !isSpot(symbol) && (report === null || report.state === 'open'),
    );
    const rests = new Set<string>();
    if (orders.length === 0) return rests;
    const symbols = [...new Set(orders.map(({ symbol }) => symbol))];
    // Without a list all may rest: the countdown runs on.
    const listed = await open(account, symbols).catch((error: Error) => onTrouble(`open orders: ${error.message}`));
    let isSilent = !listed;
    for (const { clientId, symbol } of orders) {
      const isAsked = !isSilent && !listed?.has(clientId);
      const answer = isAsked ? await look(account, clientId).catch(() => null) : null;
      // For each of the others it would be waited as long, while nothing is put off.
      isSilent ||= isAsked && answer === null;
      if (mayRest(answer)) rests.add(exchange.countedTogether(symbol));
      else onEnded(account, symbol);
    }
    return rests;
  }

  async #keep(account: string, { armed, going, ending }: Watched, rests: ReadonlySet<string>): Promise<void> {
    for (const together of rests) await this.#putOff(account, together);
    for (const together of [...armed.keys()]) {
      if (rests.has(together) || (going.get(together) ?? 0) > 0) continue;
      armed.delete(together);
      const over = this.#countDown(account, together, 0).catch((error: Error) => {
        // Whether it runs nobody knows: the next look takes it back, and the next order begins it anew.
        armed.set(together, Number.NEGATIVE_INFINITY);
        throw error;
      });
      ending.set(
        together,
        over.catch(() => undefined),
      );
      await over.finally(() => ending.delete(together));
    }
  }

  async #putOff(account: string, together: string): Promise<void> {
    const now = this.#options.clock();
    await this.#countDown(account, together, COUNTDOWN_MS);
    this.#watchedOf(account).armed.set(together, now);
  }

  async #countDown(account: string, together: string, ms: number): Promise<void> {
    await (await this.#options.ordersOf(account)).countDown(together, ms);
  }

  #watchedOf(account: string): Watched {
    const watched = this.#accounts.get(account) ?? {
      ...{ armed: new Map(), going: new Map(), ending: new Map() },
      ...{ keptAt: Number.NEGATIVE_INFINITY, lookedAt: Number.NEGATIVE_INFINITY, isTold: false, under: null },
    };
    this.#accounts.set(account, watched);
    return watched;
  }
}

/** One of which nobody can say anything may. */
function mayRest(answer: VenueLookup | null): boolean {
  if (answer === null) return true;
  return answer.found ? answer.report.state === 'open' : !answer.covered;
}
