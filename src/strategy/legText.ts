import type { Leg } from '#contract/lifecycle';
import type { StrategyPreview } from '#contract/strategies';
import { venueLabel } from '@/scan/venueLabel';

type Legs = Pick<StrategyPreview['targets'][number], Leg | 'longSource' | 'shortSource'>;

/** A leg by its symbol, and by its venue where the other leg lies at another one. */
export const legText = ({ longSource, shortSource, ...row }: Legs, leg: Leg): string =>
  longSource === shortSource ? row[leg] : `${row[leg]} · ${venueLabel({ long: longSource, short: shortSource }[leg])}`;

/** Whether both legs are one instrument: what hedges stock, and ladders, have one leg in fact. */
export const isOneInstrument = ({ long, longSource, short, shortSource }: Legs): boolean =>
  long === short && longSource === shortSource;
