import { setTimeout as pause } from 'node:timers/promises';
import { type VenueOrder, VenueRefused, type VenueReport } from '../../venue';
import type { Code } from '../ownClient';
import type { Preparation } from './preparation';
import type { OrderPlace, RealOrders } from './realExchange';
import { saysOneOf, Unanswered } from './unanswered';

/** What was taken or cancelled is so a moment after it was answered. */
const LOOKS = 4;
const LOOK_EVERY_MS = 100;

/** An order as its exchange has it. */
export interface Seen {
  report: VenueReport;
  /** Whether it was taken back as one that may only rest. */
  wouldCross: boolean;
}

interface TakenOrdersOptions {
  preparation: Preparation;
  /** @returns the exchange's number of it, and when it was taken. @throws VenueRefused, Unanswered */
  send(order: VenueOrder, signedAt: number): Promise<Pick<VenueReport, 'exchangeId' | 'at'>>;
  /** Asks for it to be cancelled. @throws Unanswered */
  end(place: OrderPlace): Promise<unknown>;
  /** Codes by which it ended before, or has not arrived yet. */
  notEnded: readonly Code[];
  /** null where nobody knows the order. @throws Unanswered */
  see(place: OrderPlace): Promise<Seen | null>;
}

/** Orders of one key at an exchange that says only that one is taken, or is to be cancelled: what became of it is looked up. */
export class TakenOrders implements Pick<RealOrders, 'submit' | 'cancel' | 'find'> {
  readonly #options: TakenOrdersOptions;

  constructor(options: TakenOrdersOptions) {
    this.#options = options;
  }

  async submit(order: VenueOrder, signedAt: number): Promise<VenueReport> {
    const { preparation, send } = this.#options;
    const { symbol, clientId, type } = order;
    try {
      const { exchangeId, at } = await send(order, signedAt);
      const isSo = ({ state }: VenueReport) => type === 'maker' || state !== 'open';
      const taken = { clientId, exchangeId, state: 'open' as const, filledQuantity: '0', at };
      // That it was taken says nothing of what became of it.
      const seen = await this.#settled({ symbol, clientId, signedAt }, isSo).catch(() => null);
      if (seen?.wouldCross) throw new VenueRefused('wouldCross');
      return seen?.report ?? taken;
    } catch (error) {
      if (error instanceof VenueRefused) preparation.forget(symbol);
      throw error;
    }
  }

  async cancel(place: OrderPlace): Promise<VenueReport> {
    const { end, notEnded } = this.#options;
    try {
      await end(place);
    } catch (error) {
      if (!saysOneOf(notEnded, error)) throw error;
    }
    const seen = await this.#settled(place, ({ state }) => state !== 'open');
    if (seen === null || seen.report.state === 'open') throw new Unanswered('a cancel');
    return seen.report;
  }

  async find(place: OrderPlace): Promise<VenueReport | null> {
    return (await this.#options.see(place))?.report ?? null;
  }

  /** An order once it is as it will be, or as it was seen last. @throws Unanswered */
  async #settled(place: OrderPlace, isSo: (report: VenueReport) => boolean): Promise<Seen | null> {
    for (let left = LOOKS; ; left -= 1) {
      const seen = await this.#options.see(place);
      if (left === 1 || (seen && isSo(seen.report))) return seen;
      await pause(LOOK_EVERY_MS);
    }
  }
}
