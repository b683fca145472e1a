import Big from 'big.js';
import type { PartClose } from '#contract/closeQuote';
import { LEGS, type Leg } from '#contract/lifecycle';
import { holdsPair, type StrategyKind } from '#contract/strategy';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { changeDeal, type DealColumns, insertLines, runningDealsOf } from '../../base/db/strategies/deal';
import { isReducing } from '../../base/db/strategies/reduction';
import { conflict, invalid, refused } from '../../base/http/refusal';
import { plain } from '../../base/maths/decimal';
import type { Asker } from './bookIntents';
import { cutOf, heldOf, type PartTerms, signedOf, underWay } from './partQuote';
import { mustBeIn } from './strategyIntents';

/** What a part is closed of, as the audit log names it. */
const pairOf = ({ legs }: Pick<DealColumns, 'legs'>): string => {
  const symbolOf = (name: Leg) => legs.find(({ leg }) => leg === name)?.symbol ?? '';
  return `${symbolOf('long')} / ${symbolOf('short')}`;
};

/**
 * Asks for a part of both legs to be closed; the rest is held on, and its target stays as it is.
 * @param terms as the market had them a moment before.
 * @returns what the audit log is told of it, before and after.
 * @throws 404; `dealNotOpen`, `dealNoPart`, `dealFrozen`, `dealRolling`; 409 where another part is on its way or what is
 * held has changed since it was shown; 400 at the part.
 */
export async function reduceDeal(
  tx: Queries,
  { user, now }: Asker,
  { id, percent, maker, held }: PartClose,
  terms: PartTerms,
) {
  const row = await mustBeIn(tx, user.id, id);
  if (!holdsPair(row.kind as StrategyKind)) throw refused('dealNoPart');
  if (row.frozen !== null) throw refused('dealFrozen');
  const { reduction } = row;
  if (reduction !== null && isReducing(row)) throw conflict(underWay(reduction.percent));
  if ((await runningDealsOf(tx, [row.strategyId])).some(({ rolledFrom }) => rolledFrom === row.id))
    throw refused('dealRolling');
  const from = heldOf(row);
  if (LEGS.some((leg) => signedOf(row, leg).eq(0))) throw refused('dealNotOpen');
  if (LEGS.some((leg) => !new Big(held[leg]).eq(from[leg]))) throw conflict('这张单的持仓刚刚变了，请看过再平');
  const cut = cutOf(row, terms, percent);
  if (typeof cut === 'string') throw invalid('percent', cut);
  const keepOf = (leg: Leg) => signedOf(row, leg).abs().minus(cut[leg]);
  const keep = { long: plain(keepOf('long')), short: plain(keepOf('short')) };
  const whole = { long: plain(signedOf(row, 'long').abs()), short: plain(signedOf(row, 'short').abs()) };
  // Two requests are never one, however close they are.
  const at = Math.max(now, (reduction?.at ?? 0) + 1);
  await changeDeal(tx, row.id, { reduction: { at, percent, maker, from: whole, keep } });
  const told = row.legs
    .toSorted((a, b) => a.leg.localeCompare(b.leg))
    .map(({ leg, symbol }) => `${symbol} ${plain(cut[leg as Leg])}，剩 ${keep[leg as Leg]}`);
  const detail = `平 ${percent}%（${maker ? '挂单' : '市价'}）：${told.join('；')}，由 ${user.name}`;
  await insertLines(tx, [{ dealId: row.id, kind: 'reducing', detail }], now);
  await moveBook(tx, user.id);
  const left = { long: keep.long, short: plain(new Big(keep.short).neg()) };
  return {
    answer: { id: row.id, keep: left },
    before: { pair: pairOf(row), ...from },
    after: { pair: pairOf(row), percent, maker, ...left },
  };
}
