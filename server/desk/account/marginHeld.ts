import type { Margin } from '../../base/maths/evenMargin';
import type { VenueMargin } from '../../market/venue';

/** What an account has for its derivatives, as its venue counts it: coins at what they back. */
export function marginHeld({ marginBalance, initialMargin, maintenanceMargin }: VenueMargin): Margin {
  const balance = Number(marginBalance);
  return { balance, maintenance: Number(maintenanceMargin), free: Math.max(0, balance - Number(initialMargin)) };
}
