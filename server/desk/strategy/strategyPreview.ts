import { HOUR_MS, SECOND_MS } from '#contract/duration';
import type { BodyOf } from '#contract/endpoint';
import { LEGS, ONCE_SECONDS, type PairBlock } from '#contract/lifecycle';
import type { StrategyPreview, strategies } from '#contract/strategies';
import { isLaddered, type ParamsOf, type StrategyKind } from '#contract/strategy';
import { troublesOf } from '../../base/db/accounts/liveTrouble';
import type { TargetLeg } from '../../base/db/hedges/pairLegs';
import type { SingleTerms } from '../../base/db/strategies/singleTerms';
import { invalid, refused } from '../../base/http/refusal';
import { totalOf } from '../../base/maths/decimal';
import { worstOf } from '../../base/maths/worstCase';
import type { SourceSymbol } from '../../base/symbolKey';
import { asksAbout, isBeyond, lackingIn } from '../../engine/entries';
import { previewTargets } from '../../engine/preview';
import { accountIn, type FreeCoins, freeCoins, type Taken } from '../account/freeCoins';
import type { DeskDeps } from '../deps';
import { namesOf } from './dealRows';
import type { Plan } from './strategyIntents';

type Needs = Pick<DeskDeps, 'db' | 'clock' | 'markets' | 'venue' | 'pairModels' | 'realCap'>;
type Previewed = Awaited<ReturnType<typeof previewTargets>>['rows'];

/** Of one deal at a source, USDT. */
type NotionalAt = (row: Previewed[number], source: string) => number;

/** Deals that may be held at once, and what they lose at most where the kind has a stop. */
interface Bounds {
  maxDeals?: number;
  stopLoss?: number | null;
}

/** What a strategy would do now, and what it takes when as many deals are held as it may hold. */
export async function strategyPreview<K extends StrategyKind>(
  needs: Needs,
  userId: string,
  kind: K,
  params: ParamsOf<K>,
  targets: readonly TargetLeg[][],
  mode: string,
  strategyId?: string,
): Promise<StrategyPreview> {
  const coins = await freeCoins(needs.db, userId, mode);
  const heldOf = (place: SourceSymbol) => coins.freeOf(accountIn(coins, place.source), place).toNumber();
  const isReal = mode !== 'paper';
  const outsideOf = (place: SourceSymbol) => coins.outsideOf(accountIn(coins, place.source), place);
  const sights = { ...needs, freeOf: heldOf, ...(isReal && { outsideOf }) };
  const { at, rows, outline, signalIs } = await previewTargets(sights, kind, params, targets);
  const { legNotional, stopLoss = null, maxDeals = targets.length } = params as typeof params & Bounds;
  const freeCoinOf = (place: SourceSymbol | undefined) =>
    place === undefined || accountIn(coins, place.source) === undefined ? null : heldOf(place);
  // Stock is brought in whole, however many deals are held at once.
  const stocking = rows.filter(({ isStock }) => isStock);
  const [counted, deals] =
    stocking.length > 0 ? [stocking, stocking.length] : [rows, Math.min(targets.length, maxDeals)];
  const known = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const share = known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0) / known.length;
  const troubles = new Map(
    (isReal ? await troublesOf(needs.db, [userId]) : []).map(({ id, what }): [string, PairBlock] => [id, what]),
  );
  const notionalAt: NotionalAt = ({ places, weights }, source) => {
    const own = LEGS.filter((leg) => places[leg].source === source);
    // A ladder has its whole notional over both of its sides.
    return legNotional * (isLaddered(kind) ? Math.min(own.length, 1) : own.reduce((sum, leg) => sum + weights[leg], 0));
  };
  const accounts = await accountRows(needs, coins, counted, {
    ...{ deals, strategyId, notionalAt: isReal ? notionalAt : null },
  });
  return {
    at,
    targets: rows.map((row) => {
      const { places, needs: _, weights: _weights, stocking: _stocking, ...told } = row;
      const lacking = troubleOf(row, coins, troubles) ?? lackingOf(row, notionalAt, accounts, coins);
      const besides = told.block !== null && lacking !== null && { lacking };
      return { ...namesOf(places), ...told, block: told.block ?? lacking, ...besides };
    }),
    ...(signalIs && { signalIs }),
    accounts,
    ...(isReal && { real: { cap: needs.realCap ?? null } }),
    ...(stocking.length > 0 && { stock: stockOf(stocking) }),
    fees: outline?.fees ?? (share === null ? null : share * deals * legNotional),
    worst: outline ? outline.worst : await worstOfAll(needs, rows, { legNotional, stopLoss, deals }),
    ...(outline && { ladder: { ...outline.ladder, freeCoin: freeCoinOf(rows[0]?.places.long) } }),
  };
}

