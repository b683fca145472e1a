import type { Static } from 'typebox';
import { DAY_MS } from '#contract/duration';
import type { SymbolDetail, SymbolStatistics } from '#contract/symbol';
import { commonTimes, firstAtOrAfter, valuesAt } from '../../base/maths/closes';
import { drawdown, drawdownSeries } from '../../base/maths/drawdown';
import { volatility } from '../../base/maths/performance';
import { logReturns } from '../../base/maths/returns';
import { beta, correlation } from '../../base/maths/statistics';
import type { DailyHistory } from './dailyHistory';

const WINDOWS = [30, 90];
/** How far back from the day wanted a close may lie to stand for it, as in the coin selection. */
const GAP_DAYS = 3;

/** The newest `returns` log returns between days that both have; `null` where they share fewer. */
function paired(own: DailyHistory, other: DailyHistory | null, returns: number) {
  if (other === null || returns < 2) return null;
  const axis = commonTimes([own.time, other.time]).slice(-(returns + 1));
  if (axis.length < returns + 1) return null;
  return {
    own: logReturns(valuesAt(own.time, own.close, axis)),
    other: logReturns(valuesAt(other.time, other.close, axis)),
  };
}

/** Closes from `days` days before the newest one on; `null` where no close stands for that day. */
function since({ time, close }: DailyHistory, days: number): DailyHistory | null {
  const wanted = (time[time.length - 1] ?? 0) - days * DAY_MS;
  const from = firstAtOrAfter(time, wanted, 'after') - 1;
  if (from < 0 || wanted - time[from]! > GAP_DAYS * DAY_MS) return null;
  return { time: time.subarray(from), close: close.subarray(from) };
}

interface Benchmarks {
  bitcoin: DailyHistory | null;
  ether: DailyHistory | null;
}

/** Figures of one window: `days` calendar days, of which `returns` daily log returns are the newest. */
function statisticsOf(
  own: DailyHistory,
  days: number,
  returns: number,
  marks: Benchmarks,
): Static<typeof SymbolStatistics> {
  const span = since(own, days);
  const daily = logReturns(own.close).slice(-returns);
  const onBitcoin = paired(own, marks.bitcoin, returns);
  const onEther = paired(own, marks.ether, returns);
  return {
    days,
    volatility: daily.length < returns ? null : volatility(daily),
    betaBtc: onBitcoin && beta(onBitcoin.own, onBitcoin.other),
    correlationBtc: onBitcoin && correlation(onBitcoin.own, onBitcoin.other),
    correlationEth: onEther && correlation(onEther.own, onEther.other),
    maxDrawdown: span && drawdown(span.time, span.close, span.close[0]!).max,
    return: span && span.close[span.close.length - 1]! / span.close[0]! - 1,
  };
}

/** Returns that the whole history can pair with a benchmark: fewer where the benchmark began later. */
function sharedReturns(own: DailyHistory, other: DailyHistory | null): number {
  return other === null ? 0 : commonTimes([own.time, other.time]).length - 1;
}

/**
 * Volatility, beta, correlation (F17), drawdown (F20) and return over 30 and 90 days and over everything stored, from
 * daily closes. A window with too little history has `null`s; that of everything takes what each benchmark shares.
 */
export function symbolStatistics(own: DailyHistory, marks: Benchmarks): Static<typeof SymbolStatistics>[] {
  const windows = WINDOWS.map((days) => statisticsOf(own, days, days, marks));
  if (own.time.length < 2) return windows;
  const days = Math.round((own.time[own.time.length - 1]! - own.time[0]!) / DAY_MS);
  const onBitcoin = paired(own, marks.bitcoin, sharedReturns(own, marks.bitcoin));
  const onEther = paired(own, marks.ether, sharedReturns(own, marks.ether));
  const all = statisticsOf(own, days, own.time.length - 1, { bitcoin: null, ether: null });
  return [
    ...windows,
    {
      ...all,
      betaBtc: onBitcoin && beta(onBitcoin.own, onBitcoin.other),
      correlationBtc: onBitcoin && correlation(onBitcoin.own, onBitcoin.other),
      correlationEth: onEther && correlation(onEther.own, onEther.other),
    },
  ];
}

/** The deepest drawdown of everything stored with the days of its peak, trough and recovery, and the present one. */
export function drawdownFacts({ time, close }: DailyHistory): SymbolDetail['drawdown'] {
  if (time.length === 0) return { max: null, peakAt: null, troughAt: null, recoveredAt: null, current: null };
  const { max, startedAt, troughAt, recoveredAt } = drawdown(time, close, close[0]!);
  const depth = drawdownSeries(close, close[0]!);
  return { max, peakAt: startedAt, troughAt, recoveredAt, current: depth[depth.length - 1]! };
}
