import { realPlaces, takesReal } from '#contract/candle';
import { isLaddered, mayBeReal, type StrategyKind } from '#contract/strategy';
import { ownDeal } from '../../base/db/strategies/deal';
import { strategiesOf } from '../../base/db/strategies/strategy';
import { targetsOfStrategies } from '../../base/db/strategies/target';
import type { NamedCall } from '../../base/http/idempotency';
import { invalid, refused } from '../../base/http/refusal';
import { isSpot } from '../../market/live/listing';
import type { DeskDeps } from '../deps';
import type { Plan } from './strategyIntents';
import type { Act } from './wouldOpen';

type Needs = Pick<DeskDeps, 'db' | 'realProof'>;
type Named = Pick<Plan, 'name' | 'targets'>;

/** What a strategy trades first; its name where it finds its own. */
export const firstSymbol = ({ name, targets }: Named): string => targets[0]?.[0]?.symbol ?? name.trim();

/** @throws 400 at `typed` unless that is what real money goes to first */
export function mustType(typed: string | undefined, plan: Named): void {
  const wanted = firstSymbol(plan);
  if (typed?.trim() !== wanted) throw invalid('typed', `请输入 ${wanted} 确认实盘`);
}

/** @throws 400 at `typed` unless it is the symbol of one of these targets, where any of them trades for real */
export async function mustTypeTarget(
  { db }: Pick<Needs, 'db'>,
  userId: string,
  { ids, typed = '' }: { ids: readonly string[]; typed?: string },
): Promise<void> {
  const real = (await strategiesOf(db, [userId])).filter(({ mode }) => mode === 'live');
  const targets = await targetsOfStrategies(
    db,
    real.map(({ id }) => id),
  );
  const symbols = targets.filter(({ id }) => ids.includes(id)).map(({ legs: [first] }) => first!.symbol);
  if (symbols.length > 0 && !symbols.includes(typed.trim())) throw invalid('typed', `请输入 ${symbols[0]} 确认实盘`);
}

/** Spot has no countdown: what would rest there has nobody who cancels it once nobody is here. */
export const restsAtSpot = (kind: StrategyKind, targets: Plan['targets']): boolean =>
  isLaddered(kind) && targets.flat().some(({ symbol }) => isSpot(symbol));
export const NO_SPOT_LADDER = '现货没有断连撤单，现货网格只能模拟；实盘请选永续';

/** What may be traded for real. @throws `strategyLive`, `strategyLiveSource` at `mode` */
export async function realPlan(kind: StrategyKind, planned: () => Promise<Plan>): Promise<Plan> {
  if (!mayBeReal(kind)) throw refused('strategyLive', '', 'mode');
  const plan = await planned();
  if (!plan.targets.flat().every(({ source, symbol }) => takesReal(source, symbol))) {
    throw refused('strategyLiveSource', realPlaces(), 'mode');
  }
  if (restsAtSpot(kind, plan.targets)) throw invalid('mode', NO_SPOT_LADDER);
  return plan;
}

/** @throws a refusal unless real orders are sent, and who asks for them may */
export async function mustProve({ realProof }: Needs, call: NamedCall): Promise<void> {
  if (realProof === undefined) throw refused('liveClosed');
  await realProof(call);
}

/** Asks for a proof where what an act is about trades for real. */
export async function proveForReal(
  deps: Needs,
  call: NamedCall,
  users: readonly string[],
  about: Act['about'],
): Promise<void> {
  const real = (await strategiesOf(deps.db, users)).filter(({ mode }) => mode === 'live');
  const targets = await targetsOfStrategies(
    deps.db,
    real.map(({ id }) => id),
  );
  const isAbout = real.some(({ id, kind }) => {
    const own = targets.filter(({ strategyId }) => strategyId === id);
    return [{ id: '' }, ...own].some((target) => about({ id, kind: kind as StrategyKind }, target));
  });
  if (isAbout) await mustProve(deps, call);
}

/** The same of one deal of the caller's. */
export async function proveForDeal(deps: Needs, call: NamedCall, id: string): Promise<void> {
  const deal = await ownDeal(deps.db, call.user.id, id);
  if (deal) await proveForReal(deps, call, [call.user.id], (strategy) => strategy.id === deal.strategyId);
}
