import { HOUR_MS } from '#contract/duration';
import type { AttributionBy, AttributionRow, HedgeFigures, HoldingBucket, Statistic } from '#contract/statistic';
import type { EndedHedge, EndedLeg } from '../../base/db/strategies/statistic';
import { FEWEST_TRADES, tradeStatistics } from '../../base/maths/performance';
import { mean } from '../../base/maths/statistics';
import { mapYielding, nextTurn } from '../../base/work/loopTurns';

/** What a leg of an ended hedge brought; USDT, fees negative. */
interface LegResult {
  symbol: string;
  side: 'long' | 'short';
  price: number;
  funding: number;
  fees: number;
  traded: number;
}

type Money = Pick<LegResult, 'price' | 'funding' | 'fees' | 'traded'>;
const netOf = ({ price, funding, fees }: Money): number => price + funding + fees;

/** An ended hedge with its legs. */
export interface HedgeResult {
  hedge: EndedHedge;
  legs: [LegResult, LegResult];
}

/** Price results come from the hedges' rows, funding, fees and notional from the ledger. */
export async function hedgeResults(hedges: readonly EndedHedge[], legs: readonly EndedLeg[]): Promise<HedgeResult[]> {
  const booked = new Map<string, EndedLeg[]>();
  await mapYielding(legs, (leg) => {
    const ofHedge = booked.get(leg.hedgeId);
    if (ofHedge) ofHedge.push(leg);
    else booked.set(leg.hedgeId, [leg]);
  });
  const legOf = (hedge: EndedHedge, side: 'long' | 'short'): LegResult => {
    const leg = booked.get(hedge.id)?.find(({ symbol }) => symbol === hedge[side]);
    const { funding = 0, fees = 0, traded = 0 } = leg ?? {};
    const price = side === 'long' ? hedge.longPrice : hedge.shortPrice;
    return { symbol: hedge[side], side, price, funding, fees, traded };
  };
  return mapYielding(hedges, (hedge) => ({ hedge, legs: [legOf(hedge, 'long'), legOf(hedge, 'short')] }));
}

const hedgeNet = ({ legs }: HedgeResult): number => netOf(legs[0]) + netOf(legs[1]);

/** Upper ends of the buckets, hours. */
const BUCKETS: readonly [HoldingBucket, number][] = [
  ['under4h', 4],
  ['under1d', 24],
  ['under3d', 72],
  ['under7d', 168],
  ['under30d', 720],
  ['over30d', Number.POSITIVE_INFINITY],
];

function holdingOf({ openedAt, endedAt }: EndedHedge): HoldingBucket {
  if (openedAt === null) return 'unopened';
  const hours = (endedAt - openedAt) / HOUR_MS;
  return BUCKETS.find(([, end]) => hours < end)![0];
}

const KEY_OF_HEDGE: Record<Exclude<AttributionBy, 'coin' | 'side'>, (hedge: EndedHedge) => string> = {
  user: ({ user }) => user,
  pair: ({ long, short }) => `${long} / ${short}`,
  reason: ({ reason }) => reason ?? 'unknown',
  holding: holdingOf,
};
const KEY_OF_LEG: Record<'coin' | 'side', (leg: LegResult) => string> = {
  coin: ({ symbol }) => symbol,
  side: ({ side }) => side,
};

/** Sums of what has one key; counted are hedges, of which by coin and by side only a leg adds to the sums. */
class Sums implements Money {
  count = 0;
  wins = 0;
  price = 0;
  funding = 0;
  fees = 0;
  traded = 0;

  add(parts: readonly Money[], isWon: boolean): void {
    this.count++;
    if (isWon) this.wins++;
    for (const { price, funding, fees, traded } of parts) {
      this.price += price;
      this.funding += funding;
      this.fees += fees;
      this.traded += traded;
    }
  }
}

const winRateOf = (wins: number, count: number) => (count < FEWEST_TRADES ? null : wins / count);

type Part = [key: string, parts: readonly Money[]];

/** @param partsOf what a hedge adds, and under which keys. */
function rowsOf(results: readonly HedgeResult[], partsOf: (result: HedgeResult) => readonly Part[]): AttributionRow[] {
  const byKey = new Map<string, Sums>();
  for (const result of results) {
    const isWon = hedgeNet(result) > 0;
    for (const [key, parts] of partsOf(result)) {
      const sums = byKey.get(key) ?? new Sums();
      byKey.set(key, sums);
      sums.add(parts, isWon);
    }
  }
  const rows = [...byKey].map(([key, sums]) => {
    const { count, wins, price, funding, fees, traded } = sums;
    // Adding 0 turns the -0 of no fees into 0.
    return { key, count, winRate: winRateOf(wins, count), price, funding, fees: fees + 0, net: netOf(sums), traded };
  });
  return rows.sort((a, b) => b.net - a.net || a.key.localeCompare(b.key));
}

/** Where the result of ended hedges came from, by each attribution, which has a turn of its own; largest net first. */
export async function attributionOf(results: readonly HedgeResult[]): Promise<Statistic['attribution']> {
  const byHedge = async (by: keyof typeof KEY_OF_HEDGE) => {
    await nextTurn();
    return rowsOf(results, ({ hedge, legs }) => [[KEY_OF_HEDGE[by](hedge), legs]]);
  };
  const byLeg = async (by: keyof typeof KEY_OF_LEG) => {
    await nextTurn();
    return rowsOf(results, ({ legs }) => legs.map((leg): Part => [KEY_OF_LEG[by](leg), [leg]]));
  };
  return {
    user: await byHedge('user'),
    pair: await byHedge('pair'),
    coin: await byLeg('coin'),
    side: await byLeg('side'),
    reason: await byHedge('reason'),
    holding: await byHedge('holding'),
  };
}

/** F21 over ended hedges, each by its net (F11). */
export function hedgeFigures(results: readonly HedgeResult[]): HedgeFigures {
  const nets = Float64Array.from(results, hedgeNet);
  const hours = results.flatMap(({ hedge: { openedAt, endedAt } }) =>
    openedAt === null ? [] : [(endedAt - openedAt) / HOUR_MS],
  );
  return {
    ...tradeStatistics(nets),
    fewest: FEWEST_TRADES,
    net: nets.reduce((total, net) => total + net, 0),
    averageHours: mean(Float64Array.from(hours)),
  };
}
