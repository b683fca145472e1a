import type { HedgeSettings } from '#contract/hedgeConfig';
import type { Clock } from '../exchange/exchange';
import type { PaperVenue } from '../exchange/venue';
import { dayResult, isLossLimitReached } from '../maths/dayResult';
import type { BookWriter } from './bookWriter';
import type { Opening } from './entries';
import { valued } from './figures';
import { RUNNERS } from './kinds';
import type { EngineNotice } from './notice';
import type { Outlook } from './outlook';
import { zNow } from './pairModel';
import { type Book, newHedge, type PairBook } from './tradingBook';
import { RISK_GUARD } from './words';

interface EnteringOptions {
  writer: BookWriter;
  outlook: Outlook;
  venue: PaperVenue;
  clock: Clock;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
  keepLeases: () => Promise<boolean>;
}

/** Hedges begun in one tick, of all users: more of them would keep those that run from being looked at. */
const ENTRIES = 20;

/** Begins hedges of the pairs that may be entered on. */
export class Entering {
  readonly #o: EnteringOptions;
  #left = ENTRIES;

  constructor(options: EnteringOptions) {
    this.#o = options;
  }

  /** As many may be begun in the tick that starts now. */
  allowAnew(): void {
    this.#left = ENTRIES;
  }

  /** @returns whether a hedge was begun. */
  async enter(book: Book): Promise<boolean> {
    const { settings } = book;
    if (settings === null) return false;
    const lossLimitHit = await this.#pausesAtLimit(book, settings);
    const changed: PairBook[] = [];
    let entered = false;
    for (const pair of book.pairs) {
      // The rest has its turn with the next tick.
      if (this.#left <= 0) break;
      await this.#o.keepLeases();
      const entry = await this.#entryOf(book, settings, pair, lossLimitHit);
      if ('block' in entry) {
        if (pair.block !== entry.block) {
          pair.block = entry.block;
          changed.push(pair);
        }
        continue;
      }
      this.#left -= 1;
      await this.#create(book, settings, pair, entry);
      entered = true;
    }
    if (changed.length > 0) await this.#o.writer.saveBlocks(book, changed);
    return entered;
  }

  async #entryOf(book: Book, settings: HedgeSettings, pair: PairBook, lossLimitHit: boolean) {
    const { writer, outlook, venue } = this.#o;
    const runner = RUNNERS[book.kind];
    const { long, short } = outlook.of(pair);
    const model = runner.needsModel(settings) ? await outlook.modelOf(pair, settings) : undefined;
    if (runner.rearmed(pair, settings, zNow(model, long, short))) {
      pair.usedArmAt = null;
      await writer.rearm(book, pair);
    }
    const terms = await outlook.termsOf(pair);
    const sight = { long, short, terms, model, lossLimitHit };
    const entry = runner.entry(book, settings, pair, sight);
    if ('block' in entry) return entry;
    const { equity, initialMargin } = await venue.margin(book.userId);
    // Money counts when the venue has it and it is booked: the governor goes by the books.
    const capital = Math.min(Number(equity), valued(book, outlook.views)?.equity ?? 0);
    return capital - Number(initialMargin) - promisedBy(book) >= entry.needs ? entry : { block: 'margin' as const };
  }

  async #create(book: Book, settings: HedgeSettings, pair: PairBook, { ratio, z }: Opening): Promise<void> {
    const { writer, outlook, clock, newId, notify } = this.#o;
    const now = clock();
    const id = newId();
    // Of interest also where the rules do not ask for it.
    const zOpen = z ?? (await outlook.zOf(pair, settings));
    const hedge = newHedge(pair, { id, settings, ratio, zOpen }, now);
    pair.usedArmAt = pair.armedAt;
    pair.block = 'open';
    const line = { hedgeId: id, kind: 'created', detail: `${pair.long} / ${pair.short}` } as const;
    await writer.createHedge(book, hedge, pair, now, line);
    book.hedges.set(id, hedge);
    notify({ kind: 'deal', userId: book.userId, hedge, event: 'created' });
  }

  async #pausesAtLimit(book: Book, { dailyLossLimit }: HedgeSettings): Promise<boolean> {
    const { writer, outlook, clock } = this.#o;
    const { dayEquity, day } = book;
    if (dailyLossLimit === null || dayEquity === null || book.lossLiftedDay === day) return false;
    const present = valued(book, outlook.views);
    if (present === null || !isLossLimitReached(dayResult(present.equity, dayEquity), dailyLossLimit)) return false;
    if (book.paused === null) {
      const pause = { at: clock(), by: RISK_GUARD, reason: `单日亏损达到上限 ${dailyLossLimit} USDT` };
      await writer.pause(book, pause);
      book.paused = pause;
    }
    return true;
  }
}

/** Margin that hedges which are being entered will still take, USDT: the next one must not count on it. */
function promisedBy({ hedges }: Book): number {
  let promised = 0;
  for (const { state, settings, ratio, legs } of hedges.values()) {
    if (state !== 'waiting' && state !== 'opening') continue;
    const wished = settings.legNotional * (1 + ratio);
    const taken = legs.long.cost.abs().plus(legs.short.cost.abs()).toNumber();
    promised += Math.max(0, wished - taken) / settings.leverage;
  }
  return promised;
}
