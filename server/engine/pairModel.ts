import { BAR_MS, BARS, type Bar } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import type { RatioRule } from '#contract/kinds/hedge/config';
import { ALONE_MS } from '#contract/lifecycle';
import type { Places } from '../base/db/hedges/pairLegs';
import { commonTimes, type UsableCloses, usableCloses, valuesAt } from '../base/maths/closes';
import { betaTo, LEAST_BARS, pairFacts, presentZ, type SpreadLine } from '../base/maths/pair';
import { logReturns } from '../base/maths/returns';
import { standardDeviation } from '../base/maths/statistics';
import { type BeyondStop, beyondStop } from '../base/maths/worstCase';
import type { Instrument, Market, Markets } from '../market/exchange';
import { perpetualOf } from '../market/perpetualOf';
import { VersionedCache } from '../market/versionedCache';

/** What the closed bars of a pair say, for pricing the present against them. */
export interface PairModel extends SpreadLine {
  bar: Bar;
  bars: number;
  correlation: number | null;
  betaLong: number | null;
  betaShort: number | null;
  /** Standard deviation of log returns a bar. */
  volatilityLong: number | null;
  volatilityShort: number | null;
  halfLifeHours: number | null;
  adfP: number | null;
  rSquared: number | null;
}

interface Priced {
  /** USDT. */
  price: number;
}

/** z (F14) of a pair at its prices now; `null` without enough history or a price. */
export const zNow = (
  model: PairModel | null | undefined,
  long: Priced | undefined,
  short: Priced | undefined,
): number | null => (model && long && short ? presentZ(model, long.price, short.price) : null);

interface PairQuestion {
  long: string;
  short: string;
  bar: Bar;
  window: number;
}

const KEPT = 5_000;

/**
 * Models by source and pair, computed once for each state of the stored history. `of` answers `null` where there are
 * fewer than 30 common bars or the spread never moves; a bar that a coin lacks is replaced by the coarsest one both have.
 */
export class PairModels {
  readonly #kept = new VersionedCache<PairModel | null>(KEPT);
  readonly #beyond = new VersionedCache<BeyondStop | null>(KEPT);

  of(market: Market, question: PairQuestion): Promise<PairModel | null> {
    const { long, short, bar, window } = question;
    const name = JSON.stringify([market.source, long, short, bar, window]);
    return this.#kept.of(name, market.version(), () => modelOf(market, question));
  }

  /** What a stop does not bound of two legs (F32), by the finest bars that both have; `null` where they have none. */
  async beyondStop(markets: Markets, { long, short }: Places): Promise<BeyondStop | null> {
    const [own, other] = await Promise.all([markets.get(long.source), markets.get(short.source)]);
    if (own === undefined || other === undefined) return null;
    const name = JSON.stringify([long.source, long.symbol, short.source, short.symbol]);
    return this.#beyond.of(name, `${own.version()} ${other.version()}`, async () => {
      for (const bar of BARS.toReversed()) {
        const closes = await Promise.all([closesOf(own, long.symbol, bar), closesOf(other, short.symbol, bar)]);
        const [ups, downs] = closes;
        if (!ups || !downs) continue;
        const axis = commonTimes([ups.time, downs.time]);
        const legs = { long: valuesAt(ups.time, ups.close, axis), short: valuesAt(downs.time, downs.close, axis) };
        const found = beyondStop({ ...legs, barMs: BAR_MS[bar] }, ALONE_MS);
        if (found !== null) return found;
      }
      return null;
    });
  }
}

async function modelOf(market: Market, { long, short, bar, window }: PairQuestion): Promise<PairModel | null> {
  const instruments = await market.instruments();
  const chosen = [long, short].map((symbol) => instruments.find((row) => row.symbol === symbol));
  const usedBar = barOf(chosen, bar);
  if (usedBar === null) return null;
  const bitcoin = perpetualOf(instruments, 'BTC');
  const [own, other, btc] = await Promise.all(
    [long, short, bitcoin?.symbol].map((symbol) => closesOf(market, symbol, usedBar)),
  );
  if (!own || !other) return null;
  const axis = commonTimes([own.time, other.time]).slice(-window);
  if (axis.length < LEAST_BARS) return null;
  return fitted(usedBar, axis, own, other, btc ?? null);
}

function barOf(chosen: readonly (Instrument | undefined)[], wanted: Bar): Bar | null {
  const common = BARS.filter((bar) => chosen.every((instrument) => instrument?.bars.includes(bar)));
  return common.includes(wanted) ? wanted : (common[0] ?? null);
}

async function closesOf(market: Market, symbol: string | undefined, bar: Bar): Promise<UsableCloses | null> {
  const candles = symbol === undefined ? null : await market.candles(symbol, bar);
  return candles && usableCloses(candles);
}

function fitted(bar: Bar, axis: Float64Array, own: UsableCloses, other: UsableCloses, btc: UsableCloses | null) {
  const long = valuesAt(own.time, own.close, axis);
  const short = valuesAt(other.time, other.close, axis);
  const facts = pairFacts(long, short);
  if (facts.hedgeRatio === null || facts.zScores === null) return null;
  return {
    bar,
    bars: axis.length,
    hedgeRatio: facts.hedgeRatio,
    mean: facts.zScores.mean,
    sd: facts.zScores.sd,
    correlation: facts.correlation,
    betaLong: betaTo(btc, axis, long),
    betaShort: betaTo(btc, axis, short),
    volatilityLong: standardDeviation(logReturns(long)),
    volatilityShort: standardDeviation(logReturns(short)),
    halfLifeHours: facts.halfLife === null ? null : (facts.halfLife * BAR_MS[bar]) / HOUR_MS,
    adfP: facts.adfP,
    rSquared: facts.rSquared,
  };
}

/** Short notional per long notional by a ratio rule; `null` where its figures are missing or make no sense. */
export function ratioBy(rule: RatioRule, model: PairModel | null): number | null {
  if (rule === 'equal') return 1;
  const figures = {
    beta: [model?.betaLong, model?.betaShort],
    volatility: [model?.volatilityLong, model?.volatilityShort],
    spread: [model?.hedgeRatio, 1],
  };
  const [own, other] = figures[rule];
  if (!own || !other || own <= 0 || other <= 0) return null;
  // Beyond five to one it is no hedge of the other side any more.
  return Math.min(5, Math.max(0.2, own / other));
}
