import { isLiveSource, sourceName } from '#contract/candle';
import { refused } from '../../base/http/refusal';
import type { Instrument, InstrumentKind, Market, Markets } from '../../market/exchange';

/** The source of that name. @throws a refusal at `source` when there is none. */
export async function marketOf(markets: Markets, source: string): Promise<Market> {
  const market = await markets.get(source);
  if (market === undefined) throw refused('unknownSource', '', 'source');
  return market;
}

/** The source of that name, where orders can go. @throws a refusal at `field` when there is none, or it is followed no more. */
export async function tradedMarketOf(markets: Markets, source: string, field = 'source'): Promise<Market> {
  const market = await markets.get(source);
  if (market === undefined) throw refused('unknownSource', '', field);
  if (market.kind !== 'live' && isLiveSource(source)) throw refused('sourceNotTraded', '', field);
  return market;
}

/** @throws a refusal at `field` while an exchange that has just begun to be followed has told nothing. */
export async function mustBeHeard(market: Market | undefined, field = 'source'): Promise<void> {
  if ((await market?.isHeard?.()) === false) throw refused('sourceUnheard', sourceName(market!.source), field);
}

/** The symbol of a source; perpetuals unless other kinds are asked for. @throws a refusal at `symbol` when the source does not list it. */
export async function instrumentOf(
  market: Market,
  symbol: string,
  kinds?: readonly InstrumentKind[],
): Promise<Instrument> {
  const find = async () => (await market.instruments(kinds)).find((instrument) => instrument.symbol === symbol);
  const known = await find();
  if (known) return known;
  await mustBeHeard(market);
  const found = await find();
  if (found === undefined) throw refused('unknownSymbol', symbol, 'symbol');
  return found;
}
