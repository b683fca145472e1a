import { setTimeout as pause } from 'node:timers/promises';
import Big from 'big.js';
import type { FastifyInstance } from 'fastify';
import type { AccountPosition } from '#contract/account';
import { SECOND_MS } from '#contract/duration';
import type { BodyOf, DataOf } from '#contract/endpoint';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { hedge as api, type TakeOverTerms } from '#contract/kinds/hedge/desk';
import { LEGS, type Leg, ONCE_SECONDS } from '#contract/lifecycle';
import type { StrategyMode } from '#contract/strategy';
import { accountsOf } from '../../base/db/accounts/venueAccount';
import type { Database } from '../../base/db/client';
import { legsOf } from '../../base/db/hedges/pairLegs';
import { newestDealsOf } from '../../base/db/strategies/deal';
import { takingTerms } from '../../base/db/strategies/singleTerms';
import { strategyById } from '../../base/db/strategies/strategy';
import { noteChange } from '../../base/http/auditTrail';
import { once } from '../../base/http/idempotency';
import { invalid, notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { floorTo, plain } from '../../base/maths/decimal';
import { symbolKey } from '../../base/symbolKey';
import { outsidePositions } from '../../desk/account/outside';
import { wake } from '../../desk/openingActs';
import { mustProve, mustType } from '../../desk/strategy/real';
import { openSingle, type Plan } from '../../desk/strategy/strategyIntents';
import type { TradingTerms } from '../../market/venue';
import type { KindDeps } from '../kindDeps';

type Needs = Pick<KindDeps, 'db' | 'clock' | 'markets' | 'venue' | 'tallies'>;
type Wish = BodyOf<typeof api.takeOver>;
type Candidate = TakeOverTerms['positions'][number];

const modeOf = ({ mode }: { mode: string }): StrategyMode => (mode === 'live' ? 'live' : 'paper');

/** What of a position can be a leg; null where nothing can. */
function candidateOf(
  position: AccountPosition,
  terms: TradingTerms | undefined,
  leverage: number | null,
): Candidate | null {
  const { source, symbol, markPrice: mark, unexplained } = position;
  if (mark === null || terms === undefined || terms.kind === 'spot') return null;
  const quantity = floorTo(new Big(unexplained).abs(), terms.lotSize);
  // What is less than the smallest order could not be closed.
  if (quantity.eq(0) || quantity.times(mark).lt(terms.minNotional)) return null;
  const side = new Big(unexplained).lt(0) ? 'short' : 'long';
  return {
    source,
    symbol,
    side,
    quantity: plain(quantity),
    lotSize: plain(new Big(terms.lotSize)),
    mark: Number(mark),
    leverage,
  };
}

/** What of an account of the user's can be taken over, and the settings of the desk. @throws as `outsidePositions` */
async function found(deps: Needs, userId: string, accountId: string) {
  const { facts, answer, positions } = await outsidePositions(deps, userId, accountId);
  const leverages = new Map(answer.positions.map((position) => [symbolKey(position), position.leverage]));
  const candidates = positions.flatMap((position) => {
    const key = symbolKey(position);
    return candidateOf(position, answer.terms.get(key), leverages.get(key) ?? null) ?? [];
  });
  return { answer, candidates, settings: facts.settings ?? DEFAULT_SETTINGS };
}

/** @throws 400 at the leg or its quantity where it cannot be taken over so */
function mustBeThere(candidates: readonly Candidate[], leg: Leg, wish: Wish): Candidate {
  const [symbol, asked] = [wish[leg], new Big(wish[`${leg}Quantity`])];
  const own = candidates.find((one) => one.source === wish.source && one.symbol === symbol && one.side === leg);
  if (own === undefined) throw invalid(leg, `${symbol} 没有可以接管的${leg === 'long' ? '多头' : '空头'}外部持仓`);
  const field = `${leg}Quantity`;
  if (asked.lte(0)) throw invalid(field, '数量须大于 0');
  if (asked.gt(own.quantity)) throw invalid(field, `最多 ${own.quantity}：没有交易单解释的只有这么多`);
  if (!asked.eq(floorTo(asked, own.lotSize))) throw invalid(field, `须是最小数量 ${own.lotSize} 的整数倍`);
  return own;
}

/** Of legs of which each takes margin by its own: both together. */
function leverageOf(legs: readonly { worth: number; leverage: number }[]): number {
  const gross = legs.reduce((sum, { worth }) => sum + worth, 0);
  const margin = legs.reduce((sum, { worth, leverage }) => sum + worth / leverage, 0);
  return new Big(gross).div(margin).round(2).toNumber();
}

/** The strategy of one deal that a wish is. @throws 400 at its fields */
async function planOf(deps: Needs, userId: string, wish: Wish) {
  const { accountId, source, long, short, longQuantity, shortQuantity } = wish;
  const { answer, candidates, settings } = await found(deps, userId, accountId);
  const legs = LEGS.map((leg) => {
    const { mark, leverage } = mustBeThere(candidates, leg, wish);
    return { worth: Number(wish[`${leg}Quantity`]) * mark, leverage: leverage ?? settings.leverage };
  });
  const { stopLoss, takeProfit, slippageCap } = wish;
  const plan: Plan<'hedge'> = {
    name: `接管 ${long} / ${short}`.slice(0, 32),
    mode: modeOf(answer.account),
    // Nothing of it is bought or sold but on its way out.
    params: {
      ...{ ...settings, source, stopLoss, takeProfit, slippageCap, leverage: leverageOf(legs) },
      ...{ entry: 'immediate', rebalance: null, maxHoldingHours: null, dailyLossLimit: null, blacklist: [] },
    },
    targets: [legsOf({ source, long, short })],
  };
  const takes = { accountId, quantity: { long: longQuantity, short: shortQuantity } };
  return { plan, single: takingTerms(takes, deps.clock() + ONCE_SECONDS * SECOND_MS) };
}

/** The console gives up after ten seconds. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 100;

/** Waits up to 8 s of real time for what became of a take-over. */
async function outcomeOf(db: Database, id: string): Promise<DataOf<typeof api.takeOver>> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const [[deal], row] = await Promise.all([newestDealsOf(db, id, 1), strategyById(db, id)]);
    const refused = row?.single?.refused ?? null;
    if (deal !== undefined || refused !== null || performance.now() >= until) {
      return { id, hedgeId: deal?.id ?? null, refused };
    }
    await pause(LOOK_MS);
  }
}

