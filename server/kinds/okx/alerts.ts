import { SKEW_WARNING_MS } from '#contract/apiKey';
import { venueName } from '#contract/candle';
import { SECOND_MS } from '#contract/duration';
import type { OkxParams } from '#contract/kinds/okx/params';
import type { SourceSymbol } from '../../base/symbolKey';
import type { Alert, EntryContext } from '../../engine/runner';
import type { DealBook, TargetBook } from '../../engine/tradingBook';
import type { Market } from '../../market/exchange';

/** Above so many ms a venue is slow, and a quotation old. */
const SLOW_MS = 500;
const OLD_MS = 2_000;
/** Latency is the median of so many samples, so many ms apart. */
const SAMPLES = 5;
const SAMPLE_MS = 250;

/** How long orders to a venue have been under way of late, ms; `null` where nobody knows. @param at UTC ms */
export function usualLatency(market: Market, at: number): number | null {
  const sampled = Array.from({ length: SAMPLES }, (_, i) => market.latencyMs(at - i * SAMPLE_MS));
  const known = sampled.filter((ms) => ms !== null).sort((a, b) => a - b);
  return known.length < SAMPLES ? null : known[Math.floor(SAMPLES / 2)]!;
}

/** Alert that only one side of a trade was filled. */
export function tradeAlerts({ legs, oneLegSince, closeReason, state }: DealBook<'okx'>): Alert[] {
  if (oneLegSince === null && !(state === 'closing' && closeReason === 'oneLeg')) return [];
  const nameOf = ({ symbol, source }: SourceSymbol) => `${symbol}（${venueName(source)}）`;
  const text = `${nameOf(legs.long)}买 / ${nameOf(legs.short)}卖：只有一边成交，正在补齐或退回`;
  return [{ word: 'oneLeg', level: 'error', title: '套利一腿没有成交', text }];
}

/** Alerts of venues and coins of a strategy; those of a venue are raised for its first coin only. */
export function gapAlerts(
  { one, coins }: OkxParams,
  { legs }: Pick<TargetBook, 'legs'>,
  { observed }: EntryContext<'okx'>,
): Alert[] {
  // The target in the other direction has the same venues.
  if (observed === null || legs[0]?.source !== one) return [];
  const { row } = observed;
  const [buy, sell] = [venueName(row.buy), venueName(row.sell)];
  const found = row.base === coins[0] ? venueAlerts(observed) : [];
  if (row.coinOut === false || row.coinIn === false) {
    const shut = [row.coinOut === false && `${buy} 停提`, row.coinIn === false && `${sell} 停充`];
    const text = `${row.base}：${shut.filter(Boolean).join('，')}，库存不能从 ${buy} 移到 ${sell}`;
    found.push({ word: 'coinShut', level: 'warning', title: `${row.base} 暂停充提`, text });
  }
  if (row.ageMs > OLD_MS && !row.obstacles.includes('out')) {
    const text = `${row.base} 在 ${buy} 与 ${sell} 的报价已有 ${Math.round(row.ageMs)} 毫秒`;
    found.push({ word: 'stale', level: 'warning', title: '报价过期', text });
  }
  return found;
}

type Observed = NonNullable<EntryContext<'okx'>['observed']>;

const SIDES = ['buy', 'sell'] as const;

function venueAlerts({ row, latency, clockAhead }: Observed): Alert[] {
  const found: Alert[] = [];
  const [buy, sell] = [venueName(row.buy), venueName(row.sell)];
  if (row.obstacles.includes('out')) {
    const text = `${buy} 或 ${sell} 没有回应，恢复前不成交`;
    found.push({ word: 'out', level: 'error', title: '交易所断线', text });
  }
  for (const side of SIDES) found.push(...slowness(row[side], latency[side]), ...skew(row[side], clockAhead[side]));
  if (row.moneyOut === false || row.moneyIn === false) {
    const shut = [row.moneyOut === false && `${sell} 停提`, row.moneyIn === false && `${buy} 停充`];
    const text = `USDT：${shut.filter(Boolean).join('，')}，卖币所得不能从 ${sell} 移回 ${buy}`;
    found.push({ word: 'moneyShut', level: 'warning', title: 'USDT 暂停充提', text });
  }
  return found;
}

function slowness(source: string, ms: number | null): Alert[] {
  if (ms === null || ms <= SLOW_MS) return [];
  const text = `${venueName(source)} 的委托近来要 ${Math.round(ms)} 毫秒，超过 ${SLOW_MS} 毫秒`;
  return [{ word: `latency ${source}`, level: 'warning', title: '交易所延迟过高', text }];
}

/** @param ms the venue's clock less ours */
function skew(source: string, ms: number | null): Alert[] {
  if (ms === null || Math.abs(ms) <= SKEW_WARNING_MS) return [];
  const aheadOrBehind = `${ms > 0 ? '快' : '慢'} ${(Math.abs(ms) / SECOND_MS).toFixed(2)} 秒`;
  const text = `${venueName(source)} 的时钟比本机${aheadOrBehind}，超过 ${SKEW_WARNING_MS / SECOND_MS} 秒：委托可能因时间戳被拒，它的报价新旧不可信`;
  return [{ word: `skew ${source}`, level: 'warning', title: '交易所时钟偏差', text }];
}
