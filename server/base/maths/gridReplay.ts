import { HOUR_MS } from '#contract/duration';
import { type GridShape, levelPrice } from './grid';
import type { GridNote } from './gridLadder';
import { gridRecord } from './gridRecord';

/** Hours ascending in time; `time` is when they open, UTC ms. */
interface Hours {
  time: ArrayLike<number>;
  open: ArrayLike<number>;
  high: ArrayLike<number>;
  low: ArrayLike<number>;
  close: ArrayLike<number>;
}

export interface ReplayRules extends GridShape {
  trailing: boolean;
  compound: boolean;
  triggerAbove: number | null;
  triggerBelow: number | null;
  stopLow: number | null;
  stopHigh: number | null;
  /** Fractions of the capital. */
  stopLoss: number | null;
  takeProfit: number | null;
}

interface Replayed {
  rules: ReplayRules;
  hours: Hours;
  /** Settlements: UTC ms, a fraction of the notional, paid by who is long. */
  settlements: { time: ArrayLike<number>; rate: ArrayLike<number> };
  /** How it begins at a price: which cells buy first, which hold, and how much each. */
  noteAt: (price: number) => GridNote;
  /** Fractions of the notional. */
  makerFee: number;
  takerFee: number;
  /** Fees of purchases are taken in the coin (F28). */
  inCoin: boolean;
  /** It begins with coin that is there already. */
  startsFree: boolean;
  /** What was put in, USDT. */
  capital: number;
}

type End = 'stopLow' | 'stopHigh' | 'stopLoss' | 'takeProfit';

/** What a cell holds: base currency, signed, and what it cost with its fee, USDT. */
interface Holding {
  signed: number;
  cost: number;
}

/** One grid on its way through the hours. */
class Replay {
  readonly #of: Replayed;
  readonly #note: GridNote;
  readonly #tick: number;
  readonly #held = new Map<number, Holding>();
  readonly #levels = new Map<number, number>();
  #first = 0;
  /** What each cell of the range waits for: its price, and whether that is met from above. */
  #waits: { price: number[]; isBelow: boolean[] } = { price: [], isBelow: [] };
  position = 0;
  readonly fills: { at: number; signed: number; price: number; fee: number }[] = [];
  pairs = 0;
  gridProfit = 0;
  cash = 0;

  constructor(of: Replayed, note: GridNote, at: number, price: number) {
    this.#of = of;
    this.#note = note;
    this.#tick = Number(note.tickSize);
    const signed = Number(note.quantity) * (note.anchor > 0 ? 1 : -1);
    // Coin of its own costs no fee.
    const fee = of.startsFree ? 0 : of.takerFee;
    // So much more is bought as the fee takes.
    const asked = of.inCoin && signed > 0 ? signed / (1 - fee) : signed;
    for (let i = 0; i < note.startCells; i += 1) this.#buy(note.startFrom + i, asked, price, at, fee);
    this.#awaitAll();
  }

  /** The range now, USDT. */
  range() {
    const { rules } = this.#of;
    return { lower: this.#level(this.#first), upper: this.#level(this.#first + rules.cells) };
  }

  /** Within one bar nobody knows which came first: a cell takes one step a bar. */
  step(at: number, low: number, high: number, close: number): void {
    const { price, isBelow } = this.#waits;
    for (let i = 0; i < price.length; i += 1) {
      if (isBelow[i] ? low > price[i]! : high < price[i]!) continue;
      this.#stepCell(this.#first + i, price[i]!, at);
      this.#await(i);
    }
    this.#follow(close);
  }

  #stepCell(cell: number, price: number, at: number): void {
    const { makerFee } = this.#of;
    const holding = this.#held.get(cell);
    if (holding !== undefined) this.#sell(cell, holding, price, at, makerFee);
    else this.#buy(cell, this.#quantity() * (this.#isLong(cell) ? 1 : -1), price, at, makerFee);
  }