/** Takes positions that no deal explains over into hedges. */
export function takeOverRoutes(app: FastifyInstance, deps: KindDeps): void {
  const { db, clock } = deps;

  route(app, api.takeOverTerms, async ({ user, query }) => {
    const { answer, candidates, settings } = await found(deps, user.id, query.accountId);
    const { stopLoss, takeProfit, slippageCap } = settings;
    return {
      mode: modeOf(answer.account),
      marginUsed: answer.margin && plain(new Big(answer.margin.initialMargin)),
      exits: { stopLoss, takeProfit, slippageCap },
      positions: candidates,
    };
  });

  route(app, api.takeOver, async (call) => {
    const { user, body, request } = call;
    const account = (await accountsOf(db, [user.id])).find(({ id }) => id === body.accountId);
    if (account === undefined) throw notFound('没有这个账户');
    if (modeOf(account) === 'live') {
      await mustProve(deps, call);
      mustType(body.typed, { name: '', targets: [legsOf(body)] });
    }
    const { id } = await once(deps, api.takeOver as never, call, {
      keyRequired: true,
      prepare: () => planOf(deps, user.id, body),
      write: async (tx, _, { plan, single }) => {
        const made = await openSingle(tx, { user, now: clock() }, 'hedge', plan, single, '接管');
        noteChange(request, {}, { ...body, id: made.id });
        return made;
      },
    });
    // Not waited for: a book that is busy must not take the caller's patience.
    void wake(deps, user.id, request.log);
    return outcomeOf(db, id);
  });
}
