import type { StrategyPreview } from '#contract/strategies';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import type { TargetLeg } from '../db/pairLegs';
import type { Deps } from '../deps';
import { previewTargets } from '../engine/preview';

type Needs = Pick<Deps, 'clock' | 'markets' | 'venue' | 'pairModels'>;

/** Deals that may be held at once, and what they lose at most where the kind has a stop. */
interface Bounds {
  maxDeals?: number;
  stopLoss: number | null;
}

/** What a strategy would do now, and what it takes when as many deals are held as it may hold. */
export async function strategyPreview<K extends StrategyKind>(
  needs: Needs,
  userId: string,
  kind: K,
  params: ParamsOf<K>,
  targets: readonly TargetLeg[][],
): Promise<StrategyPreview> {
  const [{ rows, outline }, margin] = await Promise.all([
    previewTargets(needs, kind, params, targets),
    needs.venue.margin(userId).catch(() => null),
  ]);
  const { legNotional, leverage, stopLoss, maxDeals = targets.length } = params as typeof params & Bounds;
  const most = Math.min(targets.length, maxDeals) * legNotional;
  const known = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const share = known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0) / known.length;
  return {
    targets: rows,
    cash: most,
    margin: most / leverage,
    fees: share === null ? null : share * most,
    worst: stopLoss === null ? null : stopLoss * 2 * most,
    ladder: null,
    ...outline,
    spendable: margin && Number(margin.spendable),
    freeMargin: margin && Math.max(0, Number(margin.marginBalance) - Number(margin.initialMargin)),
  };
}
