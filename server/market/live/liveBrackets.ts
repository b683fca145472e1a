import type { Clock, LeverageBracket } from '../exchange';
import type { ToldBracket } from './adapter';
import type { LiveListing } from './listing';
import type { LiveFeed } from './liveFeed';
import { OnceADay } from './onceADay';

/** What larger positions take at an exchange: asked for once a day, of what is traded or held. */
export class LiveBrackets {
  readonly #feed: LiveFeed;
  /** By symbol. */
  readonly #asked: OnceADay<readonly ToldBracket[]>;

  constructor(feed: LiveFeed, clock: Clock) {
    this.#feed = feed;
    this.#asked = new OnceADay(clock);
  }

  /** Has those of a symbol asked for; waits for them where they are not known, but not for long. */
  async ready({ unified, instrument: { symbol, kind } }: LiveListing, waitMs: number): Promise<void> {
    const { adapter } = this.#feed;
    if (adapter.brackets === undefined || kind === 'spot') return;
    const ask = async () => {
      const told = await this.#feed.askNow((exchange) => adapter.brackets!(exchange, unified));
      return told.length > 0 ? told : undefined;
    };
    await this.#asked.ready(symbol, ask, waitMs);
  }

  /** @param price what counts in coins is worth */
  of({ instrument: { symbol, kind } }: LiveListing, price: number | undefined): LeverageBracket[] | undefined | null {
    if (this.#feed.adapter.brackets === undefined || kind === 'spot') return undefined;
    const told = this.#asked.of(symbol);
    if (told === null) return null;
    if (!told || price === undefined) return undefined;
    return told.map(({ isInBase, cap, ...bracket }) => ({ ...bracket, cap: isInBase ? cap * price : cap }));
  }
}
