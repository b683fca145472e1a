import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { TObject } from 'typebox';
import { VENUES } from '#contract/candle';
import { SCAN_INTERVAL_MS } from '#contract/scan';
import { isWatched } from '#contract/star';
import { rowOrder } from '../../base/http/listPage';
import { isCalled } from '../coinNames';
import type { Clock } from '../exchange';
import type { MarketSight } from './sight';

/** Rows of so many beats before are still answered with, while newer ones are worked out. */
const BEATS_BEHIND = 2;
/** Until then who is answered with rows of before has its answer; the work on newer ones does not stand in its way. */
const ANSWERED_MS = 20;
/** Plans whose rows are kept: each is a size somebody looks at. */
const KEPT = 24;

/** What each filter asks of a row, told what it is set to; one that is not set asks nothing. */
export type RowFilters<Q, R> = { [K in keyof Q]?: (row: R, set: NonNullable<Q[K]>) => boolean };

/** One kind of scanner: what its rows are and how a query leaves them. */
export interface Scanner<Q, P extends object, R> {
  /** Fields of a row, which it can be ordered by. */
  row: TObject;
  /** The order where none is asked for. */
  bestFirst: string;
  /** What of a query the figures of the rows depend on. */
  planOf: (query: Q) => P;
  /** Every row of the market. */
  rowsOf: (seen: MarketSight, plan: P) => Promise<R[]>;
  /** Where the legs of a row lie; absent: at its source. */
  placesOf?: (row: R) => readonly string[];
  /** The filters of a query, beside those of every scanner. @param all every row of the market */
  filtersOf: (query: Q, all: readonly R[]) => RowFilters<Q, R>;
}

type Ask<R> = (row: R, set: unknown) => boolean;

interface Worked<R> {
  beat: number;
  /** UTC ms. */
  at: number;
  rows: readonly R[];
}

/** What the rows of every scanner have. */
interface Row {
  id: string;
  base: string;
  /** Why it cannot be acted upon. */
  obstacles: readonly string[];
}

/** What every scanner is asked by. */
interface Asked {
  sort?: string;
  /** Part of a coin's name. */
  search?: string;
  /** Those that are watched, with commas. */
  coins?: string;
  actionable?: boolean;
}

const FILTERS: RowFilters<Asked, Row> = {
  search: ({ base }, word) => isCalled(base, word),
  coins: ({ base }, list) => isWatched(list, base),
};

const atSource = (row: object): string[] => ('source' in row ? [String(row.source)] : []);

/** What is imported trades at any account. */
const isVenue = (place: string): boolean => VENUES.some((venue) => venue === place);

const isFree = ({ obstacles }: Row): boolean => obstacles.length === 0;

/** The rows of a query on all pages, and what its filters keep away. */
interface Ranked<R> {
  rows: R[];
  /** Rows without any filter. */
  all: number;
  /** What each filter keeps away, whatever the others do; the one that keeps most away first. */
  hidden: { filter: string; rows: number }[];
  /** The instant of the market that rows were worked out at, UTC ms. */
  at: number;
}

/**
 * @param opened where who asks has an account; nothing is asked of that where it is not given
 * @param more filters that depend on who asks
 */
export type ReadRanking<Q, R> = (query: Q, opened?: ReadonlySet<string>, more?: RowFilters<Q, R>) => Promise<Ranked<R>>;

/** Where and when rows are worked out. */
export interface ScanDeps {
  sight: () => Promise<MarketSight>;
  clock: Clock;
  /** Given when nobody will ask any more: what is read in the background ends. */
  ended?: AbortSignal;
}

/**
 * Reads the rows of a scanner. They are worked out at most once a beat for everybody who asks with the same plan; who
 * asks again within two beats does not wait for the newest.
 */
export function createRanking<Q extends Asked, P extends object, R extends Row>(
  { sight, clock }: ScanDeps,
  scanner: Scanner<Q, P, R>,
): ReadRanking<Q, R> {
  const kept = new LRUCache<string, Worked<R>>({ max: KEPT });
  const working = new Map<string, Promise<Worked<R>>>();
  const beatNow = () => Math.floor(clock() / SCAN_INTERVAL_MS);

  async function work(key: string, plan: P, afterMs: number): Promise<Worked<R>> {
    if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
    const beat = beatNow();
    const seen = await sight();
    const worked = { beat, at: seen.at, rows: await scanner.rowsOf(seen, plan) };
    kept.set(key, worked);
    return worked;
  }

  function begin(key: string, plan: P, afterMs = 0): Promise<Worked<R>> {
    const running = working.get(key);
    if (running) return running;
    const begun = work(key, plan, afterMs).finally(() => working.delete(key));
    working.set(key, begun);
    return begun;
  }

  async function workedOf(query: Q): Promise<Worked<R>> {
    const plan = scanner.planOf(query);
    const key = JSON.stringify(plan);
    const known = kept.get(key);
    const behind = known ? beatNow() - known.beat : Number.POSITIVE_INFINITY;
    if (known === undefined || behind > BEATS_BEHIND || behind < 0) return begin(key, plan);
    // Whoever has to wait for the next one hears what went wrong.
    if (behind > 0) begin(key, plan, ANSWERED_MS).catch(() => {});
    return known;
  }

  return async (query, opened, more = {}) => {
    const order = rowOrder<R>(scanner.row, query.sort ?? scanner.bestFirst, ({ id }) => id);
    const { rows: all, at } = await workedOf(query);
    const asked = { ...FILTERS, ...scanner.filtersOf(query, all), ...more };
    const filters = Object.entries(asked).flatMap(([filter, asks]) => {
      const set = query[filter as keyof Q];
      return set === undefined ? [] : [{ filter, passes: (row: R) => (asks as Ask<R>)(row, set) }];
    });
    const passing = (rows: readonly R[]) => rows.filter((row) => filters.every(({ passes }) => passes(row)));
    const { actionable } = query;
    let unopened = 0;
    if (actionable !== undefined) {
      const placesOf = scanner.placesOf ?? atSource;
      const isOwn = (row: R) => opened === undefined || placesOf(row).every((at) => !isVenue(at) || opened.has(at));
      // Who could act on none of them may open an account there.
      const hasOwn = passing(all).some((row) => isFree(row) && isOwn(row));
      const passes = (row: R) => (isFree(row) && (!hasOwn || isOwn(row))) === actionable;
      filters.push({ filter: 'actionable', passes });
      if (actionable && hasOwn) unopened = all.filter((row) => isFree(row) && !isOwn(row)).length;
    }
    const hidden = filters.map(({ filter, passes }) => ({
      ...{ filter, rows: all.filter((row) => !passes(row)).length },
      ...(filter === 'actionable' && unopened > 0 && { unopened }),
    }));
    return {
      rows: passing(all).sort(order),
      all: all.length,
      hidden: hidden.filter(({ rows }) => rows > 0).sort((a, b) => b.rows - a.rows),
      at,
    };
  };
}
