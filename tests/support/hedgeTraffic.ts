import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import type { BodyOf, Endpoint, QueryOf } from '#contract/endpoint';
import { DEFAULT_SETTINGS, type HedgeSettings, hedgeConfig } from '#contract/kinds/hedge/config';
import { type HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import { PAIR_WARNINGS } from '#contract/pair';
import { type Answer, callServer } from './callServer';

/** A user who trades. */
export interface Trader {
  userId: string;
  name: string;
  cookie: string;
}

/** What was answered with success, and so must be there whatever happened since. */
export interface Acknowledged {
  /** Version of each user's settings. */
  settings: Map<string, number>;
  pairs: Set<string>;
  /** Each pair's latest arming, UTC ms of the request. */
  arms: Map<string, number>;
  /** Hedges that were asked to close. */
  closes: Set<string>;
  /** Hedges of which it was said that both legs are flat. */
  flats: Set<string>;
  /** Number in each hedge's note. */
  notes: Map<string, number>;
}

interface Options {
  traders: readonly Trader[];
  /** Addresses of the servers that answer now. */
  urls: () => readonly string[];
  pairs: number;
  settings?: Partial<HedgeSettings>;
}

/** Deep enough that an order of some hundred dollars moves nothing. */
const COINS = ['ETHUSDT', 'SOLUSDT', 'BNBUSDT', 'XRPUSDT', 'DOGEUSDT', 'ADAUSDT', 'SUIUSDT', 'AVAXUSDT'];
/** Nothing of them closes by itself. */
const SETTINGS: HedgeSettings = {
  ...DEFAULT_SETTINGS,
  legNotional: 1000,
  maxHedges: 20,
  stopLoss: null,
  takeProfit: null,
  maxHoldingHours: null,
  rebalance: null,
  dailyLossLimit: null,
  slippageCap: 50,
};
const LOOK_MS = 400;
const ARM_MS = 700;
/** A server that is being killed does not answer; somebody does again after this long. */
const GIVE_UP_MS = 120_000;

const between = (low: number, high: number) => low + (high - low) * Math.random();

/** Users who open, annotate, close and arm their pairs without end, by plain calls to whichever server answers. */
export class HedgeTraffic {
  readonly done: Acknowledged = {
    settings: new Map(),
    pairs: new Set(),
    arms: new Map(),
    closes: new Set(),
    flats: new Set(),
    notes: new Map(),
  };
  /** Answers that were neither success nor a refusal, by status and address. */
  readonly failures = new Map<string, number>();
  /** Instants (UTC ms) at which a look found hedges in another state than the look before. */
  readonly movedAt: number[] = [];
  readonly #o: Options;
  readonly #busy = new Set<string>();
  readonly #armedAt = new Map<string, number>();
  readonly #seen = new Map<string, string>();
  #entering = true;
  #ended = false;
  #loops: Promise<unknown>[] = [];

  constructor(options: Options) {
    this.#o = options;
  }

  /** Settings, pairs and the switch of everybody; then goes on until `settle`. */
  async begin(): Promise<void> {
    const { traders, pairs, settings } = this.#o;
    await Promise.all(
      traders.map(async (trader, t) => {
        const saved = await this.#sure(trader, hedgeConfig.create, { body: { ...SETTINGS, ...settings } });
        this.done.settings.set(trader.userId, saved.version);
        const own: string[] = [];
        for (let p = 0; p < pairs; p += 1) {
          const long = COINS[(t + 2 * p) % COINS.length]!;
          const short = COINS[(t + 2 * p + 1) % COINS.length]!;
          const { pairId } = await this.#sure(trader, hedgeConfig.addPair, {
            body: { long, short, accepts: [...PAIR_WARNINGS] },
          });
          this.done.pairs.add(pairId);
          own.push(pairId);
        }
        await this.#sure(trader, hedgeConfig.enable);
        this.#go(this.#trade(trader, own));
      }),
    );
  }

  /** Opens nothing more and closes what runs. @returns hedges that still ran after so long, ms. */
  async settle(patienceMs: number): Promise<HedgeRow[]> {
    this.#entering = false;
    await Promise.all(this.#o.traders.map((trader) => this.#sure(trader, hedgeConfig.disable)));
    const until = Date.now() + patienceMs;
    let running: HedgeRow[] = [];
    do {
      await sleep(LOOK_MS);
      running = (await Promise.all(this.#o.traders.map((trader) => this.#running(trader)))).flatMap(
        (rows) => rows ?? [],
      );
    } while (running.length > 0 && Date.now() < until);
    this.#ended = true;
    await Promise.all(this.#loops);
    return running;
  }

  /** What goes wrong on the way is told at the end, and the others go on. */
  #go(loop: Promise<void>): void {
    this.#loops.push(loop.catch(({ message }: Error) => this.#failed(message)));
  }

  #failed(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }

  async #trade(trader: Trader, pairs: readonly string[]): Promise<void> {
    let version = this.done.settings.get(trader.userId)!;
    while (!this.#ended) {
      await sleep(LOOK_MS * between(0.5, 1.5));
      const running = await this.#running(trader);
      if (running === null) continue;
      this.#watch(trader, running);
      for (const row of running) {
        if (row.state === 'open' && !this.#busy.has(row.id)) this.#go(this.#end(trader, row));
      }
      if (!this.#entering) continue;
      for (const pairId of pairs) if (!running.some((row) => row.pairId === pairId)) await this.#arm(trader, pairId);
      if (Math.random() < 0.02) version = await this.#save(trader, version);
    }
  }

  #watch({ userId }: Trader, running: readonly HedgeRow[]): void {
    const seen = running.map(({ id, state }) => `${id} ${state}`).join();
    if (this.#seen.get(userId) !== seen) this.movedAt.push(Date.now());
    this.#seen.set(userId, seen);
  }

  async #running(trader: Trader): Promise<HedgeRow[] | null> {
    const answer = await this.#try(trader, hedge.list, { query: { state: 'running' } });
    return answer?.body.code === 200 ? answer.body.data.list : null;
  }

  /** Writes notes into an open hedge and closes it. */
  async #end(trader: Trader, { id }: HedgeRow): Promise<void> {
    this.#busy.add(id);
    for (let n = 1; n <= 2 && this.#entering; n += 1) {
      await sleep(between(0, 500));
      const written = await this.#try(trader, hedge.note, { body: { id, note: `note ${n}` } });
      if (written?.body.code === 200) this.done.notes.set(id, n);
    }
    const closed = await this.#sure(trader, hedge.close, { query: { id }, key: randomUUID() });
    this.done.closes.add(id);
    if (closed.flat) this.done.flats.add(id);
    // Asked again in a while where it could not be done.
    else setTimeout(() => this.#busy.delete(id), 5_000).unref();
  }

  async #arm(trader: Trader, pairId: string): Promise<void> {
    const now = Date.now();
    if (now - (this.#armedAt.get(pairId) ?? 0) < ARM_MS) return;
    this.#armedAt.set(pairId, now);
    const answer = await this.#try(trader, hedgeConfig.armPair, { body: { pairId } });
    if (answer?.body.code === 200) this.done.arms.set(pairId, now);
  }

  async #save(trader: Trader, version: number): Promise<number> {
    const body = { ...SETTINGS, ...this.#o.settings, version };
    const answer = await this.#try(trader, hedgeConfig.update, { body });
    if (answer?.body.code !== 200) {
      const desk = await this.#try(trader, hedgeConfig.desk);
      return desk?.body.code === 200 ? desk.body.data.version : version;
    }
    this.done.settings.set(trader.userId, answer.body.data.version);
    return answer.body.data.version;
  }

  /** Asks some server; undefined when it does not answer. */
  async #try<D extends TSchema, E extends Endpoint>(
    { cookie }: Trader,
    endpoint: E & { data: D },
    input: { query?: Partial<QueryOf<E>>; body?: BodyOf<E>; key?: string } = {},
  ): Promise<Answer<Static<D>> | undefined> {
    const urls = this.#o.urls();
    const url = urls[Math.floor(Math.random() * urls.length)];
    if (url === undefined) return undefined;
    const answer = await callServer<D, E>(url, cookie, endpoint, input).catch(({ name }: Error) => {
      if (name === 'TimeoutError') this.#failed(`no answer in time: ${endpoint.method} ${endpoint.path}`);
      return undefined;
    });
    if (answer !== undefined && (answer.status >= 500 || answer.status === 429)) {
      this.#failed(`${answer.status} ${endpoint.method} ${endpoint.path}`);
      return undefined;
    }
    return answer;
  }

  /** Asks with one key until there is an answer. @throws a refusal, or when nobody answers for a minute. */
  async #sure<D extends TSchema, E extends Endpoint>(
    trader: Trader,
    endpoint: E & { data: D },
    input: { query?: Partial<QueryOf<E>>; body?: BodyOf<E>; key?: string } = {},
  ): Promise<Static<D>> {
    const key = input.key ?? randomUUID();
    const until = Date.now() + GIVE_UP_MS;
    while (Date.now() < until) {
      const answer = await this.#try<D, E>(trader, endpoint, { ...input, key });
      if (answer?.body.code === 200) return answer.body.data;
      if (answer !== undefined) throw new Error(`${endpoint.path} was refused: ${JSON.stringify(answer.body)}`);
      await sleep(200);
    }
    throw new Error(`nobody answered ${endpoint.path}`);
  }
}
