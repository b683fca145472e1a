import type { StrategyRow } from '#contract/strategyRow';
import type { TypedText } from '@/components/ConfirmBody';
import type { RealMoneyAt } from '@/components/RealMoney';

type Mode = StrategyRow['mode'];

/** What is known of a strategy that something is done to. */
export interface RealRow {
  mode?: Mode | undefined;
  targets?: readonly Pick<StrategyRow['targets'][number], 'long' | 'longSource' | 'shortSource'>[] | undefined;
  /** Of one whose targets are not read. */
  accounts?: readonly { venue: string }[] | undefined;
}

const ofMode = (mode: Mode | undefined, venues: readonly string[]): RealMoneyAt =>
  mode === 'live' ? [...new Set(venues)] : mode && null;

/** Where a strategy moves real money. */
export const realOf = ({ mode, targets = [], accounts = [] }: RealRow): RealMoneyAt =>
  ofMode(mode, [
    ...targets.flatMap(({ longSource, shortSource }) => [longSource, shortSource]),
    ...accounts.map(({ venue }) => venue),
  ]);

/** The same of a deal. */
export const realOfDeal = ({
  mode,
  legs,
}: {
  mode?: Mode | undefined;
  legs: readonly { source: string }[];
}): RealMoneyAt =>
  ofMode(
    mode,
    legs.map(({ source }) => source),
  );

/** What is typed before a strategy trades with real money: its first symbol, or its name where it finds its own. */
export const typedOf = ({ mode, name, targets = [] }: RealRow & { name: string }): TypedText | undefined =>
  mode === 'live' ? { hint: targets[0]?.long ?? name } : undefined;
