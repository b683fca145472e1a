import { type VenueOrder, VenueRefused } from '../../venue';
import { isSpot } from '../listing';
import type { RealLine } from './realExchange';

type Line = Pick<RealLine, 'now'>;

/** What orders of one key need before they are sent: the exchange's time, and the leverage of their symbol. */
export class Preparation {
  readonly #line: Line;
  readonly #setLeverage: (symbol: string, leverage: string) => Promise<unknown>;
  /** Leverage that was set, by symbol. */
  readonly #leverage = new Map<string, number>();

  constructor(line: Line, setLeverage: (symbol: string, leverage: string) => Promise<unknown>) {
    this.#line = line;
    this.#setLeverage = setLeverage;
  }

  /**
   * @returns UTC ms by the exchange's clock, to sign the order by
   * @throws VenueRefused: nothing was sent yet
   */
  async prepare({ symbol, leverage, reduceOnly, isExit = reduceOnly }: VenueOrder): Promise<number> {
    try {
      await this.#line.now();
      // It is set each time anew after a restart: another hand may have changed it. What only closes needs none, and a
      // lower one than a position stands on by may be refused.
      if (!isExit && !isSpot(symbol) && this.#leverage.get(symbol) !== leverage) {
        await this.#setLeverage(symbol, String(Math.max(1, Math.floor(leverage))));
        this.#leverage.set(symbol, leverage);
      }
      return await this.#line.now();
    } catch (error) {
      throw error instanceof VenueRefused ? error : new VenueRefused('unreachable');
    }
  }

  /** What it is set to there may be another than it was. */
  forget(symbol: string): void {
    this.#leverage.delete(symbol);
  }
}
