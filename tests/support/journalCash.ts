import Big from 'big.js';
import type { VenueEvent } from '#server/market/venue';
import type { Account } from '../standin/core/account';

/** Money that the events come to, USDT: what is bought is paid for, a fee in coin is a part of the coin. */
export const cashOf = (events: VenueEvent[]): string =>
  events
    .reduce((cash, event) => {
      if (event.kind !== 'fill') return 'amount' in event ? cash.plus(event.amount) : cash;
      const notional = new Big(event.quantity).times(event.price).times(event.side === 'buy' ? -1 : 1);
      return cash.plus(notional).minus(event.feeInBase ? 0 : event.fee);
    }, new Big(0))
    .toFixed(8);

/** The same by the exchange: all wallets, less what positions were entered for. */
export function cashAt(customer: Account): string {
  const spot = customer.freeOf('USDT').plus(customer.lockedOf('USDT'));
  const costs = [...customer.positions.values()].reduce((sum, { cost }) => sum.plus(cost), new Big(0));
  return (customer.hasOneWallet ? spot : spot.plus(customer.walletOf('USDT'))).minus(costs).toFixed(8);
}
