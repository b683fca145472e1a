import { LRUCache } from 'lru-cache';
import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import type { DealRow } from '#contract/strategyRow';
import type { DealColumns } from '../../base/db/strategies/deal';
import { symbolKey } from '../../base/symbolKey';
import { exitRulesNow } from '../../engine/preview';
import { liquidationOf, type MarginNow, marginNow } from '../account/liquidation';
import type { DeskDeps } from '../deps';
import { askedOnce, closeQuote, takenAway } from './closeQuote';

type Needs = Pick<DeskDeps, 'db' | 'venue' | 'markets' | 'clock' | 'pairModels'>;

/** What a venue says of an account; `null` of what it does not answer. */
interface AccountNow {
  margin: MarginNow | null;
  /** By `symbolKey`, signed. */
  quantities: ReadonlyMap<string, number> | null;
}

/** So old may be what an exchange says of an account where a liquidation is told: it counts each question. */
const READING_MS = 10_000;
const readings = new WeakMap<Needs['venue'], LRUCache<string, AccountNow>>();

/** Accounts that trade for real, as they were a moment ago. */
function recentOf(needs: Needs): LRUCache<string, AccountNow> {
  const known =
    readings.get(needs.venue) ??
    new LRUCache({ max: 1_000, ttl: READING_MS, fetchMethod: (id: string) => accountNow(needs, id) });
  readings.set(needs.venue, known);
  return known;
}

/** Deals as they are, the running ones with what closing them now brings, what closes them, and how near their venue is to that. */
export async function withStanding(
  needs: Needs,
  deals: readonly DealColumns[],
  rows: readonly DealRow[],
): Promise<DealRow[]> {
  const running = deals.filter(({ state }) => !HEDGE_ENDS.includes(state as HedgeState));
  const modes = new Map(running.flatMap(({ mode, legs }) => legs.map(({ accountId }) => [accountId, mode] as const)));
  const standingOf = (id: string, mode: string) =>
    mode === 'live' ? recentOf(needs).fetch(id) : accountNow(needs, id);
  // Deals of one coin ask the same of its book.
  const once = { ...needs, venue: askedOnce(needs.venue) };
  const [taken, rules, accounts, quotes] = await Promise.all([
    takenAway(needs, running),
    exitRulesNow(needs, running),
    Promise.all([...modes].map(async ([id, mode]) => [id, await standingOf(id, mode)] as const)),
    Promise.all(running.map((deal) => closeQuote(once, deal))),
  ]);
  const known = new Map(accounts);
  const standing = await Promise.all(
    running.map(async (deal, i) => {
      const { legs, net } = quotes[i]!;
      // Where nothing is held now, closing brings what it made so far; what never held anything made nothing.
      const hasTraded = deal.legs.some(({ opened }) => Number(opened) !== 0);
      const row = rows.find(({ id }) => id === deal.id);
      const liquidationDistance = row ? await distanceOf(once.venue, deal, row, known) : null;
      return [
        deal.id,
        { netClosed: legs.length > 0 || hasTraded ? net : null, rules: rules[i]!, liquidationDistance },
      ] as const;
    }),
  );
  const byId = new Map(standing);
  return rows.map((row) => ({ ...row, ...byId.get(row.id), taken: taken.get(row.id) }));
}

/** A venue that is silent keeps one figure out, and not the list. */
async function accountNow({ venue }: Needs, id: string): Promise<AccountNow> {
  const [margin, positions] = await Promise.all([
    venue.margin(id).catch(() => null),
    venue.positions(id).catch(() => null),
  ]);
  const quantities = positions && new Map(positions.map((one) => [symbolKey(one), Number(one.quantity)]));
  return { margin: marginNow(margin), quantities };
}

/** Of the leg that is nearer to it: by what its account holds of the symbol, of which others may hold more or the opposite. */
async function distanceOf(
  venue: Pick<DeskDeps['venue'], 'terms'>,
  { legs }: DealColumns,
  row: DealRow,
  accounts: ReadonlyMap<string, AccountNow | undefined>,
): Promise<number | null> {
  const distances = await Promise.all(
    legs.map(async ({ leg, source, symbol, accountId, quantity }) => {
      const terms = await venue.terms(source, symbol, accountId);
      const { margin = null, quantities = null } = accounts.get(accountId) ?? {};
      if (Number(quantity) === 0 || terms === undefined || terms.kind === 'spot') return [];
      const mark = row.legs.find((one) => one.leg === leg)?.mark ?? null;
      const held = quantities?.get(symbolKey({ source, symbol })) ?? 0;
      return liquidationOf(held, mark, terms, margin).liquidationDistance ?? [];
    }),
  );
  const known = distances.flat();
  return known.length === 0 ? null : Math.min(...known);
}
