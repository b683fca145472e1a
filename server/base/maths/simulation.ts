import type { Settlements } from './settlement';

export interface SimulationInput {
  /** Number of closes, at least 2. */
  closes: number;
  /** One column of closes per symbol, quote currency. */
  prices: readonly Float64Array[];
  /** +1 long, -1 short, per symbol. */
  sides: Int8Array;
  /** Per symbol; `null`: funding is not charged. */
  settlements: readonly Settlements[] | null;
  capital: number;
  leverage: number;
  /** Share of the gross exposure on the long side, a fraction; half where it is not given. */
  longShare?: number;
  rebalance: number;
  fee: number;
  slippage: number;
  /** What is held from which close to which, ascending and apart; all of the run where it is not given. */
  stretches?: readonly Stretch[];
}

/** Closes of the run by number: where it goes in, and out. */
export interface Stretch {
  from: number;
  to: number;
}

/**
 * Holding periods between rebalances. Period k lasts from close `starts[k]` to close `ends[k]`; the row of
 * symbol s in it is k x symbols + s. Money in the quote currency, costs positive.
 */
export interface Holdings {
  periods: number;
  starts: Int32Array;
  ends: Int32Array;
  /** Signed, base currency. */
  quantity: Float64Array;
  /** Received is positive. */
  funding: Float64Array;
  /** |dq| x p of the change that began the period, and of the close that ended what was held. */
  traded: Float64Array;
}

export interface Simulation {
  /** Equity after every close that was reached. */
  equity: Float64Array;
  /** Running net result (price + funding - costs) of either side. */
  longLeg: Float64Array;
  shortLeg: Float64Array;
  /** sum |q| p and sum q p at each close but the first, with the quantities held up to it; 0 at the first. */
  gross: Float64Array;
  net: Float64Array;
  holdings: Holdings;
  liquidated: boolean;
  /** Loss beyond the equity that the last close cut off at 0, quote currency, 0 or above: nobody pays it here. */
  shortfall: number;
}

/** Maintenance margin as a fraction of the gross exposure: at or below it a run is liquidated (docs/formulas.md, step 4). */
export const MAINTENANCE_RATE = 0.005;

/**
 * Steps 2 to 4 of the neutral backtest (docs/formulas.md). Between rebalances quantities stand still, so the loop goes symbol
 * by symbol along the closes of a period, which is what the memory likes; equity then follows from the sums per close.
 */
export function simulate(input: SimulationInput): Simulation {
  const { closes, stretches = [{ from: 0, to: closes - 1 }] } = input;
  const run = new Run(input, stretches);
  for (const { from, to } of stretches) {
    run.wait(from);
    run.enter();
    while (run.holds) run.hold(to);
    if (run.ended) return run.result();
  }
  run.wait(closes - 1);
  return run.result();
}

class Run {
  /** Whether something is held. */
  holds = false;
  /** The money is gone. */
  ended = false;
  private liquidated = false;
  private shortfall = 0;
  private at = 0;
  private equityNow: number;
  private longNow = 0;
  private shortNow = 0;
  private readonly symbols: number;
  private readonly costRate: number;
  /** Share of the gross exposure that each symbol gets, signed. */
  private readonly share: Float64Array;
  private readonly quantity: Float64Array;
  private readonly settled: Int32Array;
  private readonly equity: Float64Array;
  private readonly longLeg: Float64Array;
  private readonly shortLeg: Float64Array;
  /** Value of either side at each close, with the quantities held up to it. */
  private readonly longValue: Float64Array;
  private readonly shortValue: Float64Array;
  private readonly longFunding: Float64Array;
  private readonly shortFunding: Float64Array;
  private readonly holdings: Holdings;

