import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { Database } from '#server/base/db/client';
import type { Markets } from '#server/market/exchange';
import { createPaperVenue, type PaperVenueOptions } from '#server/market/paper/paperVenue';
import type { Side, TradingTerms, VenueEvent, VenueOrder, VenueRefusalReason } from '#server/market/venue';
import { type HandCoin, handMarket, handMarkets } from './handMarket';

export const START = Date.UTC(2026, 0, 15, 6, 30);

/** Times of the settlements of a coin and their rate; the coin's `price` may be set to move it. */
interface MovingCoin {
  price: number;
  turnover24h?: number | null;
  fundingHours?: number;
  rate?: number;
  /** Trades until then, UTC ms. */
  stoppedAt?: number;
  terms?: HandCoin['instrument'];
}

const STEPS = { tickSize: '0.01', lotSize: '0.01', minNotional: '5', maxLeverage: 20 };

/** What such a coin trades by at the paper venue. */
export const termsOf = (symbol: string): TradingTerms => ({
  source: 'simulated',
  symbol,
  kind: 'perpetual',
  base: symbol.replace(/USDT$/, ''),
  expiresAt: null,
  ...STEPS,
  makerFee: 0.0002,
  takerFee: 0.0005,
  deliveryFee: 0,
  collateralRatio: 0,
  maintenanceRate: 0.01,
});

/** Every settlement from START on, for ten days. */
function settlements({ fundingHours, rate = 0.0001 }: MovingCoin) {
  if (fundingHours === undefined) return undefined;
  const first = Math.ceil(START / (fundingHours * HOUR_MS)) * fundingHours * HOUR_MS;
  const time = Array.from({ length: 240 / fundingHours }, (_, i) => first + i * fundingHours * HOUR_MS);
  return { time, rate: time.map(() => rate) };
}

/** A market of coins whose prices a test moves, and the clock to go with it. */
export function movingMarket<Name extends string>(coins: Record<Name, MovingCoin>, source = 'simulated') {
  const clock = { now: START };
  const handCoins = Object.entries<MovingCoin>(coins).map(([name, coin]): [string, HandCoin] => {
    const { fundingHours = null, stoppedAt = Number.POSITIVE_INFINITY, terms = STEPS } = coin;
    const funding = settlements(coin);
    return [
      name,
      {
        start: START - 30 * 24 * HOUR_MS,
        closes: { '1d': Array.from({ length: 30 }, () => coin.price) },
        instrument: { fundingHours, ...terms },
        price: () => coin.price,
        get ticker() {
          const { turnover24h = 210e6 } = coin;
          return clock.now < stoppedAt ? { turnover24h } : { turnover24h: null, at: stoppedAt, nextFundingAt: null };
        },
        ...(funding ? { funding } : {}),
      },
    ];
  });
  const market = handMarket(source, Object.fromEntries(handCoins), () => clock.now);
  return {
    coins,
    market,
    markets: handMarkets(market) as Markets,
    clock: () => clock.now,
    /** Prices are looked at anew every second. */
    wait(ms = 1000) {
      clock.now += ms;
    },
    set(name: Name, price: number) {
      coins[name].price = price;
      clock.now += 1000;
    },
  };
}

/** Enters at 95 of AAAUSDT in `wavingMarket`, and leaves at 100. */
export const BY_Z = {
  entry: 'z',
  entryZ: 2,
  exitZ: 0.5,
  stopLoss: null,
  takeProfit: null,
  rebalance: null,
} as const satisfies Partial<HedgeSettings>;

/** A market of two coins whose closes move, so that their spread has a deviation. */
export function wavingMarket() {
  const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
  const candles = moving.market.candles.bind(moving.market);
  moving.market.candles = async (symbol, bar, range) => {
    const all = await candles(symbol, bar, range);
    if (!all) return all;
    const [size, pace] = symbol === 'AAAUSDT' ? [0.01, 1] : [0.02, 0.7];
    return { ...all, close: all.close.map((value, i) => value * (1 + size * Math.sin(i * pace))) };
  };
  return moving;
}

let made = 0;

/** An account with 10,000 USDT at a venue, and short words for what one does there. */
export async function openDesk(
  db: Database,
  market: Pick<ReturnType<typeof movingMarket>, 'markets' | 'clock'>,
  options: Partial<PaperVenueOptions> & { capital?: string } = {},
) {
  made += 1;
  const account = `account-${made}`;
  const { capital = '10000', ...rest } = options;
  const venue = createPaperVenue({ db, clock: market.clock, markets: market.markets, ...rest });
  await venue.open(account, capital);
  let orders = 0;
  const order = (side: Side, quantity: string, over: Partial<VenueOrder> = {}): VenueOrder => {
    orders += 1;
    return {
      clientId: `${account}-order-${orders}`,
      account,
      source: 'simulated',
      symbol: 'AAAUSDT',
      side,
      type: 'market',
      quantity,
      limitPrice: side === 'buy' ? '1000000' : '0.01',
      reduceOnly: false,
      leverage: 10,
      ...over,
    };
  };
  return {
    account,
    venue,
    order,
    submit: (side: Side, quantity: string, over: Partial<VenueOrder> = {}) => venue.submit(order(side, quantity, over)),
    refusal: (side: Side, quantity: string, over: Partial<VenueOrder> = {}): Promise<VenueRefusalReason> =>
      venue.submit(order(side, quantity, over)).then(
        (report) => {
          throw new Error(`done: ${JSON.stringify(report)}`);
        },
        ({ reason }) => reason,
      ),
    events: (after = 0) => venue.events(account, after),
    /** Signed position. */
    held: async (symbol = 'AAAUSDT') =>
      (await venue.positions(account)).find((position) => position.symbol === symbol)?.quantity ?? '0',
  };
}

/** Cash that the events of an account add up to. */
export function cashOf(events: VenueEvent[]): Big {
  return events.reduce((cash, event) => {
    if (event.kind === 'orderEnd') return cash;
    if (event.kind === 'move') return cash.plus(event.amount).minus(event.fee ?? 0);
    if (event.kind !== 'fill') return cash.plus(event.amount);
    const notional = new Big(event.quantity).times(event.price);
    return (event.side === 'buy' ? cash.minus(notional) : cash.plus(notional)).minus(event.fee);
  }, new Big(0));
}
