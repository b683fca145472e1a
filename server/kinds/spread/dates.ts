import { DAY_MS } from '#contract/duration';
import type { SpreadRoll } from '#contract/kinds/spread/desk';
import { PAST_DAYS } from '#contract/scanPast';
import { type DealColumns, dealsById, rolledDeals } from '../../base/db/strategies/deal';
import { refused } from '../../base/http/refusal';
import type { DeskDeps } from '../../desk/deps';
import { marketOf } from '../../desk/symbol/marketOf';
import { INSTRUMENT_KINDS } from '../../market/exchange';

interface Pair {
  source: string;
  near: string;
  far: string;
}

/**
 * When two instruments expire, and when a user's deals went over to them from an earlier expiry or from them to the next
 * one; as far back as their basis is told of. @throws a refusal for what the source does not list.
 */
export async function spreadDates(
  { db, markets }: Pick<DeskDeps, 'db' | 'markets'>,
  userId: string,
  pair: Pair,
  now: number,
) {
  const market = await marketOf(markets, pair.source);
  const listed = new Map((await market.instruments(INSTRUMENT_KINDS)).map((one) => [one.symbol, one.expiresAt]));
  const expiries = (
    [
      ['near', pair.near],
      ['far', pair.far],
    ] as const
  ).flatMap(([field, symbol]) => {
    const at = listed.get(symbol);
    if (at === undefined) throw refused('unknownSymbol', symbol, field);
    return at === null ? [] : [{ symbol, at }];
  });
  return { expiries, rolls: await rollsOf(db, userId, pair, now - PAST_DAYS * DAY_MS) };
}

async function rollsOf(db: DeskDeps['db'], userId: string, pair: Pair, since: number): Promise<SpreadRoll[]> {
  const later = await rolledDeals(db, userId, since);
  const earlier = new Map(
    (
      await dealsById(
        db,
        userId,
        later.map(({ rolledFrom }) => rolledFrom!),
      )
    ).map((one) => [one.id, one]),
  );
  return later
    .flatMap((after): SpreadRoll[] => {
      const before = earlier.get(after.rolledFrom!);
      if (before === undefined) return [];
      const way = isOf(after, pair) ? 'in' : isOf(before, pair) ? 'out' : null;
      const [from, to] = [goneOn(before, after), goneOn(after, before)];
      return way === null || from === undefined || to === undefined ? [] : [{ at: after.openedAt!, way, from, to }];
    })
    .sort((a, b) => a.at - b.at);
}

/** Whether a deal holds the two against each other, whichever way round. */
const isOf = ({ legs }: DealColumns, { source, near, far }: Pair): boolean =>
  [near, far].every((symbol) => legs.some((leg) => leg.source === source && leg.symbol === symbol));

/** The leg of a deal that another one does not have. */
const goneOn = ({ legs }: DealColumns, other: DealColumns): string | undefined =>
  legs.find(({ symbol }) => !other.legs.some((leg) => leg.symbol === symbol))?.symbol;
