import Big from 'big.js';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { Leg } from '#contract/lifecycle';
import { refused } from '../../base/http/refusal';
import { floorTo, usdt } from '../../base/maths/decimal';
import type { DeskDeps } from '../../desk/deps';
import { type MarketNow, marketNow } from '../../desk/symbol/marketNow';
import { mustBeHeard } from '../../desk/symbol/marketOf';
import { ratioBy } from '../../engine/pairModel';
import { bracketFor } from '../../market/brackets';
import type { Quote, TradingTerms, Venue } from '../../market/venue';

type Needs = Pick<DeskDeps, 'markets' | 'venue' | 'pairModels'>;

export interface Pair {
  long: string;
  short: string;
}

/** Long and short field of a form, each with its symbol. */
const legsOf = ({ long, short }: Pair): [Leg, string][] => [
  ['long', long],
  ['short', short],
];

/**
 * Whether a pair can be traded as the settings say, by the market and the venue's terms.
 * @throws a refusal at the field at fault: same symbol, blacklisted, unknown, stopped or without price, leverage over
 *   the coin's maximum, below the venue's smallest order.
 */
export async function checkPair(deps: Needs, settings: HedgeSettings, pair: Pair, now: number): Promise<void> {
  if (pair.long === pair.short) throw refused('pairSameSymbol', '', 'short');
  await mustBeHeard(await deps.markets.get(settings.source), 'long');
  const source = await marketNow(deps.markets, settings.source, now);
  if (source === null) throw refused('unknownSource');
  for (const [leg, symbol] of legsOf(pair)) {
    if (settings.blacklist.includes(symbol)) throw refused('pairBlacklisted', symbol, leg);
    if (source.instruments.get(symbol)?.kind !== 'perpetual') throw refused('unknownSymbol', symbol, leg);
  }
  const question = { ...pair, bar: settings.zBar, window: settings.zWindow };
  const ratio = ratioBy(settings.ratio, await deps.pairModels.of(source.market, question)) ?? 1;
  const notional = { long: settings.legNotional, short: settings.legNotional * ratio };
  for (const [leg, symbol] of legsOf(pair)) {
    const { terms, quote } = await tradable(deps.venue, source, leg, symbol);
    refuseLeverage(terms, settings, leg, notional[leg]);
    refuseTooSmall(terms, quote, notional[leg], leg);
  }
}

async function tradable(venue: Venue, { market, view }: MarketNow, leg: Leg, symbol: string) {
  const [terms, quote] = await Promise.all([venue.terms(market.source, symbol), venue.quote(market.source, symbol)]);
  if (terms === undefined || quote === undefined || view.get(symbol)?.tradable !== true) {
    throw refused('pairNotTradable', symbol, leg);
  }
  return { terms, quote };
}

/** @param notional of the leg, USDT @throws `pairLeverage` at `field`. */
export function refuseLeverage(
  terms: TradingTerms,
  { leverage }: Pick<HedgeSettings, 'leverage'>,
  field: string,
  notional: number,
): void {
  const { maxLeverage } = bracketFor(terms, notional);
  const size = terms.brackets ? `名义价值 ${notional.toFixed(0)} USDT 的` : '';
  const says = maxLeverage > 0 ? `最高 ${maxLeverage} 倍` : '超过交易所的持仓上限';
  if (leverage > maxLeverage) throw refused('pairLeverage', `${size} ${terms.symbol} ${says}`.trim(), field);
}

/** What the order would be after rounding to whole lots must still be large enough. */
function refuseTooSmall(
  { symbol, lotSize, minNotional }: TradingTerms,
  quote: Quote,
  notional: number,
  leg: Leg,
): void {
  const price = new Big((quote.bid + quote.ask) / 2);
  const order = floorTo(new Big(notional).div(price), lotSize).times(price);
  if (order.lt(minNotional)) {
    throw refused('pairBelowMinimum', `${symbol} 最小 ${minNotional} USDT，按最小数量取整后为 ${usdt(order)}`, leg);
  }
}
