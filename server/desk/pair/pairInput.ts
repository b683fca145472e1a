import { BARS, type Bar } from '#contract/candle';
import type { QueryOf } from '#contract/endpoint';
import { BASKET_SIZE, basketOf, type pair } from '#contract/pair';
import { invalid, refused } from '../../base/http/refusal';
import { type UsableCloses, usableCloses } from '../../base/maths/closes';
import { mapYielding } from '../../base/work/loopTurns';
import type { Instrument, Market } from '../../market/exchange';
import { perpetualOf } from '../../market/perpetualOf';

type Query = QueryOf<typeof pair.facts>;
type Side = 'long' | 'short';
const LABEL: Record<Side, string> = { long: '多头', short: '空头' };

export interface PairCoin {
  instrument: Instrument;
  closes: UsableCloses;
}

/** A pair with its candles; every symbol has `bar`, which is one of `commonBars`. */
export interface PairInput {
  bar: Bar;
  commonBars: Bar[];
  long: PairCoin[];
  short: PairCoin[];
  bitcoin: UsableCloses | null;
}

function coinsOf(side: Side, query: Query): string[] {
  const coins = basketOf(query[side]);
  if (coins.length === 0) throw invalid(side, `请输入${LABEL[side]}`);
  if (coins.length > BASKET_SIZE) throw invalid(side, `${LABEL[side]}最多 ${BASKET_SIZE} 个币种`);
  return coins;
}

function known(side: Side, coins: string[], instruments: Map<string, Instrument>): Instrument[] {
  const unknown = coins.filter((symbol) => !instruments.has(symbol));
  if (unknown.length > 0) throw refused('unknownSymbol', unknown.join('、'), side);
  return coins.map((symbol) => instruments.get(symbol)!);
}

/** The bar asked for, else the coarsest one that every symbol has, and all that every symbol has. */
function barsOf(chosen: Instrument[], wanted: Bar | undefined): Pick<PairInput, 'bar' | 'commonBars'> {
  const commonBars = BARS.filter((bar) => chosen.every(({ bars }) => bars.includes(bar)));
  const bar = wanted ?? commonBars[0];
  if (bar !== undefined && commonBars.includes(bar)) return { bar, commonBars };
  const lacking = chosen.filter(({ bars }) => wanted === undefined || !bars.includes(wanted));
  const stored = lacking.map(({ symbol, bars }) => `${symbol} 只有 ${bars.join('、') || '0 根'}`);
  throw refused('backtestBarMissing', stored.join('；'), 'bar');
}

/** Checks both sides and reads their candles. @throws refusals that name the field at fault. */
export async function pairInput(market: Market, query: Query): Promise<PairInput> {
  const sides = { long: coinsOf('long', query), short: coinsOf('short', query) };
  const both = sides.long.filter((symbol) => sides.short.includes(symbol));
  if (both.length > 0) throw refused('backtestSameSymbol', both.join('、'), 'short');
  const all = await market.instruments();
  const instruments = new Map(all.map((instrument) => [instrument.symbol, instrument]));
  const long = known('long', sides.long, instruments);
  const short = known('short', sides.short, instruments);
  const { bar, commonBars } = barsOf([...long, ...short], query.bar);
  const load = async (instrument: Instrument): Promise<PairCoin> => {
    const candles = await market.candles(instrument.symbol, bar);
    if (candles === null) throw refused('backtestBarMissing', instrument.symbol, 'bar');
    return { instrument, closes: usableCloses(candles) };
  };
  const bitcoin = perpetualOf(all, 'BTC');
  const bitcoinCandles = bitcoin && (await market.candles(bitcoin.symbol, bar));
  return {
    bar,
    commonBars,
    long: await mapYielding(long, load),
    short: await mapYielding(short, load),
    bitcoin: bitcoinCandles && usableCloses(bitcoinCandles),
  };
}
