import Big from 'big.js';
import type { AccountBalance, AccountCarry, AccountPosition, AccountRisk, AccountState } from '#contract/account';
import { type AccountPoint, type LedgerOfLate, modeOf } from '../../base/db/accounts/account';
import { dayEquityOf, dayResult, runningDay } from '../../base/maths/dayBoundary';
import { marginRatio } from '../../base/maths/evenMargin';
import { fundingCash } from '../../base/maths/funding';
import { neutralityOf } from '../../base/maths/hedge';
import { defined } from '../../base/maths/statistics';
import { symbolKey } from '../../base/symbolKey';
import type { TradingTerms, VenueMargin, VenuePosition } from '../../market/venue';
import { type AccountFacts, availableOf, dayPnl, marginHeld } from './accountFacts';
import type { Marks } from './marks';
import { bySize, positionsOf } from './positions';
import { pauseOf } from './stops';
import { annualised30d, depthOf, returnOver } from './track';
import type { VenueAnswer } from './venueAnswer';

interface RiskInput {
  /** null: the venue could not be asked, and nothing is known. */
  positions: readonly AccountPosition[] | null;
  /** USDT; null where the account cannot be valued. */
  equity: number | null;
  /** F23. */
  marginRatio: number | null;
  /** 30-day beta to BTC by `symbolKey`. */
  betas: ReadonlyMap<string, number | null>;
}

const UNKNOWN: AccountRisk = {
  marginRatio: null,
  leverage: null,
  gross: null,
  net: null,
  neutrality: null,
  betaExposure: null,
  withoutBeta: [],
  nearest: null,
  largest: null,
};

/** F10, F17 and F23 over the positions that the venue holds. */
function riskOf({ positions, equity, marginRatio, betas }: RiskInput): AccountRisk {
  if (positions === null) return UNKNOWN;
  const held = positions.filter(({ quantity }) => Number(quantity) !== 0);
  if (held.some(({ notional }) => notional === null)) return { ...UNKNOWN, marginRatio };
  const values = held.map((row) => ({ row, value: Math.sign(Number(row.quantity)) * Number(row.notional) }));
  const sumOf = (side: 'long' | 'short') =>
    values.reduce((sum, { row, value }) => (row.side === side ? sum + value : sum), 0);
  const [long, short] = [sumOf('long'), sumOf('short')];
  const gross = long - short;
  const withoutBeta = held.filter((row) => (betas.get(symbolKey(row)) ?? null) === null).map(({ symbol }) => symbol);
  const weighted = values.reduce((sum, { row, value }) => sum + value * (betas.get(symbolKey(row)) ?? 0), 0);
  return {
    marginRatio,
    leverage: equity !== null && equity > 0 ? defined(gross / equity) : null,
    gross,
    net: long + short,
    neutrality: neutralityOf(long, short),
    betaExposure: withoutBeta.length === 0 ? weighted : null,
    withoutBeta,
    nearest: nearestOf(held),
    largest: largestOf(held, gross),
  };
}

function nearestOf(held: readonly AccountPosition[]): AccountRisk['nearest'] {
  const reachable = held.flatMap(({ symbol, liquidationPrice: price, liquidationDistance: distance }) =>
    price === null || distance === null ? [] : [{ symbol, price, distance }],
  );
  return reachable.sort((a, b) => a.distance - b.distance)[0] ?? null;
}

function largestOf(held: readonly AccountPosition[], gross: number): AccountRisk['largest'] {
  const [first] = [...held].sort((a, b) => Number(b.notional) - Number(a.notional));
  return first && gross > 0 ? { symbol: first.symbol, share: Number(first.notional) / gross } : null;
}

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
  const { switches, forAll, running, books, answers, unanswered, late, marks, betas, scope } = facts;
  const equity = books.equity;
  const valued = equity !== null;
  const positions = answers.flatMap((answer) => positionsHeld(facts, answer)).sort(bySize);
  const margins = marginsOf(facts);
  const isKnown = unanswered.length === 0;
  // Paused by its day's loss is what is traded with play money alone.
  const counted = modeOf(scope) === 'paper' && valued ? dayPnl(switches, Number(equity), facts.now) : null;
  const held = answers.flatMap((answer) => answer.positions);
  return {
    mode: facts.accounts[0]?.mode as AccountState['mode'],
    openedAt,
    enabled: switches.enabled,
    paused: pauseOf(switches.pausedAt, switches.pausedBy, switches.pauseReason),
    pausedForAll: forAll ? pauseOf(forAll.pausedAt, forAll.pausedBy, forAll.reason) : null,
    unvalued: switches.unvalued,
    unvaluedLive: switches.unvaluedLive,
    dailyLossLimit: switches.dailyLossLimit,
    running,
    venue: isKnown ? 'ok' : 'failed',
    unanswered: unanswered.map(({ name }) => name),
    unpriced: books.unpriced,
    priceAt: books.priceAt,
    equity: equity && money(equity),
    inTransit: money(books.inTransit),
    available: margins && money(margins.reduce((sum, margin) => sum.plus(availableOf(margin)), new Big(0))),
    unrealised: books.unrealised && money(books.unrealised),
    net: equity && money(equity.minus(books.transfers)),
    dayBoundary: switches.dayBoundary,
    day: runningDay(switches, facts.now),
    today: valued ? todayOf(today, counted) : null,
    annualised30d: valued ? annualised30d(daily) : null,
    ...depthOf(valued ? daily : []),
    risk: riskOf({
      positions: isKnown ? positions : null,
      // What is on its way between the accounts is still the owner's.
      equity: margins && totalEquity(margins) + books.inTransit.toNumber(),
      marginRatio: margins && highestRatio(margins),
      betas,
    }),
    carry: carryOf({ late, positions: isKnown ? held : null, marks, terms: answers[0]?.fee ?? null }),
    balances: balancesOf(facts),
    positions: answers.length === 0 ? null : positions,
  };
}

