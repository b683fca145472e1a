import { takesReal } from '#contract/candle';
import { DAY_MS, SECOND_MS } from '#contract/duration';
import { ALONE_MS, HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import {
  FIRST_SHARE,
  type LiveCheck,
  type LiveReadiness,
  type RealCheck,
  type RecordCheck,
} from '#contract/liveReadiness';
import type { StrategyPreview } from '#contract/strategies';
import { isLaddered, mayBeReal, PARAMS, type ParamsOf, type StrategyKind, type StrategyMode } from '#contract/strategy';
import { accountFor, accountsOf } from '../../base/db/accounts/venueAccount';
import type { TargetLeg } from '../../base/db/hedges/pairLegs';
import { sumOrders } from '../../base/db/orders/order';
import { newestDealsOf } from '../../base/db/strategies/deal';
import type { StrategyRow } from '../../base/db/strategies/strategy';
import { targetsOfStrategies } from '../../base/db/strategies/target';
import { secondFactorOf } from '../../base/db/users/secondFactor';
import type { NamedCall } from '../../base/http/idempotency';
import { invalid, refused } from '../../base/http/refusal';
import { type EndedDeal, keptPromise, longestAlone } from '../../base/maths/paperRecord';
import { ladderLeast, sourcesOf } from '../../engine/preview';
import { leastHedged } from '../../market/scan/commonQuantity';
import { Quoted } from '../../market/scan/sight';
import { accountTroubles } from '../account/health';
import type { DeskDeps } from '../deps';
import { marketsNow } from '../symbol/marketNow';
import { mustProve, mustType, NO_SPOT_LADDER, realPlan, restsAtSpot } from './real';
import type { Plan } from './strategyIntents';
import { strategyPreview } from './strategyPreview';
import { strategySums } from './strategySums';

/** So many of its newest deals are looked at. */
const DEALS = 1_000;
const LEAST_DAYS = 14;
const FEWEST_DEALS = 10;
/** Of what its deals were opened for. */
const LEAST_KEPT = 0.5;
/** Of the slippage that its orders may take at most. */
const MOST_SLIPPED = 0.5;
/** Of its orders. */
const MOST_REFUSED = 0.02;

type Judged = Pick<LiveCheck, 'state' | 'value' | 'wanted' | 'reason'>;

const judged = (value: number | null, wanted: number, isMet: (value: number) => boolean): Judged => ({
  ...{ value, wanted, reason: '' },
  state: value === null ? 'unknown' : isMet(value) ? 'met' : 'unmet',
});
const atLeast = (value: number | null, wanted: number) => judged(value, wanted, (is) => is >= wanted);
const atMost = (value: number | null, wanted: number) => judged(value, wanted, (is) => is <= wanted);
const given = (isMet: boolean, reason = ''): Judged => ({
  ...{ value: null, wanted: null, reason },
  state: isMet ? 'met' : 'unmet',
});

/** What the record of a strategy says, and what it needs besides to trade real money. @throws `strategyLive` of a kind that may not */
export async function liveReadiness(deps: DeskDeps, row: StrategyRow): Promise<LiveReadiness> {
  if (!mayBeReal(row.kind as StrategyKind)) throw refused('strategyLive');
  const now = deps.clock();
  const [record, real] = await Promise.all([recordOf(deps, row, now), realNeeds(deps, row, now)]);
  const checks = Object.entries<Judged>({ ...record, ...real });
  return { at: now, checks: checks.map(([check, one]) => ({ check: check as LiveCheck['check'], ...one })) };
}

async function recordOf(
  deps: DeskDeps,
  { id, params }: StrategyRow,
  now: number,
): Promise<Record<RecordCheck, Judged>> {
  const [deals, sums, orders] = await Promise.all([
    newestDealsOf(deps.db, id, DEALS),
    strategySums(deps, [id], now),
    sumOrders(deps.db, { strategyId: id }),
  ]);
  const opened = deals.flatMap(({ openedAt }) => openedAt ?? []);
  const ended = deals.flatMap((deal): EndedDeal[] => {
    const { openedAt, closedAt, state, legs, signalOpen, naked } = deal;
    if (openedAt === null || closedAt === null || !HEDGE_ENDS.includes(state as HedgeState)) return [];
    const net = legs.reduce((sum, leg) => sum + Number(leg.realised) + Number(leg.funding) - Number(leg.fees), 0);
    const notional = Math.max(...legs.map((leg) => Number(leg.notional)));
    // What a ladder was begun for is of a pair of its trades, not of a year.
    const signal = isLaddered(deal.kind as StrategyKind) ? null : signalOpen;
    return [{ signal, notional, heldMs: closedAt - openedAt, net, naked }];
  });
  const { slippageCap } = params as { slippageCap: number };
  const slipped = orders.notional === 0 ? null : orders.slipped / orders.notional;
  return {
    days: atLeast(opened.length === 0 ? null : (now - Math.min(...opened)) / DAY_MS, LEAST_DAYS),
    deals: atLeast(ended.length, FEWEST_DEALS),
    net: judged(ended.length === 0 ? null : (sums.get(id)?.net ?? null), 0, (net) => net > 0),
    promise: atLeast(keptPromise(ended), LEAST_KEPT),
    oneLeg: atMost(longestAlone(ended), ALONE_MS / SECOND_MS),
    slippage: atMost(slipped, (MOST_SLIPPED * slippageCap) / 10_000),
    refusals: atMost(orders.count === 0 ? null : orders.refused / orders.count, MOST_REFUSED),
  };
}

async function realNeeds(deps: DeskDeps, row: StrategyRow, now: number): Promise<Record<RealCheck, Judged>> {
  const { db } = deps;
  const { id, userId } = row;
  const kind = row.kind as StrategyKind;
  const params = row.params as ParamsOf<StrategyKind>;
  const targets = (await targetsOfStrategies(db, [id])).map(({ legs }) => legs);
  const [accounts, troubles, factor, preview, least] = await Promise.all([
    accountsOf(db, [userId]),
    accountTroubles(db, userId),
    secondFactorOf(db, userId),
    strategyPreview(deps, userId, kind, params, targets, 'live'),
    leastShare(deps, kind, params, targets, now),
  ]);
  const sources = sourcesOf(kind, params);
  const own = sources.map((source) => accountFor(accounts, source, 'live'));
  const trouble = troubles.find(({ account }) => own.some((one) => one?.name === account));
  return {
    server: given(deps.realProof !== undefined),
    source: given(
      sources.every((source) => takesReal(source)) &&
        targets.flat().every(({ source, symbol }) => takesReal(source, symbol)) &&
        !restsAtSpot(kind, targets),
      restsAtSpot(kind, targets) ? NO_SPOT_LADDER : '',
    ),
    secondFactor: given(factor?.enabledAt != null),
    account: given(own.length > 0 && !own.includes(undefined) && trouble === undefined, trouble?.reason ?? ''),
    balance: balanceOf(preview),
    minimum: atMost(least, FIRST_SHARE),
  };
}

/** What is free for a first part of its size, USDT, in the pocket of its real accounts that has least beyond what it takes there. */
function balanceOf({ accounts }: Pick<StrategyPreview, 'accounts'>): Judged {
  const pockets = accounts.flatMap(({ cash, margin, spendable, freeMargin, isApart = false }) => [
    { needed: FIRST_SHARE * (cash ?? 0), has: spendable },
    // Of one wallet for both what coin is bought for is gone from what contracts are held against.
    { needed: FIRST_SHARE * ((margin ?? 0) + (isApart ? 0 : (cash ?? 0))), has: freeMargin },
  ]);
  const slack = ({ needed, has }: (typeof pockets)[number]) => (has ?? Number.NEGATIVE_INFINITY) - needed;
  const [tightest] = pockets.filter(({ needed }) => needed > 0).toSorted((a, b) => slack(a) - slack(b));
  return atLeast(tightest?.has ?? null, tightest?.needed ?? 0);
}

/** @throws a refusal unless its caller may trade for real what is to be begun with real money */
export async function mayBegin(
  deps: Pick<DeskDeps, 'db' | 'realProof' | 'markets' | 'clock'>,
  call: NamedCall & { body: { mode?: StrategyMode; typed?: string } },
  kind: StrategyKind,
  planned: () => Promise<Plan>,
): Promise<void> {
  if (call.body.mode !== 'live') return;
  await mustProve(deps, call);
  const plan = await realPlan(kind, planned);
  mustType(call.body.typed, plan);
  await mustReachLeast(deps, kind, plan);
}

/** @throws 400 at the size of a leg that is less than the venue takes, as far as prices are known */
async function mustReachLeast(
  deps: Pick<DeskDeps, 'markets' | 'clock'>,
  kind: StrategyKind,
  { params, targets }: Pick<Plan, 'params' | 'targets'>,
): Promise<void> {
  const least = await leastShare(deps, kind, params, targets, deps.clock());
  if (least === null || least <= 1) return;
  const { legNotional } = params as { legNotional: number };
  throw invalid('params.legNotional', `每腿名义不到交易所的最小数量，至少 ${Math.ceil(least * legNotional)} USDT`);
}

/** The smallest part of its size that the venue and its kind take for every leg; null where a price or a limit is not known. */
async function leastShare(
  { markets }: Pick<DeskDeps, 'markets'>,
  kind: StrategyKind,
  params: ParamsOf<StrategyKind>,
  targets: readonly TargetLeg[][],
  now: number,
): Promise<number | null> {
  const { legNotional } = params as { legNotional: number };
  const { legNotional: bounds } = PARAMS[kind].schema.properties as { legNotional?: { minimum?: number } };
  const sources = await marketsNow(markets, sourcesOf(kind, params), now);
  const shares = targets.map((legs) => {
    const quoted = legs.flatMap(({ source, symbol }) => {
      const of = sources.get(source);
      const [instrument, ticker] = [of?.instruments.get(symbol), of?.tickers.get(symbol)];
      return of && instrument?.lotSize != null && ticker ? [new Quoted(of.market, instrument, ticker, now)] : [];
    });
    if (quoted.length < legs.length) return null;
    const ladder = ladderLeast(kind, params, quoted[0]!.instrument);
    if (ladder !== undefined) return Math.max(ladder, bounds?.minimum ?? 0) / legNotional;
    const least = quoted.map(({ instrument: { lotSize, minNotional }, ticker }) =>
      Math.max(Number(lotSize) * ticker.price, Number(minNotional ?? 0)),
    );
    const [long, short] = quoted;
    return Math.max(...least, long && short ? leastHedged(long, short) : 0, bounds?.minimum ?? 0) / legNotional;
  });
  return shares.length === 0 || shares.includes(null) ? null : Math.max(...shares.map((share) => share!));
}
