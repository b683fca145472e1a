import type { FundingParams } from '#contract/kinds/fundingRate/params';
import type { PairBlock } from '#contract/lifecycle';
import { fundingApr } from '../../base/maths/funding';
import { imbalanceAlerts } from '../../engine/dealLegs';
import type { Alert, PlanContext } from '../../engine/runner';
import type { DealBook, TargetBook } from '../../engine/tradingBook';

type Deal = DealBook<'fundingRate'>;

const percent = (value: number, digits: number): string => `${(value * 100).toFixed(digits)} %`;

/** Rates of the settlement that was last and of the one to come, as rates of the year; null where one is not known. */
export function lastAprs(
  observed: PlanContext<'fundingRate'>['observed'],
): [settled: number, predicted: number] | null {
  const settled = fundingApr(observed?.settledRate ?? null, observed?.hours ?? null);
  const predicted = fundingApr(observed?.predictedRate ?? null, observed?.hours ?? null);
  return settled === null || predicted === null ? null : [settled, predicted];
}

/** Alerts of an open deal. */
export function fundingAlerts(deal: Deal, context: PlanContext<'fundingRate'>): Alert[] {
  const { entryNote, params, legs, state } = deal;
  const { observed } = context;
  if (state !== 'open') return [];
  const symbol = legs.short.symbol;
  const found = imbalanceAlerts(deal, context);
  if (observed === null) return found;
  const { settledRate, hours } = observed;
  if (settledRate !== null && settledRate * entryNote.rate < 0) {
    const text = `${symbol} 上一期结算费率 ${percent(settledRate, 4)}，与开仓时的 ${percent(entryNote.rate, 4)} 反号`;
    found.push({ word: 'rateSign', level: 'warning', title: '费率反号', text });
  }
  if (hours !== entryNote.hours) {
    const text = `${symbol} 的结算间隔由 ${entryNote.hours} 小时改为 ${hours} 小时`;
    found.push({ word: 'interval', level: 'warning', title: '结算间隔改变', text });
  }
  const aprs = lastAprs(observed);
  const least = params.exitApr ?? 0;
  if (aprs?.every((apr) => apr < least)) {
    const text = `${symbol} 上期与本期预测的年化为 ${aprs.map((apr) => percent(apr, 2)).join('、')}，都低于 ${percent(least, 2)}`;
    found.push({ word: 'lowApr', level: 'warning', title: '连续两期低于平仓年化', text });
  }
  return found;
}

/** Alerts of a coin that would be entered. */
export function carryTargetAlerts(
  { legNotional }: FundingParams,
  { legs }: Pick<TargetBook, 'legs'>,
  block: PairBlock | null,
): Alert[] {
  if (block !== 'balance') return [];
  const text = `${legs[0]?.symbol} 达到开仓条件，但账户可用余额不够买入 ${legNotional} USDT 现货`;
  return [{ word: 'balance', level: 'warning', title: '现货余额不足', text }];
}
