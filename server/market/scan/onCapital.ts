import { capitalOfLegs } from '../../base/maths/hedge';
import type { Replays } from './replay';
import type { Quoted } from './sight';

/** What a row promises and made, fractions of a leg's notional; rates a year. */
interface Made extends Replays {
  net: number | null;
  /** Were the rates to stay as they are. */
  atRate: number | null;
}

/** The same as fractions of the capital that both legs tie up (F12). */
export function onCapital(
  legs: readonly Quoted[],
  leverage: number,
  { net, atRate, replay7, replay30, ...more }: Made,
) {
  const areSpot = legs.map(({ instrument }) => instrument.kind === 'spot');
  const capital = capitalOfLegs(areSpot, leverage);
  const of = (part: number | null) => (part === null ? null : part / capital);
  return { ...more, capitalApr: of(net), atRate: of(atRate), replay7: of(replay7), replay30: of(replay30) };
}
