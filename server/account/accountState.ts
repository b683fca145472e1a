import Big from 'big.js';
import type { AccountBalance, AccountPosition, AccountState } from '#contract/account';
import type { AccountPoint } from '../db/account';
import type { VenueMargin } from '../exchange/venue';
import { dayPnl } from '../hedge/dayResult';
import { runningDay } from '../maths/dayBoundary';
import { dayEquityOf, dayResult } from '../maths/dayResult';
import type { AccountFacts } from './accountFacts';
import { carryOf } from './carry';
import { pauseOf } from './pause';
import { positionsOf } from './positions';
import { riskOf } from './risk';
import { annualised30d, depthOf, returnOver } from './track';

/** The stretches of the record that the figures are made of; ascending, the last point is the present. */
export interface AccountRecord {
  openedAt: number;
  /** Since the start of the account's running day. */
  today: readonly AccountPoint[];
  /** Daily closes (UTC) since the opening. */
  daily: readonly AccountPoint[];
}

/** Everything of one account that the overview shows. */
export function accountState(facts: AccountFacts, { openedAt, today, daily }: AccountRecord): AccountState {
  const { switches, forAll, hedges, books, venue, late, marks, betas } = facts;
  const equity = books.equity;
  const valued = equity !== null;
  const positions = venue && positionsHeld(facts);
  const margin = venue?.margin ?? null;
  return {
    openedAt,
    enabled: switches.enabled,
    paused: pauseOf(switches.pausedAt, switches.pausedBy, switches.pauseReason),
    pausedForAll: forAll ? pauseOf(forAll.pausedAt, forAll.pausedBy, forAll.reason) : null,
    running: hedges.length,
    venue: venue ? 'ok' : 'failed',
    unpriced: books.unpriced,
    priceAt: books.priceAt,
    equity: equity && money(equity),
    available: margin && availableOf(margin),
    unrealised: books.unrealised && money(books.unrealised),
    net: equity && money(equity.minus(books.transfers)),
    dayBoundary: switches.dayBoundary,
    day: runningDay(switches, facts.now),
    today: valued ? todayOf(today, dayPnl(switches, Number(equity), facts.now)) : null,
    annualised30d: valued ? annualised30d(daily) : null,
    ...depthOf(valued ? daily : []),
    risk: riskOf({
      positions,
      equity: margin && Number(margin.equity),
      maintenance: margin && Number(margin.maintenanceMargin),
      betas,
    }),
    carry: carryOf({ late, positions: venue?.positions ?? null, marks, terms: venue?.fee ?? null }),
    balances: [balanceOf(facts)],
    positions,
  };
}

const money = (value: Big): string => value.round(8).toFixed();

/** What is free for new positions; never below nothing. */
function availableOf({ marginBalance, initialMargin }: VenueMargin): string {
  const free = new Big(marginBalance).minus(initialMargin);
  return free.lt(0) ? '0' : money(free);
}

function positionsHeld({ venue, legs, marks, hedgeFunding }: AccountFacts): AccountPosition[] {
  const { margin, positions, terms, pending } = venue!;
  return positionsOf(positions, {
    legs,
    marks,
    terms,
    pending,
    margin: margin && { equity: Number(margin.equity), maintenance: Number(margin.maintenanceMargin) },
    funding: hedgeFunding,
  });
}

/**
 * What the day brought: transfers are no gain.
 * @param counted the result that the daily loss limit goes by; null while the engine has not begun the day, when the
 * record has to do.
 */
export function todayOf(points: readonly AccountPoint[], counted: number | null): AccountState['today'] {
  const first = points[0];
  const last = points[points.length - 1];
  if (!first || !last) return null;
  const pnl = counted ?? dayResult(last.equity, dayEquityOf(first.equity, last.transfers - first.transfers));
  return { since: first.at, pnl, return: returnOver(points) };
}

/** All money is USDT so far. */
function balanceOf({ books, venue }: AccountFacts): AccountBalance {
  const total = books.equity && money(books.equity);
  const margin = venue?.margin ?? null;
  return {
    asset: 'USDT',
    total,
    available: margin && availableOf(margin),
    frozen: margin && money(new Big(margin.initialMargin)),
    value: total,
    share: books.equity?.gt(0) ? 1 : null,
  };
}
