import type { GridRecord } from '#contract/kinds/grid/deal';
import type { GridParams } from '#contract/kinds/grid/params';
import { ownDeal } from '../../base/db/strategies/deal';
import { fundingOfDeal } from '../../base/db/strategies/slotFill';
import { notFound } from '../../base/http/refusal';
import { levelPrice } from '../../base/maths/grid';
import { gridRecord, pricesWithin } from '../../base/maths/gridRecord';
import type { DeskDeps } from '../../desk/deps';
import { marketNow } from '../../desk/symbol/marketNow';
import { flowsOf, type GridDeal, readGridDeals } from './deals';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'venue'>;

const KIND = 'grid';
const BAR = '1h';
const PAIRS = 100;
const AWAY = 50;

/** How one of a user's grids did, up to now or to its end. @throws 404 for any other deal. @param now UTC ms */
export async function gridRecordOf(needs: Needs, userId: string, id: string, now: number): Promise<GridRecord> {
  const { db, markets, venue } = needs;
  const deal = await ownDeal(db, userId, id);
  if (deal === null || deal.kind !== KIND) throw notFound('没有这个网格');
  const { source, symbol, midOpen } = deal.legs[0]!;
  const here = await marketNow(markets, source, now);
  const from = deal.openedAt ?? deal.createdAt;
  const until = deal.closedAt ?? now;
  const price = deal.closedAt === null ? (here?.view.get(symbol)?.price ?? null) : null;
  const [candles, funding, terms] = await Promise.all([
    here?.market.candles(symbol, BAR, { start: from }),
    fundingOfDeal(db, id),
    venue.terms(source, symbol),
  ]);
  const [grid] = await readGridDeals(
    needs,
    [deal],
    () => undefined,
    () => ({ price, terms }),
  );
  const { params, matched } = grid!;
  const {
    net: _,
    away,
    ...figures
  } = gridRecord({
    fills: flowsOf(grid!).map(({ at, ...fill }) => ({
      at,
      signed: fill.signed.toNumber(),
      price: fill.price.toNumber(),
      fee: fill.fee.toNumber(),
    })),
    funding,
    prices: candles ? pricesWithin(candles, { from, until }, price) : [],
    rangeAt: rangesOf(grid!),
    capital: params.legNotional / params.leverage,
    ...{ from, until, startPrice: midOpen },
  });
  return {
    ...figures,
    away: away.slice(-AWAY),
    awayShare: figures.inRange === null ? null : 1 - figures.inRange,
    pairs: matched.slice(-PAIRS).map(({ cell, from: since, entry, at, exit, profit }) => ({
      ...{ cell, from: since, at },
      ...{ entry: entry.toNumber(), exit: exit.toNumber(), profit: profit.toNumber() },
    })),
  };
}

/** The range of a grid at an instant: where a person had moved it, or where its trades say that it followed the price to. */
function rangesOf({ params, note, fills }: GridDeal) {
  const traded = fills.flatMap(({ at, slot }) => (/^-?\d+$/.test(slot) ? [{ at, cell: Number(slot) }] : []));
  const firstAt = (at: number): number => {
    if (!params.trailing) return note.shifts?.findLast((shift) => shift.at <= at)?.first ?? 0;
    const cells = traded.filter((fill) => fill.at <= at).map(({ cell }) => cell);
    return note.anchor > 0 ? Math.max(0, Math.max(0, ...cells) - params.cells + 1) : Math.min(0, ...cells);
  };
  return (at: number) => rangeFrom(params, Number(note.tickSize), firstAt(at));
}

const rangeFrom = (shape: GridParams, tick: number, first: number) => ({
  lower: levelPrice(shape, tick, first),
  upper: levelPrice(shape, tick, first + shape.cells),
});