const money = (value: Big): string => value.round(8).toFixed();

/** The margins of all accounts; `null` where one is not known. */
function marginsOf({ answers, unanswered }: AccountFacts): VenueMargin[] | null {
  const margins = answers.map(({ margin }) => margin).filter((margin) => margin !== null);
  return unanswered.length > 0 || margins.length < answers.length ? null : margins;
}

const totalEquity = (margins: readonly VenueMargin[]): number =>
  margins.reduce((sum, { equity }) => sum + Number(equity), 0);

/** F23 of the account that is nearest to its end: none stands in for another. */
function highestRatio(margins: readonly VenueMargin[]): number | null {
  const ratios = margins.map((margin) => marginRatio(marginHeld(margin)));
  const known = ratios.filter((ratio) => ratio !== null);
  return known.length < ratios.length ? null : Math.max(0, ...known);
}

/** Positions of one of the accounts as its venue answered. */
export function positionsHeld(facts: AccountFacts, answer: VenueAnswer): AccountPosition[] {
  const { legs, allLegs, marks, hedgeFunding, stock } = facts;
  const own = stock.filter(({ mode }) => mode === answer.account.mode);
  const { account, margin, positions, terms, pending } = answer;
  return positionsOf(positions, {
    accountId: account.id,
    legs: legs.filter(({ accountId }) => accountId === account.id),
    allLegs,
    marks,
    terms,
    pending,
    margin: margin && marginHeld(margin),
    funding: hedgeFunding,
    ignored: account.ignored,
    stock: new Map(own.map(({ symbol, quantity }) => [symbol, new Big(quantity)])),
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

/**
 * What each account has by asset: its coins at their marks, and the USDT that is left of its equity. Before its venue was
 * asked nobody knows which coins those are, and all counts as USDT.
 */
function balancesOf({ accounts, answers, accountBooks, marks }: AccountFacts): AccountBalance[] {
  const rows = accounts.flatMap((account): Omit<AccountBalance, 'share'>[] => {
    const answer = answers.find((each) => each.account.id === account.id);
    const coins = answer ? coinsOf(answer, marks) : [];
    const equity = accountBooks.get(account.id) ?? null;
    const inCoins = coins.reduce<Big | null>((sum, { value }) => sum && value && sum.plus(value), new Big(0));
    const total = equity && inCoins && money(equity.minus(inCoins));
    const margin = answer?.margin ?? null;
    const of = { accountId: account.id };
    return [
      {
        ...of,
        asset: 'USDT',
        total,
        available: margin && money(availableOf(margin)),
        frozen: margin && money(new Big(margin.initialMargin)),
        value: total,
      },
      ...coins.map(({ asset, quantity, value }) => {
        const held = quantity.toFixed();
        return { ...of, asset, total: held, available: null, frozen: null, value: value && money(value) };
      }),
    ];
  });
  const whole = rows.reduce<number | null>(
    (sum, { value }) => (sum === null || value === null ? null : sum + Number(value)),
    0,
  );
  return rows.map((row) => ({
    ...row,
    share: row.value !== null && whole !== null && whole > 0 ? Number(row.value) / whole : null,
  }));
}

/** The coins that an account holds. */
function coinsOf({ positions, terms }: VenueAnswer, marks: AccountFacts['marks']) {
  return positions.flatMap((position) => {
    const key = symbolKey(position);
    const of = terms.get(key);
    if (of?.kind !== 'spot') return [];
    const quantity = new Big(position.quantity);
    const mark = marks.get(key);
    return [{ asset: of.base, quantity, value: mark === undefined ? null : quantity.times(mark.price) }];
  });
}

interface CarryInput {
  late: LedgerOfLate;
  /** null: the venue could not be asked. */
  positions: readonly VenuePosition[] | null;
  marks: Marks;
  terms: TradingTerms | null;
}

const exact = (amount: Big.BigSource): string => new Big(amount).toFixed();

/** What carrying the positions brings and costs. */
function carryOf({ late, positions, marks, terms }: CarryInput): AccountCarry {
  const { funding1d, funding7d, funding30d, fees30d, traded30d } = late;
  return {
    next: positions && nextFunding(positions, marks),
    funding1d: exact(funding1d),
    funding7d: exact(funding7d),
    funding30d: exact(funding30d),
    fees30d: exact(new Big(fees30d).neg()),
    traded30d: exact(traded30d),
    fee: terms && { maker: terms.makerFee, taker: terms.takerFee },
  };
}

/** The sum of F2 over the positions that settle next; `null` where none does. */
function nextFunding(positions: readonly VenuePosition[], marks: Marks): AccountCarry['next'] {
  const due = positions.flatMap((position) => {
    const mark = marks.get(symbolKey(position));
    if (!mark || mark.fundingRate === null || mark.nextFundingAt === null) return [];
    const quantity = Number(position.quantity);
    const amount = fundingCash(quantity < 0 ? -1 : 1, Math.abs(quantity), mark.price, mark.fundingRate);
    return [{ at: mark.nextFundingAt, amount }];
  });
  if (due.length === 0) return null;
  const at = Math.min(...due.map((row) => row.at));
  const now = due.filter((row) => row.at === at);
  return { at, amount: now.reduce((sum, { amount }) => sum + amount, 0), positions: now.length };
}