/** What bringing the inventory in, and its hedge, take and cost. */
function stockOf(rows: Previewed): NonNullable<StrategyPreview['stock']> {
  const parts = rows.flatMap(({ stocking }) => stocking ?? []);
  const [spot, hedge] = [parts.filter(({ isHedge }) => !isHedge), parts.filter(({ isHedge }) => isHedge)];
  const notionalOf = (some: typeof parts) => some.reduce((sum, { notional }) => sum + notional, 0);
  return {
    notional: notionalOf(spot),
    fees: totalOf(spot.map(({ fee }) => fee)),
    slippage: totalOf(spot.map(({ slippage }) => slippage)),
    hedge: notionalOf(hedge),
    hedgeCost: totalOf(hedge.flatMap(({ fee, slippage }) => [fee, slippage])),
    capital: rows.reduce(
      (sum, { needs }) => LEGS.reduce((all, leg) => all + needs[leg].cash + needs[leg].margin, sum),
      0,
    ),
  };
}

/** What a person confirmed of one deal: prices of now, or for how long its own rule is waited for. */
type Confirmed = Pick<BodyOf<typeof strategies.single>, 'mode' | 'accepts'> &
  Partial<Pick<BodyOf<typeof strategies.single>, 'worst'>> & { waitHours?: number };

/** What a rule waits for, and nobody has to mend. */
const WAITED: readonly (PairBlock | null)[] = [null, 'waitsForZ'];

/** The strategy of one deal, and what it is begun by. @throws as `singleTerms` */
export async function singlePlan(
  needs: Needs,
  userId: string,
  kind: StrategyKind,
  planned: Plan,
  { mode = 'paper', accepts = [], ...confirmed }: Confirmed,
): Promise<{ plan: Plan; single: SingleTerms }> {
  const plan = { ...planned, mode, accepted: accepts };
  const preview = await strategyPreview(needs, userId, kind, plan.params, plan.targets, mode);
  return { plan, single: singleTerms(preview, { ...confirmed, accepts }, needs.clock()) };
}

/**
 * What one deal is begun by: that it would be opened now, at no worse prices than were confirmed, or as soon as its rule
 * lets it in.
 * @throws `singleKind` for what is not one target with a ticket; `singleBlocked`; `singleDoubtful`; `singleMoved`; 400
 * where neither is given
 */
function singleTerms(
  { targets: [row, ...others] }: Pick<StrategyPreview, 'targets'>,
  { worst, waitHours, accepts = [] }: Omit<Confirmed, 'mode'>,
  now: number,
): SingleTerms {
  const isLater = waitHours !== undefined;
  if (!isLater && worst === undefined) throw invalid('worst', '请给出最差价');
  if (row === undefined || others.length > 0 || (!isLater && row.ticket === undefined)) throw refused('singleKind');
  if (isLater ? !WAITED.includes(row.block) : row.block !== null) throw refused('singleBlocked');
  if (asksAbout(row.warnings ?? [], { accepted: accepts })) throw refused('singleDoubtful');
  if (isLater) return { worst: null, until: now + waitHours * HOUR_MS, refused: null };
  const terms = { worst: worst!, until: now + ONCE_SECONDS * SECOND_MS, refused: null };
  if (isBeyond(row.ticket ?? null, terms) !== false) throw refused('singleMoved');
  return terms;
}