  constructor(
    private readonly input: SimulationInput,
    stretches: readonly Stretch[],
  ) {
    const { closes, sides, rebalance, longShare = 0.5 } = input;
    this.symbols = sides.length;
    this.equityNow = input.capital;
    this.costRate = input.fee + input.slippage;
    const longs = sides.filter((side) => side > 0).length;
    this.share = Float64Array.from(sides, (side) =>
      side > 0 ? longShare / longs : (longShare - 1) / (this.symbols - longs),
    );
    this.quantity = new Float64Array(this.symbols);
    this.settled = new Int32Array(this.symbols);
    const column = () => new Float64Array(closes);
    this.equity = column();
    this.longLeg = column();
    this.shortLeg = column();
    this.longValue = column();
    this.shortValue = column();
    this.longFunding = column();
    this.shortFunding = column();
    const periods = stretches.reduce(
      (sum, { from, to }) => sum + (rebalance > 0 ? Math.ceil((to - from) / rebalance) : 1),
      0,
    );
    const rows = () => new Float64Array(periods * this.symbols);
    const ends = () => new Int32Array(periods);
    this.holdings = {
      ...{ periods: 0, starts: ends(), ends: ends() },
      ...{ quantity: rows(), funding: rows(), traded: rows() },
    };
    this.record();
  }

  /** Holds nothing up to a close. */
  wait(close: number): void {
    while (this.at < close) {
      this.at++;
      this.record();
    }
    for (let s = 0; s < this.symbols; s++) {
      const bar = this.input.settlements?.[s]?.bar ?? [];
      while (this.settled[s]! < bar.length && bar[this.settled[s]!]! <= close) this.settled[s]!++;
    }
  }

  /** Sets quantities at the present close. When the costs alone eat the equity, a period of no length books them. */
  enter(): void {
    this.holds = true;
    this.setQuantities();
    if (this.equityNow > 0) this.record();
    else {
      this.liquidated = true;
      this.closePeriod(this.at);
      this.exit();
    }
  }

  /** One period: from the present close to the next rebalance, the close it goes out at, or the end of the money. */
  hold(until: number): void {
    const { rebalance } = this.input;
    const from = this.at;
    const to = rebalance > 0 ? Math.min(from + rebalance, until) : until;
    const startLong = this.valueOf(from, 1);
    const startShort = this.valueOf(from, -1);
    this.fillValues(from, to);
    this.fillFunding(to);
    this.walk(from, to, startLong, startShort);
    this.closePeriod(from);
    if (this.liquidated || this.at === until) this.exit();
    else this.enter();
  }

  result(): Simulation {
    const reached = this.at + 1;
    const cut = (column: Float64Array) => column.subarray(0, reached);
    const shortValue = cut(this.shortValue);
    const longValue = cut(this.longValue);
    return {
      equity: cut(this.equity),
      longLeg: cut(this.longLeg),
      shortLeg: cut(this.shortLeg),
      gross: longValue.map((value, i) => value - shortValue[i]!),
      net: longValue.map((value, i) => value + shortValue[i]!),
      holdings: this.holdings,
      liquidated: this.liquidated,
      shortfall: this.shortfall,
    };
  }

  /** New quantities from the present equity; each change costs, after all of them were set. */
  private setQuantities(): void {
    const { prices, sides, leverage } = this.input;
    const gross = this.equityNow * leverage;
    const row = this.holdings.periods * this.symbols;
    let long = 0;
    let short = 0;
    for (let s = 0; s < this.symbols; s++) {
      const price = prices[s]![this.at]!;
      const target = (gross * this.share[s]!) / price;
      const traded = Math.abs(target - this.quantity[s]!) * price;
      this.quantity[s] = target;
      this.holdings.quantity[row + s] = target;
      this.holdings.traded[row + s] = traded;
      if (sides[s]! > 0) long += traded;
      else short += traded;
    }
    this.pay(long, short);
  }