  /** What buys first waits below and then above, what sells first the other way round. */
  #await(i: number): void {
    const cell = this.#first + i;
    const isBelow = this.#isLong(cell) !== this.#held.has(cell);
    this.#waits.isBelow[i] = isBelow;
    this.#waits.price[i] = this.#level(isBelow ? cell : cell + 1);
  }

  #awaitAll(): void {
    for (let i = 0; i < this.#of.rules.cells; i += 1) this.#await(i);
  }

  /** Everything at one price. */
  end(at: number, price: number): void {
    for (const { signed } of this.#held.values()) this.#trade(at, -signed, price, signed, this.#of.takerFee);
    this.#held.clear();
  }

  settle(rate: number, price: number): number {
    const amount = -this.position * price * rate;
    this.cash += amount;
    return amount;
  }

  /** What it would be worth at a price, USDT. */
  netAt(price: number): number {
    return this.cash + this.position * price;
  }

  /** Cells of one that follows the price are all on its one side. */
  #isLong(cell: number): boolean {
    const { anchor } = this.#note;
    return anchor === this.#of.rules.cells || (anchor > 0 && cell < anchor);
  }

  #level(level: number): number {
    const known = this.#levels.get(level);
    if (known !== undefined) return known;
    const price = levelPrice(this.#of.rules, this.#tick, level);
    this.#levels.set(level, price);
    return price;
  }

  #quantity(): number {
    const { rules, capital } = this.#of;
    const grown = rules.compound ? 1 + Math.max(0, this.gridProfit / capital) : 1;
    const lot = Number(this.#note.lotSize);
    return Number((Math.floor((Number(this.#note.quantity) * grown) / lot + 1e-9) * lot).toPrecision(12));
  }

  #follow(close: number): void {
    if (!this.#of.rules.trailing) return;
    const isLong = this.#note.anchor > 0;
    const gone = () => (isLong ? this.#first : this.#first + this.#of.rules.cells - 1);
    const before = this.#first;
    // What still holds is not left behind.
    while (!this.#held.has(gone()) && (isLong ? close > this.range().upper : close < this.range().lower))
      this.#first += isLong ? 1 : -1;
    if (this.#first !== before) this.#awaitAll();
  }

  #buy(cell: number, signed: number, price: number, at: number, fee: number): void {
    const received = this.#of.inCoin && signed > 0 ? signed * (1 - fee) : signed;
    const paid = this.#trade(at, received, price, signed, fee);
    this.#held.set(cell, { signed: received, cost: received * price + paid });
  }

  #sell(cell: number, { signed, cost }: Holding, price: number, at: number, fee: number): void {
    const paid = this.#trade(at, -signed, price, signed, fee);
    this.gridProfit += signed * price - paid - cost;
    this.pairs += 1;
    this.#held.delete(cell);
  }

  /** @param signed what it holds more. @param traded what the fee is of. @returns the fee, USDT. */
  #trade(at: number, signed: number, price: number, traded: number, rate: number): number {
    const fee = Math.abs(traded) * price * rate;
    this.cash -= signed * price + fee;
    this.position += signed;
    this.fills.push({ at, signed, price, fee });
    return fee;
  }
}

const mayBegin = (price: number, { lower, upper, triggerAbove, triggerBelow }: ReplayRules): boolean =>
  price > lower &&
  price < upper &&
  (triggerAbove === null || price >= triggerAbove) &&
  (triggerBelow === null || price <= triggerBelow);

/** Why it ends within a bar, and at what price. */
function endOf(of: Replayed, replay: Replay, low: number, high: number, close: number): [End, number] | null {
  const { stopLow, stopHigh, stopLoss, takeProfit } = of.rules;
  if (stopLow !== null && low <= stopLow) return ['stopLow', stopLow];
  if (stopHigh !== null && high >= stopHigh) return ['stopHigh', stopHigh];
  const net = replay.netAt(close);
  if (stopLoss !== null && net <= -stopLoss * of.capital) return ['stopLoss', close];
  return takeProfit !== null && net >= takeProfit * of.capital ? ['takeProfit', close] : null;
}

/**
 * A grid over hours that have passed: begins at the first close within its range and past its trigger, each cell takes at most
 * one step an hour at its own price, funding is paid on what is held at the close before, and it ends by its own rules or
 * is valued at the last close. Prices in the quote currency, money in USDT.
 */
export function gridReplay(of: Replayed) {
  const { hours, rules } = of;
  const { time, close } = hours;
  const first = Array.from(close).findIndex((price) => mayBegin(price, rules));
  if (first < 0) return { ...resultOf(of, null, { funding: [], ranges: new Map(), last: -1 }), ...NEVER };
  const startedAt = time[first]! + HOUR_MS;
  const startPrice = close[first]!;
  const replay = new Replay(of, of.noteAt(startPrice), startedAt, startPrice);
  const ran = run(of, replay, first);
  const result = resultOf(of, { replay, first, startedAt, startPrice }, ran);
  const { ended } = ran;
  return { ...result, startedAt, endedAt: ended?.at ?? null, endReason: ended?.reason ?? null };
}

const NEVER = { startedAt: null, endedAt: null, endReason: null } as const;

interface Ran {
  funding: { at: number; amount: number }[];
  /** By the instant of a close. */
  ranges: Map<number, { lower: number; upper: number }>;
  /** The last bar that it stood in. */
  last: number;
  ended?: { at: number; reason: End };
}

/** From the bar after the one that it began at to the last one, or to its own end. */
function run(of: Replayed, replay: Replay, first: number): Ran {
  const { time, open, low, high, close } = of.hours;
  const { settlements } = of;
  const ran: Ran = { funding: [], ranges: new Map(), last: first };
  const startedAt = time[first]! + HOUR_MS;
  ran.ranges.set(startedAt, replay.range());
  let next = Array.from(settlements.time).findIndex((at) => at > startedAt);
  if (next < 0) next = settlements.time.length;
  for (let i = first + 1; i < time.length && ran.ended === undefined; i += 1) {
    const at = time[i]! + HOUR_MS;
    for (; next < settlements.time.length && settlements.time[next]! <= at; next += 1)
      ran.funding.push({ at, amount: replay.settle(settlements.rate[next]!, open[i]!) });
    replay.step(at, low[i]!, high[i]!, close[i]!);
    const end = endOf(of, replay, low[i]!, high[i]!, close[i]!);
    if (end !== null) {
      replay.end(at, end[1]);
      ran.ended = { at, reason: end[0] };
    }
    ran.ranges.set(at, replay.range());
    ran.last = i;
  }
  return ran;
}

interface Started {
  replay: Replay;
  first: number;
  startedAt: number;
  startPrice: number;
}

function resultOf({ hours, capital }: Replayed, started: Started | null, { funding, ranges, last }: Ran) {
  const prices = [];
  for (let i = started?.first ?? 0; i <= last; i += 1)
    prices.push({ at: hours.time[i]! + HOUR_MS, price: hours.close[i]! });
  const until = prices.at(-1)?.at ?? 0;
  const fills = started?.replay.fills ?? [];
  const record = gridRecord({
    ...{ fills, funding, prices, capital, from: started?.startedAt ?? until, until },
    startPrice: started?.startPrice ?? null,
    rangeAt: (at) => ranges.get(at)!,
  });
  const gridProfit = started?.replay.gridProfit ?? 0;
  return {
    ...record,
    ...{ bars: hours.time.length, pairCount: started?.replay.pairs ?? 0, gridProfit },
    floating: (record.net.at(-1) ?? 0) - gridProfit,
    funding: funding.reduce((sum, { amount }) => sum + amount, 0),
    fees: fills.reduce((sum, { fee }) => sum + fee, 0),
    time: prices.map(({ at }) => at),
  };
}
