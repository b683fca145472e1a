import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { FundingDesk } from '#contract/kinds/fundingRate/desk';
import type { StrategyMode } from '#contract/strategy';
import { bookOf } from '../../base/db/books/book';
import { fundingSince, openedCarries } from '../../base/db/strategies/fundingRateDesk';
import { strategiesOf } from '../../base/db/strategies/strategy';
import { heldLegsOf } from '../../base/db/strategies/strategyFigures';
import { NO_DAY, runningDay } from '../../base/maths/dayBoundary';
import { cashAhead, type HeldPerpetual, weightedApr } from '../../base/maths/fundingAhead';
import type { DeskDeps } from '../../desk/deps';
import { capitalOf } from '../../desk/strategy/strategySums';
import { type MarketNow, marketsNow } from '../../desk/symbol/marketNow';
import { markPrice } from '../../market/marks';

const MONTH_MS = 30 * DAY_MS;

type HeldLeg = Awaited<ReturnType<typeof heldLegsOf>>[number];

/** What a user's carries of one mode hold, real ones where there are any unless it is said, what their funding came to, and what the next day is to bring. */
export async function fundingDesk(
  { db, markets }: Pick<DeskDeps, 'db' | 'markets'>,
  { userId, real: asked }: { userId: string; real?: boolean | undefined },
  now: number,
) {
  const own = (await strategiesOf(db, [userId])).filter(({ kind }) => kind === 'fundingRate');
  const isReal = (row: (typeof own)[number]) => row.mode === ('live' satisfies StrategyMode);
  const hasReal = own.some(isReal);
  const real = asked ?? hasReal;
  const ids = own.filter((row) => isReal(row) === real).map(({ id }) => id);
  const book = await bookOf(db, userId);
  const today = runningDay(book ?? NO_DAY, now).start;
  const [legs, carries, cashToday, cashMonth] = await Promise.all([
    heldLegsOf(db, ids),
    openedCarries(db, ids),
    fundingSince(db, ids, today),
    fundingSince(db, ids, now - MONTH_MS),
  ]);
  const sources = await marketsNow(
    markets,
    legs.map(({ source }) => source),
    now,
  );
  const held = legs.flatMap((leg) => perpetualOf(leg, sources));
  // The short leg of each; what one of them pays is not known while its venue tells no price.
  const deals = legs.filter(({ quantity }) => quantity < 0).length;
  const isKnown = held.length === deals;
  const deployed = legs.reduce((sum, leg) => sum + capitalOf(Math.abs(leg.cost), leg, sources), 0);
  const notional = held.reduce((sum, { quantity, mark }) => sum + Math.abs(quantity) * mark, 0);
  const apr = isKnown ? weightedApr(held) : null;
  const predicted = carries.reduce((sum, carry) => sum + predictedOf(carry, now), 0);
  const received = carries.reduce((sum, { funding }) => sum + funding, 0);
  return {
    deals,
    deployed,
    notional: isKnown ? notional : null,
    weightedApr: apr,
    capitalApr: apr === null || deployed === 0 ? null : (apr * notional) / deployed,
    ...{ cashToday, cashMonth, predicted, received },
    receivedShare: predicted === 0 ? null : received / predicted,
    hours: isKnown ? cashAhead(held, now) : [],
    ...{ real, hasReal },
  } satisfies FundingDesk;
}

function perpetualOf({ source, symbol, quantity }: HeldLeg, sources: ReadonlyMap<string, MarketNow>): HeldPerpetual[] {
  const ticker = sources.get(source)?.tickers.get(symbol);
  const hours = sources.get(source)?.instruments.get(symbol)?.fundingHours ?? null;
  if (!ticker || hours === null) return [];
  const { fundingRate: rate, nextFundingAt: nextAt } = ticker;
  const mark = markPrice(ticker);
  return rate === null || nextAt === null || mark === null ? [] : [{ quantity, mark, rate, nextAt, hours }];
}

/** What the settlements so far would have brought at the rate that it was opened at, USDT. */
function predictedOf(carry: Awaited<ReturnType<typeof openedCarries>>[number], now: number): number {
  const { rate, hours, notional, openedAt, closedAt } = carry;
  const every = hours * HOUR_MS;
  const settled = Math.floor((closedAt ?? now) / every) - Math.floor(openedAt / every);
  return settled * rate * notional;
}
