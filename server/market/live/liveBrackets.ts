import { DAY_MS, MINUTE_MS } from '#contract/duration';
import type { Clock, LeverageBracket } from '../exchange';
import type { ToldBracket } from './adapter';
import type { LiveListing } from './listing';
import type { LiveFeed } from './liveFeed';
import { beforeSilence } from './silence';

/** What was told of a symbol, and when it was asked for. */
interface Asked {
  at: number;
  /** null before the first answer; undefined where that said nothing. */
  told: readonly ToldBracket[] | undefined | null;
  answer: Promise<void>;
}

/** What larger positions take at an exchange: asked for once a day, of what is traded or held. */
export class LiveBrackets {
  readonly #feed: LiveFeed;
  readonly #clock: Clock;
  /** By symbol. */
  readonly #asked = new Map<string, Asked>();

  constructor(feed: LiveFeed, clock: Clock) {
    this.#feed = feed;
    this.#clock = clock;
  }

  /** Has those of a symbol asked for; waits for them where they are not known, but not for long. */
  async ready({ unified, instrument: { symbol, kind } }: LiveListing, waitMs: number): Promise<void> {
    const { adapter } = this.#feed;
    if (adapter.brackets === undefined || kind === 'spot') return;
    const now = this.#clock();
    const known = this.#asked.get(symbol);
    if (known === undefined || now - known.at >= (known.told ? DAY_MS : MINUTE_MS)) {
      const asked: Asked = { at: now, told: known ? known.told : null, answer: Promise.resolve() };
      this.#asked.set(symbol, asked);
      const keep = (told: readonly ToldBracket[]) => {
        asked.told = told.length > 0 ? told : (asked.told ?? undefined);
      };
      asked.answer = this.#feed.askNow((exchange) => adapter.brackets!(exchange, unified)).then(keep, () => keep([]));
    }
    const { told, answer } = this.#asked.get(symbol)!;
    if (told === null) await beforeSilence(answer, waitMs).catch(() => undefined);
  }

  /** @param price what counts in coins is worth */
  of({ instrument: { symbol, kind } }: LiveListing, price: number | undefined): LeverageBracket[] | undefined | null {
    if (this.#feed.adapter.brackets === undefined || kind === 'spot') return undefined;
    const asked = this.#asked.get(symbol);
    if (!asked || asked.told === null) return null;
    if (!asked.told || price === undefined) return undefined;
    return asked.told.map(({ isInBase, cap, ...bracket }) => ({ ...bracket, cap: isInBase ? cap * price : cap }));
  }
}
