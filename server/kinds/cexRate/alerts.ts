import { venueName } from '#contract/candle';
import { LEGS } from '#contract/lifecycle';
import type { SourceSymbol } from '../../base/symbolKey';
import { imbalanceAlerts } from '../../engine/dealLegs';
import type { Alert, PlanContext } from '../../engine/runner';
import type { DealBook } from '../../engine/tradingBook';

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;

/** Alerts of an open deal. */
export function rateAlerts(deal: DealBook<'cexRate'>, context: PlanContext<'cexRate'>): Alert[] {
  const { legs, state, entryNote } = deal;
  if (state !== 'open') return [];
  const nameOf = ({ symbol, source }: SourceSymbol) => `${symbol}（${venueName(source)}）`;
  const names = `${nameOf(legs.long)}多 / ${nameOf(legs.short)}空`;
  const found = imbalanceAlerts(deal, context);
  for (const leg of LEGS.filter((one) => context.venueDown[one])) {
    const { source, symbol } = legs[leg];
    const text = `${names}：${venueName(source)} 没有回应，${symbol} 一腿暂时不能下单，另一腿也不单独动`;
    found.push({ word: `out ${source}`, level: 'error', title: '交易所断线', text });
  }
  const { observed } = context;
  if (observed === null) return found;
  if (observed.grossApr !== null && observed.grossApr * entryNote.grossApr < 0) {
    const text = `${names}：费率差 ${percent(observed.grossApr)}，与开仓时的 ${percent(entryNote.grossApr)} 反号`;
    found.push({ word: 'gapSign', level: 'warning', title: '费率差过零', text });
  }
  if (observed.notes.includes('interval')) {
    const text = `${names}：多方每 ${observed.longHours} 小时、空方每 ${observed.shortHours} 小时结算，其间只有一边收付`;
    found.push({ word: 'interval', level: 'info', title: '两所结算时刻不同', text });
  }
  return found;
}