  /** Closes everything at the present close and pays for it; what is lost beyond the equity is cut off, and the run ends. */
  private exit(): void {
    const { prices, sides } = this.input;
    const row = (this.holdings.periods - 1) * this.symbols;
    let long = 0;
    let short = 0;
    for (let s = 0; s < this.symbols; s++) {
      const traded = Math.abs(this.quantity[s]!) * prices[s]![this.at]!;
      this.quantity[s] = 0;
      this.holdings.traded[row + s]! += traded;
      if (sides[s]! > 0) long += traded;
      else short += traded;
    }
    this.pay(long, short);
    if (this.equityNow <= 0) {
      this.liquidated = true;
      this.shortfall = -this.equityNow + 0;
      this.equityNow = 0;
    }
    this.record();
    this.holds = false;
    this.ended = this.liquidated;
  }

  private pay(long: number, short: number): void {
    this.equityNow -= (long + short) * this.costRate;
    this.longNow -= long * this.costRate;
    this.shortNow -= short * this.costRate;
  }

  private record(): void {
    this.equity[this.at] = this.equityNow;
    this.longLeg[this.at] = this.longNow;
    this.shortLeg[this.at] = this.shortNow;
  }

  /** Asked after a close's price move and funding, before anything is traded at it. */
  private isLiquidatedAt(close: number): boolean {
    const gross = this.longValue[close]! - this.shortValue[close]!;
    return this.equityNow <= MAINTENANCE_RATE * gross;
  }

  private valueOf(close: number, side: 1 | -1): number {
    const { prices, sides } = this.input;
    let value = 0;
    for (let s = 0; s < this.symbols; s++) if (sides[s] === side) value += this.quantity[s]! * prices[s]![close]!;
    return value;
  }

  private fillValues(from: number, to: number): void {
    const { prices, sides } = this.input;
    for (let s = 0; s < this.symbols; s++) {
      const value = sides[s]! > 0 ? this.longValue : this.shortValue;
      const price = prices[s]!;
      const quantity = this.quantity[s]!;
      for (let i = from + 1; i <= to; i++) value[i]! += quantity * price[i]!;
    }
  }

  private fillFunding(to: number): void {
    const { prices, sides, settlements } = this.input;
    if (settlements === null) return;
    const row = this.holdings.periods * this.symbols;
    for (let s = 0; s < this.symbols; s++) {
      const { bar, rate } = settlements[s]!;
      const cash = sides[s]! > 0 ? this.longFunding : this.shortFunding;
      let next = this.settled[s]!;
      let sum = 0;
      for (; next < bar.length && bar[next]! <= to; next++) {
        const received = -this.quantity[s]! * prices[s]![bar[next]!]! * rate[next]!;
        cash[bar[next]!]! += received;
        sum += received;
      }
      this.settled[s] = next;
      this.holdings.funding[row + s] = sum;
    }
  }

  private walk(from: number, to: number, startLong: number, startShort: number): void {
    let longBefore = startLong;
    let shortBefore = startShort;
    for (this.at = from + 1; ; this.at++) {
      const i = this.at;
      const long = this.longValue[i]! - longBefore + this.longFunding[i]!;
      const short = this.shortValue[i]! - shortBefore + this.shortFunding[i]!;
      longBefore = this.longValue[i]!;
      shortBefore = this.shortValue[i]!;
      this.equityNow += long + short;
      this.longNow += long;
      this.shortNow += short;
      this.record();
      this.liquidated = this.isLiquidatedAt(i);
      if (this.liquidated || i === to) return;
    }
  }

  private closePeriod(from: number): void {
    const { starts, ends } = this.holdings;
    starts[this.holdings.periods] = from;
    ends[this.holdings.periods] = this.at;
    this.holdings.periods++;
    if (this.liquidated) this.takeBackFunding(this.holdings.periods - 1);
  }

  /** Funding was summed to the period's planned end; a liquidation ends it before. */
  private takeBackFunding(period: number): void {
    const { prices, settlements } = this.input;
    if (settlements === null) return;
    for (let s = 0; s < this.symbols; s++) {
      const { bar, rate } = settlements[s]!;
      for (let k = this.settled[s]! - 1; k >= 0 && bar[k]! > this.at; k--) {
        this.holdings.funding[period * this.symbols + s]! += this.quantity[s]! * prices[s]![bar[k]!]! * rate[k]!;
      }
    }
  }
}