/** What so many deals may lose at most, each as much as the worst of them (F32), USDT. */
async function worstOfAll(
  { markets, pairModels }: Needs,
  rows: Previewed,
  { legNotional, stopLoss, deals }: { legNotional: number; stopLoss: number | null; deals: number },
): Promise<number | null> {
  if (stopLoss === null) return null;
  const beyond = await Promise.all(rows.map(({ places }) => pairModels.beyondStop(markets, places)));
  const grossOf = ({ weights }: Previewed[number]) => legNotional * (weights.long + weights.short);
  const worst = beyond.map((one, i) => worstOf(legNotional, stopLoss * grossOf(rows[i]!), one)!);
  return deals * Math.max(0, ...worst);
}

const NOTHING_TAKEN: Taken = { notional: 0, margin: 0, cash: 0 };

/** What is wrong with a real account of a target, so that nothing would be opened in it; null where nothing is. */
const troubleOf = ({ places }: Previewed[number], coins: FreeCoins, troubles: ReadonlyMap<string, PairBlock>) =>
  LEGS.map((leg) => troubles.get(accountIn(coins, places[leg].source)?.id ?? '')).find((one) => one !== undefined) ??
  null;

/** Why its accounts would not bear one target that would be opened; null where they do. */
function lackingOf(
  row: Previewed[number],
  notionalAt: NotionalAt,
  accounts: StrategyPreview['accounts'],
  coins: FreeCoins,
): PairBlock | null {
  for (const { source, spendable, freeMargin, isApart = false, room } of accounts) {
    const own = LEGS.filter((leg) => row.places[leg].source === source).map((leg) => row.needs[leg]);
    if (own.length === 0) continue;
    if (room !== undefined && room < notionalAt(row, source)) return 'overCap';
    // Without an answer of its venue nothing is entered there.
    if (spendable === null || freeMargin === null) return accountIn(coins, source) === undefined ? 'noAccount' : 'out';
    const lacking = lackingIn(own, { spendable, free: freeMargin, isApart });
    if (lacking !== null) return lacking;
  }
  return null;
}

/**
 * What so many deals take of each account, the costliest ones, beside what it has.
 * @param notionalAt null where no cap is set on it
 * @param strategyId the strategy that it is asked for, if there is one: what it has already is part of what it takes
 */
async function accountRows(
  { venue }: Needs,
  coins: FreeCoins,
  rows: Previewed,
  { deals, notionalAt, strategyId }: { deals: number; notionalAt: NotionalAt | null; strategyId: string | undefined },
) {
  const sources = new Set(rows.flatMap(({ places }) => LEGS.map((leg) => places[leg].source)));
  return Promise.all(
    [...sources].map(async (source) => {
      const mostOf = (of: (row: Previewed[number]) => number) =>
        rows
          .map(of)
          .sort((a, b) => b - a)
          .slice(0, deals)
          .reduce((sum, one) => sum + one, 0);
      const most = (of: (leg: (typeof rows)[number]['needs']['long']) => number) =>
        mostOf(({ places, needs }) =>
          LEGS.reduce((sum, leg) => (places[leg].source === source ? sum + of(needs[leg]) : sum), 0),
        );
      const account = accountIn(coins, source);
      const has = account === undefined ? null : await venue.margin(account.id).catch(() => null);
      const own = strategyId === undefined ? NOTHING_TAKEN : coins.takenBy(account, strategyId);
      const isApart = has?.beside !== undefined;
      const free = has && Math.max(0, Number(has.marginBalance) - Number(has.initialMargin));
      return {
        source,
        cash: most(({ cash }) => cash),
        margin: most(({ margin }) => margin),
        spendable: has && Number(has.spendable) + own.cash + (isApart ? 0 : own.margin),
        freeMargin: free === null ? null : free + own.margin + (isApart ? 0 : own.cash),
        ...(account !== undefined && has === null && { isSilent: true }),
        ...(isApart && { isApart: true }),
        ...(has?.room !== undefined && { room: Number(has.room) + own.notional }),
        ...(notionalAt !== null && { notional: mostOf((row) => notionalAt(row, source)) }),
      };
    }),
  );
}
