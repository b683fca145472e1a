import { sql } from 'drizzle-orm';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { Queries } from '../client';
import { deal, dealLeg, star, strategy, target } from '../schema';

/** What people look at of a source: what is held or may be opened there by symbol, what is starred by coin; each in order of importance. */
export interface Watched {
  symbols: string[];
  coins: string[];
}

/** What is held comes first, then what running strategies may open; of stars the coin that most users have. */
export async function readWatched(db: Queries, source: string): Promise<Watched> {
  const ends = sql.join(
    HEDGE_ENDS.map((state) => sql`${state}`),
    sql`, `,
  );
  const [traded, starred] = await Promise.all([
    db.execute<{ symbol: string }>(sql`
      select symbol from (
        select ${dealLeg.symbol} as symbol, 0 as place from ${dealLeg} join ${deal} on ${deal.id} = ${dealLeg.dealId}
          where ${dealLeg.source} = ${source} and ${dealLeg.quantity} <> 0 and ${deal.state} not in (${ends})
        union all
        select leg ->> 'symbol', 1 from ${target} join ${strategy} on ${strategy.id} = ${target.strategyId},
          jsonb_array_elements(${target.legs}) leg
          where ${target.removedAt} is null and ${strategy.state} = 'running' and leg ->> 'source' = ${source}
      ) of_strategies
      group by symbol order by min(place), symbol collate "C"`),
    db.execute<{ coin: string }>(
      sql`select ${star.coin} as coin from ${star} group by coin order by count(*) desc, coin collate "C"`,
    ),
  ]);
  return { symbols: traded.rows.map(({ symbol }) => symbol), coins: starred.rows.map(({ coin }) => coin) };
}
