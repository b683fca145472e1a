import type { BacktestQuery } from '#contract/backtest';
import { BAR_MS, BARS, type Bar } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { BASKET_SIZE, basketOf } from '#contract/pair';
import { invalid, refused } from '../../base/http/refusal';
import type { BacktestInput, BacktestSymbol } from '../../base/maths/backtest';
import type { Candles } from '../../base/maths/candles';
import type { Bars } from '../../base/maths/closes';
import type { Instrument, Market } from '../../market/exchange';

type Side = 'long' | 'short';
const LABEL: Record<Side, string> = { long: '多头', short: '空头' };

/** What is run, and the words of the request that its answer repeats. */
export interface PreparedBacktest {
  bar: Bar;
  long: string[];
  short: string[];
  input: BacktestInput;
}

/**
 * Reads everything that a backtest needs from the market. Candles come whole, so that the answer can say how far each
 * symbol's history reaches; the maths cuts the window.
 * @throws refusals that name the field at fault.
 */
export async function backtestInput(market: Market, query: BacktestQuery): Promise<PreparedBacktest> {
  const sides = { long: coinsOf('long', query), short: coinsOf('short', query) };
  const both = sides.long.filter((symbol) => sides.short.includes(symbol));
  if (both.length > 0) throw refused('backtestSameSymbol', both.join('、'), 'short');
  const { start, end } = query;
  if (start !== undefined && end !== undefined && start >= end) throw invalid('end', '结束时间必须晚于开始时间');

  const instruments = new Map((await market.instruments()).map((instrument) => [instrument.symbol, instrument]));
  const known = (side: Side) => sides[side].filter((symbol) => !instruments.has(symbol));
  const unknown = { long: known('long'), short: known('short') };
  if (unknown.long.length + unknown.short.length > 0) {
    const names = [...unknown.long, ...unknown.short].join('、');
    throw refused('backtestUnknownSymbol', names, unknown.long.length > 0 ? 'long' : 'short');
  }

  const chosen = [...sides.long, ...sides.short].map((symbol) => instruments.get(symbol)!);
  const bar = commonBar(chosen, query.bar);
  const load = (symbol: string) => loadSymbol(market, instruments.get(symbol)!, bar, query.funding);
  const [long, short, benchmark] = await Promise.all([
    Promise.all(sides.long.map(load)),
    Promise.all(sides.short.map(load)),
    loadBitcoin(market, [...instruments.values()], bar),
  ]);
  const { capital, leverage, rebalance, fee, slippage, funding, days } = query;
  const money = { capital, leverage, rebalance, fee, slippage, funding };
  const window = { days, ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  const rule = ruleOf(query);
  return { bar, ...sides, input: { long, short, barMs: BAR_MS[bar], ...window, ...money, ...rule, benchmark } };
}

/** @throws at `exitZ` where it would go out before it goes in. */
function ruleOf(query: BacktestQuery): Pick<BacktestInput, 'rule'> {
  const { entryZ, exitZ, zWindow, stopLoss, takeProfit, maxHoldingHours } = query;
  if (entryZ === 0) return {};
  if (exitZ >= entryZ) throw invalid('exitZ', '出场 z 必须小于入场 z');
  return {
    rule: {
      ...{ entryZ, exitZ, window: zWindow },
      ...{ stopLoss: stopLoss || null, takeProfit: takeProfit || null },
      maxHoldingMs: maxHoldingHours === 0 ? null : maxHoldingHours * HOUR_MS,
    },
  };
}

function coinsOf(side: Side, query: BacktestQuery): string[] {
  const coins = basketOf(query[side]);
  if (coins.length === 0) throw invalid(side, `请输入${LABEL[side]}`);
  if (coins.length > BASKET_SIZE) throw invalid(side, `${LABEL[side]}最多 ${BASKET_SIZE} 个币种`);
  return coins;
}

/** The bar asked for, else the coarsest one that every symbol has. */
function commonBar(chosen: Instrument[], wanted: Bar | undefined): Bar {
  const common = BARS.filter((bar) => chosen.every(({ bars }) => bars.includes(bar)));
  const bar = wanted ?? common[0];
  if (bar !== undefined && common.includes(bar)) return bar;
  const lacking = chosen.filter(({ bars }) => wanted === undefined || !bars.includes(wanted));
  const stored = lacking.map(({ symbol, bars }) => `${symbol} 只有 ${bars.join('、') || '0 根'}`);
  throw refused('backtestBarMissing', stored.join('；'), 'bar');
}

async function loadSymbol(
  market: Market,
  { symbol, fundingHours }: Instrument,
  bar: Bar,
  withFunding: boolean,
): Promise<BacktestSymbol> {
  const [candles, funding] = await Promise.all([
    market.candles(symbol, bar),
    withFunding ? market.funding(symbol) : null,
  ]);
  if (candles === null) throw refused('backtestBarMissing', symbol, 'bar');
  return { symbol, bars: barsOf(candles), funding, fundingHours };
}

async function loadBitcoin(market: Market, instruments: Instrument[], bar: Bar): Promise<Bars | null> {
  const bitcoin =
    instruments.find(({ symbol }) => symbol === 'BTCUSDT') ?? instruments.find(({ base }) => base === 'BTC');
  const candles = bitcoin ? await market.candles(bitcoin.symbol, bar) : null;
  return candles && barsOf(candles);
}

/** Only what is computed with goes to the other thread. */
function barsOf({ time, open, high, low, close }: Candles): Bars {
  return { time, open, high, low, close };
}
