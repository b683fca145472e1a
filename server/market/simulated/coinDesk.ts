import type { Coin } from './coin';
import { Crowd } from './crowd';
import { Dislocations } from './dislocation';
import { Hours } from './hours';
import { Premium } from './premium';
import type { VenueSpec } from './venues';

/** What all instruments of one coin share, at whatever venue. */
export class CoinDesk {
  readonly coin: Coin;
  readonly hours: Hours;
  readonly crowd: Crowd;
  /** Of the main venue's perpetual, whose fair price is the coin's: the index is found by it. */
  readonly premium: Premium;
  readonly dislocations: Dislocations;
  readonly hasFutures: boolean;

  /** @param venues those that list it, the main one first */
  constructor(coin: Coin, venues: readonly VenueSpec[], hasFutures: boolean) {
    this.coin = coin;
    this.hours = new Hours(coin);
    this.crowd = new Crowd(coin);
    this.premium = new Premium(coin, venues[0]!.source);
    this.hasFutures = hasFutures;
    this.dislocations = new Dislocations(
      coin,
      venues.map(({ source }) => source),
      hasFutures,
    );
  }

  /** Log of the index: what the coin itself is worth, over all venues. */
  indexLevelAt(instant: number): number {
    return this.hours.levelAt(instant) - this.premium.at(instant);
  }
}
